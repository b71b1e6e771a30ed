package doctor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

type result struct {
	Check, State, Summary, Help, Command string
	Nodes                                []string
}

type answer struct {
	Kind   string
	Items  []result
	Totals struct {
		GPUNodes int64 `json:"gpuNodes"`
		Failures int64
	} `json:"summary"`
	code   int
	stderr string
}

// ask runs `doctor -o json`. Nobody exports metrics here, and who is asked is told by more.
func ask(t *testing.T, user, path string, words ...string) answer {
	t.Helper()
	binary := os.Getenv("KUBECTL_GPU_BIN")
	if binary == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: it names the kubectl-gpu to test")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, append([]string{"doctor", "-o", "json"}, words...)...)
	command.Env = []string{"KUBECONFIG=" + shared.Kubeconfig(user), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8", "PATH=" + path,
		"ASAN_OPTIONS=" + os.Getenv("ASAN_OPTIONS"), "UBSAN_OPTIONS=" + os.Getenv("UBSAN_OPTIONS")}
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	said := answer{code: command.ProcessState.ExitCode(), stderr: complaints.String()}
	if said.code > 1 {
		return said
	}
	if err := json.Unmarshal(out.Bytes(), &said); err != nil {
		t.Fatalf("%v in:\n%s\nstderr:\n%s", err, out.String(), said.stderr)
	}
	return said
}

// troubles are the results that say that something is wrong.
func (a answer) troubles() (found []result) {
	for _, each := range a.Items {
		if each.State == "FAIL" || each.State == "warn" {
			found = append(found, each)
		}
	}
	return found
}

func (r result) says(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(r.Summary, word) })
}

func TestHealthy(t *testing.T) {
	said := ask(t, cluster.Admin, "", "--metrics", "none")
	if said.code != 0 || said.Totals.GPUNodes != 2 {
		t.Errorf("code %d, %d GPU nodes", said.code, said.Totals.GPUNodes)
	}
	for _, each := range said.troubles() {
		t.Errorf("a healthy cluster: %+v", each)
	}
}

// Each fault is found by the check that it belongs to, and by no other; once it is gone, nothing is left of it.
func TestFaults(t *testing.T) {
	if len(faults) < 30 {
		t.Fatalf("%d faults", len(faults))
	}
	for _, each := range faults {
		t.Run(each.name, func(t *testing.T) {
			defer func() {
				if err := remove(context.Background(), each.objects); err != nil {
					t.Fatal(err)
				}
			}()
			if err := create(t.Context(), each.objects); err != nil {
				t.Fatal(err)
			}
			judge(t, each, ask(t, cluster.Admin, "", "--metrics", cmp.Or(each.metrics, "none")))
		})
	}
}

func judge(t *testing.T, of fault, said answer) {
	t.Helper()
	if (said.code == 1) != (said.Totals.Failures > 0) {
		t.Errorf("exit code %d with %d failures", said.code, said.Totals.Failures)
	}
	isFound := false
	for _, each := range said.troubles() {
		isIt := each.Check == of.check && each.State == of.state && each.says(of.says)
		isFound = isFound || isIt
		if !isIt && each.Check != of.check && !slices.Contains(of.also, each.Check) {
			t.Errorf("beside it: %+v", each)
		}
		if each.Help == "" && each.Command == "" {
			t.Errorf("nothing helps: %+v", each)
		}
	}
	if !isFound {
		t.Errorf("not found; said was %+v", said.troubles())
	}
}

// One node is looked at by itself, and one check with those that it needs.
func TestOneNodeAndOneCheck(t *testing.T) {
	objects := node("bad", "allocatable nvidia.com/gpu: \"7\"")
	defer func() {
		if err := remove(context.Background(), objects); err != nil {
			t.Fatal(err)
		}
	}()
	if err := create(t.Context(), objects); err != nil {
		t.Fatal(err)
	}
	if said := ask(t, cluster.Admin, "", "--metrics", "none", "--node", "gpu-ok-1"); said.code != 0 || said.Totals.GPUNodes != 1 {
		t.Errorf("--node gpu-ok-1: code %d, %+v", said.code, said.troubles())
	}
	if said := ask(t, cluster.Admin, "", "--metrics", "none", "--node", "bad"); said.code != 1 {
		t.Errorf("--node bad: code %d", said.code)
	}
	said := ask(t, cluster.Admin, "", "--metrics", "none", "gpus")
	if len(said.Items) != 1 || said.Items[0].Check != "gpus" || said.code != 1 {
		t.Errorf("doctor gpus: %+v", said.Items)
	}
	if said := ask(t, cluster.Admin, "", "--node", "bed"); said.code != 2 || !strings.Contains(said.stderr, "bad") {
		t.Errorf("--node bed: code %d, %s", said.code, said.stderr)
	}
}

// Whoever may not see something is told what that hides; of what hangs on it nothing is said.
func TestRights(t *testing.T) {
	for user, state := range map[string]string{cluster.Nobody: "FAIL", cluster.NodesOnly: "FAIL", cluster.OneNamespace: "warn"} {
		said := ask(t, user, "", "--metrics", "none")
		index := slices.IndexFunc(said.Items, func(each result) bool { return each.Check == "access" && each.State == state })
		if index < 0 {
			t.Errorf("%s: no %s of access; code %d; %+v; %s", user, state, said.code, said.Items, said.stderr)
			continue
		}
		if state == "FAIL" {
			for _, each := range said.Items {
				if each.Check == "device-plugin" && (each.State != "skip" || each.Summary != "needs access") {
					t.Errorf("%s: %+v", user, each)
				}
			}
		}
	}
}

// Programs on PATH that kubectl would start in place of ours.
func TestPluginPath(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"kubectl-gpu-why_pending", "kubectl-gpu-top-nodes", "kubectl-gpu-other", "kubectl-gpu-cost"} {
		mode := os.FileMode(0o755)
		if name == "kubectl-gpu-cost" {
			mode = 0o644 // nobody can start it
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	said := ask(t, cluster.Nobody, folder, "plugin-path")
	var found []string
	for _, each := range said.troubles() {
		found = append(found, each.Command)
	}
	slices.Sort(found)
	if want := []string{"kubectl-gpu top", "kubectl-gpu why-pending"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}
