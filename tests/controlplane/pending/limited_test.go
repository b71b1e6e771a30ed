package pending

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/pending"
)

// TestLimitedUsers asks in the names of people who may not see everything: what is missing is named,
// and nothing is made up in its place.
func TestLimitedUsers(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	e := example{pod: pod(t, cluster.TeamNamespace, "asked", `nvidia.com/gpu: "4"`, ""),
		others: []*unstructured.Unstructured{node(t, "gpu-a", tainted, eight, ""),
			pod(t, "research", "holder", `nvidia.com/gpu: "2"`, "nodeName: gpu-a,")}}
	scene := e.scene(t)
	scene.Namespace = cluster.TeamNamespace
	waiting, err := shared.stage.Lay(ctx, scene)
	if err != nil {
		t.Fatal(err)
	}
	said := pending.Refusal(waiting)
	for user, lacks := range map[string][]string{
		cluster.Ordinary:                {"events"},
		cluster.OneNamespace:            {"pods", "events"},
		cluster.PodsOneNamespaceNoNodes: {"nodes"},
	} {
		t.Run(user, func(t *testing.T) {
			who := program(t, user)
			list, err := who.Ask(ctx, cluster.TeamNamespace+"/asked")
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Items) != 1 || !list.Items[0].Blocked {
				t.Fatalf("%+v", list)
			}
			answer := list.Items[0]
			if answer.Scheduler == nil || answer.Scheduler.Message != said {
				t.Errorf("the scheduler's word is %+v, want %q", answer.Scheduler, said)
			}
			text, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			for _, what := range lacks {
				if !strings.Contains(string(text), what) || len(list.Gaps)+len(answer.NotChecked) == 0 {
					t.Errorf("nothing says that %s could not be read: gaps %+v, not checked %v", what, list.Gaps, answer.NotChecked)
				}
			}
			if slices.Contains(lacks, "nodes") && (len(answer.Fixes) > 0 || answer.PredictedMessage != "") {
				t.Errorf("without nodes: %q, fixes %+v", answer.PredictedMessage, answer.Fixes)
			}
		})
	}
	for _, user := range cluster.Users() {
		for _, words := range [][]string{{"why-pending", cluster.TeamNamespace + "/asked"}, {"why-pending", "-A"}, {"why-pending", cluster.TeamNamespace + "/asked", "-o", "patch"}} {
			output, err := program(t, user).Run(ctx, words...)
			if err != nil || output.Code < 0 || output.Code > 2 {
				t.Errorf("%s, %q: exit code %d, error %v; stderr:\n%s", user, words, output.Code, err, output.Stderr)
			}
			if output.Code == 2 && !strings.Contains(output.Stderr, "orbidden") {
				t.Errorf("%s, %q: stderr does not say what is forbidden:\n%s", user, words, output.Stderr)
			}
		}
	}
}

// TestWithoutClaims asks for a pod with a volume in the name of somebody who may read no claims:
// whether the scheduler is right is then not known.
func TestWithoutClaims(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	e := example{pod: pod(t, "ml", "asked", `cpu: "1"`, "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}],"),
		others: []*unstructured.Unstructured{node(t, "gpu-a", "", eight, "")}}
	waiting, err := shared.stage.Lay(ctx, e.scene(t))
	if err != nil {
		t.Fatal(err)
	}
	list, err := program(t, cluster.Ordinary).Ask(ctx, "ml/asked")
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 1 || !list.Items[0].Blocked {
		t.Fatalf("%+v", list)
	}
	answer := list.Items[0]
	if said := pending.Refusal(waiting); answer.Scheduler == nil || answer.Scheduler.Message != said {
		t.Errorf("the scheduler's word is %+v, want %q", answer.Scheduler, said)
	}
	if answer.Scheduler != nil && answer.Scheduler.Agrees != nil && !*answer.Scheduler.Agrees {
		t.Errorf("claims were not read, and yet the scheduler is said to be wrong: %q", answer.PredictedMessage)
	}
	if !strings.Contains(fmt.Sprint(list.Gaps, answer.NotChecked), "persistentvolumeclaims") {
		t.Errorf("nothing says that claims could not be read: gaps %+v, not checked %v", list.Gaps, answer.NotChecked)
	}
	if len(answer.Fixes) > 0 {
		t.Errorf("fixes %+v", answer.Fixes)
	}
}
