package quota

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// figures are what is counted at one limit; nil is unknown.
type figures struct {
	Used, Admitted, Borrowed                                *float64
	PendingWorkloads, ReservingWorkloads, AdmittedWorkloads *float64
}

type item struct {
	Kind, System, Name, Resource, State     string
	Namespace, Flavor, Key, Parent, Problem *string
	Limit, Used, Free, Borrowed, Lent       *float64
	WaitingWorkloads, WaitingUnits          *float64
	Reported, Counted                       figures
	Differs, IsWrong                        bool
}

type party struct {
	Namespace, Kind, Name, Queue string
	Units, MissingPods           *float64
}

type wait struct {
	System, Resource string
	Queue            *string
	Waiting, Holders []party
	HoldersLeftOut   int
}

// list is a QuotaList.
type list struct {
	Kind    string
	Items   []item
	Summary struct {
		AtLimit, Differing, Wrong int
		Waits                     []wait
		NotRead                   []string
	}
	Gaps []struct{ What, Why string }
}

// gpu runs the program against the cluster; it fails the test if it does not end.
func gpu(ctx context.Context, t *testing.T, user string, words ...string) (string, string, int) {
	t.Helper()
	binary := os.Getenv("KUBECTL_GPU_BIN")
	if binary == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: build the project, then KUBECTL_GPU_BIN=build/dev/cmd/kubectl-gpu")
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, words...)
	command.Env = []string{"KUBECONFIG=" + shared.Kubeconfig(user), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8",
		"PATH=" + os.Getenv("PATH"), "ASAN_OPTIONS=" + os.Getenv("ASAN_OPTIONS")}
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	_ = command.Run()
	return out.String(), complaints.String(), command.ProcessState.ExitCode()
}

// ask returns the answer of `quota -o json`.
func ask(ctx context.Context, t *testing.T, words ...string) list {
	t.Helper()
	out, complaints, code := gpu(ctx, t, cluster.Admin, append([]string{"quota", "-o", "json"}, words...)...)
	var answer list
	if err := json.Unmarshal([]byte(out), &answer); err != nil || code > 1 || answer.Kind != "QuotaList" {
		t.Fatalf("%v: exit %d, %v: %s%s", words, code, err, out, complaints)
	}
	isWrong := slices.ContainsFunc(answer.Items, func(each item) bool { return each.IsWrong })
	if isWrong != (code == 1) || isWrong != (answer.Summary.Wrong > 0) {
		t.Errorf("%v: exit %d, %d are wrong", words, code, answer.Summary.Wrong)
	}
	return answer
}

func text(pointer *string) string {
	if pointer == nil {
		return ""
	}
	return *pointer
}

func (i item) id() string {
	return strings.Join([]string{i.Kind, text(i.Namespace), i.Name, i.Resource, text(i.Flavor), text(i.Key)}, "|")
}
