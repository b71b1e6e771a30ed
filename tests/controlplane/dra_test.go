package controlplane

import (
	"context"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// A node that labels call a GPU node and that advertises nothing is a broken one, unless a DRA driver
// publishes its devices: then what is free is unknown, not lost.
func TestNodesManagedByDRA(t *testing.T) {
	const name = "dra-managed"
	api := client(t)
	ctx := context.Background()
	node := &core.Node{ObjectMeta: v1.ObjectMeta{Name: name, Labels: map[string]string{
		"nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": "NVIDIA-L4", "nvidia.com/gpu.count": "4"}},
		Status: core.NodeStatus{Allocatable: core.ResourceList{core.ResourcePods: quantity.MustParse("110")}}}
	if _, err := api.CoreV1().Nodes().Create(ctx, node, v1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = api.CoreV1().Nodes().Delete(ctx, name, v1.DeleteOptions{}) })
	waitForState(t, name, "NoPlugin")

	nodeName := name
	slice := &resource.ResourceSlice{ObjectMeta: v1.ObjectMeta{Name: name},
		Spec: resource.ResourceSliceSpec{Driver: "gpu.nvidia.com", NodeName: &nodeName,
			Pool:    resource.ResourcePool{Name: name, Generation: 1, ResourceSliceCount: 1},
			Devices: []resource.Device{{Name: "gpu-0"}, {Name: "gpu-1"}}}}
	if _, err := api.ResourceV1().ResourceSlices().Create(ctx, slice, v1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = api.ResourceV1().ResourceSlices().Delete(ctx, name, v1.DeleteOptions{}) })
	waitForState(t, name, "DRA")

	// Who may not list ResourceSlices is told that this is unknown.
	for _, gap := range top(t, shared.Kubeconfig(cluster.NodesOnly)).Gaps {
		if strings.Contains(gap.Why, "resourceslices") {
			return
		}
	}
	t.Error("no gap names resourceslices")
}

// waitForState gives the node's kubelet, and the API server's cache, half a minute.
func waitForState(t *testing.T, node, want string) {
	t.Helper()
	var have string
	for range 150 {
		for _, each := range top(t, shared.Kubeconfig(cluster.Ordinary)).Items {
			if each.Name == node {
				have = each.State
			}
		}
		if have == want {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatalf("node %s: state %q, want %q", node, have, want)
}
