package server_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"kubectl-gpu/tests/server/fault"
)

func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// A snapshot that is not to be finished leaves no names of a cluster behind.
func TestEndedSnapshotLeavesNothing(t *testing.T) {
	config := kubeconfig(t, start(t, named(t, "silent")))
	for _, ending := range []syscall.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM} {
		t.Run(ending.String(), func(t *testing.T) {
			folder := t.TempDir()
			process := exec.Command(binary(t), "snapshot", filepath.Join(folder, "k.json"), "--kubeconfig", config)
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(10 * time.Second); len(filesIn(t, folder)) == 0 && time.Now().Before(end); {
				time.Sleep(20 * time.Millisecond)
			}
			if len(filesIn(t, folder)) != 1 {
				t.Error("it does not write beside the place of the file")
			}
			process.Process.Signal(ending)
			process.Wait()
			if code := process.ProcessState.ExitCode(); code != 130 {
				t.Errorf("code %d, not 130", code)
			}
			if left := filesIn(t, folder); len(left) != 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

func TestFileThatMayNotGrow(t *testing.T) {
	folder := t.TempDir()
	config := kubeconfig(t, start(t, fault.Fault{}))
	r := run(t, command{program: "/bin/sh", dir: folder, args: []string{"-c", `ulimit -f 0; exec "$@"`, "sh",
		binary(t), "snapshot", "k.json", "--kubeconfig", config}})
	if r.code != 2 || len(filesIn(t, folder)) != 0 {
		t.Errorf("code %d, left %v\n%s", r.code, filesIn(t, folder), r.stderr)
	}
}

// What is closed is not given to a pipe or a socket of ours.
func TestClosedStandardStreams(t *testing.T) {
	config := kubeconfig(t, start(t, fault.Fault{}))
	for redirects, want := range map[string]int{"<&-": 0, "2>&-": 0, "<&- 2>&-": 0, ">&-": 2, "<&- >&-": 2, "<&- >&- 2>&-": 2} {
		t.Run(redirects, func(t *testing.T) {
			r := run(t, command{program: "/bin/sh", args: []string{"-c", `"$@" ` + redirects, "sh",
				binary(t), "top", "nodes", "-v=9", "--kubeconfig", config}})
			if r.code != want {
				t.Errorf("code %d, not %d\n%s", r.code, want, r.stderr)
			}
		})
	}
}

// A pipe that nobody writes to is waited for until Ctrl-C.
func TestInterruptedPipe(t *testing.T) {
	folder := t.TempDir()
	fifo := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"top", "--from", fifo},
		{"why-pending", "--kubeconfig", "/dev/null", "-f", fifo},
		{"top", "--kubeconfig", fifo},
	} {
		t.Run(args[0]+args[1], func(t *testing.T) {
			r := run(t, command{program: binary(t), interrupt: time.Second, args: args})
			if r.code != 130 || r.stdout != "" {
				t.Errorf("code %d, not 130\n%s\n%s", r.code, r.stdout, r.stderr)
			}
		})
	}
}
