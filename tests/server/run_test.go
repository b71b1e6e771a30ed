package server_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/fault"
)

// result is what a program that was run left behind.
type result struct {
	code    int
	stdout  string
	stderr  string
	elapsed time.Duration
	maxRSS  int64 // bytes
}

// command is a program to run: `env` replaces the environment, but for PATH and HOME.
type command struct {
	program string
	args    []string
	env     []string
	home    string
	dir     string
	limit   time.Duration
	// interrupt, when set, is how long after the start SIGINT is sent.
	interrupt time.Duration
}

// binary is the kubectl-gpu under test.
func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("KUBECTL_GPU_BIN")
	if path == "" {
		path = "../../build/dev/cmd/kubectl-gpu"
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("no kubectl-gpu to test (set KUBECTL_GPU_BIN): %v", err)
	}
	return path
}

// kubectl is the real one, which tests/controlplane/build makes.
func kubectl(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("KUBECTL"); path != "" {
		return path
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	found, _ := filepath.Glob(filepath.Join(cache, "kubectl-gpu-tests", "*", "kubectl"))
	newest, when := "", time.Time{}
	for _, path := range found {
		if info, err := os.Stat(path); err == nil && info.ModTime().After(when) {
			newest, when = path, info.ModTime()
		}
	}
	if newest == "" {
		t.Fatal("no kubectl to compare with: run tests/controlplane/build, or set KUBECTL")
	}
	return newest
}

// run runs it and fails the test when it hangs.
func run(t *testing.T, c command) result {
	t.Helper()
	if c.limit == 0 {
		c.limit = 30 * time.Second
	}
	if c.home == "" {
		c.home = t.TempDir()
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	process := exec.CommandContext(ctx, c.program, c.args...)
	process.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "LC_ALL=C.UTF-8"}, c.env...)
	process.Dir = c.dir
	process.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	process.Stdout, process.Stderr = &stdout, &stderr
	start := time.Now()
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	if c.interrupt > 0 {
		timer := time.AfterFunc(c.interrupt, func() { process.Process.Signal(syscall.SIGINT) })
		defer timer.Stop()
	}
	err := process.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s %s: %v", c.program, strings.Join(c.args, " "), err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%s %s hangs: killed after %v\nstderr: %s", c.program, strings.Join(c.args, " "), c.limit, stderr.String())
	}
	r := result{code: process.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(), elapsed: time.Since(start)}
	if usage, ok := process.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.maxRSS = usage.Maxrss << 10
	}
	return r
}

var headline = regexp.MustCompile(`(?m)^(error: |Error from server|Unable to connect to the server|The connection to the server|Error in configuration)`)

// checkSane is what holds for every run: no crash, nothing that a terminal would obey.
func checkSane(t *testing.T, r result) {
	t.Helper()
	for _, mark := range []string{"AddressSanitizer", "runtime error:", "terminate called", "LeakSanitizer", "a bug in kubectl-gpu"} {
		if strings.Contains(r.stderr, mark) {
			t.Errorf("crashed:\n%s", r.stderr)
		}
	}
	if r.code < 0 {
		t.Errorf("died of a signal:\n%s", r.stderr)
	}
	if strings.ContainsAny(r.stdout+r.stderr, "\x1b\x07\u202e\u2066\u200b") {
		t.Errorf("terminal codes came through:\n%q\n%q", r.stdout, r.stderr)
	}
}

// checkFailed: could not answer, and says so once, with help.
func checkFailed(t *testing.T, r result, first string) {
	t.Helper()
	checkSane(t, r)
	if r.code != 2 {
		t.Errorf("exit code %d, not 2", r.code)
	}
	if r.stdout != "" {
		t.Errorf("stdout is not empty: %.300q", r.stdout)
	}
	if found := headline.FindAllString(r.stderr, -1); len(found) != 1 {
		t.Errorf("%d headlines, not 1", len(found))
	}
	if !strings.Contains(r.stderr, "\nhelp: ") {
		t.Error("no help")
	}
	if !strings.Contains(r.stderr, first) {
		t.Errorf("no %q", first)
	}
	if len(r.stderr) > 4000 {
		t.Errorf("%d bytes of error", len(r.stderr))
	}
	if t.Failed() {
		t.Logf("stderr:\n%.2000s", r.stderr)
	}
}

// start starts a server for one test.
func start(t *testing.T, f fault.Fault) *fault.Server {
	t.Helper()
	server, err := fault.Start(fault.Options{Fault: f, Handler: cluster.Small()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server
}

// kubeconfig writes one for a server, with a token.
func kubeconfig(t *testing.T, server *fault.Server) string {
	t.Helper()
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: lab
clusters:
- {name: lab, cluster: {server: %q, certificate-authority-data: %s}}
users:
- {name: tester, user: {token: secret-token}}
contexts:
- {name: lab, context: {cluster: lab, user: tester}}
`, server.URL, base64.StdEncoding.EncodeToString(server.Authority.PEM))
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
