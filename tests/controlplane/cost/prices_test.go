package cost

import (
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// Built-in prices of instance types, by capacity type.
func TestNodePrices(t *testing.T) {
	for name, want := range map[string]struct {
		hour                     float64
		gpus                     int64
		isEstimate, isUpperBound bool
	}{
		"paid-h100":  {hour: 55.04, gpus: 8},
		"paid-t4":    {hour: 0.526, gpus: 1},
		"paid-spot":  {hour: 23.4532, gpus: 8, isEstimate: true}, // a median of the zones
		"paid-bound": {hour: 0.526, gpus: 1, isUpperBound: true}, // spot, and nobody says for how much
	} {
		t.Run(name, func(t *testing.T) {
			got := ask(t, cluster.Ordinary, "nodes").one(t, "", name)
			if got.Hour == nil || !near(*got.Hour, want.hour) || got.GPUs != want.gpus {
				t.Errorf("%v $/h for %d GPUs, want %v for %d", value(got.Hour), got.GPUs, want.hour, want.gpus)
			}
			if value(got.Source) != "table" || got.IsEstimate != want.isEstimate || got.IsUpperBound != want.isUpperBound {
				t.Errorf("source %s, estimate %t, upper bound %t", value(got.Source), got.IsEstimate, got.IsUpperBound)
			}
		})
	}
}

// A node of a type that nobody knows has no price, and the sums are without it.
func TestUnknownPrice(t *testing.T) {
	read := ask(t, cluster.Ordinary, "nodes")
	got := read.one(t, "", "paid-unknown")
	if got.Hour != nil || got.GPUs != 2 {
		t.Errorf("%v $/h for %d GPUs, want null for 2", *got.Hour, got.GPUs)
	}
	if read.Summary.UnpricedNodes != 1 {
		t.Errorf("%d nodes without a price, want 1", read.Summary.UnpricedNodes)
	}
	checkIdentity(t, read.Summary)
}

// checkIdentity: all that GPU nodes cost is held by somebody, or lies about for a reason.
func checkIdentity(t *testing.T, of summary) {
	t.Helper()
	if !near(of.Nodes, of.sum()) {
		t.Errorf("nodes cost %.9f, the parts are %.9f: %+v", of.Nodes, of.sum(), of)
	}
}
