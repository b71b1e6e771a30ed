package controlplane

import (
	"strings"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The rights in examples/rbac.yaml are enough for an answer without gaps, asked for by impersonation,
// and without them nothing is answered.
func TestExampleRBAC(t *testing.T) {
	load(t, "inventory.yaml")
	load(t, "kinds.yaml")
	kubeconfig := shared.Kubeconfig(cluster.Admin)
	asReader := []string{"top", "--as=ana", "--as-group=gpu-readers", "--as-group=system:authenticated"}
	if stdout, _, code := runGPU(t, kubeconfig, asReader...); code != 2 || stdout != "" {
		t.Fatalf("before: exit code %d, want 2", code)
	}
	kubectl(t, "apply", "-f", "../../examples/rbac.yaml")
	defer kubectl(t, "delete", "-f", "../../examples/rbac.yaml")

	answer := top(t, kubeconfig, asReader[1:]...)
	for _, gap := range answer.Gaps {
		// Other gaps are facts of the cluster: a DRA pool of which a slice is missing.
		if strings.Contains(strings.ToLower(gap.Why), "forbidden") {
			t.Errorf("%+v", gap)
		}
	}
	if len(answer.Items) < 30 {
		t.Errorf("%d rows, want 30 or more", len(answer.Items))
	}
	stdout, stderr, code := runGPU(t, kubeconfig, append([]string{"top", "pods", "-A", "-o", "json"}, asReader[1:]...)...)
	if code != 0 || !strings.Contains(stdout, `"kind": "StatefulSet"`) || !strings.Contains(stdout, `"kind": "Deployment"`) {
		t.Errorf("exit code %d, without owners; stderr:\n%s", code, stderr)
	}
}
