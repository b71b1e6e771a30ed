package generate

import (
	"fmt"
	"maps"
)

// draft is a pod while it is made.
type draft struct {
	metadata Doc
	spec     Doc
	status   Doc
	labels   Doc
}

func (d draft) doc() Doc {
	if len(d.labels) > 0 {
		d.metadata["labels"] = d.labels
	}
	return Doc{"apiVersion": "v1", "kind": "Pod", "metadata": d.metadata, "spec": d.spec, "status": d.status}
}

func (m *waitingMaker) newDraft(namespace, name string) draft {
	made := draft{metadata: Doc{"name": name, "namespace": namespace, "uid": namespace + "-" + name, "creationTimestamp": "2026-01-02T03:04:05Z"},
		spec: Doc{}, status: Doc{"phase": "Pending"}, labels: Doc{}}
	if m.chance(70) {
		made.labels["app"] = pick(m.random, "web", "web", "web", "train", "db")
	}
	if m.chance(40) {
		made.labels["version"] = pick(m.random, "v1", "v2")
	}
	return made
}

// setPriority does what admission does: the numbers of the class.
func (m *waitingMaker) setPriority(made draft, class string) {
	made.spec["priority"], made.spec["preemptionPolicy"] = 0, "PreemptLowerPriority"
	if class == "" {
		return
	}
	made.spec["priorityClassName"], made.spec["priority"] = class, priorities[class]
	if class == "high" {
		made.spec["preemptionPolicy"] = "Never"
	}
}

// addOther adds a pod that is somewhere already, or was, or waits as well.
func (m *waitingMaker) addOther() {
	name := fmt.Sprintf("pod-%d", m.pods)
	m.pods++
	made := m.newDraft(pick(m.random, "team-a", "team-a", "team-a", "team-b", "team-c"), name)
	m.setPriority(made, pick(m.random, "", "", "", "lowest", "batch", "batch", "high", "top"))
	var at *place
	if len(m.places) > 0 {
		at = pick(m.random, m.places...)
	}
	want := m.modestWant(at)
	m.setContainers(made, want)
	if m.chance(20) {
		m.addPorts(made)
	}
	if m.chance(15) {
		m.setPodAffinity(made)
	}
	if m.topics.Volumes && m.chance(35) {
		m.useVolume(made, at)
	}
	way := m.IntN(100)
	if at == nil || way < 4 {
		made.spec["nodeName"] = "node-that-went-away"
		m.objects = append(m.objects, made.doc())
		return
	}
	// A nominated pod with claims counts only once the scheduler has seen its claims.
	if m.topics.Devices && way >= 10 && m.chance(30) {
		m.holdDevices(made, at)
	}
	switch {
	case way < 10:
		made.status["nominatedNodeName"] = at.name
	case way < 14: // waits
	case way < 20:
		made.spec["nodeName"] = at.name
		made.status["phase"] = pick(m.random, "Succeeded", "Failed")
	default:
		m.bind(made, at, want)
	}
	m.objects = append(m.objects, made.doc())
}

// bind puts the pod on a node, and copies the topology labels to it as the API server does.
func (m *waitingMaker) bind(made draft, at *place, want map[string]int64) {
	made.spec["nodeName"] = at.name
	made.status["phase"] = pick(m.random, "Running", "Running", "Running", "Pending", "Unknown")
	made.status["startTime"] = fmt.Sprintf("2026-01-02T03:%02d:00Z", m.IntN(60))
	for _, label := range []string{"topology.kubernetes.io/zone", "topology.kubernetes.io/region"} {
		if value, has := at.labels[label]; has {
			made.labels[label] = value
		}
	}
	for resource, value := range want {
		if _, has := at.free[resource]; has {
			at.free[resource] -= value
		}
	}
	at.free["pods"]--
	if m.chance(12) {
		made.metadata["deletionTimestamp"] = "2026-01-02T04:04:05Z"
		made.metadata["deletionGracePeriodSeconds"] = 30
		if m.chance(40) {
			made.status["conditions"] = []Doc{{"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}}
		}
	}
	if m.chance(6) {
		m.resize(made)
	}
}

// resize makes the pod one whose containers are being changed where they run.
func (m *waitingMaker) resize(made draft) {
	var statuses []Doc
	for _, container := range made.spec["containers"].([]Doc) {
		requests, has := container["resources"].(Doc)["requests"].(Doc)
		if !has {
			continue
		}
		actual, allocated := maps.Clone(requests), maps.Clone(requests)
		actual["cpu"] = pick(m.random, "100m", "1", "1500m")
		allocated["cpu"] = pick(m.random, "100m", "1", "2")
		statuses = append(statuses, Doc{"name": container["name"], "image": "none", "imageID": "", "ready": true, "restartCount": 0,
			"resources": Doc{"requests": actual}, "allocatedResources": allocated})
	}
	made.status["containerStatuses"] = statuses
	if m.chance(40) {
		conditions, _ := made.status["conditions"].([]Doc)
		made.status["conditions"] = append(conditions, Doc{"type": "PodResizePending", "status": "True",
			"reason": pick(m.random, "Infeasible", "Deferred")})
	}
}

// modestWant is what a pod that is on the node already asks for: mostly a part of what is free.
func (m *waitingMaker) modestWant(at *place) map[string]int64 {
	want := map[string]int64{}
	if m.chance(70) {
		want["cpu"] = int64(pick(m.random, 100, 250, 500, 1000, 2000))
	}
	if m.chance(60) {
		want["memory"] = pick(m.random, 128*mi, 512*mi, gi, 2*gi)
	}
	if at == nil {
		return want
	}
	for _, resource := range at.resources {
		if free := at.free[resource]; free > 0 && m.chance(65) {
			want[resource] = int64(m.between(1, int(min(free, 8))))
		}
	}
	if at.free["ephemeral-storage"] > 0 && m.chance(15) {
		want["ephemeral-storage"] = pick(m.random, gi, 5*gi)
	}
	if at.free["hugepages-2Mi"] > 0 && m.chance(30) {
		want["hugepages-2Mi"], want["memory"] = 64*mi, gi
	}
	return want
}

// setContainers spreads what the pod wants over its containers, so that its effective request is that
// or nearly that.
func (m *waitingMaker) setContainers(made draft, want map[string]int64) {
	containers := []Doc{{"name": "main", "image": "none"}}
	parts := []map[string]int64{maps.Clone(want)}
	if m.chance(25) {
		second := map[string]int64{}
		for _, resource := range sortedKeys(want) {
			if m.chance(60) && want[resource] > 1 {
				part := want[resource] / int64(m.between(2, 4))
				if resource == "hugepages-2Mi" {
					part = 0
				}
				second[resource] = part
				parts[0][resource] -= part
			}
		}
		containers, parts = append(containers, Doc{"name": "second", "image": "none"}), append(parts, second)
	}
	for i := range containers {
		containers[i]["resources"] = m.resourcesDoc(parts[i])
	}
	made.spec["containers"] = containers
	if m.chance(18) {
		m.addInit(made, want)
	}
	if m.chance(5) {
		made.spec["runtimeClassName"], made.spec["overhead"] = "kata", Doc{"cpu": "250m", "memory": "160Mi"}
	}
	if m.chance(6) {
		level := Doc{}
		if _, has := want["cpu"]; has {
			level["cpu"] = m.amount("cpu", want["cpu"]+int64(pick(m.random, 0, 0, 500, 1)))
		}
		if _, has := want["memory"]; has && m.chance(60) {
			level["memory"] = m.amount("memory", want["memory"]+pick(m.random, 0, mi))
		}
		if len(level) > 0 {
			made.spec["resources"] = Doc{"requests": level}
		}
	}
}

func (m *waitingMaker) addInit(made draft, want map[string]int64) {
	var inits []Doc
	for i := range m.between(1, 3) {
		part := map[string]int64{}
		for _, resource := range sortedKeys(want) {
			if resource == "hugepages-2Mi" || !m.chance(60) {
				continue
			}
			part[resource] = pick(m.random, want[resource], 1, max(1, want[resource]/2), want[resource]+1)
		}
		init := Doc{"name": fmt.Sprintf("init-%d", i), "image": "none", "resources": m.resourcesDoc(part)}
		if m.chance(35) {
			init["restartPolicy"] = "Always"
			if m.chance(30) {
				init["ports"] = []Doc{{"containerPort": 9100, "hostPort": 9100}}
			}
		}
		inits = append(inits, init)
	}
	made.spec["initContainers"] = inits
}

// resourcesDoc asks for these amounts: extended ones need equal limits; of others, limits alone are
// copied by the API server.
func (m *waitingMaker) resourcesDoc(part map[string]int64) Doc {
	requests, limits := Doc{}, Doc{}
	for _, resource := range sortedKeys(part) {
		text := m.amount(resource, part[resource])
		switch resource {
		case "cpu", "memory", "ephemeral-storage":
			if m.chance(15) {
				limits[resource] = text
			} else {
				requests[resource] = text
			}
		default:
			limits[resource] = text
			if m.chance(60) {
				requests[resource] = text
			}
		}
	}
	resources := Doc{}
	if len(requests) > 0 {
		resources["requests"] = requests
	}
	if len(limits) > 0 {
		resources["limits"] = limits
	}
	return resources
}

func (m *waitingMaker) addPorts(made draft) {
	container := made.spec["containers"].([]Doc)[0]
	seen, ports := map[string]bool{}, []Doc{}
	for range m.between(1, 2) {
		number := pick(m.random, 80, 8080, 9100, 9400)
		port := Doc{"containerPort": number, "hostPort": number}
		if m.chance(35) {
			port["hostIP"] = pick(m.random, "0.0.0.0", "127.0.0.1", "10.0.0.5")
		}
		if m.chance(25) {
			port["protocol"] = pick(m.random, "UDP", "TCP", "SCTP")
		}
		if key := fmt.Sprint(number, port["hostIP"], port["protocol"]); !seen[key] {
			seen[key], ports = true, append(ports, port)
		}
	}
	container["ports"] = ports
	if m.chance(10) {
		made.spec["hostNetwork"] = true
	}
}
