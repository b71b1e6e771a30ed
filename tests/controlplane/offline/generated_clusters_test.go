package offline

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	core "k8s.io/api/core/v1"

	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/judge"
)

const clusters = 300

// folder writes the cluster in one of the two ways in which people have it.
func folder(t *testing.T, seed uint64, cluster generate.Cluster) string {
	t.Helper()
	files := map[string][]byte{"cluster.json": generate.List(append(slices.Clone(cluster.Nodes), cluster.Pods...)...)}
	if seed%4 > 1 {
		files = map[string][]byte{"1.json": generate.List(cluster.Pods...), "2.json": generate.List(cluster.Nodes...)}
	}
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stride is 1, or more for a program that starts slowly because sanitizers are in it: the clusters
// need thousands of runs.
func stride(t *testing.T) uint64 {
	t.Helper()
	fastest := time.Hour
	for range 5 {
		start := time.Now()
		run(t, "top", "--help")
		fastest = min(fastest, time.Since(start))
	}
	if fastest < 20*time.Millisecond {
		return 1
	}
	return 25
}

// TestGeneratedClusters holds each cluster's rows against the judge, and against what must be true
// of any rows, in every form and under every filter. The costly half is done on every fourth.
func TestGeneratedClusters(t *testing.T) {
	step := stride(t)
	var rows, judged atomic.Int64
	t.Run("all", func(t *testing.T) {
		for seed := uint64(0); seed < clusters; seed += step {
			t.Run(fmt.Sprint("seed-", seed), func(t *testing.T) {
				t.Parallel()
				cluster := generate.RandomCluster(seed)
				// Without a pod, a List does not say that there are none.
				if len(cluster.Pods) == 0 {
					cluster.Pods = []generate.Doc{{"apiVersion": "v1", "kind": "Pod", "metadata": generate.Doc{"name": "p", "namespace": "d"}}}
				}
				path := folder(t, seed, cluster)
				encoded := text(t, path, "-o", "json")
				all := decoded[answer](t, encoded)
				rows.Add(int64(len(all.Items)))
				checkRows(t, all.Items)
				checkTotals(t, all)
				judged.Add(checkJudged(t, cluster, rowsOf(t, all)))
				checkForms(t, path, encoded, all, seed/step%2 == 0)
				checkSorted(t, path, all)
				checkNames(t, path, cluster, all)
				if seed/step%4 == 0 {
					checkResourceFilters(t, path, all)
					checkModelFilters(t, path, all)
				}
			})
		}
	})
	if rows.Load() < 1500/int64(step) || judged.Load() < 1000/int64(step) {
		t.Errorf("only %d rows, of which %d were judged: the generator has dried up", rows.Load(), judged.Load())
	}
	t.Logf("%d clusters, %d rows, %d of them judged", (clusters+step-1)/step, rows.Load(), judged.Load())
}

// totalOf is what there is of a row: nothing for a node of which nobody says how much.
func totalOf(row item) *int64 {
	if row.Allocated == nil || row.Free == nil || row.Unavailable == nil {
		return nil
	}
	sum := *row.Allocated + *row.Free + *row.Unavailable
	return &sum
}

func checkRows(t *testing.T, items []item) {
	t.Helper()
	order := func(a, b item) int {
		return slices.Compare([]string{a.Name, a.Resource}, []string{b.Name, b.Resource})
	}
	if !slices.IsSortedFunc(items, order) {
		t.Error("rows are not in order of node and resource")
	}
	for _, row := range items {
		sum := totalOf(row)
		if row.Allocated == nil || row.Free == nil || *row.Allocated < 0 || *row.Free < 0 {
			t.Errorf("%s %s: allocated %v, free %v", row.Name, row.Resource, number(row.Allocated), number(row.Free))
			continue
		}
		if sum == nil && (row.Capacity != 0 || *row.Free != 0) {
			t.Errorf("%s %s: unavailable is unknown, but not capacity %d", row.Name, row.Resource, row.Capacity)
		}
		// Of a name that was given up, of which nothing is allocatable, there is what pods hold still.
		least := max(row.Capacity, row.Allocatable, *row.Allocated)
		if sum != nil && row.Allocatable == 0 && *row.Allocated > 0 && *sum == *row.Allocated {
			least = *row.Allocated
		}
		if sum != nil && (*row.Unavailable < 0 || *sum < least) {
			t.Errorf("%s %s: %d in all, of which %d unavailable; capacity %d, allocatable %d, allocated %d", row.Name, row.Resource,
				*sum, *row.Unavailable, row.Capacity, row.Allocatable, *row.Allocated)
		}
		if *row.Free > max(0, row.Allocatable-*row.Allocated) {
			t.Errorf("%s %s: %d free of %d allocatable, %d allocated", row.Name, row.Resource, *row.Free, row.Allocatable, *row.Allocated)
		}
		if lost := row.Unavailable == nil || *row.Unavailable > 0; lost != (row.UnavailableReason != nil) {
			t.Errorf("%s %s: unavailable %v with the wrong reason", row.Name, row.Resource, number(row.Unavailable))
		}
	}
}

var slice = regexp.MustCompile(`\dg\.\d+gb`)

// kindOf says with which rows a row may be added up, told from the row alone.
func kindOf(row item) string {
	domain, name, _ := strings.Cut(row.Resource, "/")
	isSlice := strings.HasPrefix(name, "mig-") || domain == "nvidia.com" && row.Model != nil && slice.MatchString(*row.Model)
	switch {
	case isSlice && row.Sharing.Strategy == "none":
		return "MIG"
	case isSlice:
		return "MIG shares"
	case strings.Contains(name, "_nps"):
		return "Partitions"
	case strings.HasPrefix(name, "GRID_"):
		return "vGPUs"
	case name == "neuroncore":
		return "Neuron cores"
	case name == "neurondevice":
		return "Neuron devices"
	case row.Sharing.Strategy != "none":
		return "Shares"
	case domain == "google.com":
		return "TPUs"
	case domain == "aws.amazon.com":
		return "Neuron"
	}
	return "GPUs"
}

// checkTotals adds the rows up again.
func checkTotals(t *testing.T, answer answer) {
	t.Helper()
	want := map[string]total{}
	for _, row := range answer.Items {
		sum := want[kindOf(row)]
		if sum.Allocated == nil {
			sum = total{Kind: kindOf(row), Allocated: new(int64), Free: new(int64), Unavailable: new(int64)}
		}
		*sum.Allocated += *row.Allocated
		*sum.Free += *row.Free
		if all := totalOf(row); all != nil {
			sum.Total += *all
			*sum.Unavailable += *row.Unavailable
		} else {
			sum.NodesWithoutCount++
		}
		want[sum.Kind] = sum
	}
	have := map[string]total{}
	for _, each := range answer.Summary.Totals {
		have[each.Kind] = each
	}
	if len(have) != len(answer.Summary.Totals) || !reflect.DeepEqual(have, want) {
		t.Errorf("totals %s, want %s", asJSON(have), asJSON(want))
	}
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func heldOn(rows map[judge.Key]item, node string) bool {
	for key, row := range rows {
		if key.Node == node && *row.Allocated > 0 {
			return true
		}
	}
	return false
}

// checkJudged compares with the judge where it knows as much as the program, and tells on how many.
func checkJudged(t *testing.T, cluster generate.Cluster, have map[judge.Key]item) int64 {
	t.Helper()
	var nodes []core.Node
	var pods []core.Pod
	for _, doc := range cluster.Nodes {
		nodes = append(nodes, decoded[core.Node](t, asJSON(doc)))
	}
	for _, doc := range cluster.Pods {
		pods = append(pods, *upstreamPod(t, doc))
	}
	compared := int64(0)
	want := judge.Rows(nodes, pods)
	for key, row := range want {
		mine, exists := have[key]
		if row.Capacity == 0 && row.Allocatable == 0 && heldOn(have, key.Node) {
			continue // the plugin is gone, and pods hold devices still: open_test.go
		}
		if !exists {
			t.Errorf("%v: missing; want %s", key, asJSON(row))
			continue
		}
		if mine.Capacity != row.Capacity || mine.Allocatable != row.Allocatable || *mine.Allocated != row.Allocated {
			t.Errorf("%v: %s, want %s", key, asJSON(mine), asJSON(row))
		}
		if cluster.Beyond[key.Node] {
			continue
		}
		compared++
		if *mine.Free != row.Free || !reflect.DeepEqual(mine.Unavailable, row.Unavailable) {
			t.Errorf("%v: %s, want %s", key, asJSON(mine), asJSON(row))
		}
	}
	for key := range have {
		if _, exists := want[key]; !exists {
			t.Errorf("%v: shall not be there", key)
		}
	}
	return compared
}
