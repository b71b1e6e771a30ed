package controlplane

import (
	"context"
	"fmt"
	"regexp"
	"testing"
	"time"

	core "k8s.io/api/core/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/judge"
	"kubectl-gpu/tests/controlplane/internal/place"
	"kubectl-gpu/tests/controlplane/internal/views"
)

// So many generated clusters live at once, so often.
const (
	batches        = 5
	clustersAtOnce = 100
)

// TestGeneratedFreeIsStartable: on 500 clusters of every kind, the real scheduler binds a pod for each
// unit that is free, at the same time, and none more. What is free, held and lost are the judge's
// figures, too, and all views agree.
func TestGeneratedFreeIsStartable(t *testing.T) {
	bound, refused := 0, 0
	for batch := range batches {
		start := time.Now()
		var clusters []*generate.Kinds
		for i := range clustersAtOnce {
			seed := uint64(batch*clustersAtOnce + i)
			made := generate.RandomKinds(seed, fmt.Sprintf("g%d", seed))
			if err := made.Allocate(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			clusters = append(clusters, made)
		}
		more, less := tryBatch(t, batch, clusters)
		bound, refused = bound+more, refused+less
		t.Logf("batch %d: %d bound, %d refused, %v", batch, more, less, time.Since(start).Round(time.Second))
	}
	if bound < 1500 || refused < 1000 {
		t.Errorf("only %d pods bound and %d refused: the generator has dried up", bound, refused)
	}
}

// tryBatch puts the clusters into the control plane, compares, fills them up, and takes them away.
func tryBatch(t *testing.T, batch int, clusters []*generate.Kinds) (bound, refused int) {
	t.Helper()
	api := client(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	defer func() {
		cleaning, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := place.Remove(cleaning, api, clusters); err != nil {
			t.Fatal(err)
		}
	}()
	if err := place.Create(ctx, api, clusters); err != nil {
		t.Fatal(err)
	}
	all, judged := quietViews(t, cluster.Admin)
	for _, sentence := range append(all.Disagreements(), all.Against(judged)...) {
		t.Errorf("seeds %d to %d: %s", batch*clustersAtOnce, (batch+1)*clustersAtOnce-1, sentence)
	}
	rounds, more := plan(judged, freeOf(t, all))
	for i, round := range rounds {
		if err := place.Try(ctx, api, fmt.Sprintf("try-%d-%d", batch, i), round, place.UntilBound); err != nil {
			t.Errorf("batch %d: %v", batch, err)
		}
		for _, trial := range round {
			if !trial.Bound {
				t.Errorf("seed %s: said to be free, and not to be had: %s", place.Seed(trial.Node.Name), &trial)
			}
		}
		bound += len(round)
	}
	if err := place.Try(ctx, api, fmt.Sprintf("more-%d", batch), more, place.UntilVerdict); err != nil {
		t.Errorf("batch %d: %v", batch, err)
	}
	for _, trial := range more {
		if trial.Bound {
			t.Errorf("seed %s: one more than is free was to be had: %s", place.Seed(trial.Node.Name), &trial)
		}
	}
	return bound, len(more)
}

// generated are names of nodes of generated clusters.
var generated = regexp.MustCompile(`^g\d+-n\d+$`)

// freeOf is what top says.
func freeOf(t *testing.T, all *views.Views) map[judge.Key]int64 {
	t.Helper()
	free := map[judge.Key]int64{}
	for _, row := range all.Nodes.Items {
		if row.Free == nil {
			t.Errorf("%s %s: free is null, though all was seen", row.Name, row.Resource)
			continue
		}
		free[judge.Key{Node: row.Name, Resource: row.Resource}] += *row.Free
	}
	return free
}

// plan puts together those of all generated nodes.
func plan(judged *judge.World, free map[judge.Key]int64) (rounds [][]place.Trial, more []place.Trial) {
	pools, slots := map[string][]place.Pool{}, map[string]int64{}
	order := judged.Order()
	for _, key := range sortedKeys(free) {
		pools[key.Node] = append(pools[key.Node], place.Pool{Key: key, Free: free[key], Order: order[key]})
	}
	for i := range judged.Pods {
		pod := &judged.Pods[i]
		if pod.Status.Phase != core.PodSucceeded && pod.Status.Phase != core.PodFailed {
			slots[pod.Spec.NodeName]--
		}
	}
	for i := range judged.Nodes {
		node := &judged.Nodes[i]
		if len(pools[node.Name]) == 0 || !generated.MatchString(node.Name) {
			continue
		}
		left := slots[node.Name] + node.Status.Allocatable.Pods().Value()
		ofNode, extra := place.Plan(node, pools[node.Name], left)
		for i, round := range ofNode {
			if i == len(rounds) {
				rounds = append(rounds, nil)
			}
			rounds[i] = append(rounds[i], round...)
		}
		more = append(more, extra...)
	}
	return rounds, more
}
