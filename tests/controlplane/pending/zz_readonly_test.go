package pending

import (
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The file's name puts this test last, so that it judges what all other tests made our program do.
// kubectl, which carries the fixes out, has a name of its own in the audit log.
func TestReadOnly(t *testing.T) {
	if _, err := program(t, cluster.Ordinary).Ask(t.Context(), "-A"); err != nil {
		t.Error(err)
	}
	if err := shared.cluster.OnlyReads(t.Context(), "kubectl-gpu"); err != nil {
		t.Error(err)
	}
}
