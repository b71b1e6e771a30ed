package controlplane

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

// Every claim here was allocated by the real scheduler.
func TestDRAInventory(t *testing.T) {
	loadDRA(t)
	waitForPod(t, draNamespace, "extended")
	for _, user := range []string{cluster.Admin, cluster.Ordinary} {
		answer := top(t, shared.Kubeconfig(user))
		rows := answer.byKey(t)
		for name, node := range draNodes() {
			have := map[string]string{}
			for key, row := range rows {
				if key.Node == name {
					have[key.Resource] = sharedOut(row)
				}
			}
			if !maps.Equal(have, node.want) {
				t.Errorf("%s, as %s: %v, want %v", name, user, have, node.want)
			}
			if node.gap != "" && !mentions(answer.Gaps, node.gap) {
				t.Errorf("%s, as %s: no gap says %q", name, user, node.gap)
			}
		}
	}
}

// sharedOut is "allocated/free/unavailable of total".
func sharedOut(row item) string {
	text := func(value *int64) string {
		if value == nil {
			return "-"
		}
		return fmt.Sprint(*value)
	}
	return fmt.Sprintf("%s/%s/%s of %s", text(row.Allocated), text(row.Free), text(row.Unavailable), text(row.Capacity))
}

func mentions(gaps []gap, text string) bool {
	return slices.ContainsFunc(gaps, func(each gap) bool {
		return strings.Contains(each.What, text) || strings.Contains(each.Why, text)
	})
}

func waitForPod(t *testing.T, namespace, name string) {
	t.Helper()
	err := cluster.Poll(t.Context(), time.Minute, name+" bound", func(ctx context.Context) (bool, error) {
		pod, err := client(t).CoreV1().Pods(namespace).Get(ctx, name, v1.GetOptions{})
		return err == nil && pod.Spec.NodeName != "" && pod.Status.Phase == core.PodRunning, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// As many pods start as top says are free: all whole cards, then slices from the largest to the
// smallest. Then no more.
func TestDRAFreeIsStartable(t *testing.T) {
	loadDRA(t)
	waitForPod(t, draNamespace, "extended")
	api := client(t)
	if err := scenario.CreateNamespace(t.Context(), api, startableNamespace); err != nil {
		t.Fatal(err)
	}
	createTemplates(t, api)
	rows := top(t, shared.Kubeconfig(cluster.Admin)).byKey(t)
	for _, name := range slices.Sorted(maps.Keys(draNodes())) {
		t.Run(name, func(t *testing.T) {
			var started []string
			t.Cleanup(func() {
				removePods(t, api, started)
				waitUntilNothingIsHeld(t, api)
			})
			for _, kind := range startOrder {
				for key, row := range rows {
					if key.Node != name || key.Resource != kind {
						continue
					}
					pods, bound := startOneByOne(t, api, name, kind, *row.Free)
					started = append(started, pods...)
					if bound != *row.Free {
						t.Errorf("%d of %s are free, the scheduler started %d", *row.Free, kind, bound)
					}
				}
			}
			for _, kind := range startOrder {
				pods := startUsers(t, api, name, kind, "more-", 1)
				started = append(started, pods...)
				if bound := countBound(t, api, pods); bound != 0 {
					t.Errorf("nothing of %s was free any more, and one more pod started", kind)
				}
			}
		})
	}
}

// startOrder is whole cards first, then slices from the largest to the smallest.
var startOrder = []string{"nvidia.com/gpu", wholeCards, largeSlices, "gpu.nvidia.com/mig-2g.20gb", smallSlices}

// templateFor is the template of one unit of a row.
func templateFor(kind string) string {
	return "one-" + strings.NewReplacer("/", "-", ".", "-").Replace(kind)
}

func createTemplates(t *testing.T, api kubernetes.Interface) {
	t.Helper()
	for _, kind := range startOrder {
		request := &resource.ExactDeviceRequest{DeviceClassName: "dra-card"}
		if profile, isSlice := strings.CutPrefix(kind, "gpu.nvidia.com/mig-"); isSlice {
			request.DeviceClassName = "dra-slice"
			request.Selectors = []resource.DeviceSelector{{CEL: &resource.CELDeviceSelector{Expression: migSelector(profile)}}}
		}
		template := &resource.ResourceClaimTemplate{ObjectMeta: v1.ObjectMeta{Name: templateFor(kind)},
			Spec: resource.ResourceClaimTemplateSpec{Spec: resource.ResourceClaimSpec{Devices: resource.DeviceClaim{
				Requests: []resource.DeviceRequest{{Name: "gpu", Exactly: request}}}}}}
		templates := api.ResourceV1().ResourceClaimTemplates(startableNamespace)
		if _, err := templates.Create(t.Context(), template, v1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = templates.Delete(context.Background(), template.Name, v1.DeleteOptions{}) })
	}
}

// startUsers creates pods for one unit each. The plugin's resource is only asked for where a plugin
// has it: elsewhere DRA would provide it.
func startUsers(t *testing.T, api kubernetes.Interface, node, kind, prefix string, count int64) []string {
	t.Helper()
	spec := core.PodSpec{NodeSelector: onNode(node), Containers: []core.Container{{Name: "main", Image: "none"}}}
	if kind == "nvidia.com/gpu" {
		if _, hasPlugin := draNodes()[node].node.Capacity["nvidia.com/gpu"]; !hasPlugin {
			return nil
		}
		spec.Containers[0].Resources.Limits = core.ResourceList{"nvidia.com/gpu": quantity.MustParse("1")}
	} else {
		template := templateFor(kind)
		spec.ResourceClaims = []core.PodResourceClaim{{Name: "gpu", ResourceClaimTemplateName: &template}}
		spec.Containers[0].Resources.Claims = []core.ResourceClaim{{Name: "gpu"}}
	}
	var names []string
	for i := range count {
		pod := &core.Pod{ObjectMeta: v1.ObjectMeta{Name: fmt.Sprintf("try-%s-%s%s-%d", node, prefix, templateFor(kind), i)}, Spec: spec}
		if _, err := api.CoreV1().Pods(startableNamespace).Create(t.Context(), pod, v1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		names = append(names, pod.Name)
	}
	return names
}

// startOneByOne counts the pods that start when each waits for the verdict on the one before. Two
// claims of parts of one device that are decided at once may be refused: until the first is written
// down, the scheduler counts it twice (kube-scheduler 1.36.1).
func startOneByOne(t *testing.T, api kubernetes.Interface, node, kind string, count int64) (names []string, bound int64) {
	t.Helper()
	for i := range count {
		pods := startUsers(t, api, node, kind, fmt.Sprintf("%d-", i), 1)
		names = append(names, pods...)
		bound += countBound(t, api, pods)
	}
	return names, bound
}

// waitUntilNothingIsHeld returns when the claims of pods that are gone are gone, too.
func waitUntilNothingIsHeld(t *testing.T, api kubernetes.Interface) {
	t.Helper()
	err := cluster.Poll(context.Background(), time.Minute, "claims gone", func(ctx context.Context) (bool, error) {
		claims, err := api.ResourceV1().ResourceClaims(startableNamespace).List(ctx, v1.ListOptions{})
		if err == nil && len(claims.Items) > 0 {
			err = fmt.Errorf("%d claims are left", len(claims.Items))
		}
		return err == nil, err
	})
	if err != nil {
		t.Error(err)
	}
}

// A node that labels call a GPU node and that advertises nothing is a broken one, unless a DRA driver
// publishes its devices: then these are what there is.
func TestNodesManagedByDRA(t *testing.T) {
	const name = "dra-managed"
	api := client(t)
	ctx := context.Background()
	node := scenario.Scenario{Nodes: []scenario.Node{{Name: name, Labels: map[string]string{
		"nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": "NVIDIA-L4", "nvidia.com/gpu.count": "4"}}}}
	if err := node.Create(t.Context(), api); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = api.CoreV1().Nodes().Delete(ctx, name, v1.DeleteOptions{}) })
	waitForRow(t, name, "nvidia.com/gpu", "NoPlugin", "0/0/4 of 0")

	slice := scenario.Scenario{ResourceSlices: published(name, cards(2))}
	if err := slice.Create(t.Context(), api); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = api.ResourceV1().ResourceSlices().Delete(ctx, name, v1.DeleteOptions{}) })
	waitForRow(t, name, wholeCards, "Ready", "0/2/0 of 2")

	// Who may not list ResourceSlices is told that this is unknown.
	for _, gap := range top(t, shared.Kubeconfig(cluster.NodesOnly)).Gaps {
		if strings.Contains(gap.Why, "resourceslices") {
			return
		}
	}
	t.Error("no gap names resourceslices")
}

// waitForRow gives the node's kubelet, and the API server's cache, half a minute.
func waitForRow(t *testing.T, node, resource, state, want string) {
	t.Helper()
	var have []string
	for range 150 {
		have = nil
		for _, each := range top(t, shared.Kubeconfig(cluster.Ordinary)).Items {
			if each.Name == node {
				have = append(have, fmt.Sprint(each.Resource, " ", each.State, " ", sharedOut(each)))
			}
		}
		if slices.Equal(have, []string{fmt.Sprint(resource, " ", state, " ", want)}) {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatalf("node %s: %q, want %s %s %s", node, have, resource, state, want)
}
