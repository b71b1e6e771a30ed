package pending

import (
	"context"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The file's name puts this test last, so that it judges what all other tests made our program do.
// kubectl, which carries the fixes out, has a name of its own in the audit log.
func TestReadOnly(t *testing.T) {
	if _, err := program(t, cluster.Ordinary).Ask(t.Context(), "-A"); err != nil {
		t.Error(err)
	}
	var requests []cluster.Request
	// The API server writes the line after it has answered.
	err := cluster.Poll(t.Context(), 10*time.Second, "our lists in the audit log", func(context.Context) (bool, error) {
		var err error
		requests, err = shared.cluster.Requests("kubectl-gpu")
		for _, request := range requests {
			if request.Verb == "list" {
				return true, err
			}
		}
		return false, err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range requests {
		if request.Writes() {
			t.Errorf("%s %s by %s", request.Verb, request.URI, request.User)
		}
	}
}
