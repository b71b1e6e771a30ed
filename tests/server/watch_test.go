package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/fault"
)

// watcher is a `top nodes -w` that goes on in the background.
type watcher struct {
	t       *testing.T
	process *exec.Cmd
	ended   chan error
	stdout  lockedBuffer
	stderr  lockedBuffer
}

type lockedBuffer struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.String()
}

func watch(t *testing.T, config string, args ...string) *watcher {
	t.Helper()
	all := append([]string{"top", "nodes", "-w", "-o", "json", "--kubeconfig", config}, args...)
	w := &watcher{t: t, process: exec.Command(binary(t), all...), ended: make(chan error, 1)}
	w.process.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8"}
	w.process.Stdout, w.process.Stderr = &w.stdout, &w.stderr
	if err := w.process.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { w.ended <- w.process.Wait() }()
	t.Cleanup(func() { w.process.Process.Kill() })
	return w
}

// allocated is what the last answer says: GPUs held by node, -1 for unknown.
func (w *watcher) allocated() map[string]int64 {
	lines := strings.Split(strings.TrimSpace(w.stdout.String()), "\n")
	var answer struct {
		Items []struct {
			Name                      string
			Capacity, Allocated, Free *int64
		}
	}
	last := lines[len(lines)-1]
	if !strings.HasSuffix(w.stdout.String(), "\n") || last == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(last), &answer); err != nil {
		w.t.Fatalf("not a JSON document on one line: %v: %.300q", err, last)
	}
	sums := map[string]int64{}
	for _, item := range answer.Items {
		sums[item.Name] = -1
		if item.Allocated == nil {
			continue
		}
		sums[item.Name] = *item.Allocated
		if item.Free != nil && item.Capacity != nil && *item.Allocated+*item.Free != *item.Capacity {
			w.t.Errorf("%s: %d allocated and %d free of %d", item.Name, *item.Allocated, *item.Free, *item.Capacity)
		}
	}
	return sums
}

const watchPatience = 45 * time.Second

// reaches waits until the answer is this.
func (w *watcher) reaches(want map[string]int64) {
	w.t.Helper()
	var got map[string]int64
	for end := time.Now().Add(watchPatience); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if got = w.allocated(); maps.Equal(got, want) {
			return
		}
		select {
		case err := <-w.ended:
			w.t.Fatalf("it ended: %v\nstderr: %s", err, w.stderr.String())
		default:
		}
	}
	w.t.Fatalf("it says %v, the cluster has %v\nstderr: %s", got, want, w.stderr.String())
}

// says waits for a text on stderr.
func (w *watcher) says(text string) {
	w.t.Helper()
	for end := time.Now().Add(watchPatience); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if strings.Contains(w.stderr.String(), text) {
			return
		}
	}
	w.t.Fatalf("does not say %q:\n%s", text, w.stderr.String())
}

// end is the exit code that comes by itself.
func (w *watcher) end() int {
	w.t.Helper()
	select {
	case <-w.ended:
		return w.process.ProcessState.ExitCode()
	case <-time.After(watchPatience):
		w.t.Fatalf("it goes on:\n%s", w.stderr.String())
		return -1
	}
}

// stop ends it with SIGTERM and looks at what it leaves.
func (w *watcher) stop() {
	w.t.Helper()
	w.checkMemory()
	patience := time.Second
	if sanitized(w.t) {
		patience = 5 * time.Second // looks for leaks at its end
	}
	asked := time.Now()
	w.process.Process.Signal(syscall.SIGTERM)
	code := w.end()
	if took := time.Since(asked); took > patience {
		w.t.Errorf("SIGTERM took %v", took)
	}
	if code != 130 {
		w.t.Errorf("exit code %d, not 130", code)
	}
	w.checkSane()
}

func (w *watcher) checkSane() {
	w.t.Helper()
	checkSane(w.t, result{code: w.process.ProcessState.ExitCode(), stdout: w.stdout.String(), stderr: w.stderr.String()})
	if w.t.Failed() {
		w.t.Logf("stderr:\n%.3000s", w.stderr.String())
	}
}

func (w *watcher) checkMemory() {
	w.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.process.Process.Pid))
	if err != nil {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			kilobytes, _ := strconv.ParseInt(fields[1], 10, 64)
			checkMemory(w.t, result{maxRSS: kilobytes << 10})
		}
	}
}

// startLive serves a cluster that changes; `trouble` meets the watches of pods, the others are good.
func startLive(t *testing.T, trouble func(live *cluster.Live, w http.ResponseWriter, r *http.Request, nth int)) (*cluster.Live, *fault.Server) {
	t.Helper()
	live := cluster.NewLive()
	live.Trouble = func(w http.ResponseWriter, r *http.Request, kind string, nth int) {
		if kind != "pods" || trouble == nil {
			live.Stream(w, r, kind, -1)
			return
		}
		trouble(live, w, r, nth)
	}
	server, err := fault.Start(fault.Options{Handler: live})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return live, server
}

// firstWatches of pods are bad, those after them are good.
func firstWatches(count int, bad http.HandlerFunc) func(*cluster.Live, http.ResponseWriter, *http.Request, int) {
	return func(live *cluster.Live, w http.ResponseWriter, r *http.Request, nth int) {
		if nth <= count {
			bad(w, r)
			return
		}
		live.Stream(w, r, "pods", -1)
	}
}

func refuses(code int, reason metav1.StatusReason) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", cluster.Wants(r))
		w.WriteHeader(code)
		w.Write(cluster.EncodeStatus(cluster.Status(code, reason, "watch: no"), cluster.Wants(r)))
	}
}

// tells sends raw bytes as a watch, and stays silent after them.
func tells(bytesOf func(r *http.Request) []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		cluster.StartStream(w, r)
		w.Write(bytesOf(r))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

func expiredEvent(r *http.Request) []byte {
	return cluster.Frame(r, "ERROR", cluster.Status(410, metav1.StatusReasonExpired, "too old resource version: 7 (9)"))
}

func bookmark(r *http.Request, version string) []byte {
	return cluster.Frame(r, "BOOKMARK", &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{ResourceVersion: version}})
}

// ends sends raw bytes as a watch, and ends it well.
func ends(bytesOf func(r *http.Request) []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		cluster.StartStream(w, r)
		w.Write(bytesOf(r))
	}
}

// endless says that 2 GiB follow, and sends as much as is taken.
func endless(w http.ResponseWriter, r *http.Request) {
	cluster.StartStream(w, r)
	w.Write([]byte{0x80, 0, 0, 0})
	for part := make([]byte, 1<<20); r.Context().Err() == nil; {
		if _, err := w.Write(part); err != nil {
			return
		}
	}
}

// cutInFrame sends one event, and of a second one the first bytes only.
func cutInFrame(w http.ResponseWriter, r *http.Request) {
	pod := cluster.Pod("ml", "cut", "gpu-a3", 1)
	pod.ResourceVersion = "8"
	frame := cluster.Frame(r, "ADDED", &pod)
	cluster.StartStream(w, r)
	w.Write(frame[:len(frame)/2])
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func TestWatchEndsWithTheTruth(t *testing.T) {
	garbage := func(*http.Request) []byte { return bytes.Repeat([]byte("\x00\x00\x00\x07garbage"), 100) }
	cases := map[string]struct {
		trouble  func(*cluster.Live, http.ResponseWriter, *http.Request, int)
		forgets  bool // what changed is not in the watch any more, only in a list
		mostPods int  // requests for pods
	}{
		"good":            {mostPods: 2},
		"410 status":      {trouble: firstWatches(1, refuses(410, metav1.StatusReasonExpired)), forgets: true, mostPods: 4},
		"410 event":       {trouble: firstWatches(1, ends(expiredEvent)), forgets: true, mostPods: 4},
		"410 for a while": {trouble: firstWatches(3, refuses(410, metav1.StatusReasonExpired)), forgets: true, mostPods: 8},
		"cut in frame":    {trouble: firstWatches(2, cutInFrame), mostPods: 4},
		"garbage":         {trouble: firstWatches(2, tells(garbage)), mostPods: 4},
		"2 GiB":           {trouble: firstWatches(2, endless), mostPods: 4},
		"html": {trouble: firstWatches(2, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<html>Sign in</html>"))
		}), mostPods: 4},
		"429": {trouble: firstWatches(2, refuses(429, metav1.StatusReasonTooManyRequests)), mostPods: 4},
		"500": {trouble: firstWatches(3, refuses(500, metav1.StatusReasonInternalError)), mostPods: 5},
		"closes after each": {trouble: func(live *cluster.Live, w http.ResponseWriter, r *http.Request, _ int) {
			live.Stream(w, r, "pods", 1)
		}, mostPods: 8},
		"goes back": {trouble: func(live *cluster.Live, w http.ResponseWriter, r *http.Request, nth int) {
			if nth == 1 {
				ends(func(r *http.Request) []byte { return bookmark(r, "3") })(w, r)
				return
			}
			live.Stream(w, r, "pods", -1)
		}, mostPods: 4},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live, server := startLive(t, c.trouble)
			w := watch(t, kubeconfig(t, server))
			w.reaches(map[string]int64{"gpu-a1": 8, "gpu-a2": 3, "gpu-a3": 0})
			live.AddPod(cluster.Pod("ml", "one", "gpu-a3", 2))
			live.AddPod(cluster.Pod("ml", "two", "gpu-a3", 4))
			live.DeletePod("ml", "train-0")
			live.AddNode(cluster.Node("gpu-b1", 8))
			live.AddPod(cluster.Pod("ml", "three", "gpu-b1", 8))
			live.DeletePod("ml", "two")
			if c.forgets {
				// The node has been told of; the pods need a list.
				time.Sleep(200 * time.Millisecond)
				live.Forget()
			}
			w.reaches(map[string]int64{"gpu-a1": 0, "gpu-a2": 3, "gpu-a3": 2, "gpu-b1": 8})
			if truth := live.Allocated(); !maps.Equal(truth, w.allocated()) {
				t.Errorf("the cluster has %v", truth)
			}
			if asked := count(server, "/pods"); asked > c.mostPods {
				t.Errorf("%d requests for pods, more than %d", asked, c.mostPods)
			}
			w.stop()
		})
	}
}

func count(server *fault.Server, suffix string) int {
	count := 0
	for _, seen := range server.Requests() {
		if strings.HasSuffix(seen.Path, suffix) {
			count++
		}
	}
	return count
}

// However a watch fails, and if it does so for ever: the server is left in peace, other kinds go
// on, and SIGTERM ends it.
func TestWatchThatNeverWorksIsNoBusyLoop(t *testing.T) {
	event := func(r *http.Request) []byte {
		pod := cluster.Pod("ml", "again", "gpu-a3", 1)
		pod.ResourceVersion = "7"
		return cluster.Frame(r, "MODIFIED", &pod)
	}
	cases := map[string]struct {
		answer  http.HandlerFunc
		most    int // requests for pods in 8 seconds
		silence bool
	}{
		"410 status":      {answer: refuses(410, metav1.StatusReasonExpired), most: 10},
		"410 event":       {answer: ends(expiredEvent), most: 10},
		"event, then 410": {answer: ends(func(r *http.Request) []byte { return append(event(r), expiredEvent(r)...) }), most: 10},
		"error event": {answer: ends(func(r *http.Request) []byte {
			return cluster.Frame(r, "ERROR", cluster.Status(500, "InternalError", "no"))
		}), most: 10},
		"same event":         {answer: ends(event), most: 11},
		"bookmark, then end": {answer: ends(func(r *http.Request) []byte { return bookmark(r, "7") }), most: 11},
		"bookmarks only":     {answer: tells(func(r *http.Request) []byte { return bytes.Repeat(bookmark(r, "7"), 100) }), most: 2},
		"ends at once":       {answer: ends(func(*http.Request) []byte { return nil }), most: 6},
		"cut in frame":       {answer: cutInFrame, most: 6},
		"garbage":            {answer: tells(func(*http.Request) []byte { return []byte("\x00\x00\x00\x07garbage") }), most: 6},
		"2 GiB":              {answer: endless, most: 6},
		"429":                {answer: refuses(429, metav1.StatusReasonTooManyRequests), most: 6},
		"500":                {answer: refuses(500, metav1.StatusReasonInternalError), most: 6},
		"401":                {answer: refuses(401, metav1.StatusReasonUnauthorized), most: 6},
		"silent":             {answer: tells(func(*http.Request) []byte { return nil }), most: 2},
		"no answer":          {answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, most: 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live, server := startLive(t, func(_ *cluster.Live, w http.ResponseWriter, r *http.Request, _ int) { c.answer(w, r) })
			w := watch(t, kubeconfig(t, server))
			for end := time.Now().Add(watchPatience); live.Watches("pods") == 0 && time.Now().Before(end); {
				time.Sleep(20 * time.Millisecond)
			}
			time.Sleep(8 * time.Second)
			if asked := count(server, "/pods"); asked > c.most || asked < 2 {
				t.Errorf("%d requests for pods in 8 seconds, want 2 to %d", asked, c.most)
			}
			// One kind that fails must not take the others along.
			if asked := live.Watches("nodes"); asked != 1 {
				t.Errorf("%d watches of nodes, want one that stays", asked)
			}
			w.stop()
		})
	}
}
