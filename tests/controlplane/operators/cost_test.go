//go:build operators

package operators

import (
	"context"
	"encoding/json"
	"math"
	"os/exec"
	"testing"

	core "k8s.io/api/core/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// costs is a CostList, as far as it is looked at here.
type costs struct {
	Items []struct {
		Name         string
		GPUs         int64
		Pods         int64
		FinishedPods int64
		UsdPerHour   *float64
		UsdTotal     *float64
		GPUHours     *float64
		PriceSource  string
		IsUpperBound bool
	}
}

func cost(ctx context.Context, t *testing.T, words ...string) costs {
	t.Helper()
	words = append([]string{"cost", "-o", "json", "--metrics", "none", "--kubeconfig", shared.Kubeconfig(cluster.Admin)}, words...)
	out, err := exec.CommandContext(ctx, program(t), words...).Output()
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	var read costs
	if err := json.Unmarshal(out, &read); err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	return read
}

// checkCost: what controllers made of one object is one row, of all its pods with GPUs.
func (w wanted) checkCost(ctx context.Context, t *testing.T, namespace string) {
	t.Helper()
	const price = 3.0
	rows := cost(ctx, t, "--by", "owner", "-n", namespace, "--price", "3")
	if len(rows.Items) != 1 {
		t.Errorf("%d rows of cost, want 1: %+v", len(rows.Items), rows.Items)
		return
	}
	row := rows.Items[0]
	if row.Pods+row.FinishedPods != int64(w.pods) || row.GPUs != row.Pods*w.gpus {
		t.Errorf("%d GPUs of %d pods, %d pods finished, want %d in all", row.GPUs, row.Pods, row.FinishedPods, w.pods)
	}
	if row.UsdPerHour == nil || math.Abs(*row.UsdPerHour-float64(row.GPUs)*price) > 1e-6 {
		t.Errorf("%+v: its hour is not that of its pods", row)
	}
	if row.UsdTotal == nil || row.GPUHours == nil || math.Abs(*row.UsdTotal-*row.GPUHours*price) > 1e-4 {
		t.Errorf("%+v: its total is not that of its GPU hours", row)
	}
}

// karpenterPrices are the offerings of instanceTypes, which the provider writes on each node.
var karpenterPrices = map[string]map[string]float64{
	"h100.large":   {"spot": 2, "on-demand": 4},
	"h100.8xlarge": {"spot": 16, "on-demand": 32},
}

// checkPrices: a node that came from zero costs what was asked for its type and capacity.
func checkPrices(ctx context.Context, t *testing.T, nodes []core.Node) {
	t.Helper()
	for _, node := range nodes {
		want := karpenterPrices[node.Labels[core.LabelInstanceTypeStable]][node.Labels["karpenter.sh/capacity-type"]]
		rows := cost(ctx, t, "nodes", node.Name)
		if len(rows.Items) != 1 {
			t.Errorf("%d rows of %s", len(rows.Items), node.Name)
			continue
		}
		row := rows.Items[0]
		if row.UsdPerHour == nil || *row.UsdPerHour != want || row.PriceSource != "annotation" || row.IsUpperBound {
			t.Errorf("%s costs %+v, want %v; its labels are %v", node.Name, row, want, node.Labels)
		}
	}
}
