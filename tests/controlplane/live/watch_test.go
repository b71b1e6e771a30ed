package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/podnet"
)

const (
	// between is how often live use is read, and a moment.
	// promptly is far less than what hangs takes to be given up; a busy machine needs some of it.
	promptly = 4 * time.Second
	between  = 20 * time.Second
	// kept is how long the last word of an exporter stands.
	kept = time.Minute
)

// watched is a node of one test's own, with the label that watches select by.
type watched struct {
	t       *testing.T
	place   place
	address string
	program *podnet.Program
}

// newWatched makes the node, and pods `live/NAME-*` on it, but no exporter yet.
func newWatched(t *testing.T, name, label string, address int, cards []card, pods map[string]int) *watched {
	t.Helper()
	p := h100s(name, cards, "exporter", pods)
	p.labels["live-watch"] = label
	one := world{places: []place{p}}
	admin, err := shared.cluster.Client(cluster.Admin)
	if err != nil {
		t.Fatal(err)
	}
	if err := one.scenario().Add(t.Context(), admin); err != nil {
		t.Fatal(err)
	}
	w := &watched{t: t, place: p, address: shared.net.Address(address)}
	t.Cleanup(func() {
		ctx := context.Background() // the test's own has ended
		now := v1.DeleteOptions{GracePeriodSeconds: new(int64)}
		for pod := range p.pods {
			_ = admin.CoreV1().Pods("live").Delete(ctx, pod, now)
		}
		_ = admin.CoreV1().Pods(exporters).Delete(ctx, exporterPod(p).Name, now)
		_ = admin.CoreV1().Nodes().Delete(ctx, name, v1.DeleteOptions{})
		w.stop()
	})
	return w
}

// says writes what its exporter tells.
func (w *watched) says(cards []card) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(shared.dir, w.place.name+".prom"), []byte(whole(cards)), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// start runs the exporter's program, which answers after `delay`.
func (w *watched) start(delay string) {
	w.t.Helper()
	list, err := json.Marshal([]map[string]string{{"listen": fmt.Sprintf("%s:%d", w.address, metricPort),
		"file": filepath.Join(shared.dir, w.place.name+".prom"), "delay": delay}})
	if err != nil {
		w.t.Fatal(err)
	}
	file := filepath.Join(shared.dir, w.place.name+".json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.program, err = shared.net.StartProgram(w.t.Context(), "ready", filepath.Join(shared.dir, "exporter"), file)
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) stop() {
	if w.program != nil {
		w.program.Stop()
	}
	w.program = nil
}

// show creates the exporter's pod, or makes it anew where there is one.
func (w *watched) show() {
	w.t.Helper()
	admin, err := shared.cluster.Client(cluster.Admin)
	if err != nil {
		w.t.Fatal(err)
	}
	pod := exporterPod(w.place)
	_ = admin.CoreV1().Pods(exporters).Delete(w.t.Context(), pod.Name, v1.DeleteOptions{GracePeriodSeconds: new(int64)})
	err = createRunning(w.t.Context(), admin, pod, w.address, false)
	// KWOK deletes by name: while it still ends the pod of before, it can take the new one instead.
	for tries := 0; apierrors.IsNotFound(err) && tries < 3; tries++ {
		err = createRunning(w.t.Context(), admin, pod, w.address, false)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// watch is our program with `-w` and its stdout piped.
type watch struct {
	t       *testing.T
	words   []string
	command *exec.Cmd
	lines   chan string
	heading []string
	stderr  *syncBuffer
}

type syncBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (b *syncBuffer) Write(bytes []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(bytes)
}

func (b *syncBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}

func environment(t *testing.T, user string) []string {
	return []string{"KUBECONFIG=" + shared.cluster.Kubeconfig(user), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8", "PATH=" + os.Getenv("PATH")}
}

func startWatch(t *testing.T, user string, words ...string) *watch {
	t.Helper()
	w := &watch{t: t, words: append(words, "-w"), lines: make(chan string, 1000), stderr: &syncBuffer{}}
	w.command = exec.Command(os.Getenv("KUBECTL_GPU_BIN"), w.words...)
	w.command.Env = environment(t, user)
	w.command.Stderr = w.stderr
	out, err := w.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, 8<<20)
		for scanner.Scan() {
			w.lines <- scanner.Text()
		}
		close(w.lines)
	}()
	t.Cleanup(func() {
		_ = w.command.Process.Signal(syscall.SIGTERM)
		_ = w.command.Wait()
		if code := w.command.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%q: exit code %d after SIGTERM, want 130; stderr:\n%s", w.words, code, w.stderr)
		}
	})
	return w
}

// wait reads lines until one is as wanted.
func (w *watch) wait(what string, limit time.Duration, wanted func(line string) bool) {
	w.t.Helper()
	deadline := time.After(limit)
	var seen []string
	for {
		select {
		case line, more := <-w.lines:
			if !more {
				w.t.Fatalf("%q: the output ended; stderr:\n%s", w.words, w.stderr)
			}
			if w.heading == nil {
				w.heading = strings.Fields(line)
			}
			if wanted(line) {
				return
			}
			seen = append(seen, line)
		case <-deadline:
			w.t.Fatalf("%q: no line after %s tells: %s; lines:\n%s\nstderr:\n%s", w.words, limit, what, strings.Join(seen, "\n"), w.stderr)
		}
	}
}

// cell is what a row says under the title; empty where there is no such column.
func (w *watch) cell(line, title string) string {
	cells := strings.Fields(line)
	for i, name := range w.heading {
		if name == title && i < len(cells) {
			return cells[i]
		}
	}
	return ""
}

// use waits for a row that begins so and says this of UTIL.
func (w *watch) use(row, use string, limit time.Duration) {
	w.t.Helper()
	w.wait(row+" "+use, limit, func(line string) bool { return strings.HasPrefix(line, row) && w.cell(line, "UTIL%") == use })
}

// podUse waits for a document in which the pod has this use; nil: unknown.
func (w *watch) podUse(pod string, use *float64, limit time.Duration) {
	w.t.Helper()
	w.wait(pod+" "+text(use), limit, func(line string) bool {
		rows, _ := decode[podRow](w.t, line)
		for _, row := range rows {
			if row.Name == pod {
				return same(row.Utilization, use)
			}
		}
		return false
	})
}

// Waits until stderr tells of something: a value that is too old goes before the round that failed is over.
func (w *watch) complains(of string, limit time.Duration) {
	w.t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if strings.Contains(w.stderr.String(), of) {
			return
		}
	}
	w.t.Errorf("%q: nobody tells of %s within %s; stderr:\n%s", w.words, of, limit, w.stderr)
}

func withUse(cards []card, util int) []card {
	changed := append([]card(nil), cards...)
	for i := range changed {
		changed[i].util, changed[i].engine = util, float64(util)/100
	}
	return changed
}

// An exporter's word arrives in every view, goes when the exporter is silent, and comes again; of
// others that are slow nothing of that depends.
func TestWatchFollowsExporters(t *testing.T) {
	const label = "follow"
	address := len(shared.places) + 2
	cards := busy("lw-1", "live/lw-train")
	node := newWatched(t, "lw-1", label, address, cards, map[string]int{"lw-train": 1})
	node.says(withUse(cards, 40))
	node.start("0s")
	node.show()
	slow := newWatched(t, "lw-slow", label, address+1, busy("lw-slow", ""), nil)
	slow.says(busy("lw-slow", ""))
	slow.start("9s")
	slow.show()

	time.Sleep(3 * time.Second) // what was told before the pod held its GPU is not the pod's
	nodes := startWatch(t, cluster.Admin, "top", "nodes", "-l", "live-watch="+label, "--metrics", "exporter")
	gpus := startWatch(t, cluster.Admin, "top", "gpus", "-l", "live-watch="+label, "--metrics", "exporter")
	pods := startWatch(t, cluster.Admin, "top", "pods", "lw-train", "-n", "live", "-o", "json", "--metrics", "exporter")
	forbidden := startWatch(t, cluster.Ordinary, "top", "nodes", "-l", "live-watch="+label, "--metrics", "exporter")
	all := func(use string, limit time.Duration) {
		t.Helper()
		var value *float64
		if use != "-" {
			var percent float64
			if _, err := fmt.Sscanf(use, "%f", &percent); err != nil {
				t.Fatal(err)
			}
			value = ratio(percent / 100)
		}
		begin := time.Now()
		left := func() time.Duration { return max(limit-time.Since(begin), time.Second) }
		nodes.use("lw-1 ", use, left())
		gpus.use("lw-1/", use, left())
		pods.podUse("lw-train", value, left())
		t.Logf("%s after %s", use, time.Since(begin).Round(100*time.Millisecond))
	}
	all("40", between)
	node.says(withUse(cards, 77))
	all("77", between)
	node.stop()
	all("-", kept+between)
	nodes.complains("lw-1", between)
	node.says(withUse(cards, 12))
	node.start("0s")
	all("12", between)

	// The pod is another one, at another address.
	node.stop()
	node.address = shared.net.Address(address + 2)
	node.says(withUse(cards, 66))
	node.start("0s")
	node.show()
	all("66", between)

	late := newWatched(t, "lw-2", label, address+3, busy("lw-2", ""), nil)
	late.says(withUse(busy("lw-2", ""), 23))
	late.start("0s")
	late.show()
	nodes.use("lw-2 ", "23", between)
	gpus.use("lw-2/", "23", between)

	said := forbidden.stderr.String()
	if count := strings.Count(said, "pods/proxy"); count == 0 || strings.Count(said, "no metrics from") > 2 {
		t.Errorf("over many rounds a role that is missing is told of so:\n%s", said)
	}
}

// silence accepts connections and says nothing; it tells when somebody came.
func silence(t *testing.T) (url string, came <-chan struct{}) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	asked := make(chan struct{}, 100)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			defer connection.Close()
			asked <- struct{}{}
		}
	}()
	return "http://" + listener.Addr().String(), asked
}

func TestWatchEndsAtOnce(t *testing.T) {
	url, came := silence(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		command := exec.Command(os.Getenv("KUBECTL_GPU_BIN"), "top", "nodes", "lu-whole", "-w", "--metrics", "prometheus", "--prometheus-url", url)
		command.Env = environment(t, cluster.Admin)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-came:
		case <-time.After(between):
			t.Error("Prometheus was not asked")
		}
		time.Sleep(200 * time.Millisecond)
		begin := time.Now()
		_ = command.Process.Signal(signal)
		_ = command.Wait()
		if took, code := time.Since(begin), command.ProcessState.ExitCode(); took > time.Second || code != 130 {
			t.Errorf("%s: exit code %d after %s", signal, code, took)
		}
	}
}

// screen is our program on a terminal.
type screen struct {
	t        *testing.T
	socket   string
	exitCode string // path of a file that holds it, once the program has exited
}

func startScreen(t *testing.T, words ...string) *screen {
	t.Helper()
	s := &screen{t: t, socket: filepath.Join(t.TempDir(), "tmux"), exitCode: filepath.Join(t.TempDir(), "exit-code")}
	// A shell waits for the program: tmux tells of a dead pane late on some machines, or never.
	// Its sleep keeps the screen for whoever looks at it after that.
	command := append([]string{"new-session", "-d", "-x", "120", "-y", "24", "env", "-i", "TERM=screen"}, environment(t, cluster.Admin)...)
	command = append(command, "sh", "-c", `"$@"; echo $? > "$0"; exec sleep 60`, s.exitCode, os.Getenv("KUBECTL_GPU_BIN"))
	s.tmux(append(command, words...)...)
	t.Cleanup(func() { s.tmux("kill-server") })
	return s
}

func (s *screen) tmux(words ...string) string {
	s.t.Helper()
	command := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", s.socket}, words...)...)
	command.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm")
	out, err := command.CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %q: %v: %s", words, err, out)
	}
	return string(out)
}

func (s *screen) wait(what string, limit time.Duration, holds func(text string) bool) {
	s.t.Helper()
	begin := time.Now()
	for {
		text := s.tmux("capture-pane", "-p")
		if holds(text) {
			return
		}
		if time.Since(begin) > limit {
			s.t.Errorf("not seen within %s: %s; the screen is\n%s", limit, what, text)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// answers presses keys for some time, each of which has to be seen within a second.
func (s *screen) answers(long time.Duration) {
	s.t.Helper()
	for begin := time.Now(); time.Since(begin) < long && !s.t.Failed(); time.Sleep(200 * time.Millisecond) {
		s.tmux("send-keys", "?")
		s.wait("help", promptly, func(text string) bool { return strings.Contains(text, "this help") })
		s.tmux("send-keys", "?", "r")
		s.wait("the other order", promptly, func(text string) bool {
			return !strings.Contains(text, "this help") && strings.Contains(text, "reversed")
		})
		s.tmux("send-keys", "r", "s")
		s.wait("a sorted column", promptly, func(text string) bool { return strings.Contains(text, "by ") && !strings.Contains(text, "reversed") })
		s.tmux("send-keys", "S")
		s.wait("the first order", promptly, func(text string) bool { return !strings.Contains(text, " by ") })
		s.tmux("send-keys", "3")
		s.wait("another view", promptly, func(text string) bool { return strings.Contains(text, "pods  updated") })
		s.tmux("send-keys", "1")
		s.wait("the first view", promptly, func(text string) bool { return strings.Contains(text, "nodes  updated") })
	}
}

func (s *screen) quit() {
	s.t.Helper()
	s.tmux("send-keys", "q")
	s.wait("exit code 0", promptly, func(string) bool {
		code, _ := os.ReadFile(s.exitCode)
		return string(code) == "0\n"
	})
}

func TestWatchAnswersKeys(t *testing.T) {
	updated := func(text string) bool { return strings.Contains(text, "updated") }
	t.Run("while exporters hang", func(t *testing.T) {
		s := startScreen(t, "top", "nodes", "-w", "--metrics", "exporter")
		s.wait("the first screen", between, updated)
		s.answers(22 * time.Second)
		s.tmux("resize-window", "-x", "90", "-y", "14")
		s.wait("another size", promptly, func(text string) bool {
			lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
			return len(lines) == 14 && strings.Contains(lines[13], "updated")
		})
		s.quit()
	})
	t.Run("while Prometheus hangs", func(t *testing.T) {
		url, came := silence(t)
		s := startScreen(t, "top", "gpus", "-w", "--metrics", "prometheus", "--prometheus-url", url)
		s.wait("the first screen", between, updated)
		if len(came) == 0 {
			t.Error("Prometheus was not asked")
		}
		s.answers(17 * time.Second)
		s.quit()
	})
}

// Services are listed when Prometheus is looked for, and not again while it answers.
func TestWatchFindsPrometheusOnce(t *testing.T) {
	waitForPrometheus(t)
	lists := func() (count int) {
		requests, err := shared.cluster.Requests("kubectl-gpu")
		if err != nil {
			t.Fatal(err)
		}
		for _, request := range requests {
			if strings.HasPrefix(request.URI, "/api/v1/services") {
				count++
			}
		}
		return count
	}
	before := lists()
	w := startWatch(t, cluster.Admin, "top", "nodes", "lu-whole", "--metrics", "prometheus")
	w.wait("use", between, func(line string) bool {
		return strings.HasPrefix(line, "lu-whole") && w.cell(line, "UTIL%") == "54"
	})
	time.Sleep(35 * time.Second) // two rounds more
	if after := lists(); after != before+1 {
		t.Errorf("Services were listed %d times, want 1", after-before)
	}
}
