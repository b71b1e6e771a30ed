package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// run runs our program and returns what it wrote.
func run(t *testing.T, user string, args ...string) (stdout, stderr string) {
	t.Helper()
	binary := os.Getenv("KUBECTL_GPU_BIN")
	if binary == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: it names the kubectl-gpu to test")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, args...)
	command.Env = []string{"KUBECONFIG=" + shared.cluster.Kubeconfig(user), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	var exit *exec.ExitError
	if err := command.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 0) {
		t.Fatalf("kubectl-gpu %q: %v; stderr:\n%s", args, err, complaints.String())
	}
	return out.String(), complaints.String()
}

type gpuRow struct {
	Node, UUID, MigInstance, State, UtilizationSource, OwnerEvidence, Model string
	Index                                                                   *int64
	Units                                                                   int64
	Utilization, PowerWatts, TemperatureCelsius                             *float64
	MemoryUsedBytes, MemoryTotalBytes                                       *int64
	SampleAgeSeconds                                                        *float64
	Pods                                                                    []struct{ Namespace, Name, Container string }
	Unmanaged                                                               bool
}

func (r gpuRow) holders() (names []string) {
	for _, pod := range r.Pods {
		names = append(names, pod.Namespace+"/"+pod.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

type nodeRow struct {
	Name, Resource                    string
	Utilization, PowerWatts           *float64
	MemoryUsedBytes, MemoryTotalBytes *int64
}

type podRow struct {
	Namespace, Name string
	GPUs            int64
	Utilization     *float64
	MemoryUsedBytes *int64
	Idle            *bool
}

type gap struct{ What, Why, Help string }

func decode[Row any](t *testing.T, text string) (rows []Row, gaps []gap) {
	t.Helper()
	var answer struct {
		Items []Row
		Gaps  []gap
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return answer.Items, answer.Gaps
}

func same(have, want *float64) bool {
	return (have == nil) == (want == nil) && (have == nil || math.Abs(*have-*want) < 0.0006)
}

func text(value *float64) string {
	if value == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.4f", *value)
}

const mib = 1 << 20

// checkDevices holds rows of `top gpus` against what is true.
func checkDevices(t *testing.T, rows []gpuRow) {
	t.Helper()
	for _, p := range shared.places {
		units := int64(0)
		found := map[string]gpuRow{}
		for _, row := range rows {
			if row.Node != p.name {
				continue
			}
			units += row.Units
			if row.UUID != "" {
				found[row.UUID+"/"+row.MigInstance] = row
			} else if row.Utilization != nil || row.PowerWatts != nil {
				t.Errorf("%s: use of a device without a name: %+v", p.name, row)
			}
		}
		if units != int64(p.units) {
			t.Errorf("%s: %d units, want %d", p.name, units, p.units)
		}
		for _, d := range p.devices {
			row, exists := found[d.uuid+"/"+d.instance]
			delete(found, d.uuid+"/"+d.instance)
			if !exists {
				t.Errorf("%s: %s %s: missing", p.name, d.uuid, d.instance)
				continue
			}
			if !same(row.Utilization, d.util) || row.UtilizationSource != d.source {
				t.Errorf("%s: %s: use %s by %q, want %s by %q", p.name, d.uuid, text(row.Utilization), row.UtilizationSource, text(d.util), d.source)
			}
			if row.MemoryUsedBytes == nil || *row.MemoryUsedBytes != int64(d.usedMiB)*mib {
				t.Errorf("%s: %s: memory %v, want %d MiB", p.name, d.uuid, row.MemoryUsedBytes, d.usedMiB)
			}
			if !slices.Equal(row.holders(), d.pods) || row.OwnerEvidence != d.evidence || row.State != d.state {
				t.Errorf("%s: %s: %q held by %v (%s), want %q by %v (%s)", p.name, d.uuid, row.State, row.holders(), row.OwnerEvidence,
					d.state, d.pods, d.evidence)
			}
			if row.SampleAgeSeconds == nil || *row.SampleAgeSeconds > 30 {
				t.Errorf("%s: %s: sample age %s", p.name, d.uuid, text(row.SampleAgeSeconds))
			}
		}
		if len(p.devices) > 0 {
			for key := range found {
				t.Errorf("%s: %s: there is no such device", p.name, key)
			}
		}
	}
}

func checkNodes(t *testing.T, rows []nodeRow, gaps []gap) {
	t.Helper()
	byName := map[string]nodeRow{}
	for _, row := range rows {
		byName[row.Name] = row
	}
	said := fmt.Sprint(gaps)
	for _, p := range shared.places {
		row := byName[p.name]
		if !same(row.Utilization, p.use) {
			t.Errorf("%s: use %s, want %s", p.name, text(row.Utilization), text(p.use))
		}
		// Many nodes without metrics are one gap, which names the first.
		folded := strings.Contains(said, "no metrics from 5 nodes (lu-500, ") && len(p.devices) == 0
		if p.mentioned != "" && !strings.Contains(said, p.mentioned) && !folded {
			t.Errorf("%s: no gap mentions %q: %+v", p.name, p.mentioned, gaps)
		}
	}
	// One card of two instances: its power counts once, however often the text says it.
	if power := byName["lu-mig"].PowerWatts; power == nil || math.Abs(*power-188.5) > 0.1 {
		t.Errorf("lu-mig: power %s, want 188.5", text(power))
	}
	if used := byName["lu-copied"].MemoryUsedBytes; used == nil || *used != 9120*mib {
		t.Errorf("lu-copied: memory %v, want 9120 MiB once", used)
	}
}

func checkPods(t *testing.T, rows []podRow) {
	t.Helper()
	have := map[string]podRow{}
	for _, row := range rows {
		have[row.Name] = row
	}
	mean := func(cards []card, pod string) *float64 {
		sum, count := 0.0, 0
		for _, c := range cards {
			if c.pod == pod {
				sum, count = sum+float64(c.util)/100, count+1
			}
		}
		return ratio(sum / float64(count))
	}
	wholeCards := busy("lu-whole", "live/train-0", "live/train-0", "live/eval-0", "live/train-0", "", "")
	want := map[string]*float64{
		"train-0": mean(wholeCards, "live/train-0"), "eval-0": mean(wholeCards, "live/eval-0"), "all-0": ratio(0.875), "stale-0": ratio(0.91),
		"infer-0": nil, "mig-0": ratio(0.25), "mig-1": ratio(0.75),
		// The card's 71 % is no pod's own.
		"lu-copied-0": nil, "lu-copied-1": nil, "lu-copied-2": nil,
		"lu-own-0": ratio(0.5), "lu-own-1": ratio(0.2), "lu-own-2": ratio(0),
	}
	for name, use := range want {
		if row, exists := have[name]; !exists || !same(row.Utilization, use) {
			t.Errorf("%s (%t): use %s, want %s", name, exists, text(row.Utilization), text(use))
		}
	}
	if idle := have["lu-own-2"].Idle; idle == nil || !*idle {
		t.Errorf("lu-own-2 is idle, and not said to be")
	}
}

func checkAll(t *testing.T, args ...string) {
	t.Helper()
	views := func(view string) string {
		out, _ := run(t, cluster.Admin, append([]string{"top", view, "-o", "json"}, args...)...)
		return out
	}
	gpus, _ := decode[gpuRow](t, views("gpus"))
	checkDevices(t, gpus)
	nodes, gaps := decode[nodeRow](t, views("nodes"))
	checkNodes(t, nodes, gaps)
	pods, _ := decode[podRow](t, views("pods"))
	checkPods(t, pods)
}

func TestExporters(t *testing.T) {
	before := time.Now()
	checkAll(t, "--metrics", "exporter")
	// One is slow: it costs its 5 s in each of three views, and no more.
	if took := time.Since(before); took > 40*time.Second {
		t.Errorf("three views took %s", took)
	}
}

// waitForPrometheus waits until it has scraped all, twice.
func waitForPrometheus(t *testing.T) {
	t.Helper()
	time.Sleep(4 * time.Second)
}

func TestPrometheus(t *testing.T) {
	waitForPrometheus(t)
	t.Run("found", func(t *testing.T) {
		checkAll(t, "--metrics", "prometheus", "--prometheus-service", monitoring+"/prometheus-k8s:9090")
	})
	t.Run("honours labels", func(t *testing.T) {
		checkAll(t, "--metrics", "prometheus", "--prometheus-service", monitoring+"/honors-labels:web")
	})
	t.Run("by address", func(t *testing.T) {
		checkAll(t, "--metrics", "prometheus", "--prometheus-url", "http://"+shared.net.Address(len(shared.places))+":9090")
	})
	t.Run("discovered", func(t *testing.T) { checkAll(t, "--metrics", "prometheus") })
}

// A snapshot carries raw samples: all views say the same from it.
func TestSnapshot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cluster.json.gz")
	run(t, cluster.Admin, "snapshot", file, "--metrics", "exporter")
	checkAll(t, "--from", file)
}

// Someone without pods/proxy sees no use, and is told what is missing.
func TestForbidden(t *testing.T) {
	out, _ := run(t, cluster.Ordinary, "top", "nodes", "-o", "json", "--metrics", "exporter")
	rows, gaps := decode[nodeRow](t, out)
	for _, row := range rows {
		if row.Utilization != nil {
			t.Errorf("%s: use %s of somebody who may not ask", row.Name, text(row.Utilization))
		}
	}
	if said := fmt.Sprint(gaps); !strings.Contains(said, "pods/proxy") || !strings.Contains(said, "get") {
		t.Errorf("no gap says which verb on which resource is missing: %+v", gaps)
	}
}
