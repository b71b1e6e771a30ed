package controlplane

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

var snapshotViews = []string{"nodes", "gpus", "pods", "namespaces", "models"}

// answerOf is the JSON of a view without what passes while one looks.
func answerOf(t *testing.T, kubeconfig string, args ...string) map[string]any {
	t.Helper()
	stdout, stderr, code := runGPU(t, kubeconfig, append([]string{"top"}, args...)...)
	if code != 0 {
		t.Fatalf("top %v: exit code %d, stderr:\n%s", args, code, stderr)
	}
	var answer map[string]any
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("top %v: %v", args, err)
	}
	items, _ := answer["items"].([]any)
	for _, each := range items {
		for _, passing := range []string{"ageSeconds", "cordonedSeconds"} {
			delete(each.(map[string]any), passing)
		}
	}
	return answer
}

// snapshotOf writes one with these rights, and gives its path and what stderr says.
func snapshotOf(t *testing.T, user, name string, flags ...string) (path, stderr string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	stdout, stderr, code := runGPU(t, shared.Kubeconfig(user), append([]string{"snapshot", path}, flags...)...)
	if code != 0 || stdout != "" {
		t.Fatalf("snapshot by %s: exit code %d, stdout %q, stderr:\n%s", user, code, stdout, stderr)
	}
	return path, stderr
}

// A snapshot answers as the cluster did for whoever took it, gaps included.
func TestSnapshotAnswersAsTheCluster(t *testing.T) {
	load(t, "inventory.yaml")
	for _, user := range []string{cluster.Admin, cluster.Ordinary, cluster.NodesOnly, cluster.OneNamespace} {
		t.Run(user, func(t *testing.T) {
			live := map[string]map[string]any{}
			var path string
			whileQuiet(t, func() {
				for _, view := range snapshotViews {
					live[view] = answerOf(t, shared.Kubeconfig(user), view, "-o", "json")
				}
				path, _ = snapshotOf(t, user, "cluster.json.gz")
			})
			for _, view := range snapshotViews {
				replayed := answerOf(t, "/nonexistent", view, "-o", "json", "--from", path)
				for _, part := range []string{"items", "summary", "gaps"} {
					if !reflect.DeepEqual(live[view][part], replayed[part]) {
						t.Errorf("top %s: %s\nlive   %v\nreplay %v", view, part, live[view][part], replayed[part])
					}
				}
			}
			// All others may not look for a Prometheus among the Services.
			limited := user != cluster.Admin
			if refused := refusals(live["nodes"]); limited != (refused > 0) {
				t.Errorf("%d gaps are about rights", refused)
			}
			items, _ := live["nodes"]["items"].([]any)
			if len(items) < 30 {
				t.Errorf("only %d rows", len(items))
			}
		})
	}
}

// refusals counts the gaps that are about rights. Others are about the cluster: scenarios leave pools
// with slices missing.
func refusals(answer map[string]any) int {
	gaps, _ := answer["gaps"].([]any)
	count := 0
	for _, each := range gaps {
		gap, _ := each.(map[string]any)
		if why, _ := gap["why"].(string); strings.Contains(why, "forbidden") || strings.Contains(why, "Forbidden") {
			count++
		}
	}
	return count
}

// Who may not list nodes gets no snapshot, and leaves no file.
func TestSnapshotForbidden(t *testing.T) {
	load(t, "inventory.yaml")
	folder := t.TempDir()
	_, stderr, code := runGPU(t, shared.Kubeconfig(cluster.Nobody), "snapshot", filepath.Join(folder, "x.json"))
	if code != 2 || !strings.Contains(stderr, "Forbidden") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// No name of a node, namespace or pod of a whole cluster, and no address or id, is in a redacted one.
func TestSnapshotRedacted(t *testing.T) {
	load(t, "inventory.yaml")
	var plain, hidden string
	whileQuiet(t, func() {
		plain, _ = snapshotOf(t, cluster.Admin, "plain.json")
		hidden, _ = snapshotOf(t, cluster.Admin, "hidden.json", "--redact")
	})
	text, err := os.ReadFile(hidden)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	var snapshot struct {
		ServerVersion string
		TakenAt       string
		Items         []struct {
			Kind     string
			Metadata struct{ Name, Namespace, UID string }
		}
	}
	if err := json.Unmarshal(content, &snapshot); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(snapshot.ServerVersion, "v1.") || snapshot.TakenAt == "" {
		t.Errorf("server version %q, taken at %q", snapshot.ServerVersion, snapshot.TakenAt)
	}
	// Names that every cluster or every guide has tell nothing of this one, and are kept.
	everybodys := []string{"default", "kube-system", "kube-public", "kube-node-lease", "monitoring",
		"system-cluster-critical", "system-node-critical"}
	for _, each := range snapshot.Items {
		if slices.Contains(everybodys, each.Metadata.Name) {
			each.Metadata.Name = ""
		}
		for _, name := range []string{each.Metadata.Name, each.Metadata.UID} {
			if len(name) > 5 && !strings.HasSuffix(name, ".nvidia.com") && strings.Contains(string(text), `:"`+name+`"`) {
				t.Errorf("%s %s is in the redacted file", each.Kind, name)
			}
		}
	}
	if len(snapshot.Items) < 50 {
		t.Errorf("only %d objects", len(snapshot.Items))
	}
	pods, err := client(t).CoreV1().Pods("").List(t.Context(), v1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range pods.Items {
		for _, address := range []string{pod.Status.PodIP, pod.Status.HostIP} {
			if address != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(address)+`\b`).Match(text) {
				t.Errorf("the address %s is in the redacted file", address)
			}
		}
	}
	if strings.Contains(string(text), cluster.TeamNamespace) {
		t.Errorf("the namespace %s is in the redacted file", cluster.TeamNamespace)
	}
	nodes, hiddenNodes := answerOf(t, "/nonexistent", "nodes", "-o", "json", "--from", plain),
		answerOf(t, "/nonexistent", "nodes", "-o", "json", "--from", hidden)
	if !reflect.DeepEqual(nodes["summary"], hiddenNodes["summary"]) {
		t.Errorf("totals\nplain    %v\nredacted %v", nodes["summary"], hiddenNodes["summary"])
	}
}
