package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

func TestProtobufAndJSONAgree(t *testing.T) {
	agree(t, "--wire=protobuf", "--wire=json")
	if _, _, code := runGPU(t, shared.Kubeconfig(cluster.Ordinary), "top", "nodes", "--wire=smoke"); code != 2 {
		t.Errorf("--wire=smoke: exit code %d, want 2: is the flag read at all?", code)
	}
}

func TestByNodeAndOneListAgree(t *testing.T) {
	before := listsByNode(t)
	agree(t, "--pod-lists=by-node", "--pod-lists=one")
	// Else the two would agree because they are the same.
	err := cluster.Poll(t.Context(), 10*time.Second, "lists by node in the audit log", func(context.Context) (bool, error) {
		return listsByNode(t) >= before+30, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// listsByNode counts our requests so far for the pods of one node.
func listsByNode(t *testing.T) int {
	t.Helper()
	requests, err := shared.Requests("kubectl-gpu")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, request := range requests {
		if request.Verb == "list" && strings.Contains(request.URI, "spec.nodeName") {
			count++
		}
	}
	return count
}

// What kubectl printed into a file is the same cluster as the one it asked.
func TestLiveAndKubectlGetAgree(t *testing.T) {
	load(t, "inventory.yaml")
	file := filepath.Join(t.TempDir(), "cluster.json")
	var live, replayed usage
	whileQuiet(t, func() {
		printed := kubectl(t, "get", "nodes,pods,resourceslices,resourceclaims,deviceclasses", "-A", "-o", "json")
		if err := os.WriteFile(file, printed, 0o600); err != nil {
			t.Fatal(err)
		}
		live = top(t, shared.Kubeconfig(cluster.Admin))
		// The kubeconfig does not exist: nothing may be asked of the cluster.
		replayed = top(t, filepath.Join(t.TempDir(), "absent"), "--from", file)
	})
	sameItems(t, "live", live, "--from", replayed)
}

// kubectl runs a plugin with its own name and arguments: ours must work that way too.
func TestRunsAsPlugin(t *testing.T) {
	load(t, "inventory.yaml")
	dir := t.TempDir()
	if err := os.Symlink(binary(t), filepath.Join(dir, "kubectl-gpu")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	printed := kubectl(t, "gpu", "top", "nodes", "-o", "name")
	if lines := bytes.Count(printed, []byte("\n")); lines < 30 {
		t.Errorf("kubectl gpu top nodes -o name: %d lines:\n%s", lines, printed)
	}
}

// kubectl runs the real kubectl as administrator.
func kubectl(t *testing.T, args ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(shared.Binaries, "kubectl"), args...)
	command.Env = append(os.Environ(), "KUBECONFIG="+shared.Kubeconfig(cluster.Admin), "HOME="+t.TempDir())
	var complaints bytes.Buffer
	command.Stderr = &complaints
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("kubectl %q: %v: %s", args, err, complaints.String())
	}
	return printed
}

// agree runs top with either flag: what comes over the wire differs, the answer must not.
func agree(t *testing.T, one, other string) {
	t.Helper()
	load(t, "inventory.yaml")
	var first, second usage
	whileQuiet(t, func() {
		first = top(t, shared.Kubeconfig(cluster.Ordinary), one)
		second = top(t, shared.Kubeconfig(cluster.Ordinary), other)
	})
	if len(first.Items) < 40 {
		t.Fatalf("%s: only %d items", one, len(first.Items))
	}
	if !reflect.DeepEqual(first.Summary, second.Summary) {
		t.Errorf("summary:\n%s: %v\n%s: %v", one, first.Summary, other, second.Summary)
	}
	if !reflect.DeepEqual(first.Gaps, second.Gaps) {
		t.Errorf("gaps:\n%s: %v\n%s: %v", one, first.Gaps, other, second.Gaps)
	}
	sameItems(t, one, first, other, second)
}

func sameItems(t *testing.T, one string, first usage, other string, second usage) {
	t.Helper()
	firstItems, secondItems := first.byKey(t), second.byKey(t)
	for _, key := range sortedKeys(firstItems) {
		each, match := firstItems[key], secondItems[key]
		if _, exists := secondItems[key]; !exists || !reflect.DeepEqual(each, match) {
			t.Errorf("%v (exists: %t):\n%s: %s\n%s: %s", key, exists, one, asJSON(each), other, asJSON(match))
		}
	}
	if len(first.Items) != len(second.Items) {
		t.Errorf("%s: %d items; %s: %d", one, len(first.Items), other, len(second.Items))
	}
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
