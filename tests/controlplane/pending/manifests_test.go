package pending

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/pending"
)

// TestManifests asks about files, writes what is said into them, creates them, and sees the pods
// start. KUBECTL_GPU_OWNERS=all is as in TestOwners.
func TestManifests(t *testing.T) {
	opening := edits(t)
	for _, kind := range []string{"", "Deployment", "StatefulSet", "Job", "CronJob"} {
		for _, edit := range []string{"toleration", "selector", "request"} {
			if edit != "selector" && os.Getenv("KUBECTL_GPU_OWNERS") != "all" {
				continue
			}
			name := kind
			if name == "" {
				name = "Pod"
			}
			t.Run(edit+" of "+name, func(t *testing.T) { proveManifest(t, kind, opening[edit]) })
		}
	}
}

func proveManifest(t *testing.T, kind string, opening owned) {
	t.Helper()
	defer clearStage(t)
	ctx := context.Background()
	// Somebody else waits, for what nobody has: the scene is laid when the scheduler has said so.
	base := example{pod: pod(t, "ml", "other", `nvidia.com/gpu: "64"`, ""), others: opening.others}.scene(t)
	base.Name = "other"
	if _, err := shared.stage.Lay(ctx, base); err != nil {
		t.Fatal(err)
	}
	asked := object(t, `{apiVersion: v1, kind: Pod, metadata: {name: asked, namespace: ml},
  spec: {`+opening.pod+` containers: [{name: main, image: none, resources: {`+opening.ask+` limits: {nvidia.com/gpu: "4"}}}]}}`)
	scene := example{pod: asked, ownerKind: kind}.scene(t)
	manifest := scene.TopObject()
	file := filepath.Join(t.TempDir(), "asked.yaml")
	write(t, file, manifest.Object)
	admin := program(t, cluster.Admin)
	answer, err := admin.AskOne(ctx, "-f", file)
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Fixes) == 0 || answer.Fixes[0].Patch == "" {
		t.Fatalf("%s: %s; fixes %+v", answer.Code, answer.Summary, answer.Fixes)
	}
	fix := answer.Fixes[0]
	if fix.Command != "" {
		t.Errorf("a command for what is not made yet: %s", fix.Command)
	}
	path := map[string][]string{"": {"spec"}, "CronJob": {"spec", "jobTemplate", "spec", "template", "spec"}}[kind]
	if path == nil {
		path = []string{"spec", "template", "spec"}
	}
	var patch map[string]any
	if err := yaml.Unmarshal([]byte(fix.Patch), &patch); err != nil {
		t.Fatalf("%v in:\n%s", err, fix.Patch)
	}
	whole := &unstructured.Unstructured{Object: map[string]any{}}
	if err := unstructured.SetNestedMap(whole.Object, patch, path...); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(filepath.Dir(file), "patch.yaml"), whole.Object)
	script := []string{"cd " + filepath.Dir(file), "kubectl patch -f asked.yaml --local --patch-file patch.yaml -o json > new.json", "kubectl create -f new.json"}
	if kind == "CronJob" {
		script = append(script, "kubectl create job asked-1 --from cronjob/asked -n ml")
	}
	if err = admin.Apply(ctx, pending.Fix{Command: strings.Join(script, "\n"), Patch: fix.Patch}); err == nil {
		err = shared.stage.BoundNamed(ctx, "ml", "asked")
	}
	if err != nil {
		t.Errorf("%s\n%s: %v", fix.Summary, fix.Patch, err)
	}
}

func write(t *testing.T, file string, object map[string]any) {
	t.Helper()
	text, err := yaml.Marshal(object)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
