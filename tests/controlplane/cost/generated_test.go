package cost

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/place"
)

// So many generated clusters of every kind of GPU live at once, so often.
const (
	batches        = 3
	clustersAtOnce = 10
)

// TestGeneratedIdentity: on 30 clusters of every kind of GPU, most with a price, what the nodes cost is the
// sum of its parts in the summary, of the nodes, and of the pods; in every mode.
func TestGeneratedIdentity(t *testing.T) {
	held := 0.0
	for batch := range batches {
		t.Run(fmt.Sprint("batch-", batch), func(t *testing.T) { held += checkBatch(t, batch) })
	}
	if held < 100 {
		t.Errorf("only %.2f $ an hour are held: the generator has dried up", held)
	}
}

// checkBatch returns what pods hold in the share mode.
func checkBatch(t *testing.T, batch int) float64 {
	clusters := made(t, batch)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	defer func() {
		cleaning, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := place.Remove(cleaning, client, clusters); err != nil {
			t.Fatal(err)
		}
	}()
	if err := place.Create(ctx, client, clusters); err != nil {
		t.Fatal(err)
	}
	held := 0.0
	for i, mode := range modes {
		sums := checkSums(t, mode)
		t.Logf("%v: %.4f $/h, of which %.4f held, %.4f unknown, host %.4f, %d nodes without a price", mode,
			sums.Nodes, sums.held(), sums.Unknown, sums.Host, sums.UnpricedNodes)
		if i == 0 {
			held = sums.held()
		}
	}
	return held
}

// modes are the ways to charge.
var modes = [][]string{nil, {"--whole-node"}, {"--split", "opencost"}, {"--mig-by", "larger"}, {"--price", "2.5"}}

// instances have a price or none, and labels of what they are.
var instances = []string{"p5.48xlarge", "g4dn.xlarge", "g2-standard-4", "Standard_NC24ads_A100_v4", "p4d.24xlarge", "made-up", ""}

// made are the clusters of a batch, whose nodes are of a cloud.
func made(t *testing.T, batch int) []*generate.Kinds {
	t.Helper()
	var clusters []*generate.Kinds
	for i := range clustersAtOnce {
		seed := uint64(batch*clustersAtOnce + i)
		one := generate.RandomKinds(seed, fmt.Sprintf("g%d", seed))
		if err := one.Allocate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		random := rand.New(rand.NewPCG(seed, 5))
		for _, each := range one.Nodes {
			label(each["metadata"].(generate.Doc)["labels"].(generate.Doc), random)
		}
		clusters = append(clusters, one)
	}
	return clusters
}

func label(labels generate.Doc, random *rand.Rand) {
	if instance := instances[random.IntN(len(instances))]; instance != "" {
		labels["node.kubernetes.io/instance-type"] = instance
		labels["topology.kubernetes.io/region"] = []string{"us-east-1", "us-central1", "eastus", "nowhere-1"}[random.IntN(4)]
	}
	if random.IntN(4) == 0 {
		labels["karpenter.sh/capacity-type"] = "spot"
	}
}

// checkSums compares the views in one mode, and returns what all of them say of the cluster.
func checkSums(t *testing.T, mode []string) summary {
	t.Helper()
	nodes, pods := ask(t, cluster.Ordinary, append([]string{"nodes"}, mode...)...), ask(t, cluster.Ordinary, append([]string{"pods"}, mode...)...)
	checkIdentity(t, nodes.Summary)
	if nodes.Summary != pods.Summary {
		t.Errorf("%v: the cluster moved, or views differ:\n%+v\n%+v", mode, nodes.Summary, pods.Summary)
	}
	all, held := 0.0, parts{}
	for _, each := range nodes.Items {
		all += value(each.Hour)
		held.add(each)
		checkNode(t, each, nodes.Summary.Host > 0)
	}
	if !near(all, nodes.Summary.Nodes) || !near(held.sum(), nodes.Summary.held()) {
		t.Errorf("%v: the nodes' items are %.9f, of which %.9f held, the summary says %.9f and %.9f",
			mode, all, held.sum(), nodes.Summary.Nodes, nodes.Summary.held())
	}
	checkPods(t, nodes.Items, pods.Items)
	return nodes.Summary
}

// parts are of what is held.
type parts struct{ busy, idle, unknown float64 }

func (p *parts) add(each item) {
	p.busy += value(each.Busy)
	p.idle += value(each.Idle)
	p.unknown += value(each.Unknown)
}

func (p *parts) sum() float64 { return p.busy + p.idle + p.unknown }

// checkNode: the same sum for each node. What CPU and memory cost is not among an item's parts.
func checkNode(t *testing.T, each item, hasHost bool) {
	t.Helper()
	var held parts
	held.add(each)
	sum := held.sum() + value(each.Unallocated).sum()
	if !near(value(each.Hour), sum) && !(hasHost && sum < value(each.Hour)) {
		t.Errorf("node %s costs %.9f, its parts are %.9f", value(each.Name), value(each.Hour), sum)
	}
}

// checkPods: pods hold what their nodes say is held. On few nodes more is perhaps held, whose use is unknown.
func checkPods(t *testing.T, nodes, pods []item) {
	t.Helper()
	on := map[string]*parts{}
	for _, each := range pods {
		var held parts
		held.add(each)
		if !near(value(each.Hour), held.sum()) {
			t.Errorf("%s/%s costs %.9f, its parts are %.9f", value(each.Namespace), value(each.Name), value(each.Hour), held.sum())
		}
		node := value(each.Node)
		if on[node] == nil {
			on[node] = &parts{}
		}
		on[node].add(each)
	}
	perhaps := 0
	for _, each := range nodes {
		var node, held parts
		node.add(each)
		if found := on[value(each.Name)]; found != nil {
			held = *found
		}
		more := node.unknown - held.unknown
		if !near(node.busy, held.busy) || !near(node.idle, held.idle) || more < -1e-6 {
			t.Errorf("node %s: pods hold %+v, it says %+v", value(each.Name), held, node)
		}
		if more > 1e-6 {
			perhaps++
		}
	}
	if perhaps*5 > len(nodes) {
		t.Errorf("on %d nodes of %d more is perhaps held", perhaps, len(nodes))
	}
}
