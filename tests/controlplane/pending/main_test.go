// Package pending asks the program why pods wait in a real cluster, does what it says would help,
// and sees whether the real scheduler then finds a node.
package pending

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/pending"
)

// world is what the tests of this package share.
type world struct {
	cluster  *cluster.Cluster
	stage    *pending.Stage
	binaries string
}

var shared world

func TestMain(m *testing.M) {
	os.Exit(withWorld(m.Run))
}

func withWorld(run func() int) int {
	dir, err := os.MkdirTemp("", "pending-")
	if err == nil {
		shared, err = start(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	code := run()
	if err := shared.cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		code = max(code, 1)
	}
	if code != 0 {
		fmt.Fprintln(os.Stderr, "logs, audit log and kubeconfigs:", dir)
		return code
	}
	_ = os.RemoveAll(dir)
	return 0
}

func start(dir string) (world, error) {
	command := exec.Command("../build")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return world{}, fmt.Errorf("../build: %w", err)
	}
	made := world{binaries: strings.TrimSpace(string(out))}
	made.cluster, err = cluster.Start(context.Background(), cluster.Options{
		Dir: filepath.Join(dir, "cluster"), Binaries: made.binaries, Tied: true})
	if err != nil {
		return world{}, err
	}
	config, err := made.cluster.Config(cluster.Admin)
	if err != nil {
		return world{}, err
	}
	config.WarningHandler = rest.NoWarnings{}
	api, err := dynamic.NewForConfig(config)
	if err != nil {
		return world{}, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return world{}, err
	}
	made.stage = pending.NewStage(api, client)
	return made, nil
}

// program is ours, in the name of a user.
func program(t *testing.T, user string) pending.Program {
	t.Helper()
	binary := os.Getenv("KUBECTL_GPU_BIN")
	if binary == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: it names the kubectl-gpu to test")
	}
	return pending.Program{Binary: binary, Binaries: shared.binaries, Kubeconfig: shared.cluster.Kubeconfig(user)}
}

// clearStage takes the scene away.
func clearStage(t *testing.T) {
	t.Helper()
	if err := shared.stage.Clear(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// askAdmin lays the scene, and asks about the pod that waits.
func askAdmin(ctx context.Context, t *testing.T, scene *pending.Scene) (*corev1.Pod, pending.Answer) {
	t.Helper()
	waiting, err := shared.stage.Lay(ctx, scene)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := program(t, cluster.Admin).AskOne(ctx, waiting.Namespace+"/"+waiting.Name)
	if err != nil {
		t.Fatal(err)
	}
	return waiting, answer
}

// applies carries out a fix, after which bound shall hold.
func applies(ctx context.Context, t *testing.T, fix pending.Fix, bound func() error) {
	t.Helper()
	err := program(t, cluster.Admin).Apply(ctx, fix)
	if err == nil {
		err = bound()
	}
	if err != nil {
		t.Errorf("%s\n%s\n%s: %v", fix.Summary, fix.Command, fix.Patch, err)
	}
}
