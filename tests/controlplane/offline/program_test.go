// Package offline holds what the program makes of files against upstream's code. It needs no
// cluster, so that it can try thousands of pods and hundreds of clusters in seconds.
package offline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	defaults "k8s.io/kubernetes/pkg/apis/core/v1"

	"kubectl-gpu/tests/controlplane/internal/generate"
)

// run runs our program with nothing of the caller's settings but those of the sanitizers. A test
// that needs it fails without it: a skipped test proves nothing.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	path := os.Getenv("KUBECTL_GPU_BIN")
	if path == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: it names the kubectl-gpu to test")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, path, args...)
	command.Env = []string{"LC_ALL=C.UTF-8", "KUBECONFIG=/dev/null", "HOME=/nonexistent",
		"ASAN_OPTIONS=" + os.Getenv("ASAN_OPTIONS"), "UBSAN_OPTIONS=" + os.Getenv("UBSAN_OPTIONS")}
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), complaints.String(), command.ProcessState.ExitCode()
}

// answer is a NodeUsageList; pointers tell null from 0.
type answer struct {
	Items   []item `json:"items"`
	Summary struct {
		Totals  []total `json:"totals"`
		Waiting *struct {
			Pods int64 `json:"pods"`
			GPUs int64 `json:"gpus"`
		} `json:"waiting"`
	} `json:"summary"`
}

type item struct {
	Name     string  `json:"name"`
	Unit     string  `json:"unit"`
	Model    *string `json:"model"`
	Product  *string `json:"product"`
	Resource string  `json:"resource"`
	Sharing  struct {
		Strategy string `json:"strategy"`
		Replicas *int64 `json:"replicas"`
	} `json:"sharing"`
	Capacity          int64   `json:"capacity"`
	Allocatable       int64   `json:"allocatable"`
	Allocated         *int64  `json:"allocated"`
	Free              *int64  `json:"free"`
	Unavailable       *int64  `json:"unavailable"`
	UnavailableReason *string `json:"unavailableReason"`
	State             string  `json:"state"`
}

type total struct {
	Kind              string `json:"kind"`
	Total             int64  `json:"total"`
	Allocated         *int64 `json:"allocated"`
	Free              *int64 `json:"free"`
	Unavailable       *int64 `json:"unavailable"`
	NodesWithoutCount int64  `json:"nodesWithoutCount"`
}

// text runs `top nodes` over a file or folder.
func text(t *testing.T, path string, args ...string) string {
	t.Helper()
	args = append([]string{"top", "nodes", "--from", path}, args...)
	stdout, stderr, code := run(t, args...)
	if code != 0 {
		t.Fatalf("%q: exit code %d; stderr:\n%s", args, code, stderr)
	}
	return stdout
}

func top(t *testing.T, path string, args ...string) answer {
	t.Helper()
	return decoded[answer](t, text(t, path, append(args, "-o", "json")...))
}

func decoded[T any](t *testing.T, text string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return value
}

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// upstreamPod is the pod as the API server would have stored it: read by its types, with its
// defaults, of which limits in place of missing requests are one.
func upstreamPod(t *testing.T, doc generate.Doc) *core.Pod {
	t.Helper()
	encoded, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	pod := &core.Pod{}
	if err := json.Unmarshal(encoded, pod); err != nil {
		t.Fatalf("%v in %s", err, encoded)
	}
	defaults.SetObjectDefaults_Pod(pod)
	return pod
}

func number(value *int64) any {
	if value == nil {
		return "null"
	}
	return *value
}

// slug is a test's name as a file may have it.
func slug(name string) string { return strings.ReplaceAll(name, "/", "-") }
