package generate

import "fmt"

// Cluster is a small cluster with nodes of every flavour in every state.
type Cluster struct {
	Nodes []Doc
	Pods  []Doc
	// Beyond names the nodes of which the judge knows less than the program: being deleted, taints of
	// other autoscalers, no word on pod slots.
	Beyond map[string]bool
}

// flavour is a kind of GPU node: its labels, and what it has when all is well.
type flavour struct {
	labels   map[string]string
	capacity map[string]int
}

func nvidia(product string, more ...string) map[string]string {
	labels := map[string]string{"nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": product,
		"nvidia.com/cuda.driver-version.full": "570.86.15"}
	for i := 0; i+1 < len(more); i += 2 {
		labels[more[i]] = more[i+1]
	}
	return labels
}

var flavours = []flavour{
	{nvidia("NVIDIA-H100-80GB-HBM3", "nvidia.com/gpu.count", "8", "nvidia.com/gpu.memory", "81559"), map[string]int{"nvidia.com/gpu": 8}},
	{nvidia("NVIDIA-L4", "nvidia.com/gpu.count", "4"), map[string]int{"nvidia.com/gpu": 4}},
	{nvidia("NVIDIA-A100-SXM4-80GB"), map[string]int{"nvidia.com/mig-1g.10gb": 14, "nvidia.com/mig-3g.40gb": 2, "nvidia.com/gpu": 0}},
	{nvidia("NVIDIA-A100-SXM4-80GB"), map[string]int{"nvidia.com/mig-1g.10gb": 7, "nvidia.com/gpu": 1}},
	{nvidia("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "nvidia.com/gpu.count", "56"), map[string]int{"nvidia.com/gpu": 56}},
	{nvidia("Tesla-T4-SHARED", "nvidia.com/gpu.replicas", "4", "nvidia.com/gpu.sharing-strategy", "time-slicing", "nvidia.com/gpu.count", "2"), map[string]int{"nvidia.com/gpu": 8}},
	{nvidia("Tesla-T4", "nvidia.com/gpu.replicas", "10", "nvidia.com/gpu.sharing-strategy", "mps", "nvidia.com/gpu.count", "2"), map[string]int{"nvidia.com/gpu": 20}},
	{nvidia("NVIDIA-L40S", "nvidia.com/gpu.replicas", "4"), map[string]int{"nvidia.com/gpu.shared": 16}},
	{nvidia("NVIDIA-A10", "nvidia.com/gpu.count", "1"), map[string]int{"nvidia.com/gpu": 10, "nvidia.com/gpumem": 24000, "nvidia.com/gpucores": 100}},
	{nil, map[string]int{"nvidia.com/GRID_T4-4Q": 4}},
	{map[string]string{"cloud.google.com/gke-accelerator": "nvidia-tesla-v100", "cloud.google.com/gke-accelerator-count": "2"}, map[string]int{"nvidia.com/gpu": 2}},
	{nil, map[string]int{"amd.com/gpu": 8}},
	{nil, map[string]int{"amd.com/cpx_nps4": 64}},
	{nil, map[string]int{"gpu.intel.com/i915": 4, "gpu.intel.com/i915_monitoring": 1}},
	{nil, map[string]int{"gpu.intel.com/xe": 2}},
	{nil, map[string]int{"habana.ai/gaudi": 8}},
	{nil, map[string]int{"google.com/tpu": 4}},
	{nil, map[string]int{"aws.amazon.com/neuron": 4, "aws.amazon.com/neuroncore": 8, "aws.amazon.com/neurondevice": 4}},
	{nil, nil},
}

// clusterMaker gathers a cluster.
type clusterMaker struct {
	random
	cluster Cluster
}

// RandomCluster is the cluster of this seed: 1 to 12 nodes, 0 to 40 pods.
func RandomCluster(seed uint64) Cluster {
	maker := clusterMaker{newRandom(seed, 3), Cluster{Beyond: map[string]bool{}}}
	var names []string
	for i := range maker.between(1, 12) {
		kind := pick(maker.random, flavours...)
		names = append(names, fmt.Sprintf("%s-%02d", pick(maker.random, "gpu", "a", "node"), i))
		maker.addNode(names[i], kind)
	}
	maker.Shuffle(len(maker.cluster.Nodes), func(a, b int) {
		nodes := maker.cluster.Nodes
		nodes[a], nodes[b] = nodes[b], nodes[a]
	})
	for i := range maker.IntN(41) {
		maker.addPod(fmt.Sprintf("pod-%d", i), names)
	}
	return maker.cluster
}

func (m *clusterMaker) addNode(name string, kind flavour) {
	labels := Doc{"kubernetes.io/hostname": name, "pool": pick(m.random, "training", "serving")}
	for label, value := range kind.labels {
		labels[label] = value
	}
	if m.chance(50) {
		labels["topology.kubernetes.io/zone"] = pick(m.random, "eu-1a", "eu-1b")
		labels["node.kubernetes.io/instance-type"] = pick(m.random, "p5.48xlarge", "g2-standard-4", "1e3", "yes")
	}
	metadata := Doc{"name": name, "labels": labels}
	if m.chance(5) {
		metadata["deletionTimestamp"] = "2026-01-02T03:04:05Z"
		m.cluster.Beyond[name] = true
	}
	capacity, allocatable := m.amounts(kind)
	allocatable["pods"] = pick(m.random, "110", "110", "110", "110", "0", "1", "3", "0.11k")
	if m.chance(3) {
		delete(allocatable, "pods")
		m.cluster.Beyond[name] = true
	}
	if allocatable["pods"] == "0" {
		m.cluster.Beyond[name] = true
	}
	m.cluster.Nodes = append(m.cluster.Nodes, Doc{"apiVersion": "v1", "kind": "Node", "metadata": metadata,
		"spec":   m.nodeSpec(name),
		"status": Doc{"capacity": capacity, "allocatable": allocatable, "conditions": m.readiness()}})
}

// amounts are those of the flavour, or less: sick devices, a plugin that is gone, one that never came.
func (m *clusterMaker) amounts(kind flavour) (capacity, allocatable Doc) {
	capacity, allocatable = Doc{"cpu": "96", "memory": "1Ti"}, Doc{"cpu": "95", "memory": "1000Gi"}
	way := m.IntN(12)
	for _, resource := range sortedKeys(kind.capacity) {
		amount := kind.capacity[resource]
		switch way {
		case 0: // never registered
		case 1: // what a kubelet keeps of a plugin that is gone and was restarted without
			capacity[resource], allocatable[resource] = "0", "0"
		case 2: // gone for now
			capacity[resource], allocatable[resource] = fmt.Sprint(amount), "0"
		case 3:
			capacity[resource], allocatable[resource] = fmt.Sprint(amount), fmt.Sprint(m.between(0, amount))
		case 4:
			capacity[resource] = fmt.Sprint(amount)
		default:
			capacity[resource], allocatable[resource] = fmt.Sprint(amount), fmt.Sprint(amount)
		}
	}
	return capacity, allocatable
}

func (m *clusterMaker) nodeSpec(name string) Doc {
	spec, taints := Doc{}, []Doc{}
	if m.chance(12) {
		spec["unschedulable"] = true
		taints = append(taints, Doc{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"})
	}
	if m.chance(30) {
		taints = append(taints, Doc{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"})
	}
	if m.chance(15) {
		taints = append(taints, Doc{"effect": pick(m.random, "NoSchedule", "NoExecute", "PreferNoSchedule"),
			"key": pick(m.random, "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable",
				"node.kubernetes.io/disk-pressure", "node.kubernetes.io/memory-pressure", "node.kubernetes.io/pid-pressure",
				"node.kubernetes.io/network-unavailable", "node.kubernetes.io/out-of-service", "ToBeDeletedByClusterAutoscaler")})
	}
	if m.chance(6) {
		taints = append(taints, Doc{"effect": "NoSchedule", "key": pick(m.random, "karpenter.sh/disrupted",
			"karpenter.sh/unregistered", "aws-node-termination-handler/spot-itn", "node.cloudprovider.kubernetes.io/uninitialized")})
		m.cluster.Beyond[name] = true
	}
	if len(taints) > 0 {
		spec["taints"] = taints
	}
	return spec
}

func (m *clusterMaker) readiness() []Doc {
	conditions := []Doc{{"type": "DiskPressure", "status": "False"}}
	if m.chance(95) {
		status := pick(m.random, "True", "True", "True", "True", "True", "True", "True", "True", "False", "Unknown")
		conditions = append(conditions, Doc{"type": "Ready", "status": status})
	}
	return conditions
}

// addPod asks mostly for what some node has, mostly in an amount that fits.
func (m *clusterMaker) addPod(name string, nodes []string) {
	kind := pick(m.random, flavours...)
	node := ""
	switch {
	case m.chance(75):
		at := m.IntN(len(nodes))
		node = nodes[at]
		capacity := m.nodeNamed(node)["status"].(Doc)["capacity"].(Doc)
		kind = flavour{capacity: map[string]int{}}
		for _, resource := range sortedKeys(capacity) {
			if resource != "cpu" && resource != "memory" && m.chance(60) {
				kind.capacity[resource] = 1
			}
		}
	case m.chance(10):
		node = "node-that-went-away"
	}
	limits := Doc{}
	for _, resource := range sortedKeys(kind.capacity) {
		limits[resource] = fmt.Sprint(m.between(0, 4))
	}
	pod := Doc{"apiVersion": "v1", "kind": "Pod", "metadata": Doc{"name": name, "namespace": pick(m.random, "a", "b")},
		"spec":   Doc{"containers": []Doc{{"name": "c", "resources": Doc{"limits": limits, "requests": limits}}}},
		"status": Doc{"phase": pick(m.random, "Running", "Running", "Running", "Pending", "Succeeded", "Failed")}}
	if node != "" {
		pod["spec"].(Doc)["nodeName"] = node
	}
	m.cluster.Pods = append(m.cluster.Pods, pod)
}

func (m *clusterMaker) nodeNamed(name string) Doc {
	for _, node := range m.cluster.Nodes {
		if node["metadata"].(Doc)["name"] == name {
			return node
		}
	}
	return nil
}
