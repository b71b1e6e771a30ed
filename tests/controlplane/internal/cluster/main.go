package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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
