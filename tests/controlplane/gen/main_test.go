// Package gen applies what `kubectl gpu gen` prints to a real API server that serves the kinds of
// all operators, with strict validation.
package gen

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

var (
	shared  *cluster.Cluster
	kubectl string
)

func TestMain(m *testing.M) {
	os.Exit(cluster.Main("gen-", start, func() error { return cluster.StopIfStarted(shared) }, m.Run))
}

func start(ctx context.Context, parent string) error {
	binaries, err := cluster.Built(ctx, "../build")
	if err != nil {
		return err
	}
	kubectl = filepath.Join(binaries, "kubectl")
	shared, err = cluster.Start(ctx, cluster.Options{
		Dir: filepath.Join(parent, "cluster"), Binaries: binaries, Tied: true})
	if err != nil {
		return err
	}
	return installKinds(ctx, parent)
}

// installKinds serves every kind that a manifest may be of.
func installKinds(ctx context.Context, parent string) error {
	crds, err := cluster.UnpackKinds(ctx, parent)
	if err != nil {
		return err
	}
	if _, err := run(ctx, nil, "apply", "--server-side", "-R", "-f", crds); err != nil {
		return err
	}
	_, err = run(ctx, nil, "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all")
	return err
}

// run calls kubectl as the administrator; the error holds what it said.
func run(ctx context.Context, in []byte, words ...string) (string, error) {
	command := exec.CommandContext(ctx, kubectl, words...)
	command.Env = append(os.Environ(), "KUBECONFIG="+shared.Kubeconfig(cluster.Admin))
	command.Stdin = bytes.NewReader(in)
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("kubectl %s: %w: %s", strings.Join(words, " "), err, out)
	}
	return string(out), nil
}
