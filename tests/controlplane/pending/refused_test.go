package pending

import (
	"context"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/pending"
)

// TestRefusedElsewhere has a Job whose pods a quota refuses in a namespace in which no pod waits:
// -A tells of it beside the pod that waits in another one. Who may not read all events is told so.
func TestRefusedElsewhere(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	e := example{pod: pod(t, "ml", "asked", `nvidia.com/gpu: "4"`, ""), others: []*unstructured.Unstructured{
		node(t, "gpu-a", tainted, eight, ""),
		object(t, `{apiVersion: v1, kind: ResourceQuota, metadata: {name: tight, namespace: research}, spec: {hard: {pods: "0"}}}`)}}
	if _, err := shared.stage.Lay(ctx, e.scene(t)); err != nil {
		t.Fatal(err)
	}
	admin := program(t, cluster.Admin)
	if err := admin.Apply(ctx, pending.Fix{Command: "kubectl create job refused -n research --image none"}); err != nil {
		t.Fatal(err)
	}
	// Events of owners that other tests took away may still be there.
	codes := map[string]bool{}
	err := cluster.Poll(ctx, 20*time.Second, "the refusal", func(ctx context.Context) (bool, error) {
		list, err := admin.Ask(ctx, "-A")
		for _, item := range list.Items {
			codes[item.Namespace+"/"+item.Name+": "+item.Code] = true
		}
		return codes["research/refused: quota-exceeded"], err
	})
	if err != nil {
		t.Fatalf("%v; rows: %v", err, codes)
	}
	if !codes["ml/asked: untolerated-taint"] {
		t.Errorf("rows: %v", codes)
	}
	list, err := program(t, cluster.Ordinary).Ask(ctx, "-A")
	if err != nil {
		t.Fatal(err)
	}
	told := false
	for _, gap := range list.Gaps {
		told = told || strings.Contains(gap.What, "events")
	}
	if !told {
		t.Errorf("nothing says that events could not be read: %+v", list.Gaps)
	}
}
