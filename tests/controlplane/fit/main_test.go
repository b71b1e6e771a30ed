// Package fit holds what `kubectl gpu fit` says against the real scheduler: what would start, and
// where, is created and bound; what is to be moved to make room is moved.
package fit

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

var (
	shared   *cluster.Cluster
	binaries string
	client   *kubernetes.Clientset
)

func TestMain(m *testing.M) {
	os.Exit(cluster.Main("fit-", start, func() error { return cluster.StopIfStarted(shared) }, m.Run))
}

func start(ctx context.Context, parent string) error {
	var err error
	if binaries, err = cluster.Built(ctx, "../build"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	shared, err = cluster.Start(ctx, cluster.Options{Dir: filepath.Join(parent, "cluster"), Binaries: binaries, Tied: true})
	if err != nil {
		return err
	}
	if client, err = shared.Client(cluster.Admin); err != nil {
		return err
	}
	return makeNamespaces(ctx)
}

// number is that of the environment, or the usual one.
func number(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < 0 {
		t.Fatalf("%s: %q is no number", name, text)
	}
	return value
}

// run runs our program, in the name of a user, and gives stdout and the exit code.
func run(t *testing.T, user string, args ...string) ([]byte, int) {
	t.Helper()
	binary := os.Getenv("KUBECTL_GPU_BIN")
	if binary == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: it names the kubectl-gpu to test")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, args...)
	command.Env = []string{"KUBECONFIG=" + shared.Kubeconfig(user), "HOME=/nonexistent", "LC_ALL=C.UTF-8"}
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	code := command.ProcessState.ExitCode()
	if code != 0 && code != 1 {
		t.Fatalf("%v: exit code %d: %s", args, code, complaints.String())
	}
	return out.Bytes(), code
}

// shell does what a person would do who copies a command into a shell.
func shell(t *testing.T, command string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	sh := exec.CommandContext(ctx, "sh", "-e", "-c", command)
	sh.Env = []string{"KUBECONFIG=" + shared.Kubeconfig(cluster.Admin), "HOME=/nonexistent", "PATH=" + binaries + ":" + os.Getenv("PATH")}
	if said, err := sh.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", command, err, said)
	}
}
