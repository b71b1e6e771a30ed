package generate

import "fmt"

// addSlice publishes devices of the node. Pools have one slice unless counters stand in another.
func (m *kindsMaker) addSlice(node, driver string, devices, counters []Doc, pool Doc) {
	spec := Doc{"driver": driver, "nodeName": node, "pool": pool}
	name := fmt.Sprintf("%s-%s-%d", node, driver, len(m.made.Slices))
	if counters != nil {
		spec["sharedCounters"] = counters
	} else {
		spec["devices"] = devices
	}
	m.made.Slices = append(m.made.Slices, Doc{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
		"metadata": Doc{"name": name, "uid": name}, "spec": spec})
}

// pool of one slice; sometimes one more is to come, or an older generation is still there.
func (m *kindsMaker) pool(node string, sliceCount int) Doc {
	pool := Doc{"name": node, "generation": m.between(1, 3), "resourceSliceCount": sliceCount}
	if m.chance(5) {
		pool["resourceSliceCount"] = sliceCount + 1
	}
	return pool
}

// device with string attributes. Some have fallen ill.
func (m *kindsMaker) device(name string, attributes map[string]string, memory string) Doc {
	values := Doc{}
	for attribute, value := range attributes {
		values[attribute] = Doc{"string": value}
	}
	device := Doc{"name": name, "attributes": values, "capacity": Doc{"memory": Doc{"value": memory}}}
	if m.chance(4) {
		device["taints"] = []Doc{{"key": "gpu.nvidia.com/xid", "value": "79", "effect": pick(m.random, "NoSchedule", "NoExecute", "None"),
			"timeAdded": "2026-01-02T03:04:05Z"}}
	}
	return device
}

func card(node string, i int, product string) map[string]string {
	return map[string]string{"type": "gpu", "productName": product, "uuid": fmt.Sprintf("GPU-%s-%d", node, i)}
}

const nvidiaDriver = "gpu.nvidia.com"

// wholeCards, sometimes with the slice of an older generation beside them.
func wholeCards(m *kindsMaker, node string) {
	count, product := m.between(1, 4), pick(m.random, "NVIDIA L4", "NVIDIA H100 80GB HBM3")
	var devices []Doc
	for i := range count {
		devices = append(devices, m.device(fmt.Sprintf("gpu-%d", i), card(node, i, product), "80Gi"))
	}
	pool := m.pool(node, 1)
	m.addSlice(node, nvidiaDriver, devices, nil, pool)
	if generation := pool["generation"].(int); generation > 1 && m.chance(30) {
		old := append(devices, m.device("gpu-gone", card(node, 9, product), "80Gi"))
		m.addSlice(node, nvidiaDriver, old, nil, Doc{"name": node, "generation": generation - 1, "resourceSliceCount": 1})
	}
	m.offered[node] = append(m.offered[node], offer{nvidiaDriver, "", count, false})
}

// staticSlices: one card whole, one cut beforehand.
func staticSlices(m *kindsMaker, node string) {
	const product = "NVIDIA A100-SXM4-80GB"
	devices := []Doc{m.device("gpu-1", card(node, 1, product), "80Gi")}
	for i := range m.between(1, 4) {
		devices = append(devices, m.device(fmt.Sprintf("gpu-0-mig-1g-%d", i), map[string]string{"type": "mig", "productName": product,
			"uuid": fmt.Sprintf("MIG-%s-%d", node, i), "parentUUID": fmt.Sprintf("GPU-%s-0", node), "profile": "1g.10gb"}, "9728Mi"))
	}
	m.addSlice(node, nvidiaDriver, devices, nil, m.pool(node, 1))
	m.offered[node] = append(m.offered[node], offer{nvidiaDriver, "", 1, false}, offer{nvidiaDriver, "1g.10gb", 2, false})
}

// No device with counters is tainted here: kube-scheduler 1.36.1 charges the counters of a tainted device
// that it looked at to the rest of its attempt, so that it finds less than there is.

// cutCards are cut as they are asked for: each has counters, off which its parts live.
func cutCards(m *kindsMaker, node string) {
	const product = "NVIDIA H100 80GB HBM3"
	var devices, counters []Doc
	for i := range m.between(1, 2) {
		set := fmt.Sprintf("gpu-%d-counter-set", i)
		part := func(name string, attributes map[string]string, slots int) {
			device := m.device(name, attributes, fmt.Sprintf("%dGi", slots*20))
			delete(device, "taints")
			device["consumesCounters"] = []Doc{{"counterSet": set, "counters": Doc{"slots": Doc{"value": fmt.Sprint(slots)}}}}
			devices = append(devices, device)
		}
		part(fmt.Sprintf("gpu-%d", i), card(node, i, product), 4)
		for at := range 4 {
			part(fmt.Sprintf("gpu-%d-mig-1-%d", i, at), slicedFrom(node, i, product, "1g.20gb"), 1)
		}
		for at := range 2 {
			part(fmt.Sprintf("gpu-%d-mig-2-%d", i, at), slicedFrom(node, i, product, "3g.40gb"), 2)
		}
		counters = append(counters, Doc{"name": set, "counters": Doc{"slots": Doc{"value": "4"}}})
	}
	pool := m.pool(node, 2)
	m.addSlice(node, nvidiaDriver, devices, nil, pool)
	m.addSlice(node, nvidiaDriver, nil, counters, pool)
	m.offered[node] = append(m.offered[node], offer{nvidiaDriver, "", 1, true}, offer{nvidiaDriver, "1g.20gb", 2, true}, offer{nvidiaDriver, "3g.40gb", 2, true})
}

func slicedFrom(node string, i int, product, profile string) map[string]string {
	return map[string]string{"type": "mig", "productName": product, "parentUUID": fmt.Sprintf("GPU-%s-%d", node, i), "profile": profile}
}

// placedSlices are cut on demand, too, but not anywhere: each takes memory slices of its own, as NVIDIA's
// driver publishes them.
func placedSlices(m *kindsMaker, node string) {
	const product, set = "NVIDIA A100-SXM4-80GB", "gpu-0-counter-set"
	var devices []Doc
	place := func(name string, attributes map[string]string, memory string, processors, first, count int) {
		device := m.device(name, attributes, memory)
		counters := Doc{"multiprocessors": Doc{"value": fmt.Sprint(processors)}}
		for i := first; i < first+count; i++ {
			counters[fmt.Sprintf("memory-slice-%d", i)] = Doc{"value": "1"}
		}
		delete(device, "taints")
		device["consumesCounters"] = []Doc{{"counterSet": set, "counters": counters}}
		devices = append(devices, device)
	}
	place("gpu-0", card(node, 0, product), "80Gi", 98, 0, 8)
	for at := range 7 {
		place(fmt.Sprintf("gpu-0-mig-1g-%d", at), slicedFrom(node, 0, product, "1g.10gb"), "9728Mi", 14, at, 1)
	}
	for _, at := range []int{0, 2, 4} {
		place(fmt.Sprintf("gpu-0-mig-2g-%d", at), slicedFrom(node, 0, product, "2g.20gb"), "19968Mi", 28, at, 2)
	}
	for _, at := range []int{0, 4} {
		place(fmt.Sprintf("gpu-0-mig-3g-%d", at), slicedFrom(node, 0, product, "3g.40gb"), "40192Mi", 42, at, 4)
	}
	counters := Doc{"multiprocessors": Doc{"value": "98"}}
	for i := range 8 {
		counters[fmt.Sprintf("memory-slice-%d", i)] = Doc{"value": "1"}
	}
	pool := m.pool(node, 2)
	m.addSlice(node, nvidiaDriver, devices, nil, pool)
	m.addSlice(node, nvidiaDriver, nil, []Doc{{"name": set, "counters": counters}}, pool)
	m.offered[node] = append(m.offered[node], offer{nvidiaDriver, "", 1, true}, offer{nvidiaDriver, "1g.10gb", 2, true},
		offer{nvidiaDriver, "2g.20gb", 2, true}, offer{nvidiaDriver, "3g.40gb", 1, true})
}

// twoModels stand in one node, in two slices of a pool.
func twoModels(m *kindsMaker, node string) {
	pool := m.pool(node, 2)
	for i, product := range []string{"NVIDIA L4", "NVIDIA L40S"} {
		var devices []Doc
		for at := range m.between(1, 2) {
			devices = append(devices, m.device(fmt.Sprintf("gpu-%d-%d", i, at), card(node, i*10+at, product), "22Gi"))
		}
		m.addSlice(node, nvidiaDriver, devices, nil, pool)
	}
	m.offered[node] = append(m.offered[node], offer{nvidiaDriver, "", 2, false})
}

// sharedCards can be had by several claims, which take a part of the memory each.
func sharedCards(m *kindsMaker, node string) {
	var devices []Doc
	for i := range m.between(1, 2) {
		device := m.device(fmt.Sprintf("gpu-%d", i), card(node, i, "NVIDIA A100-SXM4-40GB"), "40Gi")
		device["allowMultipleAllocations"] = true
		device["capacity"] = Doc{"memory": Doc{"value": "40Gi", "requestPolicy": Doc{"default": "10Gi", "validRange": Doc{"min": "10Gi"}}}}
		devices = append(devices, device)
	}
	m.addSlice(node, nvidiaDriver, devices, nil, m.pool(node, 1))
	m.offered[node] = append(m.offered[node], offer{nvidiaDriver, "", 1, false})
}

// otherDrivers: a driver of another vendor, and one whose devices are no GPUs.
func otherDrivers(m *kindsMaker, node string) {
	driver := pick(m.random, "gpu.amd.com", "gpu.intel.com", "gaudi.intel.com", "tpu.google.com", "neuron.aws.com")
	count := m.between(1, 4)
	var devices, channels []Doc
	for i := range count {
		devices = append(devices, m.device(fmt.Sprintf("device-%d", i), map[string]string{"productName": "Some Model"}, "64Gi"))
		channels = append(channels, Doc{"name": fmt.Sprintf("channel-%d", i)})
	}
	m.addSlice(node, driver, devices, nil, m.pool(node, 1))
	m.addSlice(node, "compute-domain.nvidia.com", channels, nil, m.pool(node, 1))
	m.offered[node] = append(m.offered[node], offer{driver, "", count, false})
}
