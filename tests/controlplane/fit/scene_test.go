package fit

import (
	"fmt"
	"math/rand/v2"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// dice are the numbers of one seed.
type dice struct{ *rand.Rand }

func diceOf(seed int) dice { return dice{rand.New(rand.NewPCG(uint64(seed), 77))} }

func (d dice) chance(percent int) bool     { return d.IntN(100) < percent }
func (d dice) between(least, most int) int { return least + d.IntN(most-least+1) }
func (d dice) word(words ...string) string { return words[d.IntN(len(words))] }
func (d dice) weight() int32               { return int32(d.between(1, 100)) }
func (d dice) milli() *resource.Quantity {
	return resource.NewMilliQuantity(int64(d.between(1, 60))*250, resource.DecimalSI)
}
func (d dice) gibi(most int) *resource.Quantity {
	return resource.NewQuantity(int64(d.between(1, most*4))<<28, resource.BinarySI)
}

const (
	gpu      = "nvidia.com/gpu"
	product  = "nvidia.com/gpu.product"
	hostname = core.LabelHostname
	zone     = core.LabelTopologyZone
)

var images = []string{"registry.example/train:1", "registry.example/serve:2", "registry.example/small"}

// nodes are some with GPUs, some without; often several alike, so that scores are equal.
func (d dice) nodes() []*core.Node {
	if d.chance(25) {
		return d.equals()
	}
	var all []*core.Node
	for kind := range d.between(1, 4) {
		model := d.node(kind)
		for range d.between(1, 3) {
			node := model.DeepCopy()
			node.Name = fmt.Sprintf("gpu-%d", len(all))
			node.Labels[hostname] = node.Name
			if d.chance(50) {
				node.Labels[zone] = d.word("a", "b", "c")
			}
			if d.chance(30) {
				d.addImages(node)
			}
			all = append(all, node)
		}
	}
	return all
}

// equals are nodes without any difference, and so large that a few pods change no score.
func (d dice) equals() []*core.Node {
	var all []*core.Node
	gpus := resource.MustParse(d.word("2", "4", "8"))
	for i := range d.between(2, 5) {
		node := d.node(0)
		node.Name, node.Spec = fmt.Sprintf("gpu-%d", i), core.NodeSpec{}
		node.Labels = map[string]string{hostname: node.Name, product: "NVIDIA-L4"}
		node.Status.Allocatable = core.ResourceList{core.ResourceCPU: resource.MustParse("4000"),
			core.ResourceMemory: resource.MustParse("40000Gi"), core.ResourcePods: resource.MustParse("110"), gpu: gpus}
		node.Status.Capacity = node.Status.Allocatable
		all = append(all, node)
	}
	return all
}

// even lets a pod take the same share of CPU as of memory of such nodes, so that they stay equal.
func even(spec *core.PodSpec) {
	for i := range spec.Containers {
		if spec.Containers[i].Resources.Requests == nil {
			spec.Containers[i].Resources.Requests = core.ResourceList{}
		}
		asks := spec.Containers[i].Resources.Requests
		asks[core.ResourceCPU], asks[core.ResourceMemory] = resource.MustParse("1"), resource.MustParse("10Gi")
	}
	spec.Affinity, spec.TopologySpreadConstraints, spec.NodeSelector = nil, nil, nil
}

func (d dice) node(kind int) *core.Node {
	gpus := d.word("0", "2", "4", "8", "8")
	capacity := core.ResourceList{
		core.ResourceCPU:    resource.MustParse(d.word("15800m", "32", "64", "95900m")),
		core.ResourceMemory: resource.MustParse(d.word("61Gi", "128Gi", "259876544Ki", "512Gi")),
		core.ResourcePods:   resource.MustParse("110"),
	}
	labels := map[string]string{"pool": fmt.Sprint(kind), "disk": d.word("ssd", "hdd")}
	if gpus != "0" {
		capacity[gpu] = resource.MustParse(gpus)
		labels[product] = d.word("NVIDIA-H100-80GB-HBM3", "NVIDIA-L4")
	}
	node := &core.Node{ObjectMeta: meta.ObjectMeta{Labels: labels}}
	node.Status.Capacity, node.Status.Allocatable = capacity, capacity
	node.Status.Conditions = []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue, Reason: "Test"}}
	if d.chance(25) {
		node.Spec.Taints = append(node.Spec.Taints, core.Taint{Key: "spot", Value: "yes", Effect: core.TaintEffectPreferNoSchedule})
	}
	if d.chance(20) {
		node.Spec.Taints = append(node.Spec.Taints, core.Taint{Key: gpu, Effect: core.TaintEffectNoSchedule})
	}
	if d.chance(7) {
		node.Spec.Unschedulable = true
	}
	return node
}

func (d dice) addImages(node *core.Node) {
	for _, name := range images {
		if !d.chance(50) {
			continue
		}
		full := name
		if name == "registry.example/small" {
			full += ":latest"
		}
		node.Status.Images = append(node.Status.Images, core.ContainerImage{Names: []string{full}, SizeBytes: sizeOf(name)})
	}
}

// sizeOf is the same on each node: the scheduler keeps the first that it hears of.
func sizeOf(image string) int64 {
	for i, name := range images {
		if name == image {
			return []int64{9_000_000_000, 3_500_000_000, 40_000_000}[i]
		}
	}
	return 0
}

// room is what a node has left.
type room struct {
	gpus          int64
	milli, memory int64
}

func roomOf(node *core.Node) room {
	gpus := node.Status.Allocatable[gpu]
	return room{gpus.Value(), node.Status.Allocatable.Cpu().MilliValue(), node.Status.Allocatable.Memory().Value()}
}

// held are pods that are bound to a node.
func (d dice) held(nodes []*core.Node) []*core.Pod {
	var pods []*core.Pod
	for _, node := range nodes {
		left := roomOf(node)
		for range d.IntN(5) {
			pod := &core.Pod{Spec: core.PodSpec{NodeName: node.Name}}
			pod.Namespace, pod.Name = d.word(teams...), fmt.Sprintf("held-%d", len(pods))
			pod.Labels = map[string]string{"app": d.word("a", "b", "c")}
			pod.Spec.Containers = []core.Container{d.container(min(2, int(left.gpus)))}
			pod.Spec.Tolerations = []core.Toleration{{Operator: core.TolerationOpExists}}
			if d.chance(25) {
				d.addPodAffinity(&pod.Spec, "app")
			}
			asks := pod.Spec.Containers[0].Resources.Requests
			gpus := asks[gpu]
			left.gpus -= gpus.Value()
			left.milli -= asks.Cpu().MilliValue()
			left.memory -= asks.Memory().Value()
			if left.milli < 0 || left.memory < 0 {
				break
			}
			pods = append(pods, pod)
		}
	}
	return pods
}

func (d dice) container(mostGPUs int) core.Container {
	made := core.Container{Name: "main", Image: d.word(images...)}
	asks := core.ResourceList{}
	if d.chance(75) {
		asks[core.ResourceCPU] = *d.milli()
	}
	if d.chance(75) {
		asks[core.ResourceMemory] = *d.gibi(24)
	}
	limits := core.ResourceList{}
	if mostGPUs > 0 && d.chance(80) {
		count := resource.NewQuantity(int64(d.between(1, mostGPUs)), resource.DecimalSI)
		asks[gpu], limits[gpu] = *count, *count
	}
	made.Resources = core.ResourceRequirements{Requests: asks, Limits: limits}
	return made
}

func (d dice) podTerm(key string) core.PodAffinityTerm {
	term := core.PodAffinityTerm{TopologyKey: d.word(hostname, zone, "pool"),
		LabelSelector: &meta.LabelSelector{MatchLabels: map[string]string{key: d.word("a", "b", "c")}}}
	if d.chance(30) {
		term.NamespaceSelector = &meta.LabelSelector{}
	} else if d.chance(30) {
		term.Namespaces = teams
	}
	return term
}

func (d dice) weighted(key string) []core.WeightedPodAffinityTerm {
	var all []core.WeightedPodAffinityTerm
	for range d.between(1, 2) {
		all = append(all, core.WeightedPodAffinityTerm{Weight: d.weight(), PodAffinityTerm: d.podTerm(key)})
	}
	return all
}

// addPodAffinity adds preferences, and sometimes a requirement, of other pods.
func (d dice) addPodAffinity(spec *core.PodSpec, key string) {
	if spec.Affinity == nil {
		spec.Affinity = &core.Affinity{}
	}
	if d.chance(60) {
		spec.Affinity.PodAffinity = &core.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: d.weighted(key)}
	}
	if d.chance(60) {
		spec.Affinity.PodAntiAffinity = &core.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: d.weighted(key)}
	}
	if spec.NodeName != "" && d.chance(25) {
		spec.Affinity.PodAffinity = &core.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []core.PodAffinityTerm{d.podTerm(key)}}
	}
}

// asked is the template of pods that are to start.
func (d dice) asked() core.PodTemplateSpec {
	made := core.PodTemplateSpec{}
	made.Labels = map[string]string{"app": d.word("a", "b", "c")}
	made.Annotations = map[string]string{"kubectl-gpu.test/behaviour": "run"}
	made.Spec.Containers = []core.Container{d.container(d.between(1, 4))}
	if d.chance(20) {
		made.Spec.Containers = append(made.Spec.Containers, core.Container{Name: "beside", Image: d.word(images...)})
	}
	if d.chance(65) {
		made.Spec.Tolerations = []core.Toleration{{Key: gpu, Operator: core.TolerationOpExists, Effect: core.TaintEffectNoSchedule}}
	}
	if d.chance(15) {
		made.Spec.Tolerations = append(made.Spec.Tolerations, core.Toleration{Key: "spot", Operator: core.TolerationOpExists})
	}
	if d.chance(15) {
		made.Spec.NodeSelector = map[string]string{product: d.word("NVIDIA-H100-80GB-HBM3", "NVIDIA-L4")}
	}
	if d.chance(40) {
		made.Spec.Affinity = &core.Affinity{NodeAffinity: &core.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: d.preferredNodes()}}
	}
	if d.chance(30) {
		d.addPodAffinity(&made.Spec, "app")
	}
	if d.chance(30) {
		made.Spec.TopologySpreadConstraints = d.spread(made.Labels["app"])
	}
	return made
}

func (d dice) preferredNodes() []core.PreferredSchedulingTerm {
	var all []core.PreferredSchedulingTerm
	for range d.between(1, 3) {
		one := core.NodeSelectorRequirement{Key: "disk", Operator: core.NodeSelectorOpIn, Values: []string{d.word("ssd", "hdd")}}
		if d.chance(40) {
			one = core.NodeSelectorRequirement{Key: zone, Operator: core.NodeSelectorOpExists}
		}
		all = append(all, core.PreferredSchedulingTerm{Weight: d.weight(),
			Preference: core.NodeSelectorTerm{MatchExpressions: []core.NodeSelectorRequirement{one}}})
	}
	return all
}

func (d dice) spread(app string) []core.TopologySpreadConstraint {
	var all []core.TopologySpreadConstraint
	keys := []string{hostname, zone}
	d.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, key := range keys[:d.between(1, 2)] {
		one := core.TopologySpreadConstraint{MaxSkew: int32(d.between(1, 3)), TopologyKey: key, WhenUnsatisfiable: core.ScheduleAnyway,
			LabelSelector: &meta.LabelSelector{MatchLabels: map[string]string{"app": app}}}
		if d.chance(20) {
			one.WhenUnsatisfiable = core.DoNotSchedule
		}
		if d.chance(20) {
			honor := core.NodeInclusionPolicyHonor
			one.NodeTaintsPolicy = &honor
		}
		all = append(all, one)
	}
	return all
}
