// Package load makes many realistic nodes and pods and writes them straight into etcd, in the form
// in which the API server stores them: through the API it would take twenty times as long.
package load

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Plan says how much there shall be. The same plan makes the same objects, byte for byte.
type Plan struct {
	Nodes    int
	GPUNodes int
	Pods     int
	// PodBytes is the size of a stored pod, about; managed fields and environment fill it up.
	PodBytes int
	Seed     uint64
}

const (
	gpusPerNode   = 8
	podsPerNode   = 250
	namespaces    = 40
	podsPerOwner  = 10
	gpuResource   = "nvidia.com/gpu"
	finishedShare = 0.05
	waitingShare  = 0.01
)

// epoch is when everything was created: a clock would make two runs differ.
var epoch = v1.NewTime(time.Date(2026, 1, 15, 8, 0, 0, 0, time.UTC))

// maker makes objects, one after another.
type maker struct {
	plan   Plan
	random *rand.Rand
	// free are the GPUs left on each GPU node, so that the cluster is one that a scheduler could
	// have made.
	free []int64
}

func newMaker(plan Plan) *maker {
	m := &maker{plan: plan, random: rand.New(rand.NewPCG(plan.Seed, 1)), free: make([]int64, plan.GPUNodes)}
	for i := range m.free {
		m.free[i] = gpusPerNode
	}
	return m
}

func nodeName(i int) string      { return fmt.Sprintf("node-%05d", i) }
func namespaceName(i int) string { return fmt.Sprintf("load-%02d", i%namespaces) }

// uid looks like one and is the same in every run.
func (m *maker) uid() types.UID {
	a, b := m.random.Uint64(), m.random.Uint64()
	return types.UID(fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&0xffffffffffff))
}

// hash is as long as the digest of an image.
func (m *maker) hash() string {
	return fmt.Sprintf("%016x%016x%016x%016x", m.random.Uint64(), m.random.Uint64(), m.random.Uint64(), m.random.Uint64())
}

func (m *maker) meta(name, namespace string) v1.ObjectMeta {
	return v1.ObjectMeta{Name: name, Namespace: namespace, UID: m.uid(), CreationTimestamp: epoch}
}

func (m *maker) namespace(i int) *core.Namespace {
	made := &core.Namespace{ObjectMeta: m.meta(namespaceName(i), ""), Status: core.NamespaceStatus{Phase: core.NamespaceActive}}
	made.Labels = map[string]string{core.LabelMetadataName: made.Name}
	made.Spec.Finalizers = []core.FinalizerName{core.FinalizerKubernetes}
	return made
}

// node is a GPU node if i is under the plan's number of them.
func (m *maker) node(i int) *core.Node {
	node := &core.Node{ObjectMeta: m.meta(nodeName(i), "")}
	node.Labels = map[string]string{core.LabelHostname: node.Name, core.LabelArchStable: "amd64",
		core.LabelOSStable: "linux", core.LabelTopologyRegion: "us-east-1",
		core.LabelTopologyZone: "us-east-1" + string("abc"[i%3]), core.LabelInstanceTypeStable: "m7i.8xlarge"}
	room := core.ResourceList{core.ResourceCPU: resource.MustParse("96"), core.ResourceMemory: resource.MustParse("768Gi"),
		core.ResourceEphemeralStorage: resource.MustParse("500Gi"), core.ResourcePods: *resource.NewQuantity(podsPerNode, resource.DecimalSI)}
	if i < m.plan.GPUNodes {
		room[gpuResource] = *resource.NewQuantity(gpusPerNode, resource.DecimalSI)
		node.Labels[core.LabelInstanceTypeStable] = "p5.48xlarge"
		for label, value := range map[string]string{"present": "true", "product": "NVIDIA-H100-80GB-HBM3",
			"count": "8", "memory": "81559", "replicas": "1", "family": "hopper"} {
			node.Labels["nvidia.com/gpu."+label] = value
		}
	}
	node.Annotations = map[string]string{"node.alpha.kubernetes.io/ttl": "0",
		"volumes.kubernetes.io/controller-managed-attach-detach": "true"}
	node.Spec.ProviderID = fmt.Sprintf("aws:///%s/i-%017x", node.Labels[core.LabelTopologyZone], m.random.Uint64()>>4)
	node.Status = core.NodeStatus{Capacity: room, Allocatable: room.DeepCopy(),
		NodeInfo: core.NodeSystemInfo{KubeletVersion: "v1.36.1", OperatingSystem: "linux", Architecture: "amd64"}}
	for _, kind := range []core.NodeConditionType{core.NodeMemoryPressure, core.NodeDiskPressure, core.NodePIDPressure, core.NodeReady} {
		condition := core.NodeCondition{Type: kind, Status: core.ConditionFalse, Reason: "KubeletHas",
			Message: "kubelet has enough", LastHeartbeatTime: epoch, LastTransitionTime: epoch}
		if kind == core.NodeReady {
			condition.Status = core.ConditionTrue
		}
		node.Status.Conditions = append(node.Status.Conditions, condition)
	}
	// Nodes list what images they have; it is the largest part of a real node.
	for range 30 {
		image := core.ContainerImage{Names: []string{"registry.example/team/image@sha256:" + m.hash()}, SizeBytes: m.random.Int64N(4e9)}
		node.Status.Images = append(node.Status.Images, image)
	}
	return node
}

var words = strings.Fields("model data train batch queue token cache shard epoch layer worker rank host port path bucket region level debug info")

// text is what configuration looks like: words again and again, and now and then something random,
// so that it compresses about as well as real pods do.
func (m *maker) text(size int) string {
	var text strings.Builder
	for text.Len() < size {
		text.WriteString(words[m.random.IntN(len(words))])
		if m.random.IntN(8) == 0 {
			fmt.Fprintf(&text, "=%x", m.random.Uint32())
		}
		text.WriteByte('.')
	}
	return text.String()[:size]
}
