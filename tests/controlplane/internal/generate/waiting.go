package generate

import (
	"fmt"
	"maps"
)

// Waiting is a cluster and one pod that waits in it.
type Waiting struct {
	Seed      uint64
	Namespace string
	Name      string
	Objects   []Doc
}

// Topics are the parts of scheduling that a seed is about, beside resources and nodes.
type Topics struct{ Volumes, Devices bool }

// TopicsOf tells them by the seed's last digit: 0 to 4 neither, 5 and 6 volumes, 7 and 8 devices of
// DRA, 9 both.
func TopicsOf(seed uint64) Topics {
	digit := seed % 10
	return Topics{Volumes: digit == 5 || digit == 6 || digit == 9, Devices: digit >= 7}
}

// place is a node while the cluster is made.
type place struct {
	name      string
	labels    map[string]string
	free      map[string]int64 // cpu in thousandths
	taints    []Doc
	resources []string // extended ones that it offers
}

// waitingMaker gathers the objects of a seed.
type waitingMaker struct {
	random
	topics  Topics
	places  []*place
	objects []Doc
	pods    int

	// easyNodes and easyAsk leave out what would hide the filters that come later.
	easyNodes, easyAsk bool
	// restarts lets the pod need what nodes have to declare; moved, disks of kinds that moved to CSI;
	// attributed, claims and volumes that name a class of attributes.
	restarts, moved, attributed bool

	volumes volumeState
	devices deviceState
}

var teams = []string{"team-a", "team-b", "team-c"}

// RandomWaiting is the cluster of this seed: 1 to 40 nodes, up to 100 pods, and the pod
// team-a/waiting. Mostly the pod fits nowhere, often by very little.
func RandomWaiting(seed uint64) Waiting {
	maker := &waitingMaker{random: newRandom(seed, 11), topics: TopicsOf(seed)}
	easy := 50
	if maker.topics != (Topics{}) {
		easy = 75
	}
	maker.easyNodes, maker.easyAsk = maker.chance(easy), maker.chance(easy)
	maker.restarts, maker.moved, maker.attributed = maker.chance(15), maker.chance(30), maker.chance(25)
	maker.addCommon()
	count := maker.between(1, 8)
	switch {
	case maker.chance(8):
		count = maker.between(20, 40)
	case maker.chance(25):
		count = maker.between(6, 20)
	case maker.chance(2):
		count = 0
	}
	pool := []flavour{pick(maker.random, flavours...), pick(maker.random, flavours[:8]...), {}}
	for i := range count {
		maker.addPlace(fmt.Sprintf("node-%02d", i), pick(maker.random, pool...))
	}
	if maker.topics.Volumes {
		maker.addStorage()
	}
	if maker.topics.Devices {
		maker.addDeviceKinds()
	}
	most := min(100, 2+count*pick(maker.random, 0, 1, 2, 4, 8))
	for range maker.between(0, most) {
		maker.addOther()
	}
	pod := maker.waitingPod()
	maker.objects = append(maker.objects, pod)
	return Waiting{Seed: seed, Namespace: "team-a", Name: "waiting", Objects: maker.objects}
}

// priorities are those of the classes; a pod without class has 0.
var priorities = map[string]int{"lowest": -10, "batch": 100, "high": 1000, "top": 100000}

func (m *waitingMaker) addCommon() {
	for i, team := range teams {
		labels := Doc{"team": team, "env": []string{"prod", "test", "test"}[i]}
		if i == 0 && m.topics.Devices {
			labels["resource.kubernetes.io/admin-access"] = "true"
		}
		m.objects = append(m.objects, Doc{"apiVersion": "v1", "kind": "Namespace", "metadata": Doc{"name": team, "uid": team, "labels": labels}})
	}
	for _, name := range sortedKeys(priorities) {
		class := Doc{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": Doc{"name": name, "uid": name}, "value": priorities[name]}
		if name == "high" {
			class["preemptionPolicy"] = "Never"
		}
		m.objects = append(m.objects, class)
	}
	m.objects = append(m.objects, Doc{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": Doc{"name": "kata", "uid": "kata"},
		"handler": "kata", "overhead": Doc{"podFixed": Doc{"cpu": "250m", "memory": "160Mi"}}})
}

const (
	mi = int64(1) << 20
	gi = int64(1) << 30
)

func (m *waitingMaker) addPlace(name string, kind flavour) {
	at := &place{name: name, labels: map[string]string{
		"kubernetes.io/hostname": name, "kubernetes.io/os": "linux",
		"kubernetes.io/arch": pick(m.random, "amd64", "amd64", "amd64", "arm64"),
		"pool":               pick(m.random, "training", "serving", "system"),
	}, free: map[string]int64{}}
	maps.Copy(at.labels, kind.labels)
	if m.chance(85) {
		at.labels["topology.kubernetes.io/zone"] = pick(m.random, "eu-1a", "eu-1b", "eu-1c")
		at.labels["topology.kubernetes.io/region"] = "eu-1"
	}
	if m.chance(50) {
		at.labels["rack"] = pick(m.random, "r1", "r2", "r3", "r4")
	}
	if m.chance(40) {
		at.labels["slots"] = pick(m.random, "1", "4", "8", "16", "03", "many", "")
	}
	if m.chance(3) {
		delete(at.labels, "kubernetes.io/hostname")
	}
	at.free["cpu"] = int64(pick(m.random, 2000, 3920, 4000, 8000, 31850, 96000))
	at.free["memory"] = pick(m.random, 4*gi, 8*gi, 15*gi+312*mi, 64*gi, 1000*gi)
	at.free["pods"] = int64(pick(m.random, 110, 110, 110, 110, 29, 4, 2, 0))
	if m.easyNodes {
		at.free["cpu"], at.free["memory"], at.free["pods"] = 96000, 1000*gi, 110
	}
	if m.chance(85) {
		at.free["ephemeral-storage"] = pick(m.random, 10*gi, 47093746742, 100*gi)
	}
	if m.chance(12) {
		at.free["hugepages-2Mi"] = pick(m.random, 0, 64*mi, gi)
	}
	for _, resource := range sortedKeys(kind.capacity) {
		at.free[resource] = int64(kind.capacity[resource])
		switch {
		case m.chance(6):
			delete(at.free, resource)
			continue
		case m.chance(6):
			at.free[resource] = 0
		case m.chance(10):
			at.free[resource] = int64(m.between(0, kind.capacity[resource]))
		}
		at.resources = append(at.resources, resource)
	}
	m.places = append(m.places, at)
	m.addTaints(at)
	allocatable := Doc{}
	for _, resource := range sortedKeys(at.free) {
		allocatable[resource] = m.amount(resource, at.free[resource])
	}
	m.objects = append(m.objects, m.nodeDoc(at, allocatable))
}

func (m *waitingMaker) nodeDoc(at *place, allocatable Doc) Doc {
	labels := Doc{}
	for key, value := range at.labels {
		labels[key] = value
	}
	metadata := Doc{"name": at.name, "uid": at.name, "labels": labels}
	if m.chance(2) {
		metadata["deletionTimestamp"] = "2026-01-02T03:04:05Z"
		metadata["deletionGracePeriodSeconds"] = 0
		metadata["finalizers"] = []string{"example.com/wait"}
	}
	spec := Doc{}
	cordoned := m.chance(9) && !m.easyNodes
	if cordoned {
		spec["unschedulable"] = true
	}
	if cordoned != (m.chance(4) && !m.easyNodes) {
		at.taints = append(at.taints, Doc{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"})
	}
	if len(at.taints) > 0 {
		spec["taints"] = at.taints
	}
	ready := pick(m.random, "True", "True", "True", "True", "False", "Unknown")
	status := Doc{"capacity": maps.Clone(allocatable), "allocatable": allocatable, "conditions": []Doc{{"type": "Ready", "status": ready}}}
	if m.restarts {
		m.declare(status)
	}
	return Doc{"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec, "status": status}
}

func (m *waitingMaker) addTaints(at *place) {
	if m.easyNodes && m.chance(95) {
		return
	}
	if at.labels["nvidia.com/gpu.present"] != "" && m.chance(45) {
		at.taints = append(at.taints, Doc{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"})
	}
	if m.chance(9) {
		key := pick(m.random, "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
		at.taints = append(at.taints, Doc{"key": key, "effect": "NoSchedule"})
		if m.chance(60) {
			at.taints = append(at.taints, Doc{"key": key, "effect": "NoExecute", "timeAdded": "2026-01-02T03:04:05Z"})
		}
	}
	if m.chance(22) {
		at.taints = append(at.taints, Doc{"effect": pick(m.random, "NoSchedule", "NoSchedule", "NoExecute", "PreferNoSchedule"),
			"key": pick(m.random, "dedicated", "example.com/spot", "slots"), "value": pick(m.random, "ml", "web", "", "8")})
	}
	if m.chance(5) {
		at.taints = append(at.taints, Doc{"effect": "NoSchedule", "key": pick(m.random, "node.kubernetes.io/disk-pressure",
			"node.kubernetes.io/memory-pressure", "node.kubernetes.io/network-unavailable", "node.cloudprovider.kubernetes.io/uninitialized")})
	}
}

// amount writes a number of units (thousandths of cpu) as files do.
func (m *waitingMaker) amount(resource string, value int64) any {
	if resource == "cpu" {
		if value%1000 == 0 && m.chance(60) {
			return fmt.Sprint(value / 1000)
		}
		return fmt.Sprintf("%dm", value)
	}
	if value != 0 && value%gi == 0 && m.chance(70) {
		return fmt.Sprintf("%dGi", value/gi)
	}
	if value != 0 && value%mi == 0 && m.chance(70) {
		return fmt.Sprintf("%dMi", value/mi)
	}
	return fmt.Sprint(value)
}
