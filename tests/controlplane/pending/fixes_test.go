package pending

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"k8s.io/klog/v2"

	"github.com/go-logr/logr"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/oracle"
	"kubectl-gpu/tests/controlplane/internal/pending"
)

// number is that of the environment, or the usual one.
func number(t *testing.T, name string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	value, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// ownerKinds go round with the seeds; more pods are of their own.
var ownerKinds = []string{"", "Deployment", "", "StatefulSet", "Job"}

// biggest keeps scenes small, so that many of them are played.
const biggest = 60 // objects

type counts struct {
	scenes, proven, failed, silent, disagreed, unchecked, woken int
	// kinds are the fixes that were proven, by the steps that they are made of and by owner.
	kinds map[string]int
}

// TestFixes plays generated scenarios of which the program says that something helps, does that, and
// waits for the scheduler to bind the pod. KUBECTL_GPU_FIXES says how many, KUBECTL_GPU_FIXES_FROM
// from which seed on.
func TestFixes(t *testing.T) {
	wanted, from := number(t, "KUBECTL_GPU_FIXES", 15), number(t, "KUBECTL_GPU_FIXES_FROM", 0)
	klog.SetLogger(logr.Discard())
	sum := counts{kinds: map[string]int{}}
	seed := from
	for ; sum.scenes < int(wanted) && seed < from+100*wanted; seed++ {
		if seed%10 > 4 { // volumes and devices have no fixes
			continue
		}
		scene, err := pending.FromSeed(seed, ownerKindOf(seed))
		if refused := (oracle.Refused{}); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		// A file without nodes does not say that there are none.
		if len(scene.Others) > biggest || !scene.HasNodes() || !promises(t, seed, scene) {
			continue
		}
		before := sum.scenes
		prove(t, seed, scene, &sum)
		if sum.scenes > before && sum.scenes%25 == 0 {
			t.Logf("%d scenarios by seed %d: %d fixes proven, %d failed", sum.scenes, seed, sum.proven, sum.failed)
		}
	}
	report(t, from, seed, sum)
	if sum.scenes < int(wanted) {
		t.Errorf("only %d scenarios with fixes, want %d", sum.scenes, wanted)
	}
}

// kept are seeds of which a fix once failed: an end that the scheduler overlooks, a label by which
// rules between pods go, a pod that was preempted by the time it was to end.
var kept = []uint64{104, 921, 1420, 3104, 20742, 21014}

func TestKeptSeeds(t *testing.T) {
	klog.SetLogger(logr.Discard())
	sum := counts{kinds: map[string]int{}}
	for _, seed := range kept {
		scene, err := pending.FromSeed(seed, ownerKindOf(seed))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		prove(t, seed, scene, &sum)
	}
	t.Logf("%d scenarios with fixes, %d fixes proven, %d failed", sum.scenes, sum.proven, sum.failed)
}

func ownerKindOf(seed uint64) string { return ownerKinds[int(seed/10)%len(ownerKinds)] }

// promises asks the program over a file whether the scene is worth playing: it waits, and something
// would help.
func promises(t *testing.T, seed uint64, scene *pending.Scene) bool {
	t.Helper()
	text, err := scene.List()
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	file := filepath.Join(t.TempDir(), "scene.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	answer, err := program(t, cluster.Admin).AskOne(context.Background(), scene.Namespace+"/"+scene.Name, "--from", file)
	if err != nil {
		t.Errorf("seed %d: from a file: %v", seed, err)
		return false
	}
	return answer.Blocked && len(answer.Fixes) > 0
}

// prove plays the scene once for each fix.
func prove(t *testing.T, seed uint64, scene *pending.Scene, sum *counts) {
	t.Helper()
	fixes := 1
	for i := 0; i < fixes; i++ {
		answer, waits := lay(t, seed, scene, i == 0, sum)
		if waits && i == 0 && len(answer.Fixes) == 0 && testing.Verbose() {
			t.Logf("seed %d: no fix for %s: %s", seed, answer.Code, answer.Summary)
		}
		if waits {
			if fixes = len(answer.Fixes); i == 0 && fixes > 0 {
				sum.scenes++
			}
			if i == 0 && fixes == 0 {
				sum.silent++
			}
			if i < fixes {
				apply(t, seed, scene, answer.Fixes[i], sum)
			}
		}
		clearStage(t)
	}
}

// lay plays the scene and checks the answer for the pod that waits in it.
func lay(t *testing.T, seed uint64, scene *pending.Scene, judged bool, sum *counts) (pending.Answer, bool) {
	t.Helper()
	ctx := context.Background()
	pod, err := shared.stage.Lay(ctx, scene)
	if errors.Is(err, pending.ErrDidNotWait) {
		return pending.Answer{}, false
	}
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return pending.Answer{}, false
	}
	answer, err := program(t, cluster.Admin).AskOne(ctx, pod.Namespace+"/"+pod.Name)
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return pending.Answer{}, false
	}
	if judged && !agrees(t, seed, answer, pending.Refusal(pod)) {
		sum.disagreed++
	}
	if judged && len(answer.NotChecked) > 0 {
		sum.unchecked++
	}
	return answer, true
}

// agrees is whether the answer is as the scheduler has it.
func agrees(t *testing.T, seed uint64, answer pending.Answer, said string) bool {
	t.Helper()
	// What a node does not declare has no code of its own.
	if answer.Code == "not-modelled" && !strings.Contains(answer.Summary, "feature") {
		t.Errorf("seed %d: code %s: %s", seed, answer.Code, answer.Summary)
	}
	if answer.PredictedMessage == said && answer.Scheduler != nil && answer.Scheduler.Agrees != nil && *answer.Scheduler.Agrees {
		return true
	}
	if len(answer.NotChecked) > 0 {
		return true
	}
	t.Errorf("seed %d: code %s, scheduler %+v\n  we say: %s\n it says: %s", seed, answer.Code, answer.Scheduler, answer.PredictedMessage, said)
	return false
}

// overlooked is said of a fix that the scheduler may not notice by itself: there it is woken, since
// nobody can wait that long for every one of them.
const overlooked = "only after 5 minutes"

func apply(t *testing.T, seed uint64, scene *pending.Scene, fix pending.Fix, sum *counts) {
	t.Helper()
	ctx := context.Background()
	// A pod with rules that the API server completed is to be made again from its manifest.
	if fix.Patch != "" && scene.OwnerKind == "" && !strings.Contains(fix.Command, "--patch-file") {
		fix.Command += "\n" + scene.Again()
	}
	err := program(t, cluster.Admin).Apply(ctx, fix)
	if err == nil && strings.Contains(fix.Summary, overlooked) {
		err = shared.stage.Wake(ctx, scene)
		sum.woken++
	}
	if err == nil {
		err = shared.stage.Bound(ctx, scene)
	}
	owner := scene.OwnerKind
	if owner == "" {
		owner = "Pod"
	}
	if err == nil {
		sum.proven++
		sum.kinds[owner+": "+steps(fix)]++
		return
	}
	sum.failed++
	t.Errorf("seed %d, %s: %s\n%s\n%s: %v", seed, owner, fix.Summary, fix.Command, fix.Patch, err)
}

// steps are those that the fix is made of.
func steps(fix pending.Fix) string {
	var all []string
	for _, step := range []struct{ name, text, sign string }{
		{"uncordon", fix.Command, "kubectl uncordon "}, {"tolerate", fix.Patch, "tolerations:"},
		{"select", fix.Patch, "nodeSelector:"}, {"request", fix.Patch, "resources:"}, {"end", fix.Command, "kubectl delete pod -n "},
		{"scale down", fix.Command, "kubectl scale "}, {"end a Job", fix.Command, "kubectl delete job "}, {"suspend", fix.Command, `"suspend":true`}, {"spread", fix.Patch, "topologySpreadConstraints:"},
		{"claim", fix.Patch, "persistentVolumeClaim:"},
	} {
		if strings.Contains(step.text, step.sign) {
			all = append(all, step.name)
		}
	}
	return strings.Join(all, " + ")
}
