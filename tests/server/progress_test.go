package server_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/fault"
)

// terminalRun is what came to a terminal and to stdout.
type terminalRun struct {
	code   int
	screen string
	first  time.Duration // until the first byte on the terminal
}

// onTerminal runs `top nodes` with stderr, and stdout unless it is taken, on a terminal of its own.
func onTerminal(t *testing.T, server *fault.Server, stdout io.Writer, interruptAfter time.Duration, args ...string) terminalRun {
	t.Helper()
	master, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	process := exec.Command(binary(t), append([]string{"top", "nodes", "--kubeconfig", kubeconfig(t, server)}, args...)...)
	process.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8", "TERM=xterm"}
	process.Stdin, process.Stdout, process.Stderr = terminal, terminal, terminal
	if stdout != nil {
		process.Stdout = stdout
	}
	start := time.Now()
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	var r terminalRun
	read := make(chan struct{})
	go func() {
		defer close(read)
		var screen bytes.Buffer
		for part := make([]byte, 4096); ; {
			n, err := master.Read(part)
			if n > 0 && r.first == 0 {
				r.first = time.Since(start)
			}
			screen.Write(part[:n])
			if err != nil { // EIO: nobody has the terminal any more
				r.screen = screen.String()
				return
			}
		}
	}()
	if interruptAfter > 0 {
		time.AfterFunc(interruptAfter, func() { process.Process.Signal(syscall.SIGINT) })
	}
	limit := time.AfterFunc(watchPatience, func() { process.Process.Kill() })
	defer limit.Stop()
	process.Wait()
	<-read
	r.code = process.ProcessState.ExitCode()
	return r
}

// left is what a terminal shows of one line that was written over again and again, and of those
// after it: each `\r` with an erase takes away what the line held.
func left(screen string) string {
	var lines []string
	for _, line := range strings.Split(strings.ReplaceAll(screen, "\r\n", "\n"), "\n") {
		if at := strings.LastIndex(line, "\r\x1b[K"); at >= 0 {
			line = line[at+len("\r\x1b[K"):]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// late answers requests that end so more than a second later.
func late(suffix string, answer http.HandlerFunc) fault.Fault {
	return fault.Fault{Handle: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, suffix) {
				select {
				case <-time.After(1200 * time.Millisecond):
				case <-r.Context().Done():
					return
				}
				if answer != nil {
					answer(w, r)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}}
}

// slowPods sends the list of pods over two seconds.
func slowPods() fault.Fault {
	return fault.Fault{Handle: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/pods") {
				next.ServeHTTP(w, r)
				return
			}
			body, err := cluster.Encode(cluster.Small().PodList(r), cluster.Wants(r))
			if err != nil {
				panic(err)
			}
			w.Header().Set("Content-Type", cluster.Wants(r))
			for parts := 20; parts > 0; parts-- {
				n := len(body) / parts
				w.Write(body[:n])
				w.(http.Flusher).Flush()
				body = body[n:]
				time.Sleep(100 * time.Millisecond)
			}
		})
	}}
}

const erase = "\r\x1b[K"

func TestProgressComesAndGoes(t *testing.T) {
	for name, c := range map[string]struct {
		fault fault.Fault
		text  string
	}{
		"first byte after a second": {late("/nodes", nil), "connecting to lab"},
		"a list of two seconds":     {slowPods(), "4 nodes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := onTerminal(t, start(t, c.fault), nil, 0)
			if r.code != 0 || !strings.Contains(r.screen, c.text) {
				t.Fatalf("code %d, no %q:\n%q", r.code, c.text, r.screen)
			}
			if r.first < 300*time.Millisecond {
				t.Errorf("the first byte comes after %v", r.first)
			}
			progress, table, found := strings.Cut(r.screen, "GPUs ")
			if !found || strings.Contains(progress, "\n") || !strings.Contains(progress, erase) {
				t.Errorf("not one line before the table: %q", progress)
			}
			if strings.Contains(table, erase) {
				t.Errorf("progress after the table: %q", table)
			}
			if shown := left(r.screen); strings.Contains(shown, "…") || strings.Contains(shown, "connecting") ||
				strings.Contains(shown, "reading") {
				t.Errorf("progress is left behind:\n%s", shown)
			}
		})
	}
}

// stdout in a pipe: the line is on the terminal, and the terminal is empty in the end.
func TestProgressIsNotInAPipe(t *testing.T) {
	var stdout lockedBuffer
	r := onTerminal(t, start(t, late("/nodes", nil)), &stdout, 0, "--metrics=none")
	if !strings.Contains(r.screen, "connecting to lab") || left(r.screen) != "" {
		t.Errorf("the terminal got %q", r.screen)
	}
	if out := stdout.String(); !strings.Contains(out, "gpu-a1") || strings.Contains(out, "\x1b") || strings.Contains(out, "connecting") {
		t.Errorf("the pipe got %q", out)
	}
	r2 := top(t, start(t, late("/nodes", nil)), "--metrics=none")
	if r2.code != 0 || r2.stderr != "" {
		t.Errorf("without a terminal: code %d, stderr %q", r2.code, r2.stderr)
	}
}

func TestProgressLeavesNothingBehindOnErrors(t *testing.T) {
	for name, c := range map[string]struct {
		fault     fault.Fault
		interrupt time.Duration
		code      int
		left      string
	}{
		"500":         {fault: late("/nodes", refuses(500, "InternalError")), code: 2, left: "Error from server (InternalError)"},
		"interrupted": {fault: named(t, "silent-answer"), interrupt: 900 * time.Millisecond, code: 130},
		"gap":         {fault: late("/pods", refuses(403, "Forbidden")), left: "pods cannot be listed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := onTerminal(t, start(t, c.fault), nil, c.interrupt)
			shown := left(r.screen)
			if r.code != c.code || !strings.Contains(r.screen, "…") || !strings.Contains(shown, c.left) {
				t.Errorf("exit code %d, want %d, a line of progress, and %q:\n%q", r.code, c.code, c.left, r.screen)
			}
			if strings.Contains(shown, "…") || strings.Contains(shown, "connecting") || strings.Contains(shown, "reading") {
				t.Errorf("progress is left behind:\n%q", shown)
			}
		})
	}
}

// What is fast needs no words.
func TestNoProgressOfAFastServer(t *testing.T) {
	r := onTerminal(t, start(t, fault.Fault{}), nil, 0)
	if r.code != 0 {
		t.Fatalf("code %d: %q", r.code, r.screen)
	}
	if r.first < 250*time.Millisecond && strings.Contains(r.screen, erase) {
		t.Errorf("progress: %q", r.screen)
	}
}
