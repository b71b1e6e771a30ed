package cost

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

var views = [][]string{nil, {"pods"}, {"jobs"}, {"nodes"}, {"models"}, {"--by", "owner"}, {"--by", "label=team"},
	{"--explain-price", "paid-h100"}}

// The rights in examples/rbac.yaml are enough for every view. An ordinary user may not look for Prometheus,
// and sees the rest.
func TestRightsOfExample(t *testing.T) {
	must(t, "apply", "-f", "../../../examples/rbac.yaml")
	defer must(t, "delete", "-f", "../../../examples/rbac.yaml")
	for _, view := range views {
		as := append([]string{"--as=ana", "--as-group=gpu-readers", "--as-group=system:authenticated", "-o", "json"}, view...)
		checkWhole(t, view, run(t, cluster.Admin, as...))
		checkWhole(t, view, run(t, cluster.Ordinary, append([]string{"-o", "json", "--metrics", "none"}, view...)...))
	}
}

func checkWhole(t *testing.T, view []string, said answer) {
	t.Helper()
	if said.code != 0 || strings.Contains(strings.ToLower(said.stdout+said.stderr), "forbidden") {
		t.Errorf("%q: exit code %d, or something is forbidden:\n%s\n%s", view, said.code, said.stdout, said.stderr)
	}
	if !json.Valid([]byte(said.stdout)) {
		t.Errorf("%q: no JSON:\n%s", view, said.stdout)
	}
}

// hold binds a pod with GPUs to a node, and deletes it after the test.
func hold(t *testing.T, namespace, name, node string, gpus int64) {
	t.Helper()
	pod := &core.Pod{ObjectMeta: v1.ObjectMeta{Name: name}, Spec: core.PodSpec{NodeName: node, Containers: []core.Container{container("main", gpus)}}}
	if _, err := client.CoreV1().Pods(namespace).Create(t.Context(), pod, v1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		now := int64(0)
		_ = client.CoreV1().Pods(namespace).Delete(context.Background(), name, v1.DeleteOptions{GracePeriodSeconds: &now})
	})
}

// Who may list the pods of one namespace sees what these cost, and never that the rest is free.
func TestRightsOfOneNamespace(t *testing.T) {
	hold(t, cluster.TeamNamespace, "ours", "paid-h100", 2)
	hold(t, core.NamespaceDefault, "theirs", "paid-h100", 3)
	truth := ask(t, cluster.Ordinary, "nodes").Summary
	said := run(t, cluster.OneNamespace, "pods", "-n", cluster.TeamNamespace, "-o", "json")
	if said.code != 0 {
		t.Fatalf("exit code %d: %s", said.code, said.stderr)
	}
	read := decode(t, said.stdout)
	if row := read.one(t, cluster.TeamNamespace, "ours"); row.Hour == nil || !near(*row.Hour, 2*h100) {
		t.Errorf("%v $/h, want %f", value(row.Hour), 2*h100)
	}
	if len(read.named(core.NamespaceDefault, "theirs")) != 0 {
		t.Error("another namespace's pod is shown")
	}
	checkIdentity(t, read.Summary)
	got := read.Summary
	if !near(got.Nodes, truth.Nodes) {
		t.Errorf("nodes cost %f, and %f for who sees all", got.Nodes, truth.Nodes)
	}
	if got.Idle > truth.Idle+1e-6 || got.Busy > truth.Busy+1e-6 || got.Unallocated.Free > truth.Unallocated.Free+1e-6 {
		t.Errorf("more is idle, busy or free than for who sees all:\n%+v\n%+v", got, truth)
	}
	t.Logf("of %.2f $/h %.2f are unknown, for who sees all %.2f", got.Nodes, got.Unknown, truth.Unknown)
}

// Without -n, and for who sees no pods or nothing: an answer that says what is missing, or an error.
func TestRightsOfOthers(t *testing.T) {
	truth := ask(t, cluster.Ordinary, "nodes").Summary
	for _, user := range []string{cluster.OneNamespace, cluster.NodesOnly, cluster.PodsOneNamespaceNoNodes, cluster.Nobody} {
		for _, view := range []string{"namespaces", "pods", "jobs", "nodes", "models"} {
			said := run(t, user, view, "-o", "json")
			if said.code == 2 && said.stdout == "" && strings.Contains(said.stderr, "Forbidden") {
				continue
			}
			if said.code != 0 {
				t.Errorf("%s, %s: exit code %d: %s", user, view, said.code, said.stderr)
				continue
			}
			read := decode(t, said.stdout)
			checkIdentity(t, read.Summary)
			if len(read.Gaps) == 0 || read.Summary.Unallocated.Free > truth.Unallocated.Free+1e-6 {
				t.Errorf("%s, %s: %d gaps, %f free, and %f for who sees all", user, view, len(read.Gaps),
					read.Summary.Unallocated.Free, truth.Unallocated.Free)
			}
		}
	}
}
