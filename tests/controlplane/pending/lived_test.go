package pending

import (
	"maps"
	"slices"
	"testing"

	"k8s.io/klog/v2"

	"github.com/go-logr/logr"

	"kubectl-gpu/tests/controlplane/internal/pending"
)

// TestLivedFixes plays scenarios with devices, volumes and rules, in which the pods that hold things
// have owners of all kinds, and carries out every fix. KUBECTL_GPU_FIXES_LIVED says how many
// scenarios with fixes, KUBECTL_GPU_FIXES_LIVED_FROM from which seed on.
func TestLivedFixes(t *testing.T) {
	wanted, from := number(t, "KUBECTL_GPU_FIXES_LIVED", 12), number(t, "KUBECTL_GPU_FIXES_LIVED_FROM", 0)
	klog.SetLogger(logr.Discard())
	sum := counts{kinds: map[string]int{}}
	seed := from
	for ; sum.scenes < int(wanted) && seed < from+8*wanted; seed++ {
		before := sum.scenes
		prove(t, seed, pending.Lived(seed), &sum)
		if sum.scenes > before && sum.scenes%25 == 0 {
			t.Logf("%d scenarios by seed %d: %d fixes proven, %d failed", sum.scenes, seed, sum.proven, sum.failed)
		}
	}
	report(t, from, seed, sum)
	if sum.scenes < int(wanted) {
		t.Errorf("only %d scenarios with fixes, want %d", sum.scenes, wanted)
	}
}

func report(t *testing.T, from, seed uint64, sum counts) {
	t.Helper()
	t.Logf("seeds %d to %d: %d scenarios with fixes, %d fixes proven, %d failed; %d scenarios without a fix once played, %d with another message than the scheduler's, %d with something not checked, %d of which the scheduler was woken",
		from, seed-1, sum.scenes, sum.proven, sum.failed, sum.silent, sum.disagreed, sum.unchecked, sum.woken)
	for _, kind := range slices.Sorted(maps.Keys(sum.kinds)) {
		t.Logf("%4d %s", sum.kinds[kind], kind)
	}
}
