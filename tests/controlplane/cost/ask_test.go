package cost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// list is a CostList; pointers tell null from 0.
type list struct {
	APIVersion string  `json:"apiVersion"`
	Kind       string  `json:"kind"`
	Items      []item  `json:"items"`
	Summary    summary `json:"summary"`
	Gaps       []gap   `json:"gaps"`
}

type gap struct{ What, Why, Help string }

type item struct {
	Namespace    *string  `json:"namespace"`
	Name         *string  `json:"name"`
	Node         *string  `json:"node"`
	Owner        *owner   `json:"owner"`
	GPUs         int64    `json:"gpus"`
	Pods         int64    `json:"pods"`
	FinishedPods int64    `json:"finishedPods"`
	Hour         *float64 `json:"usdPerHour"`
	Busy         *float64 `json:"busyUsdPerHour"`
	Idle         *float64 `json:"idleUsdPerHour"`
	Unknown      *float64 `json:"unknownUsdPerHour"`
	Total        *float64 `json:"usdTotal"`
	Lost         *float64 `json:"lostUsd"`
	GPUHours     *float64 `json:"gpuHours"`
	Held         *int64   `json:"heldSeconds"`
	Started      *int64   `json:"startedSeconds"`
	Restarts     int64    `json:"restarts"`
	Missing      int64    `json:"missingPods"`
	Evidence     string   `json:"evidence"`
	Unallocated  *reasons `json:"unallocatedUsdPerHour"`
	Source       *string  `json:"priceSource"`
	IsEstimate   bool     `json:"isEstimate"`
	IsUpperBound bool     `json:"isUpperBound"`
	UnpricedGPUs int64    `json:"unpricedGpus"`
}

type owner struct{ Kind, Name string }

type reasons struct{ Free, Stranded, Cordoned, Unhealthy, Geometry float64 }

func (r reasons) sum() float64 { return r.Free + r.Stranded + r.Cordoned + r.Unhealthy + r.Geometry }

type summary struct {
	Nodes         float64 `json:"nodeUsdPerHour"`
	Busy          float64 `json:"busyUsdPerHour"`
	Idle          float64 `json:"idleUsdPerHour"`
	Unknown       float64 `json:"unknownUsdPerHour"`
	Unallocated   reasons `json:"unallocatedUsdPerHour"`
	Host          float64 `json:"hostUsdPerHour"`
	UnpricedGPUs  int64   `json:"unpricedGpus"`
	UnpricedNodes int64   `json:"unpricedNodes"`
}

func (s summary) held() float64 { return s.Busy + s.Idle + s.Unknown }

// sum is what nodeUsdPerHour has to be.
func (s summary) sum() float64 { return s.held() + s.Unallocated.sum() + s.Host }

// command is our program as kubectl would run it, with nothing of the caller's settings but PATH and those
// of the sanitizers.
func command(ctx context.Context, t *testing.T, user string, words ...string) *exec.Cmd {
	t.Helper()
	binary := os.Getenv("KUBECTL_GPU_BIN")
	if binary == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: it names the kubectl-gpu to test")
	}
	made := exec.CommandContext(ctx, binary, append([]string{"cost"}, words...)...)
	made.Env = []string{"KUBECONFIG=" + shared.Kubeconfig(user), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8",
		"PATH=" + os.Getenv("PATH"), "ASAN_OPTIONS=" + os.Getenv("ASAN_OPTIONS"), "UBSAN_OPTIONS=" + os.Getenv("UBSAN_OPTIONS")}
	return made
}

// answer is what `kubectl gpu cost` printed.
type answer struct {
	stdout, stderr string
	code           int
}

func run(t *testing.T, user string, words ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	made := command(ctx, t, user, words...)
	var out, complaints bytes.Buffer
	made.Stdout, made.Stderr = &out, &complaints
	var exit *exec.ExitError
	if err := made.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return answer{out.String(), complaints.String(), made.ProcessState.ExitCode()}
}

// ask gives the answer for programs, without live use: nobody measures here.
func ask(t *testing.T, user string, words ...string) list {
	t.Helper()
	said := run(t, user, append(words, "-o", "json")...)
	if said.code != 0 {
		t.Fatalf("cost %q: exit code %d; stderr:\n%s", words, said.code, said.stderr)
	}
	return decode(t, said.stdout)
}

func decode(t *testing.T, text string) list {
	t.Helper()
	var read list
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	if read.Kind != "CostList" || read.APIVersion != "kubectl-gpu/v1" {
		t.Fatalf("a %s of %s, not a CostList of kubectl-gpu/v1", read.Kind, read.APIVersion)
	}
	return read
}

// named are the items of that name in a namespace; empty: of whatever namespace.
func (l list) named(namespace, name string) []item {
	var found []item
	for _, each := range l.Items {
		if each.Name != nil && *each.Name == name && (namespace == "" || value(each.Namespace) == namespace) {
			found = append(found, each)
		}
	}
	return found
}

// one is the only item of that name.
func (l list) one(t *testing.T, namespace, name string) item {
	t.Helper()
	found := l.named(namespace, name)
	if len(found) != 1 {
		t.Fatalf("%d items of %s/%s, want 1", len(found), namespace, name)
	}
	return found[0]
}

// value is what a pointer points to, or nothing's own value.
func value[T any](pointer *T) T {
	var nothing T
	if pointer == nil {
		return nothing
	}
	return *pointer
}

// near tells whether two amounts differ by rounding only.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6 }

// must runs kubectl as the administrator.
func must(t *testing.T, words ...string) string {
	t.Helper()
	made := exec.CommandContext(t.Context(), kubectl, words...)
	made.Env = append(os.Environ(), "KUBECONFIG="+shared.Kubeconfig(cluster.Admin))
	out, err := made.CombinedOutput()
	if err != nil {
		t.Fatalf("kubectl %s: %v: %s", strings.Join(words, " "), err, out)
	}
	return string(out)
}
