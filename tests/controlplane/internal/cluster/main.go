package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Main runs the tests of a package beside what start brings up in a folder of its own, and returns the
// exit code. stop ends what is there, whatever became of start. When something fails, the folder stays
// and is named.
func Main(prefix string, start func(ctx context.Context, dir string) error, stop func() error, run func() int) int {
	dir, err := os.MkdirTemp("", prefix)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	code := 1
	if err := start(context.Background(), dir); err == nil {
		code = run()
	} else {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		code = max(code, 1)
	}
	if code != 0 {
		fmt.Fprintln(os.Stderr, "logs:", dir)
		return code
	}
	_ = os.RemoveAll(dir)
	return 0
}

// StopIfStarted stops a cluster that may be none.
func StopIfStarted(started *Cluster) error {
	if started == nil {
		return nil
	}
	return started.Stop()
}

// Built runs a build script and returns the folder that it prints; it costs nothing the second time.
func Built(ctx context.Context, script string) (string, error) {
	command := exec.CommandContext(ctx, script)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", script, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// UnpackKinds puts the CRDs of the operators into a folder below dir, and returns it. Both MPIJobs are
// one object; the newer one is taken. The tests that need them lie two folders below their archive's.
func UnpackKinds(ctx context.Context, dir string) (string, error) {
	unpack := exec.CommandContext(ctx, "tar", "-xJf", "../../cases/crds.tar.xz", "-C", dir)
	if out, err := unpack.CombinedOutput(); err != nil {
		return "", fmt.Errorf("crds.tar.xz: %w: %s", err, out)
	}
	crds := filepath.Join(dir, "crds")
	return crds, os.Remove(filepath.Join(crds, "kubeflow-training-operator-v1/kubeflow.org_mpijobs.yaml"))
}
