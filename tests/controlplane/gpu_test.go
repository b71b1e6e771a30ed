package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/judge"
)

// binary is our program. A test that needs it fails without it: a skipped test proves nothing.
func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("KUBECTL_GPU_BIN")
	if path == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: it names the kubectl-gpu to test")
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// runGPU runs our program as kubectl would, with nothing of the caller's settings but PATH and
// those of the sanitizers.
func runGPU(t *testing.T, kubeconfig string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary(t), args...)
	command.Env = []string{"KUBECONFIG=" + kubeconfig, "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8",
		"PATH=" + os.Getenv("PATH"), "ASAN_OPTIONS=" + os.Getenv("ASAN_OPTIONS"), "UBSAN_OPTIONS=" + os.Getenv("UBSAN_OPTIONS")}
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("kubectl-gpu %q: not done within a minute; stderr:\n%s", args, complaints.String())
	}
	return out.String(), complaints.String(), command.ProcessState.ExitCode()
}

// usage is a NodeUsageList; pointers tell null from 0.
type usage struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Items      []item `json:"items"`
	Summary    any    `json:"summary"`
	Gaps       []gap  `json:"gaps"`
}

type item struct {
	Name     string `json:"name"`
	Vendor   string `json:"vendor"`
	Resource string `json:"resource"`
	Sharing  *struct {
		Strategy string `json:"strategy"`
		Replicas int64  `json:"replicas"`
	} `json:"sharing"`
	Cards             *int64   `json:"cards"`
	Capacity          *int64   `json:"capacity"`
	Allocatable       *int64   `json:"allocatable"`
	Allocated         *int64   `json:"allocated"`
	Free              *int64   `json:"free"`
	Unavailable       *int64   `json:"unavailable"`
	UnavailableReason *string  `json:"unavailableReason"`
	Utilization       *float64 `json:"utilization"`
	InstanceType      *string  `json:"instanceType"`
	Zone              *string  `json:"zone"`
	State             string   `json:"state"`
}

type gap struct{ What, Why, Help string }

func (i item) key() judge.Key {
	return judge.Key{Node: i.Name, Resource: i.Resource}
}

// top runs `top nodes -o json` and decodes the answer.
func top(t *testing.T, kubeconfig string, args ...string) usage {
	t.Helper()
	stdout, stderr, code := runGPU(t, kubeconfig, append([]string{"top", "nodes", "-o", "json"}, args...)...)
	if code != 0 {
		t.Fatalf("top nodes %q: exit code %d; stderr:\n%s", args, code, stderr)
	}
	var answer usage
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("top nodes %q: %v in:\n%s", args, err, stdout)
	}
	if answer.Kind != "NodeUsageList" || answer.APIVersion != "kubectl-gpu/v1" {
		t.Fatalf("top nodes %q: a %s of %s, not a NodeUsageList of kubectl-gpu/v1", args, answer.Kind, answer.APIVersion)
	}
	return answer
}

// byKey orders the items by node and resource, each of which may stand only once.
func (u usage) byKey(t *testing.T) map[judge.Key]item {
	t.Helper()
	items := map[judge.Key]item{}
	for _, each := range u.Items {
		if _, twice := items[each.key()]; twice {
			t.Errorf("%v stands twice", each.key())
		}
		items[each.key()] = each
	}
	return items
}

// world is everything that the judge looks at, now.
func world(t *testing.T) *judge.World {
	t.Helper()
	read, err := judge.Read(t.Context(), client(t))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// judged is what the judge says now.
func judged(t *testing.T) map[judge.Key]judge.Row {
	t.Helper()
	return world(t).Rows()
}

// whileQuiet runs look until the judge's answer is the same before and after it, so that a
// difference is ours and not a pod's that came or went in between.
func whileQuiet(t *testing.T, look func()) map[judge.Key]judge.Row {
	t.Helper()
	for range 5 {
		before := judged(t)
		look()
		if reflect.DeepEqual(before, judged(t)) {
			return before
		}
	}
	t.Fatal("the cluster does not come to rest")
	return nil
}

// sortedKeys makes failures come in the same order in every run.
func sortedKeys[V any](rows map[judge.Key]V) []judge.Key {
	return slices.SortedFunc(maps.Keys(rows), func(a, b judge.Key) int {
		return slices.Compare([]string{a.Node, a.Resource}, []string{b.Node, b.Resource})
	})
}
