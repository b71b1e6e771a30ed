package offline

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/generate"
)

// TestPluginGoneWhilePodsHold: what is lost beside what pods still hold. Seeds 291, 273, 173 and 293,
// 270, 18 of TestGeneratedClusters came upon these.
func TestPluginGoneWhilePodsHold(t *testing.T) {
	for name, test := range map[string]struct {
		labels      generate.Doc
		total       *int64
		unavailable *int64
	}{
		// Nobody counts the cards, and unknown is never 0.
		"uncounted": {labels: generate.Doc{"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}},
		// Under MIG's single strategy the count is of slices, and with replicas it is of cards.
		"single MIG": {generate.Doc{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "nvidia.com/gpu.count": "56"}, new(int64(56)), new(int64(53))},
		"shared":     {generate.Doc{"nvidia.com/gpu.product": "Tesla-T4-SHARED", "nvidia.com/gpu.replicas": "4", "nvidia.com/gpu.count": "2"}, new(int64(8)), new(int64(5))},
	} {
		t.Run(name, func(t *testing.T) {
			node, pod := nodeWith("n", "0", "0"), podOn("n", 3)
			node["metadata"].(generate.Doc)["labels"] = test.labels
			rows := top(t, write(t, "gone.json", generate.List(node, pod))).Items
			if len(rows) != 1 || !reflect.DeepEqual(totalOf(rows[0]), test.total) || !reflect.DeepEqual(rows[0].Unavailable, test.unavailable) {
				t.Errorf("want a total of %s, %s unavailable: %s", asJSON(test.total), asJSON(test.unavailable), asJSON(rows))
			}
		})
	}
}

// TestPluginGoneFromSlices: the count that labels give is of slices, whether or not a pod holds one.
func TestPluginGoneFromSlices(t *testing.T) {
	node := nodeWith("n", "0", "0")
	node["metadata"].(generate.Doc)["labels"] = generate.Doc{
		"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "nvidia.com/gpu.count": "56"}
	answer := top(t, write(t, "gone.json", generate.List(node, podOn("elsewhere", 1))))
	totals := answer.Summary.Totals
	if len(totals) != 1 || totals[0].Kind != "MIG" {
		t.Errorf("want a total of MIG alone: %s", asJSON(answer))
	}
}

// TestNoPodSlots: to the scheduler a node that says nothing of pods, or 0, takes none.
func TestNoPodSlots(t *testing.T) {
	for name, slots := range map[string]any{"none given": nil, "zero": "0"} {
		t.Run(name, func(t *testing.T) {
			node := nodeWith("n", 8, 8)
			allocatable := node["status"].(generate.Doc)["allocatable"].(generate.Doc)
			delete(allocatable, "pods")
			if slots != nil {
				allocatable["pods"] = slots
			}
			rows := top(t, write(t, "slots.json", generate.List(node, podOn("elsewhere", 1)))).Items
			if len(rows) != 1 || *rows[0].Free != 0 {
				t.Errorf("want nothing free: %s", asJSON(rows))
			}
		})
	}
}

func podOn(node string, gpus int) generate.Doc {
	return generate.Doc{"apiVersion": "v1", "kind": "Pod", "metadata": generate.Doc{"name": "p", "namespace": "d"},
		"spec": generate.Doc{"nodeName": node, "containers": []generate.Doc{
			{"name": "c", "resources": generate.Doc{"limits": generate.Doc{"nvidia.com/gpu": gpus}}}}}}
}

// TestListsOfOneKind: `kubectl get --raw /api/v1/nodes` prints items that do not say what they are;
// their list does, before them, or after them once jq has sorted the keys.
func TestListsOfOneKind(t *testing.T) {
	pod := podOn("n", 3)
	node := nodeWith("n", 8, 8)
	want := top(t, write(t, "both.json", generate.List(node, pod)))
	for _, order := range []generate.KindPlace{generate.KindFirst, generate.KindLast} {
		for _, names := range [][]string{{"1-nodes", "2-pods"}, {"2-nodes", "1-pods"}} {
			t.Run(fmt.Sprint(order, names), func(t *testing.T) {
				dir := t.TempDir()
				for name, content := range map[string][]byte{
					names[0]: generate.KindList("Node", order, []generate.Doc{node}),
					names[1]: generate.KindList("Pod", order, []generate.Doc{pod})} {
					if err := os.WriteFile(filepath.Join(dir, name+".json"), content, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				stdout, stderr, code := run(t, "top", "nodes", "-o", "json", "--from", dir)
				if code != 0 || !reflect.DeepEqual(decoded[answer](t, stdout), want) {
					t.Errorf("exit code %d, another answer than from one List: %s%s", code, stdout, stderr)
				}
			})
		}
	}
}
