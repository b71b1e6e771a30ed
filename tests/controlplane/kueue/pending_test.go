package kueue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// held is one Job or pod that Kueue holds back, what Kueue itself says of it, and what we say.
type held struct {
	asked
	reserved bool   // whether Kueue has reserved quota
	kueue    string // part of the message of condition QuotaReserved
	summary  string // part of our headline
	also     string // part of the whole text
	unseen   bool   // whether it cannot be known before Kueue says so
}

var cases = []held{
	{asked: asked{name: "waits", queue: "open", gpus: 8},
		kueue:   "insufficient unused quota for nvidia.com/gpu in flavor b200, 4 more needed",
		summary: "insufficient unused quota for nvidia.com/gpu in flavor b200, 4 more needed",
		also:    "quota there is held by ml/runs"},
	{asked: asked{name: "pod-waits", queue: "open", gpus: 7, isPod: true},
		kueue:   "insufficient unused quota for nvidia.com/gpu in flavor b200, 3 more needed",
		summary: "insufficient unused quota for nvidia.com/gpu in flavor b200, 3 more needed"},
	{asked: asked{name: "huge", queue: "open", gpus: 8, pods: 2},
		kueue:   "insufficient quota for nvidia.com/gpu in flavor b200",
		summary: "insufficient quota for nvidia.com/gpu in flavor b200",
		also:    "the queue can never give that much"},
	{asked: asked{name: "mistyped", queue: "opne", gpus: 1},
		kueue: "LocalQueue opne doesn't exist", summary: "queue opne does not exist in namespace ml",
		also: "kueue.x-k8s.io/queue-name"},
	{asked: asked{name: "in-paused", queue: "paused", gpus: 1},
		kueue: "LocalQueue paused is inactive", summary: "queue paused is stopped (stopPolicy: Hold)",
		also: "kubectl patch localqueue paused -n ml"},
	{asked: asked{name: "in-orphan", queue: "orphan", gpus: 1},
		kueue: "ClusterQueue gone doesn't exist", summary: "ClusterQueue gone of queue orphan does not exist"},
	{asked: asked{name: "no-flavor", queue: "flavorless", gpus: 1},
		kueue: "ClusterQueue flavorless is inactive", summary: "references missing ResourceFlavor(s): gb300",
		also: "create the ResourceFlavor"},
	{asked: asked{name: "in-held", queue: "held", gpus: 1},
		kueue: "ClusterQueue held is inactive", summary: "ClusterQueue held is stopped (stopPolicy: Hold)",
		also: "kubectl patch clusterqueue held"},
	{asked: asked{name: "wrong-pool", queue: "open", gpus: 1, pool: "b300"},
		kueue: "flavor b200 doesn't match node affinity", summary: "flavor b200 doesn't match node affinity"},
	{asked: asked{name: "untolerating", queue: "tainted", gpus: 1},
		kueue: "untolerated taint", summary: "in flavor reserved",
		also: "tolerate the flavor's taint"},
	{asked: asked{name: "not-selected", queue: "others-only", gpus: 1},
		kueue:   "Workload namespace doesn't match ClusterQueue selector",
		summary: "Workload namespace doesn't match ClusterQueue selector"},
	{asked: asked{name: "unchecked", queue: "checked", gpus: 1}, unseen: true, reserved: true,
		kueue: "Quota reserved in ClusterQueue checked", summary: "waits for admission check budget (Pending)",
		also: "kubectl get admissioncheck budget"},
}

// admitted are those that run before anything waits.
var admitted = []asked{
	{name: "runs", queue: "open", gpus: 4},
	{name: "overtaken", queue: "ranked", gpus: 8},
	{name: "switched-off", queue: "spare", gpus: 4},
	{name: "sent-away", queue: "drained", gpus: 8},
	{name: "first-on-b300", queue: "strict", gpus: 8, pods: 2, pool: "b300"},
}

// answer is one item of why-pending's JSON.
type answer struct {
	Namespace, Name, Kind, Code, Summary, Nearest string
	Blocked                                       bool
	Gpus                                          int
	Advice                                        []struct{ Command string }
	NotChecked                                    []string
}

// same leaves out how long it waits.
func same(a, b answer) bool {
	return a.Namespace == b.Namespace && a.Name == b.Name && a.Kind == b.Kind && a.Code == b.Code &&
		a.Summary == b.Summary && a.Nearest == b.Nearest && a.Gpus == b.Gpus && slices.Equal(a.Advice, b.Advice)
}

// gpu runs the program against the cluster; it fails the test if it does not end.
func gpu(t *testing.T, args ...string) (string, string, int) {
	t.Helper()
	binary := os.Getenv("KUBECTL_GPU_BIN")
	if binary == "" {
		t.Fatal("KUBECTL_GPU_BIN is not set: build the project, then KUBECTL_GPU_BIN=build/dev/cmd/kubectl-gpu")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, args...)
	command.Env = []string{"KUBECONFIG=" + shared.Kubeconfig(cluster.Admin), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8",
		"PATH=" + os.Getenv("PATH"), "ASAN_OPTIONS=" + os.Getenv("ASAN_OPTIONS")}
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), complaints.String(), command.ProcessState.ExitCode()
}

func answers(t *testing.T, args ...string) ([]answer, int) {
	t.Helper()
	out, complaints, code := gpu(t, append(append([]string{"why-pending"}, args...), "-o", "json")...)
	var list struct{ Items []answer }
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%v: exit %d, %v: %s%s", args, code, err, out, complaints)
	}
	return list.Items, code
}

func (a asked) reference() string {
	if a.isPod {
		return a.name
	}
	return "job/" + a.name
}

// check asks about one in all the ways in which a person does.
func (h held) check(t *testing.T) {
	items, code := answers(t, h.reference(), "-n", team)
	if len(items) != 1 || code != 1 {
		t.Fatalf("exit %d, %d items: %+v", code, len(items), items)
	}
	got := items[0]
	if !got.Blocked || got.Code != "held-by-queue" || !strings.Contains(got.Summary, h.summary) {
		t.Errorf("%+v\nwanted held-by-queue: ...%s...", got, h.summary)
	}
	text, complaints, _ := gpu(t, "why-pending", h.reference(), "-n", team)
	if !strings.HasPrefix(text, "error[held-by-queue]: ") || !strings.Contains(text, h.summary) ||
		!strings.Contains(text, h.also) || complaints != "" {
		t.Errorf("wanted %q and %q in:\n%s%s", h.summary, h.also, text, complaints)
	}
	t.Logf("we say:\n%s", text)
	all, _ := answers(t, "-A")
	for _, each := range all {
		if each.Name == h.name {
			if each.Code != "held-by-queue" || each.Summary != got.Summary {
				t.Errorf("-A says otherwise: %+v", each)
			}
			return
		}
	}
	t.Errorf("-A does not list it")
}

// askFile asks about one that is not made yet.
func askFile(t *testing.T, a asked) answer {
	t.Helper()
	text, err := json.Marshal(a.object())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "asked.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	items, code := answers(t, "-f", file)
	if len(items) != 1 || code > 1 {
		t.Fatalf("exit %d, %d items: %+v", code, len(items), items)
	}
	return items[0]
}

// counted waits until Kueue has written down how much of a ClusterQueue is reserved: that takes a
// moment longer than to admit what reserves it.
func counted(ctx context.Context, t *testing.T, name, total string) {
	t.Helper()
	err := cluster.Poll(ctx, 40*time.Second, "what is reserved of "+name, func(ctx context.Context) (bool, error) {
		queue, err := client.Resource(kinds["ClusterQueue"]).Get(ctx, name, v1.GetOptions{})
		if err != nil {
			return false, err
		}
		flavors, _, _ := unstructured.NestedSlice(queue.Object, "status", "flavorsReservation")
		return strings.Contains(fmt.Sprint(flavors), "total:"+total), nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkPlanned asks before it is made: what Kueue will say is said, or named as not checked.
func (h held) checkPlanned(t *testing.T) {
	got := askFile(t, h.asked)
	if told := strings.Join(got.NotChecked, "; "); h.unseen && (got.Code == "held-by-queue" || !strings.Contains(told, "of ClusterQueue "+h.queue)) {
		t.Errorf("%s: %s; not checked: %s", got.Code, got.Summary, told)
	}
	if !h.unseen && (got.Code != "held-by-queue" || !strings.Contains(got.Summary, h.summary)) {
		t.Errorf("%+v\nwanted held-by-queue: ...%s...", got, h.summary)
	}
}

func logKueue(t *testing.T, workload *unstructured.Unstructured) {
	t.Helper()
	var text strings.Builder
	for _, kind := range []string{"QuotaReserved", "Admitted", "Evicted", "Preempted", "Requeued", "Finished"} {
		if seen := conditionOf(workload, kind); seen.Status != "" {
			fmt.Fprintf(&text, "  %s=%s %s: %s\n", kind, seen.Status, seen.Reason, seen.Message)
		}
	}
	t.Logf("Kueue says:\n%s", text.String())
}

func TestHeldBack(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := createQueues(ctx); err != nil {
		t.Fatal(err)
	}
	for _, each := range admitted {
		if planned := askFile(t, each); planned.Code == "held-by-queue" {
			t.Errorf("%s would be held: %s", each.name, planned.Summary)
		}
		if err := create(ctx, client, each.object()); err != nil {
			t.Fatal(err)
		}
		if _, err := waitFor(ctx, each.name, "Admitted", "True"); err != nil {
			t.Fatal(err)
		}
	}
	counted(ctx, t, "open", "4")
	for _, each := range cases {
		t.Run("planned "+each.name, func(t *testing.T) { each.checkPlanned(t) })
	}
	for _, each := range cases {
		if err := create(ctx, client, each.object()); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("runs", func(t *testing.T) { checkRuns(ctx, t) })
	for _, each := range cases {
		t.Run(each.name, func(t *testing.T) {
			workload, err := waitFor(ctx, each.name, "QuotaReserved", map[bool]string{false: "False", true: "True"}[each.reserved])
			if err != nil {
				t.Fatal(err)
			}
			logKueue(t, workload)
			if said := conditionOf(workload, "QuotaReserved").Message; !strings.Contains(said, each.kueue) {
				t.Errorf("Kueue says %q, not %q", said, each.kueue)
			}
			each.check(t)
		})
	}
	t.Run("preempted", func(t *testing.T) { checkPreempted(ctx, t) })
	t.Run("deactivated", func(t *testing.T) { checkDeactivated(ctx, t) })
	t.Run("drained", func(t *testing.T) { checkDrained(ctx, t) })
	t.Run("strict", func(t *testing.T) { checkStrict(ctx, t) })
	t.Run("without-label", func(t *testing.T) { checkWithoutLabel(ctx, t) })
	t.Run("snapshot", checkSnapshot)
	t.Run("advice", func(t *testing.T) { checkAdvice(ctx, t) })
	t.Run("retried", func(t *testing.T) { checkRetried(ctx, t) })
	t.Run("rejected", func(t *testing.T) { checkRejected(ctx, t) })
}

// checkSnapshot: a file that is read later, elsewhere, gives the answers of now.
func checkSnapshot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cluster.json")
	if kept := os.Getenv("KUBECTL_GPU_KEEP"); kept != "" {
		file = kept
	}
	if out, complaints, code := gpu(t, "snapshot", file); code != 0 {
		t.Fatalf("%s%s", out, complaints)
	}
	now, _ := answers(t, "-A")
	later, code := answers(t, "-A", "--from", file)
	if code != 1 || !slices.EqualFunc(now, later, same) {
		t.Errorf("exit %d: %+v\nwanted %+v", code, later, now)
	}
	for _, each := range now {
		name := each.Name
		if each.Kind != "Pod" {
			name = strings.ToLower(each.Kind) + "/" + name
		}
		items, _ := answers(t, name, "-n", each.Namespace, "--from", file)
		if len(items) != 1 || items[0].Summary != each.Summary {
			t.Errorf("%s: %+v", name, items)
		}
	}
	checkRedacted(t, file, now)
}

// checkRedacted: without names, too, each waits for the same reason.
func checkRedacted(t *testing.T, file string, now []answer) {
	redacted := filepath.Join(t.TempDir(), "redacted.json")
	if out, complaints, code := gpu(t, "snapshot", "--from", file, "--redact", redacted); code != 0 {
		t.Fatalf("%s%s", out, complaints)
	}
	count := func(list []answer) map[string]int {
		words := map[string]int{}
		for _, each := range list {
			words[each.Code]++
			for _, part := range []string{"insufficient unused quota", "insufficient quota", "does not exist", "is stopped",
				"missing ResourceFlavor", "doesn't match node affinity", "selector", "admission check", "switched off", "StrictFIFO"} {
				if strings.Contains(each.Summary, part) {
					words[part]++
				}
			}
		}
		return words
	}
	shown, _ := answers(t, "-A", "--from", redacted)
	if got, wanted := count(shown), count(now); !maps.Equal(got, wanted) {
		t.Errorf("%v, wanted %v", got, wanted)
	}
	for _, each := range shown {
		for _, h := range cases {
			// Some are called by words of the sentences: "waits".
			if strings.Contains(each.Summary, "/"+h.name) {
				t.Errorf("it names %s: %s", h.name, each.Summary)
			}
		}
	}
}

// checkAdvice does what we say would help, by the commands that we print, and Kueue lets go.
func checkAdvice(ctx context.Context, t *testing.T) {
	for _, name := range []string{"in-paused", "in-held", "switched-off", "sent-away", "unlabelled"} {
		items, _ := answers(t, "job/"+name, "-n", team)
		if len(items) != 1 || len(items[0].Advice) == 0 || items[0].Advice[0].Command == "" {
			t.Errorf("%s: no command: %+v", name, items)
			continue
		}
		command := exec.CommandContext(ctx, "sh", "-c", items[0].Advice[0].Command)
		command.Env = []string{"KUBECONFIG=" + shared.Kubeconfig(cluster.Admin), "HOME=" + t.TempDir(),
			"PATH=" + shared.Binaries + ":" + os.Getenv("PATH")}
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", items[0].Advice[0].Command, err, out)
			continue
		}
		err := cluster.Poll(ctx, 30*time.Second, name+" has a pod", func(ctx context.Context) (bool, error) {
			job, err := client.Resource(kinds["Job"]).Namespace(team).Get(ctx, name, v1.GetOptions{})
			if err != nil {
				return false, err
			}
			active, _, err := unstructured.NestedInt64(job.Object, "status", "active")
			return active == 1, err
		})
		if err == nil {
			err = cluster.Poll(ctx, 30*time.Second, name+" runs", func(context.Context) (bool, error) {
				return runs(t, "job/"+name)
			})
		}
		if err != nil {
			t.Error(err)
		}
	}
}

func checkRuns(ctx context.Context, t *testing.T) {
	err := cluster.Poll(ctx, 30*time.Second, "its pod runs", func(context.Context) (bool, error) {
		return runs(t, "job/runs")
	})
	if err != nil {
		t.Error(err)
	}
}

// runs tells whether we say that all pods run; the error says what we say instead.
func runs(t *testing.T, reference string) (bool, error) {
	items, code := answers(t, reference, "-n", team)
	if len(items) != 1 || items[0].Blocked || code != 0 {
		return false, fmt.Errorf("exit %d: %+v", code, items)
	}
	return true, nil
}

// evicted waits until Kueue has taken quota back.
func evicted(ctx context.Context, t *testing.T, name, reason string) {
	t.Helper()
	if _, err := waitFor(ctx, name, "Evicted", "True"); err != nil {
		t.Fatal(err)
	}
	workload, err := waitFor(ctx, name, "QuotaReserved", "False")
	if err != nil {
		t.Fatal(err)
	}
	logKueue(t, workload)
	if seen := conditionOf(workload, "Evicted"); seen.Reason != reason {
		t.Errorf("Kueue evicted it for %q, not %q", seen.Reason, reason)
	}
}

func checkPreempted(ctx context.Context, t *testing.T) {
	if err := create(ctx, client, asked{name: "urgent", queue: "ranked", gpus: 8, priority: "urgent"}.object()); err != nil {
		t.Fatal(err)
	}
	evicted(ctx, t, "overtaken", "Preempted")
	if _, err := waitFor(ctx, "urgent", "Admitted", "True"); err != nil {
		t.Fatal(err)
	}
	held{asked: asked{name: "overtaken"}, summary: "insufficient unused quota", also: "Kueue evicted it before (Preempted), for ml/urgent"}.check(t)
}

func checkDeactivated(ctx context.Context, t *testing.T) {
	workload, err := workloadOf(ctx, "switched-off")
	if err != nil || workload == nil {
		t.Fatal(err, workload)
	}
	if err := patch(ctx, "Workload", team, workload.GetName(), "", `{"spec":{"active":false}}`); err != nil {
		t.Fatal(err)
	}
	evicted(ctx, t, "switched-off", "Deactivated")
	held{asked: asked{name: "switched-off"}, summary: "is switched off (spec.active: false)",
		also: "kubectl patch workloads.kueue.x-k8s.io " + workload.GetName()}.check(t)
}

// answerCheck says for the admission check what its controller would, if it had one.
func answerCheck(ctx context.Context, t *testing.T, state, message string) {
	workload, err := workloadOf(ctx, "unchecked")
	if err != nil || workload == nil {
		t.Fatal(err, workload)
	}
	if err := patch(ctx, "Workload", team, workload.GetName(), "status", fmt.Sprintf(`{"status":{"admissionChecks":[{"name":"budget",
		"state":%q,"message":%q,"lastTransitionTime":%q}]}}`, state, message, time.Now().UTC().Format(time.RFC3339))); err != nil {
		t.Fatal(err)
	}
}

// checkRetried: Kueue takes the quota back, sets the check to Pending, and notes what it said.
func checkRetried(ctx context.Context, t *testing.T) {
	answerCheck(ctx, t, "Retry", "the month is not over")
	var summary string
	err := cluster.Poll(ctx, 30*time.Second, "the answer to Retry", func(context.Context) (bool, error) {
		items, _ := answers(t, "job/unchecked", "-n", team)
		summary = fmt.Sprint(items)
		return strings.Contains(summary, "waits for admission check budget (Pending)") &&
			strings.Contains(summary, "Previously: Retry"), nil
	})
	if err != nil {
		t.Fatalf("%v: %s", err, summary)
	}
}

// checkRejected: Kueue switches the Workload off.
func checkRejected(ctx context.Context, t *testing.T) {
	err := cluster.Poll(ctx, 30*time.Second, "the Workload is switched off", func(ctx context.Context) (bool, error) {
		// Again where Kueue, not done with Retry, has set it back.
		answerCheck(ctx, t, "Rejected", "the month's money is spent")
		workload, err := workloadOf(ctx, "unchecked")
		if err != nil || workload == nil {
			return false, err
		}
		active, found, err := unstructured.NestedBool(workload.Object, "spec", "active")
		return found && !active, err
	})
	if err != nil {
		t.Fatal(err)
	}
	held{asked: asked{name: "unchecked"}, summary: "the admission check budget rejected it",
		also: "kubectl get admissioncheck budget"}.check(t)
}

func checkDrained(ctx context.Context, t *testing.T) {
	if err := patch(ctx, "ClusterQueue", "", "drained", "", `{"spec":{"stopPolicy":"HoldAndDrain"}}`); err != nil {
		t.Fatal(err)
	}
	evicted(ctx, t, "sent-away", "ClusterQueueStopped")
	held{asked: asked{name: "sent-away"}, summary: "ClusterQueue drained is stopped (stopPolicy: HoldAndDrain)",
		also: "Kueue evicted it before (ClusterQueueStopped)"}.check(t)
}

// checkStrict is https://github.com/kubernetes-sigs/kueue/issues/8309: 40 GPUs of one flavor are
// idle, and a Job that asks for them waits behind one that asks for the other flavor.
func checkStrict(ctx context.Context, t *testing.T) {
	if err := create(ctx, client, asked{name: "head", queue: "strict", gpus: 8, pool: "b300"}.object()); err != nil {
		t.Fatal(err)
	}
	workload, err := waitFor(ctx, "head", "QuotaReserved", "False")
	if err != nil {
		t.Fatal(err)
	}
	logKueue(t, workload)
	// Kueue goes by creation time, in whole seconds.
	time.Sleep(1100 * time.Millisecond)
	if err := create(ctx, client, asked{name: "behind", queue: "strict", gpus: 8, pool: "b200"}.object()); err != nil {
		t.Fatal(err)
	}
	err = cluster.Poll(ctx, 30*time.Second, "a Workload of job/behind", func(ctx context.Context) (bool, error) {
		workload, err = workloadOf(ctx, "behind")
		return workload != nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Second) // it would be admitted by now
	if workload, err = workloadOf(ctx, "behind"); err != nil || workload == nil {
		t.Fatal(err)
	}
	logKueue(t, workload)
	held{asked: asked{name: "head"}, summary: "insufficient unused quota for nvidia.com/gpu in flavor b300"}.check(t)
	held{asked: asked{name: "behind"}, summary: "ml/head waits before it in the StrictFIFO ClusterQueue strict",
		also: "BestEffortFIFO"}.check(t)
}

// checkWithoutLabel: Kueue does not manage a Job without a queue, so whoever suspended it has to resume it.
func checkWithoutLabel(ctx context.Context, t *testing.T) {
	if err := create(ctx, client, asked{name: "unlabelled", gpus: 1}.object()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second)
	workload, err := workloadOf(ctx, "unlabelled")
	if err != nil || workload != nil {
		t.Fatalf("%v: Kueue made a Workload for a Job without a queue: %v", err, workload)
	}
	text, complaints, code := gpu(t, "why-pending", "job/unlabelled", "-n", team)
	t.Logf("exit %d:\n%s%s", code, text, complaints)
	if !strings.Contains(text, "suspend") {
		t.Error("the answer does not say that the Job is suspended")
	}
}
