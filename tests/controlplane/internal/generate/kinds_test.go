package generate

import (
	"reflect"
	"testing"

	core "k8s.io/api/core/v1"

	"kubectl-gpu/tests/controlplane/internal/judge"
)

// allocatedKinds is a cluster with its claims allocated, and as the judge reads it.
func allocatedKinds(t *testing.T, seed uint64) (*Kinds, *judge.World) {
	t.Helper()
	made := RandomKinds(seed, "c")
	if err := made.Allocate(); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	world, err := judge.Decode(List(made.Objects()...))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return made, world
}

// TestKindsShapes counts what the generator makes, so that none of it can dry up unseen.
func TestKindsShapes(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(500) {
		_, world := allocatedKinds(t, seed)
		countShapes(seen, world)
	}
	for _, shape := range []string{"cordoned", "tainted", "not ready", "finished", "gated", "names devices", "MIG", "AMD partition", "HAMi", "Volcano", "gpushare",
		"claim allocated", "claim of nobody", "claim of several pods", "claim of several devices", "claim with admin access", "share of a device",
		"whole device of many parts", "part of a device", "pool incomplete", "older generation", "device tainted", "device free", "plugin and DRA"} {
		if seen[shape] < 10 {
			t.Errorf("%s: only %d", shape, seen[shape])
		}
	}
}

func countShapes(seen map[string]int, world *judge.World) {
	count := func(shape string, is bool) {
		if is {
			seen[shape]++
		}
	}
	pools := map[string]int{}
	for _, slice := range world.Slices {
		pools[slice.Spec.Driver+"/"+slice.Spec.Pool.Name]++
		count("older generation", pools[slice.Spec.Driver+"/"+slice.Spec.Pool.Name] > 1 && slice.Spec.Pool.ResourceSliceCount == 1)
		count("pool incomplete", slice.Spec.SharedCounters == nil && slice.Spec.Pool.ResourceSliceCount == 2 && slice.Spec.Devices[0].ConsumesCounters == nil)
		for _, device := range slice.Spec.Devices {
			count("device tainted", len(device.Taints) > 0)
		}
	}
	for i := range world.Nodes {
		node := &world.Nodes[i]
		_, gpus := node.Status.Allocatable["nvidia.com/gpu"]
		count("cordoned", node.Spec.Unschedulable)
		count("tainted", len(node.Spec.Taints) > 0)
		count("not ready", node.Status.Conditions[0].Status != core.ConditionTrue)
		count("plugin and DRA", gpus && pools["gpu.nvidia.com/"+node.Name] > 0)
		for shape, resource := range map[string]core.ResourceName{"MIG": "nvidia.com/mig-1g.10gb", "AMD partition": "amd.com/cpx_nps4",
			"HAMi": "nvidia.com/gpumem", "Volcano": "volcano.sh/vgpu-number", "gpushare": "aliyun.com/gpu-mem"} {
			_, has := node.Status.Allocatable[resource]
			count(shape, has)
		}
	}
	for i := range world.Pods {
		pod := &world.Pods[i]
		count("finished", pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed)
		count("gated", len(pod.Spec.SchedulingGates) > 0)
		count("names devices", len(pod.Status.ContainerStatuses) > 0)
	}
	for _, claim := range world.Claims {
		if claim.Status.Allocation == nil {
			continue
		}
		count("claim allocated", true)
		count("claim of nobody", len(claim.Status.ReservedFor) == 0)
		count("claim of several pods", len(claim.Status.ReservedFor) > 1)
		count("claim of several devices", len(claim.Status.Allocation.Devices.Results) > 1)
		for _, result := range claim.Status.Allocation.Devices.Results {
			count("claim with admin access", result.AdminAccess != nil)
			count("share of a device", result.ShareID != nil)
		}
	}
	for key, row := range world.Rows() {
		count("device free", row.Source == "dra" && row.Free > 0)
		count("part of a device", row.Source == "dra" && row.Allocated > 0 && key.Resource != "gpu.nvidia.com")
		count("whole device of many parts", key.Resource == "gpu.nvidia.com/mig-1g.20gb")
	}
}

func TestSameSeedSameKinds(t *testing.T) {
	one, _ := allocatedKinds(t, 7)
	same, _ := allocatedKinds(t, 7)
	if !reflect.DeepEqual(one.Nodes, same.Nodes) || !reflect.DeepEqual(one.Pods, same.Pods) || !reflect.DeepEqual(one.Slices, same.Slices) {
		t.Error("seed 7 gives two different clusters")
	}
}
