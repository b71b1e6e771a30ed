package gen

import (
	"fmt"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The file's name puts this test last, so that it judges what all other tests made our program do.
// kubectl, which applies manifests, has a name of its own in the audit log.
func TestReadOnly(t *testing.T) {
	for _, line := range []string{"job a --image x --gpus 2", "notebook a", "deployment a --model a/b", "pod a --dra",
		"inferenceservice a --model hf://a/b", "jobset a --image x", "queue a --gpus 8", "nodepool a --gpus 8", "quota a --gpus 8",
		"resourceclaim a --once", "job a --image x --explain", "job a --image x --no-check"} {
		for _, user := range []string{cluster.Admin, cluster.Ordinary, cluster.Nobody} {
			generated(t, fmt.Sprintf("--kubeconfig %q", shared.Kubeconfig(user)), line)
		}
	}
	if err := shared.OnlyReads(t.Context(), "kubectl-gpu"); err != nil {
		t.Error(err)
	}
}
