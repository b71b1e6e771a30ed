package generate

import (
	"fmt"
	"strings"
)

// Kinds is a small cluster of every kind of GPU, as the API server would take it. Claims are not
// allocated yet: see Allocate.
type Kinds struct {
	Nodes, Pods, Slices, Claims, Classes []Doc
	// Wanted says for each claim from which node its devices shall come, and Users which pods use it.
	Wanted map[string]string
	Users  map[string][]string
}

// Objects are all of them.
func (k *Kinds) Objects() []Doc {
	var all []Doc
	for _, list := range [][]Doc{k.Nodes, k.Pods, k.Slices, k.Claims, k.Classes} {
		all = append(all, list...)
	}
	return all
}

// kind is a sort of GPU node: what it says of itself, what it has, and what pods ask of it.
type kind struct {
	labels, annotations map[string]string
	capacity            map[string]int
	// devices makes the ResourceSlices of a DRA driver.
	devices func(m *kindsMaker, node string)
}

const hamiCard = "%s,5,24576,100,NVIDIA-A10,0,true,%d,hami-core:"

var kinds = []kind{
	{labels: nvidia("NVIDIA-H100-80GB-HBM3", "nvidia.com/gpu.count", "4", "nvidia.com/gpu.memory", "81559"), capacity: map[string]int{"nvidia.com/gpu": 4}},
	{labels: nvidia("NVIDIA-L4", "nvidia.com/gpu.count", "8"), capacity: map[string]int{"nvidia.com/gpu": 3}},
	{labels: nvidia("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "nvidia.com/gpu.count", "7", "nvidia.com/mig.strategy", "single"), capacity: map[string]int{"nvidia.com/gpu": 7}},
	{labels: nvidia("NVIDIA-A100-SXM4-80GB", "nvidia.com/mig.strategy", "mixed"), capacity: map[string]int{"nvidia.com/mig-1g.10gb": 4, "nvidia.com/mig-3g.40gb": 1}},
	{labels: nvidia("NVIDIA-A100-SXM4-80GB", "nvidia.com/mig.strategy", "mixed", "nvidia.com/gpu.count", "3"), capacity: map[string]int{"nvidia.com/mig-1g.10gb": 7, "nvidia.com/gpu": 2}},
	{labels: nvidia("Tesla-T4-SHARED", "nvidia.com/gpu.replicas", "4", "nvidia.com/gpu.sharing-strategy", "time-slicing", "nvidia.com/gpu.count", "2"), capacity: map[string]int{"nvidia.com/gpu": 8}},
	{labels: nvidia("NVIDIA-L40S", "nvidia.com/gpu.replicas", "4", "nvidia.com/gpu.count", "1"), capacity: map[string]int{"nvidia.com/gpu.shared": 4}},
	{labels: nvidia("NVIDIA-A10", "nvidia.com/gpu.replicas", "2", "nvidia.com/gpu.sharing-strategy", "mps", "nvidia.com/gpu.count", "2"), capacity: map[string]int{"nvidia.com/gpu": 4}},
	{labels: nvidia("Tesla-T4-SHARED", "nvidia.com/gpu.replicas", "4", "nvidia.com/gpu.count", "3"), capacity: map[string]int{"nvidia.com/gpu": 10}},
	{annotations: map[string]string{"hami.io/node-nvidia-register": fmt.Sprintf(hamiCard, "GPU-h0", 0) + fmt.Sprintf(hamiCard, "GPU-h1", 1)},
		capacity: map[string]int{"nvidia.com/gpu": 10, "nvidia.com/gpumem": 49152, "nvidia.com/gpucores": 200}},
	{annotations: map[string]string{"volcano.sh/node-vgpu-register": "GPU-v0,5,24576,NVIDIA-A10,true:"},
		capacity: map[string]int{"volcano.sh/vgpu-number": 5, "volcano.sh/vgpu-memory": 24576}},
	{capacity: map[string]int{"aliyun.com/gpu-mem": 8, "aliyun.com/gpu-count": 2}},
	{labels: map[string]string{"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM"}, capacity: map[string]int{"amd.com/gpu": 4}},
	{labels: map[string]string{"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM", "amd.com/gpu.compute-memory-partition": "cpx_nps4"}, capacity: map[string]int{"amd.com/gpu": 8}},
	{capacity: map[string]int{"amd.com/cpx_nps4": 8}},
	{labels: map[string]string{"gpu.intel.com/device.count": "2"}, capacity: map[string]int{"gpu.intel.com/i915": 6, "gpu.intel.com/i915_monitoring": 1, "gpu.intel.com/millicores": 2000}},
	{capacity: map[string]int{"gpu.intel.com/xe": 2, "gpu.intel.com/xe_monitoring": 1}},
	{capacity: map[string]int{"habana.ai/gaudi": 4}},
	{capacity: map[string]int{"google.com/tpu": 4}},
	{capacity: map[string]int{"aws.amazon.com/neuron": 2, "aws.amazon.com/neuroncore": 4, "aws.amazon.com/neurondevice": 2}},
	{capacity: map[string]int{"nvidia.com/gpumem": 100, "gpu.intel.com/i915_monitoring": 1}},
	{capacity: map[string]int{}},
	{devices: wholeCards},
	{devices: staticSlices},
	{devices: cutCards},
	{devices: cutCards},
	{devices: placedSlices},
	{devices: twoModels},
	{devices: sharedCards},
	{devices: otherDrivers},
	{devices: wholeCards, labels: nvidia("NVIDIA-L4", "nvidia.com/gpu.count", "2"), capacity: map[string]int{"nvidia.com/gpu": 2}},
	// Labels of a node whose devices are DRA's.
	{devices: wholeCards, labels: nvidia("NVIDIA-L4", "nvidia.com/gpu.count", "2")},
}

// KindsNamespaces are those in which the pods and claims live.
var KindsNamespaces = []string{"generated-a", "generated-b"}

// kindsMaker gathers a cluster.
type kindsMaker struct {
	random
	prefix  string
	made    Kinds
	askable map[string][]string // resources by node, of device plugins
	offered map[string][]offer  // by node, of DRA drivers
}

// offer is a kind of device that claims can ask for.
type offer struct {
	driver, profile string
	most            int
	cut             bool // lives off counters
}

// RandomKinds is the cluster of this seed: 1 to 8 nodes, 0 to 30 pods. Names start with prefix.
func RandomKinds(seed uint64, prefix string) *Kinds {
	m := &kindsMaker{random: newRandom(seed, 4), prefix: prefix, askable: map[string][]string{}, offered: map[string][]offer{},
		made: Kinds{Wanted: map[string]string{}, Users: map[string][]string{}}}
	var names []string
	for i := range min(m.between(1, 8), m.between(1, 8)) {
		names = append(names, fmt.Sprintf("%s-n%d", prefix, i))
		m.addNode(names[i], pick(m.random, kinds...))
	}
	for i := range m.IntN(31) {
		m.addPod(fmt.Sprintf("%s-p%d", prefix, i), pick(m.random, names...))
	}
	return &m.made
}

func (m *kindsMaker) addNode(name string, of kind) {
	labels, annotations := Doc{"kubernetes.io/hostname": name}, Doc{}
	for label, value := range of.labels {
		labels[label] = value
	}
	for key, value := range of.annotations {
		annotations[key] = value
	}
	capacity, allocatable := m.kindAmounts(name, of)
	spec, taints := Doc{}, []Doc{}
	if m.chance(8) {
		spec["unschedulable"] = true
	}
	if m.chance(25) {
		taints = append(taints, Doc{"key": pick(m.random, "nvidia.com/gpu", "dedicated"), "value": "x", "effect": pick(m.random, "NoSchedule", "NoExecute")})
	}
	if m.chance(4) {
		taints = append(taints, Doc{"key": "ToBeDeletedByClusterAutoscaler", "value": "1", "effect": "NoSchedule"})
	}
	if len(taints) > 0 {
		spec["taints"] = taints
	}
	ready := "True"
	if m.chance(6) {
		ready = pick(m.random, "False", "Unknown")
	}
	// Nobody but the test says how the node is.
	annotations["kubectl-gpu.test/unmanaged"] = ""
	m.made.Nodes = append(m.made.Nodes, Doc{"apiVersion": "v1", "kind": "Node", "spec": spec,
		"metadata": Doc{"name": name, "labels": labels, "annotations": annotations},
		"status": Doc{"capacity": capacity, "allocatable": allocatable, "conditions": []Doc{{"type": "Ready", "status": ready,
			"reason": "Generated", "lastTransitionTime": "2026-01-02T03:04:05Z", "lastHeartbeatTime": "2026-01-02T03:04:05Z"}}}})
	if of.devices != nil {
		of.devices(m, name)
	}
}

// kindAmounts are those of the kind; sometimes devices are sick, or the plugin is gone.
func (m *kindsMaker) kindAmounts(node string, of kind) (capacity, allocatable Doc) {
	slots := pick(m.random, "110", "110", "110", "110", "110", "6", "2")
	capacity = Doc{"cpu": "64", "memory": "512Gi", "pods": slots}
	allocatable = Doc{"cpu": "64", "memory": "512Gi", "pods": slots}
	way := m.IntN(14)
	for _, resource := range sortedKeys(of.capacity) {
		amount := of.capacity[resource]
		healthy := amount
		switch way {
		case 0:
			healthy = 0
		case 1:
			healthy = m.between(0, amount)
		case 2:
			amount, healthy = 0, 0
		case 3:
			continue // never registered
		}
		capacity[resource], allocatable[resource] = fmt.Sprint(amount), fmt.Sprint(healthy)
		if amount > 0 {
			m.askable[node] = append(m.askable[node], resource)
		}
	}
	return capacity, allocatable
}

// addPod asks its node for devices of a plugin or of a DRA driver.
func (m *kindsMaker) addPod(name, node string) {
	limits, namespace := Doc{}, pick(m.random, KindsNamespaces...)
	for _, resource := range some(m.random, 60, m.askable[node]) {
		limits[resource] = fmt.Sprint(pick(m.random, 1, 1, 1, 2, 3))
	}
	container := Doc{"name": "main", "image": "none", "resources": Doc{"limits": limits, "requests": limits}}
	metadata := Doc{"name": name, "namespace": namespace, "uid": name, "annotations": Doc{"kubectl-gpu.test/behaviour": "hang"}}
	spec := Doc{"containers": []Doc{container}, "tolerations": []Doc{{"operator": "Exists"}}}
	status := Doc{"phase": pick(m.random, "Running", "Running", "Running", "Pending")}
	pod := Doc{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}
	m.made.Pods = append(m.made.Pods, pod)
	switch way := m.IntN(100); {
	case way < 8: // waits
		spec["schedulingGates"] = []Doc{{"name": "example.com/gate"}}
		status["phase"] = "Pending"
		return
	case way < 16:
		status["phase"] = pick(m.random, "Succeeded", "Failed")
	case way < 75 && len(m.offered[node]) > 0:
		m.addClaim(pod, node)
	}
	spec["nodeName"] = node
	if amount := limits["nvidia.com/gpu"]; amount != nil && m.chance(30) {
		status["containerStatuses"] = []Doc{m.deviceStatus(name, "nvidia.com/gpu", m.between(1, 3))}
	}
}

// deviceStatus names some devices of the pod, as many as it has or not.
func (m *kindsMaker) deviceStatus(pod, resource string, count int) Doc {
	devices := []Doc{}
	for i := range count {
		devices = append(devices, Doc{"resourceID": fmt.Sprintf("GPU-%s-%d", pod, i), "health": pick(m.random, "Healthy", "Healthy", "Unhealthy", "Unknown")})
	}
	return Doc{"name": "main", "image": "none", "imageID": "", "ready": true, "restartCount": 0,
		"allocatedResourcesStatus": []Doc{{"name": resource, "resources": devices}}}
}

// addClaim lets the pod claim devices, alone or with a pod that has a claim already.
func (m *kindsMaker) addClaim(pod Doc, node string) {
	namespace, name := pod["metadata"].(Doc)["namespace"].(string), pod["metadata"].(Doc)["name"].(string)
	claim := ""
	for _, other := range m.made.Claims {
		id := other["metadata"].(Doc)["name"].(string)
		if m.made.Wanted[id] == node && other["metadata"].(Doc)["namespace"] == namespace && m.chance(20) {
			claim = id
		}
	}
	if claim == "" {
		claim = strings.Replace(name, "-p", "-c", 1)
		m.made.Claims = append(m.made.Claims, m.claim(claim, namespace, pick(m.random, m.offered[node]...)))
		m.made.Wanted[claim] = node
	}
	// Some claims have no user: whoever made them is gone.
	if m.chance(10) {
		return
	}
	m.made.Users[claim] = append(m.made.Users[claim], name)
	spec := pod["spec"].(Doc)
	spec["resourceClaims"] = []Doc{{"name": "devices", "resourceClaimName": claim}}
	resources := spec["containers"].([]Doc)[0]["resources"].(Doc)
	resources["claims"] = []Doc{{"name": "devices"}}
	resources["limits"], resources["requests"] = Doc{}, Doc{}
}

func (m *kindsMaker) claim(name, namespace string, of offer) Doc {
	expression := fmt.Sprintf("device.driver == %q && !('profile' in device.attributes[%q])", of.driver, of.driver)
	if of.profile != "" {
		expression = fmt.Sprintf("device.driver == %q && 'profile' in device.attributes[%q] && device.attributes[%q].profile == %q", of.driver, of.driver, of.driver, of.profile)
	}
	request := Doc{"deviceClassName": "generated", "allocationMode": "ExactCount", "count": m.between(1, min(2, of.most)),
		"selectors": []Doc{{"cel": Doc{"expression": expression}}}}
	// kube-scheduler 1.36.1 crashes when all devices are asked for and some live off counters.
	if m.chance(5) && !of.cut {
		request["allocationMode"] = "All"
		delete(request, "count")
	}
	if m.chance(6) {
		request["adminAccess"] = true
	}
	return Doc{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
		"metadata": Doc{"name": name, "namespace": namespace, "uid": name},
		"spec":     Doc{"devices": Doc{"requests": []Doc{{"name": "devices", "exactly": request}}}}}
}
