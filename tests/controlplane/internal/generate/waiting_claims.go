package generate

import "fmt"

// claimDevices gives the pod that waits one or two claims, or an extended resource that a class maps.
func (m *waitingMaker) claimDevices(made draft, at *place) {
	if m.chance(22) {
		m.askMapped(made)
		if m.chance(70) {
			return
		}
	}
	for i := range pick(m.random, 1, 1, 1, 2) {
		m.claimOnce(made, at, fmt.Sprintf("claim-%d", i))
	}
}

// askMapped asks for a resource in the way of device plugins.
func (m *waitingMaker) askMapped(made draft) {
	resource := pick(m.random, "example.com/gpu", "example.com/gpu", "deviceclass.resource.kubernetes.io/gpu", "deviceclass.resource.kubernetes.io/none")
	for _, container := range made.spec["containers"].([]Doc)[:1] {
		resources := container["resources"].(Doc)
		limits, _ := resources["limits"].(Doc)
		if limits == nil {
			limits = Doc{}
		}
		limits[resource] = fmt.Sprint(m.between(1, 3))
		resources["limits"] = limits
	}
}

func (m *waitingMaker) claimOnce(made draft, at *place, name string) {
	namespace := made.metadata["namespace"].(string)
	claimName := "waiting-" + name
	claim := m.deviceClaim(namespace, claimName, m.requests())
	m.constrain(claim)
	entry := Doc{"name": name, "resourceClaimName": claimName}
	switch way := m.IntN(100); {
	case way < 50:
		m.objects = append(m.objects, claim)
	case way < 72:
		m.fromTemplate(made, claim, entry)
	case way < 84:
		m.allocated(made, claim, at)
		m.objects = append(m.objects, claim)
	case way < 93:
		if shared := m.sharedClaim(namespace); shared != "" {
			entry["resourceClaimName"] = shared
			break
		}
		m.objects = append(m.objects, claim)
	case way < 96:
		claim["metadata"].(Doc)["deletionTimestamp"] = "2026-01-02T03:04:05Z"
		claim["metadata"].(Doc)["finalizers"] = []string{"resource.kubernetes.io/delete-protection"}
		m.objects = append(m.objects, claim)
	case way < 98: // the claim is missing
	default:
		claim["metadata"].(Doc)["finalizers"] = []string{"resource.kubernetes.io/delete-protection"}
		m.objects = append(m.objects, claim)
	}
	m.referTo(made, entry)
}

// fromTemplate is a claim that was made for the pod; or not yet, or for another of that name.
func (m *waitingMaker) fromTemplate(made draft, claim, entry Doc) {
	namespace := made.metadata["namespace"].(string)
	delete(entry, "resourceClaimName")
	entry["resourceClaimTemplateName"] = "template-" + entry["name"].(string)
	m.objects = append(m.objects, Doc{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate",
		"metadata": Doc{"name": entry["resourceClaimTemplateName"], "namespace": namespace, "uid": entry["resourceClaimTemplateName"]},
		"spec":     Doc{"spec": claim["spec"]}})
	if m.chance(8) {
		return
	}
	uid := made.metadata["uid"]
	if m.chance(10) {
		uid = "somebody"
	}
	metadata := claim["metadata"].(Doc)
	metadata["annotations"] = Doc{"resource.kubernetes.io/pod-claim-name": entry["name"]}
	metadata["ownerReferences"] = []Doc{{"apiVersion": "v1", "kind": "Pod", "name": "waiting", "uid": uid, "controller": true}}
	statuses, _ := made.status["resourceClaimStatuses"].([]Doc)
	status := Doc{"name": entry["name"], "resourceClaimName": metadata["name"]}
	if m.chance(5) {
		delete(status, "resourceClaimName") // none is needed
	} else {
		m.objects = append(m.objects, claim)
	}
	made.status["resourceClaimStatuses"] = append(statuses, status)
}

// allocated gives the claim a device, as of an earlier attempt.
func (m *waitingMaker) allocated(made draft, claim Doc, at *place) {
	claim["spec"] = Doc{"devices": Doc{"requests": []Doc{{"name": "devices", "exactly": Doc{"deviceClassName": "gpu"}}}}}
	for _, device := range m.devices.offered {
		if device.taken || device.node == "" {
			continue
		}
		if at != nil && device.node != at.name && m.chance(50) {
			continue
		}
		device.taken = true
		claim["status"] = Doc{"allocation": Doc{"nodeSelector": onNode(device.node), "devices": Doc{"results": []Doc{
			{"request": "devices", "driver": device.driver, "pool": device.pool, "device": device.name}}}}}
		switch m.IntN(4) {
		case 0:
			claim["status"].(Doc)["reservedFor"] = []Doc{{"resource": "pods", "name": "waiting", "uid": made.metadata["uid"]}}
		case 1:
			claim["status"].(Doc)["reservedFor"] = []Doc{{"resource": "pods", "name": "other", "uid": "other"}}
		}
		if m.chance(40) {
			m.await(claim["status"].(Doc))
		}
		return
	}
}

func (m *waitingMaker) sharedClaim(namespace string) string {
	for _, claim := range m.devices.claims {
		metadata := claim["metadata"].(Doc)
		if metadata["namespace"] == namespace {
			return metadata["name"].(string)
		}
	}
	return ""
}

func (m *waitingMaker) requests() []Doc {
	var requests []Doc
	for i := range pick(m.random, 1, 1, 1, 2) {
		name := fmt.Sprintf("r%d", i)
		if m.chance(15) {
			var choices []Doc
			for j := range m.between(1, 3) {
				choice := m.exactly()
				choice["name"] = fmt.Sprintf("s%d", j)
				choices = append(choices, choice)
			}
			requests = append(requests, Doc{"name": name, "firstAvailable": choices})
			continue
		}
		requests = append(requests, Doc{"name": name, "exactly": m.exactly()})
	}
	return requests
}

func (m *waitingMaker) exactly() Doc {
	class := pick(m.random, "gpu", "gpu", "gpu", "gpu", "any", "nic")
	if m.devices.cut && m.chance(50) {
		class = "part"
	}
	if m.chance(3) {
		class = "no-such-class"
	}
	request := Doc{"deviceClassName": class, "allocationMode": "ExactCount", "count": pick(m.random, 1, 1, 2, 2, 3, 4, 8)}
	// kube-scheduler 1.36.1 crashes when all devices are asked for and some live off counters.
	if m.chance(7) && !m.devices.cut {
		request["allocationMode"] = "All"
		delete(request, "count")
	}
	if m.chance(4) {
		request["adminAccess"] = true
	}
	if class != "nic" && m.chance(55) {
		request["selectors"] = cel(pick(m.random, expressions...))
	}
	if m.chance(20) {
		toleration := pick(m.random, Doc{"operator": "Exists"}, Doc{"key": "example.com/xid", "operator": "Exists", "effect": "NoSchedule"},
			Doc{"key": "example.com/drain", "operator": "Equal", "value": "79"})
		request["tolerations"] = []Doc{toleration}
	}
	return request
}

// expressions are what people select devices with; the last ones end in an error on some devices.
var expressions = []string{
	`device.attributes["gpu.example.com"].model == "a100"`,
	`device.attributes["gpu.example.com"].model in ["a100", "h100"]`,
	`device.attributes["gpu.example.com"].model != "l4"`,
	`device.attributes["gpu.example.com"].productName.startsWith("NVIDIA h")`,
	`device.attributes["gpu.example.com"].productName.matches("^NVIDIA (a100|l4)$")`,
	`device.attributes["gpu.example.com"].productName.lowerAscii().contains("h100")`,
	`device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0`,
	`device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("24Gi"))`,
	`quantity("80Gi").compareTo(device.capacity["gpu.example.com"].memory) == 0`,
	`device.driver == "gpu.example.com" && !('profile' in device.attributes["gpu.example.com"])`,
	`'profile' in device.attributes["gpu.example.com"] && device.attributes["gpu.example.com"].profile == "1g.10gb"`,
	`device.attributes["gpu.example.com"].healthy`,
	`!device.attributes["gpu.example.com"].healthy || device.attributes["gpu.example.com"].model == "h100"`,
	`device.attributes["gpu.example.com"].driverVersion.isGreaterThan(semver("1.0.0"))`,
	`device.attributes["gpu.example.com"].driverVersion.compareTo(semver("2.0.0")) < 0`,
	`semver("1.2.3") == device.attributes["gpu.example.com"].driverVersion`,
	`has(device.attributes["gpu.example.com"].index) && device.attributes["gpu.example.com"].index < 2`,
	`device.attributes["gpu.example.com"].?index.orValue(5) > 1`,
	`cel.bind(a, device.attributes["gpu.example.com"], a.type == "gpu" && a.healthy)`,
	`device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:00"`,
	`device.attributes["gpu.example.com"].model == "a100" ? device.attributes["gpu.example.com"].healthy : true`,
	`["a100", "l4"].exists(m, m == device.attributes["gpu.example.com"].model)`,
	`size(device.attributes["gpu.example.com"].model) == 4`,
	`device.attributes["gpu.example.com"].index == 1`,
	`device.attributes["gpu.example.com"].index >= 0 && device.attributes["gpu.example.com"].index % 2 == 0`,
	`device.attributes["gpu.example.com"].nothing == "x"`,
	`device.attributes["other.example.com"].model == "a100"`,
}

func (m *waitingMaker) constrain(claim Doc) {
	if !m.chance(18) {
		return
	}
	devices := claim["spec"].(Doc)["devices"].(Doc)
	constraint := Doc{"matchAttribute": pick(m.random, "resource.kubernetes.io/pcieRoot", "gpu.example.com/model", "gpu.example.com/index", "gpu.example.com/nothing")}
	if m.chance(35) {
		constraint["requests"] = []string{devices["requests"].([]Doc)[0]["name"].(string)}
	}
	devices["constraints"] = []Doc{constraint}
}
