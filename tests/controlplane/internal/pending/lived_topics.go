package pending

import "fmt"

// cards are GPUs of a device plugin.
func (m *lived) cards() {
	const eight = `, nvidia.com/gpu: "8"`
	m.node("gpu-0", "a", eight, false)
	for i := range m.IntN(3) {
		m.node(fmt.Sprintf("gpu-%d", i+1), "b", eight, m.IntN(2) == 0)
		m.holder(fmt.Sprintf("gpu-%d", i+1), "research", "", `tolerations: [{operator: Exists}],`, "", `limits: {nvidia.com/gpu: "8"}`)
	}
	for range 1 + m.IntN(3) {
		m.holder("gpu-0", one(m, "ml", "research"), "", "", "", `limits: {nvidia.com/gpu: "2", cpu: "1"}`)
	}
	m.ask = fmt.Sprintf(`limits: {nvidia.com/gpu: "%d"}`, one(m, 4, 7, 8))
}

// devices are GPUs of a DRA driver; holders' claims are made from templates, or one for two pods.
func (m *lived) devices() {
	m.add(`{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}}`)
	claim := func(count int) string {
		return fmt.Sprintf(`devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, count: %d}}]}`, count)
	}
	const slot = `resourceClaims: [{name: gpu, %s: %s}],`
	for _, namespace := range []string{"ml", "research"} {
		for count := 1; count <= 4; count++ {
			m.add(`{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: gpus-%d, namespace: %s}, spec: {spec: {%s}}}`, count, namespace, claim(count))
		}
	}
	nodes := 1 + m.IntN(2)
	for i := range nodes {
		name := fmt.Sprintf("gpu-%d", i)
		closed := i > 0 && m.IntN(2) == 0
		m.node(name, "a", "", closed)
		devices := ""
		for j := range 4 {
			devices += fmt.Sprintf(`{name: gpu-%d, attributes: {type: {string: gpu}}},`, j)
		}
		m.add(`{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %[1]s}, spec: {driver: gpu.example.com, nodeName: %[1]s,
  pool: {name: %[1]s, generation: 1, resourceSliceCount: 1}, devices: [%[2]s]}}`, name, devices)
		if closed {
			continue
		}
		namespace, free := one(m, "ml", "research"), 4
		if m.IntN(3) == 0 { // a claim that two pods share
			m.add(`{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: shared-%d, namespace: %s}, spec: {%s}}`, i, namespace, claim(2))
			for range 2 {
				m.holder(name, namespace, "", fmt.Sprintf(slot, "resourceClaimName", fmt.Sprintf("shared-%d", i)), "", "claims: [{name: gpu}]")
			}
			free = 2
		}
		for free > 0 {
			count := 1 + m.IntN(free)
			m.holder(name, namespace, "", fmt.Sprintf(slot, "resourceClaimTemplateName", fmt.Sprintf("gpus-%d", count)), "", "claims: [{name: gpu}]")
			free -= count
		}
	}
	m.spec = fmt.Sprintf(slot, "resourceClaimTemplateName", fmt.Sprintf("gpus-%d", one(m, 1, 2, 4)))
	m.ask = "claims: [{name: gpu}]"
	if m.IntN(3) == 0 { // one of a kind that few nodes have, or something else in its place
		m.add(`{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: choice, namespace: ml}, spec: {spec: {devices: {requests: [{name: gpu, firstAvailable: [
  {name: best, deviceClassName: gpu, count: 3, selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].type == "other"'}}]}, {name: next, deviceClassName: gpu, count: %d}]}]}}}}`, one(m, 1, 3))
		m.spec = fmt.Sprintf(slot, "resourceClaimTemplateName", "choice")
	}
}

// extended are devices of DRA that pods ask for by the name of a resource.
func (m *lived) extended() {
	m.add(`{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {extendedResourceName: example.com/gpu, selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}}`)
	for i := range 1 + m.IntN(2) {
		name := fmt.Sprintf("gpu-%d", i)
		closed := i > 0 && m.IntN(2) == 0
		m.node(name, "a", "", closed)
		m.add(`{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %[1]s}, spec: {driver: gpu.example.com, nodeName: %[1]s,
  pool: {name: %[1]s, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}, {name: gpu-1}, {name: gpu-2}, {name: gpu-3}]}}`, name)
		for free := 4; free > 0 && !closed; {
			count := 1 + m.IntN(free)
			m.holder(name, one(m, "ml", "research"), "", "", "", fmt.Sprintf(`limits: {example.com/gpu: "%d"}`, count))
			free -= count
		}
	}
	m.ask = fmt.Sprintf(`limits: {example.com/gpu: "%d"}`, one(m, 1, 2, 4))
}

// taintedDevices are closed one by one; a claim cannot be changed, so others have to go.
func (m *lived) taintedDevices() {
	m.add(`{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}}`)
	for _, namespace := range []string{"ml", "research"} {
		m.add(`{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: one, namespace: %s}, spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}}`, namespace)
	}
	m.node("gpu-0", "a", "", false)
	m.add(`{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: gpu-0}, spec: {driver: gpu.example.com, nodeName: gpu-0,
  pool: {name: gpu-0, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}, {name: gpu-1, taints: [{key: broken, effect: NoSchedule}]}, {name: gpu-2}]}}`)
	const slot = `resourceClaims: [{name: gpu, resourceClaimTemplateName: one}],`
	for range 2 {
		m.holder("gpu-0", one(m, "ml", "research"), "", slot, "", "claims: [{name: gpu}]")
	}
	m.spec, m.ask = slot, "claims: [{name: gpu}]"
}

// claimInUse is a claim that only one pod may use at a time.
func (m *lived) claimInUse() {
	m.volume("data", "ReadWriteOncePod", "")
	m.node("node-0", "a", "", false)
	m.node("node-1", "b", "", m.IntN(2) == 0)
	const spec = `volumes: [{name: data, persistentVolumeClaim: {claimName: data}}],`
	m.holder("node-0", "ml", "", spec, "", `requests: {cpu: "1"}`)
	m.spec = spec
	if m.IntN(3) == 0 {
		m.spec += `nodeSelector: {kubernetes.io/hostname: node-1},`
	}
}

// volume is a PersistentVolume with its claim in namespace ml.
func (m *lived) volume(name, mode, zone string) {
	affinity := ""
	if zone != "" {
		affinity = fmt.Sprintf(`nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [%s]}]}]}},`, zone)
	}
	m.add(`{apiVersion: v1, kind: PersistentVolume, metadata: {name: %[1]s}, spec: {accessModes: [%[2]s], capacity: {storage: 1Gi}, storageClassName: none, %[3]s
  claimRef: {namespace: ml, name: %[1]s}, csi: {driver: csi.example.com, volumeHandle: %[1]s}}}`, name, mode, affinity)
	m.add(`{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %[1]s, namespace: ml}, spec: {accessModes: [%[2]s], resources: {requests: {storage: 1Gi}},
  storageClassName: none, volumeName: %[1]s}}`, name, mode)
}

// volumeElsewhere is a volume, bound or to be bound, in a zone where the only node is closed or full.
func (m *lived) volumeElsewhere() {
	m.node("node-a", "a", "", false)
	closed := m.IntN(2) == 0
	m.node("node-b", "b", "", closed)
	if !closed {
		m.holder("node-b", one(m, "ml", "research"), "", "", "", `requests: {cpu: "30"}`)
	}
	m.ask = `requests: {cpu: "3"}`
	m.spec = `volumes: [{name: data, persistentVolumeClaim: {claimName: data}}],`
	if m.IntN(2) == 0 {
		m.volume("data", "ReadWriteOnce", "b")
		return
	}
	m.add(`{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: local}, provisioner: kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer}`)
	m.add(`{apiVersion: v1, kind: PersistentVolume, metadata: {name: local-b}, spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, storageClassName: local,
  local: {path: /data}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node-b]}]}]}}}}`)
	m.add(`{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: ml}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, storageClassName: local}}`)
}

// diskInUse is a disk that no two pods of a node may write to.
func (m *lived) diskInUse() {
	m.node("node-0", "a", "", false)
	const spec = `volumes: [{name: data, gcePersistentDisk: {pdName: disk-1}}],`
	m.holder("node-0", one(m, "ml", "research"), "", spec, "", `requests: {cpu: "1"}`)
	if m.IntN(2) == 0 {
		m.holder("node-0", "ml", "", "", "", `requests: {cpu: "31"}`)
	}
	m.spec = spec
}

// antiAffinity is between the pod and those that hold its places.
func (m *lived) antiAffinity() {
	key := one(m, "kubernetes.io/hostname", "topology.kubernetes.io/zone")
	rule := func(app string) string {
		return fmt.Sprintf(`affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: %s, labelSelector: {matchLabels: {%s}}}]}},`, key, app)
	}
	nodes := 1 + m.IntN(3)
	for i := range nodes {
		name := fmt.Sprintf("node-%d", i)
		closed := i > 0 && m.IntN(3) == 0
		m.node(name, one(m, "a", "b"), "", closed)
		if closed {
			continue
		}
		if m.IntN(3) == 0 { // the other one minds
			m.holder(name, "ml", "", rule("app: asked"), "", `requests: {cpu: "1"}`)
			continue
		}
		m.holder(name, "ml", ", noisy: \"yes\"", "", "", `requests: {cpu: "1"}`)
		if m.IntN(3) == 0 {
			m.holder(name, "ml", ", noisy: \"yes\"", "", "", `requests: {cpu: "1"}`)
		}
	}
	m.spec = rule(`noisy: "yes"`)
}

// spread is a rule that only a full or closed node would satisfy.
func (m *lived) spread() {
	m.node("node-0", "a", "", false)
	m.node("node-1", "b", "", m.IntN(2) == 0)
	for range 1 + m.IntN(2) {
		m.holder("node-0", "ml", ", set: one", "", "", `requests: {cpu: "1"}`)
	}
	m.holder("node-1", "research", "", `tolerations: [{operator: Exists}],`, "", `requests: {cpu: "1"}`)
	m.ask = `requests: {cpu: "31500m"}`
	if m.IntN(2) == 0 {
		m.ask = `requests: {cpu: "20"}`
	}
	more := one(m, "", "", `, minDomains: 2`, `, matchLabelKeys: [app]`, `, nodeTaintsPolicy: Honor`)
	m.spec = fmt.Sprintf(`topologySpreadConstraints: [{topologyKey: %s, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {set: one}} %s}],`,
		one(m, "topology.kubernetes.io/zone", "kubernetes.io/hostname"), more)
	m.moreLabels = `, set: one`
}

// ports are those of nodes.
func (m *lived) ports() {
	const port = `ports: [{containerPort: 8080, hostPort: 8080}],`
	nodes := 1 + m.IntN(2)
	for i := range nodes {
		name := fmt.Sprintf("node-%d", i)
		m.node(name, "a", "", i > 0 && m.IntN(2) == 0)
		m.holder(name, one(m, "ml", "research"), "", `tolerations: [{operator: Exists}],`, "", `requests: {cpu: "1"}`)
		m.holder(name, one(m, "ml", "research"), "", `tolerations: [{operator: Exists}],`, port, `requests: {cpu: "1"}`)
	}
	m.container = port
}

// labels are such that people give to nodes: no node has the one that is selected.
func (m *lived) labels() {
	m.node("node-0", "a", "", false)
	m.node("node-1", "b", "", m.IntN(2) == 0)
	m.holder("node-0", one(m, "ml", "research"), "", "", "", fmt.Sprintf(`requests: {cpu: "%d"}`, one(m, 1, 31)))
	m.spec = `nodeSelector: {pool: training},`
	m.ask = `requests: {cpu: "2"}`
}

// volumeLimit is that of a driver for a node; nothing has to be attached.
func (m *lived) volumeLimit() {
	m.add(`{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: csi.example.com}, spec: {attachRequired: false}}`)
	m.node("node-0", "a", "", false)
	most := 1 + m.IntN(2)
	m.add(`{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: node-0}, spec: {drivers: [{name: csi.example.com, nodeID: node-0, allocatable: {count: %d}}]}}`, most)
	const spec = `volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}],`
	for i := range most {
		name := fmt.Sprintf("held-%d", i)
		m.volume(name, "ReadWriteOnce", "")
		m.holder("node-0", "ml", "", fmt.Sprintf(spec, name), "", `requests: {cpu: "1"}`)
	}
	m.volume("data", "ReadWriteOnce", "")
	m.spec = fmt.Sprintf(spec, "data")
}
