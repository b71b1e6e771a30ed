package controlplane

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/judge"
	"kubectl-gpu/tests/controlplane/internal/views"
)

// none stands for null in the table below.
const none = -1

// kindsRows says what each node of scenarios/kinds.yaml has, in numbers that people worked out.
var kindsRows = map[judge.Key]struct {
	unit, strategy        string
	cards                 int64
	total, held, free     int64
	secondView, fromClaim bool
}{
	{Node: "k-mig-single", Resource: "nvidia.com/gpu"}:               {unit: "mig", strategy: "none", cards: 2, total: 14, held: 5, free: 9},
	{Node: "k-mig-mixed", Resource: "nvidia.com/mig-1g.10gb"}:        {unit: "mig", strategy: "none", cards: none, total: 7, held: 3, free: 4},
	{Node: "k-mig-mixed", Resource: "nvidia.com/mig-3g.40gb"}:        {unit: "mig", strategy: "none", cards: none, total: 2, held: 2},
	{Node: "k-mig-beside", Resource: "nvidia.com/gpu"}:               {unit: "gpu", strategy: "none", cards: 6, total: 6, held: 2, free: 4},
	{Node: "k-mig-beside", Resource: "nvidia.com/mig-1g.10gb"}:       {unit: "mig", strategy: "none", cards: 2, total: 14, held: 3, free: 11},
	{Node: "k-mig-stale", Resource: "nvidia.com/mig-2g.20gb"}:        {unit: "mig", strategy: "none", cards: 2, total: 6, held: 2, free: 4},
	{Node: "k-mig-shared", Resource: "nvidia.com/mig-1g.5gb.shared"}: {unit: "mig-share", strategy: "time-slicing", cards: 1, total: 28, held: 3, free: 25},
	{Node: "k-sliced", Resource: "nvidia.com/gpu"}:                   {unit: "share", strategy: "time-slicing", cards: 4, total: 40, held: 6, free: 34},
	{Node: "k-sliced-renamed", Resource: "nvidia.com/gpu.shared"}:    {unit: "share", strategy: "time-slicing", cards: 4, total: 16, held: 3, free: 13},
	{Node: "k-mps", Resource: "nvidia.com/gpu"}:                      {unit: "share", strategy: "mps", cards: 2, total: 8, held: 8},
	{Node: "k-lie-count", Resource: "nvidia.com/gpu"}:                {unit: "gpu", strategy: "none", cards: 8, total: 8, held: 1, free: 3},
	{Node: "k-lie-replicas", Resource: "nvidia.com/gpu"}:             {unit: "share", strategy: "time-slicing", cards: none, total: 10, held: 1, free: 9},
	{Node: "k-lie-mig", Resource: "nvidia.com/gpu"}:                  {unit: "gpu", strategy: "none", cards: 8, total: 8, held: 5, free: 3},
	{Node: "k-lie-slices", Resource: "nvidia.com/gpu"}:               {unit: "gpu", strategy: "none", cards: 1, total: 1, free: 1},
	{Node: "k-lie-slices", Resource: "nvidia.com/mig-1g.10gb"}:       {unit: "mig", strategy: "none", cards: 1, total: 4, held: 1, free: 3},
	{Node: "k-hami", Resource: "nvidia.com/gpu"}:                     {unit: "share", strategy: "hami", cards: 2, total: 20, held: 3, free: 17},
	{Node: "k-volcano", Resource: "volcano.sh/vgpu-number"}:          {unit: "share", strategy: "volcano", cards: 2, total: 20, held: 2, free: 18},
	{Node: "k-gpushare", Resource: "aliyun.com/gpu-mem"}:             {unit: "gib", strategy: "gpushare", cards: 4, total: 60, held: 16, free: 44},
	{Node: "k-amd", Resource: "amd.com/gpu"}:                         {unit: "gpu", strategy: "none", cards: 8, total: 8, held: 8},
	{Node: "k-amd-single", Resource: "amd.com/gpu"}:                  {unit: "partition", strategy: "none", cards: 8, total: 64, held: 16, free: 48},
	{Node: "k-amd-mixed", Resource: "amd.com/cpx_nps4"}:              {unit: "partition", strategy: "none", cards: 8, total: 64, held: 8, free: 56},
	{Node: "k-i915", Resource: "gpu.intel.com/i915"}:                 {unit: "share", strategy: "shared", cards: 2, total: 20, held: 3, free: 17},
	{Node: "k-xe", Resource: "gpu.intel.com/xe"}:                     {unit: "gpu", strategy: "none", cards: 2, total: 2, held: 1, free: 1},
	{Node: "k-gaudi", Resource: "habana.ai/gaudi"}:                   {unit: "gpu", strategy: "none", cards: 8, total: 8, held: 5, free: 3},
	{Node: "k-tpu", Resource: "google.com/tpu"}:                      {unit: "tpu", strategy: "none", cards: 4, total: 4, held: 4},
	{Node: "k-neuron", Resource: "aws.amazon.com/neuron"}:            {unit: "neuron", strategy: "none", cards: 6, total: 6, held: 2, free: 4},
	{Node: "k-neuron", Resource: "aws.amazon.com/neuroncore"}:        {unit: "neuroncore", strategy: "none", cards: 6, total: 12, held: 3, free: 9, secondView: true},
	{Node: "k-neuron", Resource: "aws.amazon.com/neurondevice"}:      {unit: "neurondevice", strategy: "none", cards: 6, total: 6, free: 6, secondView: true},
	{Node: "k-dra-whole", Resource: "gpu.nvidia.com"}:                {unit: "gpu", strategy: "none", cards: 4, total: 4, held: 3, free: 1, fromClaim: true},
	{Node: "k-dra-mig", Resource: "gpu.nvidia.com"}:                  {unit: "gpu", strategy: "none", cards: 1, total: 1, free: 1, fromClaim: true},
	{Node: "k-dra-mig", Resource: "gpu.nvidia.com/mig-1g.10gb"}:      {unit: "mig", strategy: "none", cards: 1, total: 4, held: 3, free: 1, fromClaim: true},
	{Node: "k-dra-mig", Resource: "gpu.nvidia.com/mig-3g.40gb"}:      {unit: "mig", strategy: "none", cards: 1, total: 1, free: 1, fromClaim: true},
	{Node: "k-dra-cut", Resource: "gpu.nvidia.com"}:                  {unit: "gpu", strategy: "none", cards: 2, total: 2, free: 1, fromClaim: true},
	{Node: "k-dra-cut", Resource: "gpu.nvidia.com/mig-1g.20gb"}:      {unit: "mig", strategy: "none", cards: 1, total: 4, held: 1, free: 3, fromClaim: true},
	{Node: "k-dra-shared", Resource: "gpu.nvidia.com"}:               {unit: "share", strategy: "capacity", cards: 2, total: 8, held: 4, free: 4, fromClaim: true},
	{Node: "k-dra-tainted", Resource: "gpu.nvidia.com"}:              {unit: "gpu", strategy: "none", cards: 2, total: 2, free: 1, fromClaim: true},
	{Node: "k-dra-incomplete", Resource: "gpu.nvidia.com"}:           {unit: "gpu", strategy: "none", cards: 2, total: 2, fromClaim: true},
	{Node: "k-dra-mapped", Resource: "gpu.nvidia.com"}:               {unit: "gpu", strategy: "none", cards: 4, total: 4, held: 2, free: 2, fromClaim: true},
	{Node: "k-dra-cordoned", Resource: "gpu.nvidia.com"}:             {unit: "gpu", strategy: "none", cards: 2, total: 2, fromClaim: true},
	{Node: "k-dra-both", Resource: "nvidia.com/gpu"}:                 {unit: "gpu", strategy: "none", cards: 2, total: 2, held: 1, free: 1},
	{Node: "k-dra-both", Resource: "gpu.nvidia.com"}:                 {unit: "gpu", strategy: "none", cards: 2, total: 2, held: 1, free: 1, secondView: true, fromClaim: true},
}

// allViews asks the cluster for every view.
func allViews(t *testing.T, kubeconfig string) *views.Views {
	t.Helper()
	read, err := views.Read(func(view string) ([]byte, error) {
		stdout, stderr, code := runGPU(t, kubeconfig, "top", view, "-o", "json")
		if code != 0 {
			return nil, fmt.Errorf("exit code %d: %s", code, stderr)
		}
		return []byte(stdout), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// quietViews are all views of a cluster in which nothing moved meanwhile, and what the judge saw.
func quietViews(t *testing.T, user string) (*views.Views, *judge.World) {
	t.Helper()
	for range 5 {
		before := world(t)
		read := allViews(t, shared.Kubeconfig(user))
		after := world(t)
		if reflect.DeepEqual(before.Rows(), after.Rows()) && sameHoldings(before, after) {
			return read, after
		}
	}
	t.Fatal("the cluster does not come to rest")
	return nil, nil
}

func sameHoldings(one, other *judge.World) bool {
	count := func(world *judge.World) map[judge.Holding]int {
		seen := map[judge.Holding]int{}
		for _, holding := range world.Holdings() {
			seen[holding]++
		}
		return seen
	}
	return maps.Equal(count(one), count(other))
}

// All views of all scenarios agree with each other, and with figures from upstream's own code.
func TestEveryViewMatchesUpstream(t *testing.T) {
	load(t, "inventory.yaml")
	load(t, "kinds.yaml")
	for _, user := range []string{cluster.Admin, cluster.Ordinary} {
		all, judged := quietViews(t, user)
		if len(all.Nodes.Items) < 80 || len(all.Pods.Items) < 200 || len(all.Namespaces.Items) < 30 || len(all.GPUs.Items) < 150 {
			t.Fatalf("%s: %d rows of nodes, %d of pods, %d of namespaces, %d of devices: where is the rest?", user,
				len(all.Nodes.Items), len(all.Pods.Items), len(all.Namespaces.Items), len(all.GPUs.Items))
		}
		for _, sentence := range slices.Concat(all.Disagreements(), all.Against(judged)) {
			t.Errorf("%s: %s", user, sentence)
		}
	}
}

// Each kind of GPU reads as people worked it out.
func TestKinds(t *testing.T) {
	load(t, "kinds.yaml")
	have := map[judge.Key]views.Node{}
	for _, row := range allViews(t, shared.Kubeconfig(cluster.Ordinary)).Nodes.Items {
		if key := (judge.Key{Node: row.Name, Resource: row.Resource}); len(row.Name) > 2 && row.Name[:2] == "k-" {
			have[key] = row
		}
	}
	number := func(value *int64) int64 {
		if value == nil {
			return none
		}
		return *value
	}
	for key, want := range kindsRows {
		row, exists := have[key]
		if !exists {
			t.Errorf("%v: missing", key)
			continue
		}
		delete(have, key)
		source := "device-plugin"
		if want.fromClaim {
			source = "dra"
		}
		mine := []any{row.Unit, row.Sharing.Strategy, number(row.Cards), number(row.Allocated), number(row.Free), number(row.Unavailable), row.SecondView, row.Source}
		wanted := []any{want.unit, want.strategy, want.cards, want.held, want.free, want.total - want.held - want.free, want.secondView, source}
		if !reflect.DeepEqual(mine, wanted) {
			t.Errorf("%v: unit, sharing, cards, held, free, unavailable, second view, source:\nhave %v\nwant %v", key, mine, wanted)
		}
	}
	for key := range have {
		t.Errorf("%v: shall not be there", key)
	}
}

// The owner is who a person would name: the Deployment and not its ReplicaSet.
func TestOwners(t *testing.T) {
	load(t, "kinds.yaml")
	want := map[string]int{"Deployment/api": 2, "Deployment/mapped": 2, "Job/tune": 2, "StatefulSet/store": 2, "Pod/dra-one": 1}
	have := map[string]int{}
	all := allViews(t, shared.Kubeconfig(cluster.Ordinary))
	for _, pod := range all.Pods.Items {
		if pod.Owner == nil || pod.Name == nil || pod.Namespace != "kinds" {
			continue
		}
		owner := pod.Owner.Kind + "/" + pod.Owner.Name
		if _, asked := want[owner]; asked {
			have[owner]++
		}
		if pod.Owner.Kind == "ReplicaSet" {
			t.Errorf("%s belongs to %s: there is a Deployment above it", *pod.Name, owner)
		}
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("owners %v, want %v", have, want)
	}
}

// A claim that pods share is held once, and who only looks holds nothing.
func TestSharedAndAdminClaims(t *testing.T) {
	load(t, "kinds.yaml")
	all := allViews(t, shared.Kubeconfig(cluster.Ordinary))
	sharing := 0
	for _, pod := range all.Pods.Items {
		if pod.Namespace == "kinds-admin" {
			t.Errorf("holds nothing: %+v", pod)
		}
		if pod.Claim != nil && pod.Namespace == "kinds" && *pod.Claim == "together" {
			sharing++
			if pod.SharedBy != 2 || pod.GPUs == nil || *pod.GPUs != 2 || pod.Evidence != "claim" || len(pod.Devices) != 2 {
				t.Errorf("%+v, want two cards by claim, shared by two", pod)
			}
		}
	}
	if sharing != 2 {
		t.Errorf("%d pods share the claim, want 2", sharing)
	}
	for _, row := range all.Namespaces.Items {
		if row.Namespace == "kinds" && row.Source == "dra" && row.Unit == "gpu" && row.Model != nil && *row.Model == "H100-80G" &&
			(row.GPUs == nil || *row.GPUs != 3 || row.Pods != 3) {
			t.Errorf("%+v, want 3 cards of 3 pods", row)
		}
	}
}
