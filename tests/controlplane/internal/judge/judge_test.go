package judge

import (
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
)

func gpus(n string) core.ResourceList {
	return core.ResourceList{"nvidia.com/gpu": resource.MustParse(n)}
}

func readyNode(capacity, allocatable string) core.Node {
	node := core.Node{ObjectMeta: v1.ObjectMeta{Name: "n"}}
	node.Status.Capacity, node.Status.Allocatable = gpus(capacity), gpus(allocatable)
	node.Status.Allocatable[core.ResourcePods] = resource.MustParse("110")
	node.Status.Conditions = []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue}}
	return node
}

func podOn(node, request string, phase core.PodPhase) core.Pod {
	return core.Pod{Spec: core.PodSpec{NodeName: node, Containers: []core.Container{{
		Resources: core.ResourceRequirements{Requests: gpus(request)}}}}, Status: core.PodStatus{Phase: phase}}
}

func TestRowsAddUp(t *testing.T) {
	cordoned := readyNode("8", "8")
	cordoned.Spec.Unschedulable = true
	full := readyNode("8", "8")
	full.Status.Allocatable[core.ResourcePods] = resource.MustParse("1")
	for _, test := range []struct {
		name              string
		node              core.Node
		pods              []core.Pod
		held, free, other int64
	}{
		{"empty", readyNode("8", "8"), nil, 0, 8, 0},
		{"held", readyNode("8", "8"), []core.Pod{podOn("n", "3", core.PodRunning)}, 3, 5, 0},
		{"pending but bound", readyNode("8", "8"), []core.Pod{podOn("n", "3", core.PodPending)}, 3, 5, 0},
		{"finished", readyNode("8", "8"), []core.Pod{podOn("n", "3", core.PodSucceeded), podOn("n", "1", core.PodFailed)}, 0, 8, 0},
		{"not bound, or elsewhere", readyNode("8", "8"), []core.Pod{podOn("", "3", core.PodPending), podOn("m", "2", core.PodRunning)}, 0, 8, 0},
		{"two unhealthy", readyNode("8", "6"), []core.Pod{podOn("n", "3", core.PodRunning)}, 3, 3, 2},
		{"held by more than is healthy", readyNode("8", "4"), []core.Pod{podOn("n", "6", core.PodRunning)}, 6, 0, 2},
		{"overcommitted", readyNode("2", "2"), []core.Pod{podOn("n", "3", core.PodRunning)}, 3, 0, 0},
		{"cordoned", cordoned, []core.Pod{podOn("n", "3", core.PodRunning)}, 3, 0, 5},
		{"no slot left", full, []core.Pod{podOn("n", "3", core.PodRunning)}, 3, 0, 5},
	} {
		row := Rows([]core.Node{test.node}, test.pods)[Key{"n", "nvidia.com/gpu"}]
		if row.Allocated != test.held || row.Free != test.free || row.Unavailable == nil || *row.Unavailable != test.other {
			t.Errorf("%s: %+v, want allocated %d, free %d, unavailable %d", test.name, row, test.held, test.free, test.other)
		}
	}
}

func TestUnregisteredNode(t *testing.T) {
	counted := readyNode("0", "0")
	counted.Labels = map[string]string{"nvidia.com/gpu.present": "true", "nvidia.com/gpu.count": "8"}
	row, exists := Rows([]core.Node{counted}, nil)[Key{"n", "nvidia.com/gpu"}]
	if !exists || row.Unavailable == nil || *row.Unavailable != 8 || row.Free != 0 {
		t.Errorf("counted: %+v (exists: %t), want 8 unavailable", row, exists)
	}
	row = Rows([]core.Node{counted}, []core.Pod{podOn("n", "3", core.PodRunning)})[Key{"n", "nvidia.com/gpu"}]
	if row.Allocated != 3 || row.Unavailable == nil || *row.Unavailable != 5 {
		t.Errorf("counted, and 3 still held: %+v, want 5 unavailable", row)
	}
	uncounted := readyNode("0", "0")
	uncounted.Labels = map[string]string{"kubernetes.azure.com/accelerator": "nvidia"}
	row, exists = Rows([]core.Node{uncounted}, nil)[Key{"n", "nvidia.com/gpu"}]
	if !exists || row.Unavailable != nil {
		t.Errorf("uncounted: %+v (exists: %t), want unavailable unknown", row, exists)
	}
	if rows := Rows([]core.Node{readyNode("0", "0")}, nil); len(rows) != 0 {
		t.Errorf("no labels: %v, want nothing", rows)
	}
}

func TestIsDevice(t *testing.T) {
	for resource, want := range map[string]bool{
		"nvidia.com/gpu": true, "nvidia.com/mig-1g.5gb.shared": true, "amd.com/cpx_nps4": true,
		"gpu.intel.com/xe": true, "aws.amazon.com/neuroncore": true,
		"nvidia.com/gpumem": false, "nvidia.com/gpucores": false, "gpu.intel.com/i915_monitoring": false,
		"gpu.intel.com/monitoring": false, "nvidia.com/rdma_shared_device_a": false, "cpu": false,
		"vpc.amazonaws.com/efa": false, "gpu.intel.com/millicores": false,
	} {
		if have := IsDevice(resource); have != want {
			t.Errorf("%s: device %t, want %t", resource, have, want)
		}
	}
}
