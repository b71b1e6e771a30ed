package cost

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

// patience is for a machine that is busy with other tests.
const patience = 30 * time.Second

// watched are the documents that `cost VIEW -w -o json` prints, one a line.
func watched(t *testing.T, words ...string) <-chan list {
	t.Helper()
	made := command(context.Background(), t, cluster.Ordinary, append(words, "-w", "-o", "json")...)
	made.Stderr = os.Stderr
	out, err := made.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Start(); err != nil {
		t.Fatal(err)
	}
	documents := make(chan list, 1000)
	go func() {
		defer close(documents)
		reader := bufio.NewReaderSize(out, 1<<20)
		for {
			line, err := reader.ReadBytes('\n')
			if err != nil {
				return
			}
			var read list
			if err := json.Unmarshal(line, &read); err != nil {
				t.Errorf("%v in %s", err, line)
			}
			documents <- read
		}
	}()
	t.Cleanup(func() {
		_ = made.Process.Signal(syscall.SIGTERM)
		_ = made.Wait()
		if code := made.ProcessState.ExitCode(); code != 130 {
			t.Errorf("exit code %d after SIGTERM, want 130", code)
		}
	})
	return documents
}

// watcher reads documents, and holds each of them to the sum.
type watcher struct {
	t         *testing.T
	documents <-chan list
	last      summary
	count     int
}

// until reads on until the summary is as it shall be.
func (w *watcher) until(what string, is func(summary) bool) {
	w.t.Helper()
	limit := time.After(patience)
	for w.count == 0 || !is(w.last) {
		select {
		case read, more := <-w.documents:
			if !more {
				w.t.Fatalf("%s: the output ended", what)
			}
			w.count++
			checkIdentity(w.t, read.Summary)
			w.last = read.Summary
		case <-limit:
			w.t.Fatalf("%s: not seen in %d documents; the last says %+v", what, w.count, w.last)
		}
	}
}

// TestWatchIdentity: after each event every document's parts are what its nodes cost.
func TestWatchIdentity(t *testing.T) {
	for _, view := range []string{"nodes", "pods", "namespaces"} {
		t.Run(view, func(t *testing.T) { watchView(t, view, "watch-"+view) })
	}
}

func watchView(t *testing.T, view, name string) {
	if err := scenario.CreateNamespace(t.Context(), client, name); err != nil {
		t.Fatal(err)
	}
	made := &scenario.Scenario{Nodes: []scenario.Node{node(name, "8", "p5.48xlarge", "NVIDIA-H100-80GB-HBM3", nil)}}
	if err := made.Add(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	defer must(t, "delete", "node", name)
	w := &watcher{t: t, documents: watched(t, view)}
	w.until("a first document", func(summary) bool { return true })
	first := w.last
	change := func(part func(summary) float64, hours float64) func(summary) bool {
		return func(now summary) bool { return math.Abs(part(now)-part(first)-hours*h100) < 1e-4 }
	}
	held, free := summary.held, func(of summary) float64 { return of.Unallocated.Free }

	s := newScene(t, name, name, 3, nil)
	w.until("3 GPUs held", change(held, 3))
	pod := s.wait("running", 1, isRunning)[0]
	cordon(t, name, true)
	w.until("5 GPUs cordoned", func(now summary) bool {
		return change(free, -8)(now) && change(func(of summary) float64 { return of.Unallocated.Cordoned }, 5)(now)
	})
	cordon(t, name, false)
	w.until("5 GPUs free again", change(free, -3))
	s.end(&pod, "succeed")
	w.until("all free again", change(free, 0))
	t.Logf("%d documents", w.count)
}

func cordon(t *testing.T, node string, is bool) {
	t.Helper()
	patch := fmt.Sprintf(`{"spec":{"unschedulable":%t}}`, is)
	if _, err := client.CoreV1().Nodes().Patch(t.Context(), node, types.MergePatchType, []byte(patch), v1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}
