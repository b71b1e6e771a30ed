package generate

import "fmt"

// deviceState is what of DRA is there already.
type deviceState struct {
	offered []*offeredDevice
	claims  []Doc // of other pods, allocated
	cut     bool  // GPUs are cut into parts that live off counters
}

// offeredDevice is one that somebody may hold.
type offeredDevice struct {
	driver, pool, name, node string // node: empty, everywhere
	taken                    bool
}

const gpuDriver, networkDriver = "gpu.example.com", "nic.example.com"

func cel(expressions ...string) []Doc {
	var selectors []Doc
	for _, expression := range expressions {
		selectors = append(selectors, Doc{"cel": Doc{"expression": expression}})
	}
	return selectors
}

func (m *waitingMaker) addDeviceKinds() {
	m.devices.cut = m.chance(30)
	class := func(name, extended string, expressions ...string) {
		spec := Doc{"selectors": cel(expressions...)}
		if extended != "" {
			spec["extendedResourceName"] = extended
		}
		m.objects = append(m.objects, Doc{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
			"metadata": Doc{"name": name, "uid": name, "creationTimestamp": "2026-01-02T03:04:05Z"}, "spec": spec})
	}
	extended := ""
	if m.chance(50) {
		extended = pick(m.random, "example.com/gpu", "example.com/gpu", "nvidia.com/gpu")
	}
	class("gpu", extended, `device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].type == "gpu"`)
	class("any", "")
	class("part", "", `device.driver == "gpu.example.com"`, `device.attributes["gpu.example.com"].type == "mig"`)
	class("nic", "", `device.driver == "nic.example.com"`)
	for _, at := range m.places {
		if m.chance(80) {
			m.offerDevices(at)
		}
	}
	if m.chance(40) {
		m.offerShared()
	}
}

func (m *waitingMaker) slice(name, driver, pool string, devices []Doc, more Doc) Doc {
	spec := Doc{"driver": driver, "pool": Doc{"name": pool, "generation": 1, "resourceSliceCount": 1}}
	if devices != nil {
		spec["devices"] = devices
	}
	for key, value := range more {
		spec[key] = value
	}
	return Doc{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": Doc{"name": name, "uid": name}, "spec": spec}
}

func (m *waitingMaker) offerDevices(at *place) {
	var devices []Doc
	model := pick(m.random, "a100", "h100", "l4")
	count := m.between(1, pick(m.random, 1, 2, 4, 8))
	for i := range count {
		devices = append(devices, m.gpuDevice(fmt.Sprintf("gpu-%d", i), model, i))
	}
	made := m.slice("slice-"+at.name, gpuDriver, at.name, devices, Doc{"nodeName": at.name})
	pool := made["spec"].(Doc)["pool"].(Doc)
	switch way := m.IntN(100); {
	case m.devices.cut && way < 60:
		m.cutDevices(at, made, model)
		devices = made["spec"].(Doc)["devices"].([]Doc)
	case way < 66: // a slice is missing
		pool["resourceSliceCount"] = 2
	case way < 76: // what is left of an older generation
		pool["generation"] = 2
		m.objects = append(m.objects, m.slice("old-"+at.name, gpuDriver, at.name,
			[]Doc{m.gpuDevice("gpu-77", model, 7)}, Doc{"nodeName": at.name}))
	case way < 80: // the same device twice
		pool["resourceSliceCount"] = 2
		m.objects = append(m.objects, m.slice("twin-"+at.name, gpuDriver, at.name,
			[]Doc{m.gpuDevice(pick(m.random, "gpu-0", "gpu-9"), model, 0)}, Doc{"nodeName": at.name, "pool": pool}))
	}
	m.objects = append(m.objects, made)
	for _, device := range devices {
		m.devices.offered = append(m.devices.offered, &offeredDevice{gpuDriver, at.name, device["name"].(string), at.name, false})
	}
}

func (m *waitingMaker) gpuDevice(name, model string, index int) Doc {
	attributes := Doc{"type": Doc{"string": "gpu"}, "model": Doc{"string": model}, "index": Doc{"int": index},
		"productName": Doc{"string": "NVIDIA " + model}, "driverVersion": Doc{"version": pick(m.random, "1.2.3", "2.0.0", "0.9.1-rc.1")},
		"healthy":                         Doc{"bool": m.chance(85)},
		"resource.kubernetes.io/pcieRoot": Doc{"string": fmt.Sprintf("pci0000:0%d", index/2)}}
	if m.chance(10) {
		delete(attributes, "index")
	}
	device := Doc{"name": name, "attributes": attributes, "capacity": Doc{"memory": Doc{"value": pick(m.random, "80Gi", "80Gi", "40Gi", "24Gi")}}}
	if m.chance(12) {
		taint := Doc{"key": pick(m.random, "example.com/xid", "example.com/drain"), "effect": pick(m.random, "NoSchedule", "NoExecute", "None"), "timeAdded": "2026-01-02T03:04:05Z"}
		if m.chance(50) {
			taint["value"] = "79"
		}
		device["taints"] = []Doc{taint}
	}
	if m.chance(4) {
		device["bindingConditions"], device["bindingFailureConditions"] = []string{"example.com/ready"}, []string{"example.com/broken"}
	}
	return device
}

// cutDevices makes of the node's pool one GPU that may be whole or in parts.
func (m *waitingMaker) cutDevices(at *place, made Doc, model string) {
	spec := made["spec"].(Doc)
	pool := spec["pool"].(Doc)
	pool["resourceSliceCount"] = 2
	slots := m.between(2, 7)
	counters := Doc{"slots": Doc{"value": fmt.Sprint(slots)}, "memory": Doc{"value": pick(m.random, "80Gi", "40Gi")}}
	m.objects = append(m.objects, m.slice("counters-"+at.name, gpuDriver, at.name, nil,
		Doc{"nodeName": at.name, "pool": pool, "sharedCounters": []Doc{{"name": "gpu-0", "counters": counters}}}))
	takes := func(device Doc, slots int, memory string) Doc {
		device["consumesCounters"] = []Doc{{"counterSet": "gpu-0", "counters": Doc{"slots": Doc{"value": fmt.Sprint(slots)}, "memory": Doc{"value": memory}}}}
		return device
	}
	devices := []Doc{takes(m.gpuDevice("gpu-0", model, 0), slots, "40Gi")}
	for i := range slots {
		part := m.gpuDevice(fmt.Sprintf("part-%d", i), model, 0)
		part["attributes"].(Doc)["type"] = Doc{"string": "mig"}
		part["attributes"].(Doc)["profile"] = Doc{"string": pick(m.random, "1g.10gb", "2g.20gb")}
		part["capacity"] = Doc{"memory": Doc{"value": "10Gi"}}
		devices = append(devices, takes(part, pick(m.random, 1, 1, 2), pick(m.random, "10Gi", "20Gi")))
	}
	spec["devices"] = devices
}

// offerShared adds devices that no node owns: of all nodes, or of a zone.
func (m *waitingMaker) offerShared() {
	var devices []Doc
	for i := range m.between(1, 3) {
		devices = append(devices, Doc{"name": fmt.Sprintf("nic-%d", i), "attributes": Doc{"rdma": Doc{"bool": m.chance(60)},
			"resource.kubernetes.io/pcieRoot": Doc{"string": fmt.Sprintf("pci0000:0%d", i)}}})
	}
	where := Doc{"allNodes": true}
	if m.chance(50) {
		where = Doc{"nodeSelector": Doc{"nodeSelectorTerms": []Doc{{"matchExpressions": []Doc{
			{"key": "topology.kubernetes.io/zone", "operator": "In", "values": []string{"eu-1a"}}}}}}}
	}
	if len(m.places) > 0 && m.chance(20) {
		where = Doc{"perDeviceNodeSelection": true}
		for _, device := range devices {
			device["nodeName"] = pick(m.random, m.places...).name
		}
	}
	m.objects = append(m.objects, m.slice("slice-nics", networkDriver, "nics", devices, where))
	if where["allNodes"] == true {
		for _, device := range devices {
			m.devices.offered = append(m.devices.offered, &offeredDevice{networkDriver, "nics", device["name"].(string), "", false})
		}
	}
}

func onNode(name string) Doc {
	return Doc{"nodeSelectorTerms": []Doc{{"matchFields": []Doc{{"key": "metadata.name", "operator": "In", "values": []string{name}}}}}}
}

// holdDevices gives the pod, which will run on the node, an allocated claim.
func (m *waitingMaker) holdDevices(made draft, at *place) {
	namespace, name := made.metadata["namespace"].(string), made.metadata["name"].(string)
	var results []Doc
	class := "gpu"
	for range pick(m.random, 1, 1, 2) {
		for _, device := range m.devices.offered {
			if device.taken || (device.node != at.name && device.node != "") || m.chance(15) {
				continue
			}
			device.taken = true
			if device.driver == networkDriver {
				class = "nic"
			}
			results = append(results, Doc{"request": "devices", "driver": device.driver, "pool": device.pool, "device": device.name})
			break
		}
	}
	if len(results) == 0 {
		return
	}
	claim := m.deviceClaim(namespace, name, []Doc{{"name": "devices", "exactly": Doc{"deviceClassName": class, "allocationMode": "ExactCount", "count": len(results)}}})
	claim["status"] = Doc{"allocation": Doc{"devices": Doc{"results": results}, "nodeSelector": onNode(at.name)}}
	if !m.chance(12) {
		claim["status"].(Doc)["reservedFor"] = []Doc{{"resource": "pods", "name": name, "uid": made.metadata["uid"]}}
	}
	if m.chance(10) {
		m.await(claim["status"].(Doc))
	}
	m.objects = append(m.objects, claim)
	m.devices.claims = append(m.devices.claims, claim)
	m.referTo(made, Doc{"name": "devices", "resourceClaimName": name})
}

func (m *waitingMaker) deviceClaim(namespace, name string, requests []Doc) Doc {
	return Doc{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
		"metadata": Doc{"name": name, "namespace": namespace, "uid": "devices-" + namespace + "-" + name},
		"spec":     Doc{"devices": Doc{"requests": requests}}}
}

// referTo lets the pod's first container have the claim.
func (m *waitingMaker) referTo(made draft, entry Doc) {
	all, _ := made.spec["resourceClaims"].([]Doc)
	made.spec["resourceClaims"] = append(all, entry)
	resources := made.spec["containers"].([]Doc)[0]["resources"].(Doc)
	claims, _ := resources["claims"].([]Doc)
	resources["claims"] = append(claims, Doc{"name": entry["name"]})
}
