package doctor

import (
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The file's name puts this test last, so that it judges what all other tests made our program do.
func TestReadOnly(t *testing.T) {
	for _, user := range cluster.Users() {
		ask(t, user, "")
	}
	if err := shared.OnlyReads(t.Context(), "kubectl-gpu"); err != nil {
		t.Error(err)
	}
}
