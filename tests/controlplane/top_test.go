package controlplane

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/judge"
)

func TestTopNodesMatchesUpstream(t *testing.T) {
	load(t, "inventory.yaml")
	var answer usage
	want := whileQuiet(t, func() { answer = top(t, shared.Kubeconfig(cluster.Admin)) })
	got := answer.byKey(t)
	// The judge must have seen the scenario, else two empty answers would agree.
	if len(want) < 40 {
		t.Fatalf("the judge found only %d rows", len(want))
	}
	for _, key := range sortedKeys(want) {
		each, exists := got[key]
		if !exists {
			t.Errorf("%s %s: missing; want %s", key.Node, key.Resource, figures(asItem(want[key])))
			continue
		}
		if have, wanted := figures(each), figures(asItem(want[key])); have != wanted {
			t.Errorf("%s %s:\n got %s\nwant %s", key.Node, key.Resource, have, wanted)
		}
	}
	for _, key := range sortedKeys(got) {
		if _, exists := want[key]; !exists {
			t.Errorf("%s %s: shall not be there", key.Node, key.Resource)
		}
		if use := got[key].Utilization; use != nil {
			t.Errorf("%s %s: utilization %v, though nothing measures it", key.Node, key.Resource, *use)
		}
	}
}

func asItem(row judge.Row) item {
	return item{Capacity: &row.Capacity, Allocatable: &row.Allocatable, Allocated: &row.Allocated,
		Free: &row.Free, Unavailable: row.Unavailable}
}

func figures(i item) string {
	return fmt.Sprintf("capacity %s, allocatable %s, allocated %s, free %s, unavailable %s", number(i.Capacity),
		number(i.Allocatable), number(i.Allocated), number(i.Free), number(i.Unavailable))
}

func number(value *int64) string {
	if value == nil {
		return "null"
	}
	return fmt.Sprint(*value)
}

func TestTopNodesLabels(t *testing.T) {
	load(t, "inventory.yaml")
	nodes, err := client(t).CoreV1().Nodes().List(t.Context(), v1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]map[string]string{}
	for _, node := range nodes.Items {
		labels[node.Name] = node.Labels
	}
	vendors := map[string]string{"nvidia.com": "nvidia", "amd.com": "amd", "gpu.intel.com": "intel",
		"habana.ai": "habana", "google.com": "google", "aws.amazon.com": "aws",
		"gpu.nvidia.com": "nvidia", "volcano.sh": "nvidia", "aliyun.com": "nvidia"}
	for _, each := range top(t, shared.Kubeconfig(cluster.Admin)).Items {
		domain, _, _ := strings.Cut(each.Resource, "/")
		if each.Vendor != vendors[domain] {
			t.Errorf("%v: vendor %q, want %q", each.key(), each.Vendor, vendors[domain])
		}
		checkLabel(t, each.key(), "instanceType", each.InstanceType, labels[each.Name][core.LabelInstanceTypeStable])
		checkLabel(t, each.key(), "zone", each.Zone, labels[each.Name][core.LabelTopologyZone])
	}
}

// checkLabel wants null where the node has no such label.
func checkLabel(t *testing.T, key judge.Key, name string, have *string, label string) {
	t.Helper()
	if label == "" && have != nil {
		t.Errorf("%v: %s %q, want null", key, name, *have)
	}
	if label != "" && (have == nil || *have != label) {
		encoded, _ := json.Marshal(have)
		t.Errorf("%v: %s %s, want %q", key, name, encoded, label)
	}
}

func TestUnavailableReasons(t *testing.T) {
	load(t, "inventory.yaml")
	items := top(t, shared.Kubeconfig(cluster.Admin)).byKey(t)
	for node, want := range map[string]string{
		"cordoned": "cordoned", "not-ready": "node-not-ready", "unreachable": "node-not-ready",
		"two-unhealthy": "gpu-unhealthy", "plugin-gone": "device-plugin-unhealthy",
		"never-registered": "device-plugin-missing", "never-registered-gke": "device-plugin-missing",
		"never-registered-uncounted": "device-plugin-missing", "pods-exhausted": "too-many-pods",
		"h100-1": "", "time-sliced": "", "pods-slot-regained": "",
	} {
		each, exists := items[judge.Key{Node: node, Resource: "nvidia.com/gpu"}]
		have := ""
		if each.UnavailableReason != nil {
			have = *each.UnavailableReason
		}
		if !exists || have != want {
			t.Errorf("%s: reason %q, want %q (row exists: %t)", node, have, want, exists)
		}
	}
}

func TestCardsBehindShares(t *testing.T) {
	load(t, "inventory.yaml")
	items := top(t, shared.Kubeconfig(cluster.Admin)).byKey(t)
	for _, want := range []struct {
		node, resource, strategy string
		replicas, cards          int64
	}{
		{"h100-1", "nvidia.com/gpu", "none", 1, 8},
		{"time-sliced", "nvidia.com/gpu", "time-slicing", 10, 4},
		{"time-sliced-renamed", "nvidia.com/gpu.shared", "time-slicing", 4, 4},
		{"mps", "nvidia.com/gpu", "mps", 4, 4},
	} {
		each := items[judge.Key{Node: want.node, Resource: want.resource}]
		if each.Sharing == nil || each.Cards == nil {
			t.Errorf("%s: no sharing, or no cards", want.node)
			continue
		}
		if each.Sharing.Strategy != want.strategy || each.Sharing.Replicas != want.replicas || *each.Cards != want.cards {
			t.Errorf("%s: %d cards, %s x%d; want %d, %s x%d", want.node, *each.Cards, each.Sharing.Strategy,
				each.Sharing.Replicas, want.cards, want.strategy, want.replicas)
		}
	}
}
