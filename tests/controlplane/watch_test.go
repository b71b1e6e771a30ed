package controlplane

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// patience is for a machine that is busy with other tests.
const patience = 30 * time.Second

// holdGPU binds a pod with one GPU to a node; what it returns deletes the pod again.
func holdGPU(t *testing.T, name, node string) (release func()) {
	t.Helper()
	pods := client(t).CoreV1().Pods("default")
	one := core.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}
	pod := &core.Pod{ObjectMeta: v1.ObjectMeta{Name: name}, Spec: core.PodSpec{NodeName: node,
		Tolerations: []core.Toleration{{Operator: core.TolerationOpExists}},
		Containers: []core.Container{{Name: "main", Image: "image",
			Resources: core.ResourceRequirements{Requests: one, Limits: one}}}}}
	if _, err := pods.Create(t.Context(), pod, v1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	now := int64(0)
	return func() {
		t.Helper()
		if err := pods.Delete(t.Context(), name, v1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
			t.Fatal(err)
		}
	}
}

// terminal is a shell in a tmux of its own.
type terminal struct {
	t      *testing.T
	socket string
	dir    string
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	dir := t.TempDir()
	term := &terminal{t: t, socket: filepath.Join(dir, "tmux"), dir: dir}
	environment := []string{"KUBECONFIG=" + shared.Kubeconfig(cluster.Ordinary), "LC_ALL=C.UTF-8", "PS1=$ ",
		"GPU=" + binary(t), "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	command := append([]string{"new-session", "-d", "-x", "100", "-y", "20", "env", "-i", "TERM=screen"}, environment...)
	term.tmux(append(command, "sh")...)
	t.Cleanup(func() { term.tmux("kill-server") })
	return term
}

func (term *terminal) tmux(words ...string) string {
	term.t.Helper()
	command := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", term.socket}, words...)...)
	command.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm")
	out, err := command.CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %q: %v: %s", words, err, out)
	}
	return string(out)
}

func (term *terminal) screen() string { return term.tmux("capture-pane", "-p") }

func (term *terminal) press(keys ...string) { term.tmux(append([]string{"send-keys"}, keys...)...) }

// state says whether the cursor is seen, and whether the alternate screen is on.
func (term *terminal) state() string {
	return strings.TrimSpace(term.tmux("display-message", "-p", "cursor #{cursor_flag} alternate #{alternate_on}"))
}

func (term *terminal) wait(what string, holds func(screen string) bool) {
	term.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if holds(term.screen()) {
			return
		}
	}
	term.t.Fatalf("not seen: %s; the screen is\n%s", what, term.screen())
}

// file reads what the shell wrote; empty while it has not.
func (term *terminal) file(name string) string {
	content, _ := os.ReadFile(filepath.Join(term.dir, name))
	return string(content)
}

// start runs our program between two looks at the terminal's settings, and waits for its screen.
func (term *terminal) start(words string) {
	term.t.Helper()
	for _, name := range []string{"before", "after", "code", "pid", "errors"} {
		_ = os.Remove(filepath.Join(term.dir, name))
	}
	// Ctrl-C reaches the script too, which goes on; exec keeps the process id that sh tells of.
	script := fmt.Sprintf(`trap : INT
stty -g > before
sh -c 'echo $$ > pid; exec "$GPU" %s' 2> errors
echo $? > code
stty -g > after
`, words)
	if err := os.WriteFile(filepath.Join(term.dir, "script"), []byte(script), 0o600); err != nil {
		term.t.Fatal(err)
	}
	term.press(`cd "$HOME"; clear; sh script`, "Enter")
	term.wait("the watch", func(screen string) bool { return strings.Contains(screen, "updated") })
	if state := term.state(); state != "cursor 0 alternate 1" {
		term.t.Errorf("while it watches: %s", state)
	}
}

// ended waits for the program's end and looks at what it left.
func (term *terminal) ended(code string) {
	term.t.Helper()
	term.wait("the end", func(string) bool { return term.file("after") != "" })
	if got := strings.TrimSpace(term.file("code")); got != code {
		term.t.Errorf("exit code %s, want %s", got, code)
	}
	if before, after := term.file("before"), term.file("after"); before == "" || before != after {
		term.t.Errorf("settings of the terminal: %q before, %q after", before, after)
	}
	if state := term.state(); state != "cursor 1 alternate 0" {
		term.t.Errorf("after the end: %s", state)
	}
	if errors := term.file("errors"); errors != "" {
		term.t.Errorf("stderr: %q", errors)
	}
}

// rows are the lines of the screen that start with the name.
func rows(screen, name string) []string {
	var found []string
	for _, line := range strings.Split(screen, "\n") {
		if strings.HasPrefix(line, name) {
			found = append(found, strings.TrimRight(line, " "))
		}
	}
	return found
}

func TestWatchOnTerminal(t *testing.T) {
	load(t, "watch.yaml")
	term := newTerminal(t)
	term.start("top nodes watched-1 watched-2 -w")
	has := func(text string) func(string) bool {
		return func(screen string) bool { return strings.Contains(screen, text) }
	}
	term.wait("two nodes, nothing allocated", func(screen string) bool {
		return len(rows(screen, "watched-")) == 2 && strings.Count(screen, "0/4") == 2
	})
	release := holdGPU(t, "watch-terminal", "watched-2")
	term.wait("the pod's GPU", has("1/4"))

	term.press("r")
	term.wait("the other order", func(screen string) bool {
		lines := rows(screen, "watched-")
		return len(lines) == 2 && strings.HasPrefix(lines[0], "watched-2") && strings.Contains(screen, "reversed")
	})
	term.press("r", "s", "s", "s")
	term.wait("the larger number first", func(screen string) bool {
		lines := rows(screen, "watched-")
		return len(lines) == 2 && strings.Contains(lines[0], "1/4") && strings.Contains(screen, "by ALLOCATED")
	})
	term.press("Space")
	term.wait("the pause", has("paused"))
	release()
	time.Sleep(2 * time.Second)
	if !strings.Contains(term.screen(), "1/4") {
		t.Errorf("paused, but changed:\n%s", term.screen())
	}
	term.press("Space")
	term.wait("the pod's end", func(screen string) bool { return strings.Count(screen, "0/4") == 2 })

	term.press("?")
	term.wait("help", has("this help"))
	term.tmux("resize-window", "-x", "70", "-y", "12")
	term.wait("a smaller screen", func(screen string) bool {
		lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
		return len(lines) == 12 && strings.Contains(lines[11], "updated") && strings.HasSuffix(lines[11], "q quit")
	})
	term.press("q")
	term.ended("0")
}

func TestWatchGivesTheTerminalBack(t *testing.T) {
	load(t, "watch.yaml")
	term := newTerminal(t)
	for _, each := range []struct {
		name string
		end  func(pid int) error
	}{
		{"Ctrl-C", func(int) error { term.press("C-c"); return nil }},
		{"SIGTERM", func(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }},
		{"SIGHUP", func(pid int) error { return syscall.Kill(pid, syscall.SIGHUP) }},
	} {
		t.Run(each.name, func(t *testing.T) {
			term.t = t
			term.start("top nodes watched-1 -w")
			var pid int
			if _, err := fmt.Sscan(term.file("pid"), &pid); err != nil {
				t.Fatal(err)
			}
			if err := each.end(pid); err != nil {
				t.Fatal(err)
			}
			term.ended("130")
		})
	}
	term.t = t
}

func TestWatchStopsAndGoesOn(t *testing.T) {
	load(t, "watch.yaml")
	term := newTerminal(t)
	term.press(`set -m; cd "$HOME"; "$GPU" top nodes watched-1 -w`, "Enter")
	term.wait("the watch", func(screen string) bool { return strings.Contains(screen, "updated") })
	term.press("C-z")
	term.wait("the shell", func(string) bool { return term.state() == "cursor 1 alternate 0" })
	term.press("stty -a | grep -c ' echo ' > echo", "Enter")
	term.wait("echo", func(string) bool { return strings.TrimSpace(term.file("echo")) == "1" })
	term.press("fg", "Enter")
	term.wait("the watch again", func(screen string) bool {
		return strings.Contains(screen, "updated") && term.state() == "cursor 0 alternate 1"
	})
	term.press("q")
	term.wait("the end", func(string) bool { return term.state() == "cursor 1 alternate 0" })
}

// piped starts our program with its stdout piped, and gives its lines.
func piped(t *testing.T, words ...string) <-chan string {
	t.Helper()
	command := exec.Command(binary(t), words...)
	command.Env = []string{"KUBECONFIG=" + shared.Kubeconfig(cluster.Ordinary), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8",
		"PATH=" + os.Getenv("PATH")}
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 100)
	go func() {
		reader := bufio.NewReaderSize(out, 1<<20)
		for {
			line, err := reader.ReadString('\n')
			if err == io.EOF || err != nil {
				close(lines)
				return
			}
			lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
		if code := command.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%q: exit code %d after SIGTERM, want 130", words, code)
		}
	})
	return lines
}

func next(t *testing.T, lines <-chan string) string {
	t.Helper()
	select {
	case line, more := <-lines:
		if !more {
			t.Fatal("the output ended")
		}
		return line
	case <-time.After(patience):
		t.Fatal("no line came")
	}
	return ""
}

func TestWatchPiped(t *testing.T) {
	load(t, "watch.yaml")
	lines := piped(t, "top", "nodes", "watched-1", "watched-2", "-w")
	heading, first, second := next(t, lines), next(t, lines), next(t, lines)
	if !strings.HasPrefix(heading, "NODE") || !strings.HasPrefix(first, "watched-1") || !strings.HasPrefix(second, "watched-2") {
		t.Fatalf("the table is\n%s\n%s\n%s", heading, first, second)
	}
	release := holdGPU(t, "watch-piped", "watched-2")
	column := strings.Index(heading, "ALLOCATED") + len("ALLOCATED") - 1
	changed := next(t, lines)
	if !strings.HasPrefix(changed, "watched-2") || len(changed) <= column || changed[column] != '1' || second[column] != '0' {
		t.Errorf("after the pod came:\n%s\n%s\n%s", heading, second, changed)
	}
	release()
	if back := next(t, lines); back != second {
		t.Errorf("after the pod went:\n%s\n%s", second, back)
	}
}

func TestWatchJSON(t *testing.T) {
	load(t, "watch.yaml")
	lines := piped(t, "top", "nodes", "watched-1", "-w", "-o", "json")
	free := func() int64 {
		var answer usage
		line := next(t, lines)
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if len(answer.Items) != 1 || answer.Items[0].Free == nil {
			t.Fatalf("no row, or nothing known of it: %s", line)
		}
		return *answer.Items[0].Free
	}
	if got := free(); got != 4 {
		t.Errorf("%d are free, want 4", got)
	}
	release := holdGPU(t, "watch-json", "watched-1")
	if got := free(); got != 3 {
		t.Errorf("with a pod %d are free, want 3", got)
	}
	release()
	if got := free(); got != 4 {
		t.Errorf("without it %d are free, want 4", got)
	}
}

// What goes wrong with flags is told before the cluster is asked.
func TestWatchRefuses(t *testing.T) {
	for _, words := range [][]string{{"-o", "yaml"}, {"-o", "csv"}, {"-o", "name"}, {"--from", "file"}} {
		_, stderr, code := runGPU(t, "/nonexistent", append([]string{"top", "-w"}, words...)...)
		if code != 2 || !strings.Contains(stderr, "`-w`") {
			t.Errorf("%q: exit code %d, stderr %q", words, code, stderr)
		}
	}
}
