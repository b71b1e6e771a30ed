package pending

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestOneOfSeveralHolders asks for room on one node, where one of three pods of an owner is in the
// way: no more than that pod and those that go before it may end, and that pod has to.
func TestOneOfSeveralHolders(t *testing.T) {
	for _, kind := range []struct{ group, name, selector, command string }{
		{"apps/v1", "Deployment", "{matchLabels: {app: holder}}", "--replicas=2"},
		{"apps/v1", "ReplicaSet", "{matchLabels: {app: holder}}", "--replicas=2"},
		{"v1", "ReplicationController", "{app: holder}", "--replicas=2"},
		{"apps/v1", "StatefulSet", "{matchLabels: {app: holder}}", "--replicas="},
	} {
		for _, on := range []string{"gpu-a", "gpu-b", "gpu-c"} {
			t.Run(kind.name+" on "+on, func(t *testing.T) {
				defer clearStage(t)
				ctx := context.Background()
				e := example{pod: pod(t, "ml", "asked", `nvidia.com/gpu: "4"`, "nodeSelector: {kubernetes.io/hostname: "+on+"},"),
					others: []*unstructured.Unstructured{
						object(t, fmt.Sprintf(`{apiVersion: %s, kind: %s, metadata: {name: holder, namespace: research}, spec: {replicas: 3, selector: %s,
  template: {metadata: {labels: {app: holder}}, spec: {
  containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "6"}}}]}}}}`, kind.group, kind.name, kind.selector))}}
				for _, name := range []string{"gpu-a", "gpu-b", "gpu-c"} {
					e.others = append(e.others, node(t, name, "", eight, ""))
				}
				scene := e.scene(t)
				_, answer := askAdmin(ctx, t, scene)
				if len(answer.Fixes) == 0 {
					t.Fatalf("no fix for %s: %s", answer.Code, answer.Summary)
				}
				fix := answer.Fixes[0]
				if !strings.Contains(fix.Command, kind.command) {
					t.Errorf("%s\nwant %s", fix.Command, kind.command)
				}
				t.Logf("%s\n%s", fix.Summary, fix.Command)
				applies(ctx, t, fix, func() error { return shared.stage.Bound(ctx, scene) })
			})
		}
	}
}
