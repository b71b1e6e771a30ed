package quota

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// atOnce so many clusters live on the server before they are looked at.
const atOnce = 10

// wanted is how many clusters are generated: KUBECTL_GPU_QUOTAS, else atOnce.
func wanted(t *testing.T) int {
	typed := os.Getenv("KUBECTL_GPU_QUOTAS")
	if typed == "" {
		return atOnce
	}
	number, err := strconv.Atoi(typed)
	if err != nil || number < 1 {
		t.Fatalf("KUBECTL_GPU_QUOTAS=%q is no number of clusters", typed)
	}
	return number
}

// firstSeed is KUBECTL_GPU_QUOTA_SEED, by which a failure is made again; else 0.
func firstSeed() int {
	seed, _ := strconv.Atoi(os.Getenv("KUBECTL_GPU_QUOTA_SEED"))
	return seed
}

// Every figure of every limit agrees with what the quota controller and Kueue wrote: what they report, and
// what the program counts itself of pods and Workloads.
func TestGeneratedQuotas(t *testing.T) {
	number, start := wanted(t), firstSeed()
	tally := seen{}
	for first := start; first < start+number; first += atOnce {
		ctx, cancel := context.WithTimeout(context.Background(), 12*time.Minute)
		var worlds []*world
		for seed := first; seed < min(first+atOnce, start+number); seed++ {
			grown := newWorld(uint64(seed))
			if err := grown.create(ctx); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			worlds = append(worlds, grown)
		}
		compare(ctx, t, tally)
		for _, each := range worlds {
			if err := each.change(ctx); err != nil {
				t.Fatalf("%s: %v", each.prefix, err)
			}
		}
		compare(ctx, t, tally)
		for _, each := range worlds {
			if err := each.end(ctx); err != nil {
				t.Fatalf("%s: %v", each.prefix, err)
			}
		}
		cancel()
		t.Logf("%d clusters so far", first+len(worlds)-start)
		if t.Failed() {
			break
		}
	}
	t.Logf("%d clusters: %v", number, tally)
	if number < atOnce {
		return
	}
	for _, what := range []string{"ResourceQuota used", "ClusterQueue used", "ClusterQueue borrowed", "ClusterQueue pending", "LocalQueue used",
		"Cohort used", "no-effect", "over", "waits", "stopped"} {
		if tally[what] == 0 {
			t.Errorf("no case of %q: this tests nothing", what)
		}
	}
}

// seen counts the figures above 0 that were compared: a comparison of zeros says little.
type seen map[string]int

// settle waits until nothing has moved for some seconds: Kueue writes statuses once a second.
func settle(ctx context.Context, t *testing.T) state {
	t.Helper()
	var last state
	since := time.Now()
	err := cluster.Poll(ctx, 3*time.Minute, "a quiet cluster", func(ctx context.Context) (bool, error) {
		if err := shared.Alive("kueue"); err != nil {
			return false, err
		}
		now, err := read(ctx)
		if err != nil {
			return false, err
		}
		if now.version != last.version {
			last, since = now, time.Now()
		}
		return time.Since(since) > 4*time.Second, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// compare asks while nothing moves, and holds every item against the API server.
func compare(ctx context.Context, t *testing.T, tally seen) {
	t.Helper()
	quiet := quietAnswer(ctx, t)
	// What was written before a last event may stay so for minutes. That is said as a difference; an error of ours
	// would not go away.
	for range 5 {
		stale := map[string]bool{}
		for _, each := range quiet.answer.Items {
			if each.Differs && !quiet.now.isInFlight(each) {
				stale[each.Kind+" "+text(each.Namespace)+"/"+each.Name] = true
			}
		}
		if len(stale) == 0 {
			break
		}
		tally["written anew"] += len(stale)
		if err := recount(ctx, stale); err != nil {
			t.Fatal(err)
		}
		quiet = quietAnswer(ctx, t)
	}
	if answer := quiet.answer; len(answer.Gaps) > 0 || len(answer.Summary.NotRead) > 0 {
		t.Errorf("gaps: %+v, not read: %v", answer.Gaps, answer.Summary.NotRead)
	}
	compareItems(t, quiet.now, quiet.answer, tally)
	compareWaits(t, quiet.now, quiet.answer, tally)
}

// quiet is an answer, and what the API server said before and after it.
type quiet struct {
	now    state
	answer list
}

func quietAnswer(ctx context.Context, t *testing.T) quiet {
	t.Helper()
	for range 5 {
		before := settle(ctx, t)
		answer := ask(ctx, t)
		after, err := read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if before.version == after.version {
			return quiet{after, answer} // with the refusals that came before the answer did
		}
	}
	t.Fatal("the cluster never came to rest")
	return quiet{}
}

func compareItems(t *testing.T, now state, answer list, tally seen) {
	t.Helper()
	wanted := now.expect()
	for _, got := range answer.Items {
		want, is := wanted[got.id()]
		if !is {
			isOrphan := got.Kind == "LocalQueue" && text(got.Problem) == "no-such-cluster-queue"
			if got.Kind != "Namespace" && !isOrphan {
				t.Errorf("there is no such limit: %s", got.id())
			}
			continue
		}
		delete(wanted, got.id())
		want.check(t, now, got, tally)
	}
	for id := range wanted {
		t.Errorf("not shown: %s", id)
	}
}

// check holds one item against what the API server says.
func (e expected) check(t *testing.T, now state, got item, tally seen) {
	t.Helper()
	tally[got.State]++
	agree := func(what string, ours, theirs *float64) {
		t.Helper()
		if theirs != nil && *theirs > 0 {
			tally[got.Kind+" "+what]++
		}
		if (ours == nil) != (theirs == nil) || ours != nil && *ours != *theirs {
			t.Errorf("%s: %s: we say %v, the API server %v", got.id(), what, show(ours), show(theirs))
		}
	}
	agree("limit", got.Limit, e.Limit)
	if e.Kind == "ResourceQuota" && got.State == "no-effect" {
		if text(got.Problem) != text(e.Problem) || e.used != nil || got.Used != nil {
			t.Errorf("%s: %s: used by us %v, by the API server %v", got.id(), text(got.Problem), show(got.Used), show(e.used))
		}
		return
	}
	if e.Kind == "ResourceQuota" && text(got.Problem) != text(e.Problem) {
		t.Errorf("%s: problem %q, not %q", got.id(), text(got.Problem), text(e.Problem))
	}
	agree("used", got.Used, e.used)
	agree("used", got.Reported.Used, e.used)
	if got.Counted.Used == nil && now.hasOverdueEnd(text(got.Namespace)) {
		tally["not counted"]++
	} else {
		agree("used", got.Counted.Used, e.used)
	}
	if e.Kind == "ResourceQuota" {
		return
	}
	agree("borrowed", got.Reported.Borrowed, e.borrowed)
	agree("borrowed", got.Counted.Borrowed, e.borrowed)
	agree("borrowed", got.Borrowed, e.borrowed)
	agree("admitted", got.Reported.Admitted, e.admitted)
	agree("admitted", got.Counted.Admitted, e.admitted)
	if e.Kind == "Cohort" {
		return
	}
	isInFlight := now.isInFlight(got)
	if isInFlight {
		tally["in flight"]++
	}
	for _, from := range []figures{got.Reported, got.Counted} {
		if !isInFlight {
			agree("pending", from.PendingWorkloads, e.pending)
		}
		agree("reserving", from.ReservingWorkloads, e.reserving)
		agree("admitted workloads", from.AdmittedWorkloads, e.running)
	}
	if got.Differs && !isInFlight {
		t.Errorf("%s: a difference is said", got.id())
	}
}

func show(value *float64) string {
	if value == nil {
		return "nothing"
	}
	return fmt.Sprint(*value)
}

// compareRefused holds owners whose pods a ResourceQuota refuses against what their controllers wrote.
func compareRefused(t *testing.T, now state, wait wait) {
	t.Helper()
	ns, name, _ := strings.Cut(text(wait.Queue), "/")
	for _, one := range wait.Waiting {
		if one.Namespace != ns || !strings.Contains(now.refusals[[2]string{ns, one.Name}], "exceeded quota: "+name+",") {
			t.Errorf("ResourceQuota %s/%s did not refuse %s/%s", ns, name, one.Namespace, one.Name)
		}
		missing, isThere := now.missingPods(one.Namespace, one.Name)
		if !isThere || one.MissingPods == nil || *one.MissingPods != missing {
			t.Errorf("%s/%s (there: %v) lacks %v pods, not %s", one.Namespace, one.Name, isThere, missing, show(one.MissingPods))
		}
	}
}

// missingPods is how many pods a Job still wants and does not have; false where there is no such Job.
func (s state) missingPods(ns, name string) (float64, bool) {
	for _, job := range s.jobs {
		if job.GetNamespace() != ns || job.GetName() != name {
			continue
		}
		wanted := *specNumber(job, "parallelism")
		if completions := specNumber(job, "completions"); completions != nil {
			wanted = min(wanted, *completions-*tally(job, "succeeded"))
		}
		for _, pod := range s.pods {
			phase, _, _ := unstructured.NestedString(pod.Object, "status", "phase")
			owner := v1.GetControllerOf(&pod)
			isLive := phase != "Succeeded" && phase != "Failed" && pod.GetDeletionTimestamp() == nil
			if owner != nil && owner.UID == job.GetUID() && isLive {
				wanted--
			}
		}
		return wanted, true
	}
	return 0, false
}

func specNumber(object unstructured.Unstructured, field string) *float64 {
	count, has, _ := unstructured.NestedInt64(object.Object, "spec", field)
	if !has {
		return nil
	}
	value := float64(count)
	return &value
}

// compareWaits holds who waits for whom against the Workloads, and all of them against pendingWorkloads.
func compareWaits(t *testing.T, now state, answer list, tally seen) {
	t.Helper()
	want := now.waiting()
	got := map[[2]string][]string{}
	pending := map[string]float64{}
	for _, each := range answer.Summary.Waits {
		if each.System == "kubernetes" {
			compareRefused(t, now, each)
			continue
		}
		key := [2]string{text(each.Queue), each.Resource}
		for _, one := range each.Waiting {
			got[key] = append(got[key], fmt.Sprintf("%s/%s %v", one.Namespace, one.Name, *one.Units))
			if !now.isStopped(one.Namespace, one.Queue) {
				pending[key[0]]++
			}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(want), func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) }) {
		tally["waits"] += len(want[key])
		slices.Sort(want[key])
		slices.Sort(got[key])
		if !slices.Equal(want[key], got[key]) {
			t.Errorf("in %v wait %v, we say %v", key, want[key], got[key])
		}
		delete(got, key)
	}
	if len(got) > 0 {
		t.Errorf("nobody of these waits: %v", got)
	}
	for _, object := range now.queues {
		// Each Job requests one resource of GPUs: all that wait stand in one of these lists.
		if *expectedPending(object) != pending[object.GetName()] {
			t.Errorf("%s: %v are pending, we name %v", object.GetName(), *expectedPending(object), pending[object.GetName()])
		}
	}
	// A Workload stands in the row of one flavor.
	rows := map[[2]string]float64{}
	for _, each := range answer.Items {
		if each.Kind == "ClusterQueue" && each.WaitingWorkloads != nil {
			rows[[2]string{each.Name, each.Resource}] += *each.WaitingWorkloads
		}
	}
	for key, waiting := range rows {
		if float64(len(want[key])) != waiting {
			t.Errorf("%v: %v wait, not %v", key, waiting, len(want[key]))
		}
	}
}
