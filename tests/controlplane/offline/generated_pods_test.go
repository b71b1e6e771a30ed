package offline

import (
	"encoding/json"
	"fmt"
	"testing"

	core "k8s.io/api/core/v1"

	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/judge"
)

const pods = 5000

// held is what kube-scheduler counts of a pod on its node: nothing once it has finished.
func held(pod *core.Pod) map[string]int64 {
	amounts := map[string]int64{}
	if pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed {
		return amounts
	}
	for name, quantity := range judge.Requests(pod) {
		if judge.IsDevice(string(name)) {
			amounts[string(name)] = quantity.Value()
		}
	}
	return amounts
}

// emptyNode has a pod's name, so that each pod's requests can be seen on their own.
func emptyNode(name string) generate.Doc {
	return generate.Doc{"apiVersion": "v1", "kind": "Node", "metadata": generate.Doc{"name": name},
		"status": generate.Doc{"capacity": generate.Doc{"cpu": "8", "pods": "110"},
			"allocatable": generate.Doc{"cpu": "8", "pods": "110"},
			"conditions":  []generate.Doc{{"type": "Ready", "status": "True"}}}}
}

// TestGeneratedPodRequests compares, pod by pod and resource by resource, with what upstream's
// PodRequests says; a resource of which nothing is held has no row, for the node has none of it.
func TestGeneratedPodRequests(t *testing.T) {
	var objects []generate.Doc
	docs := map[string]generate.Doc{}
	for seed := range uint64(pods) {
		name := fmt.Sprintf("node-%d", seed)
		docs[name] = generate.Pod(seed, name, seed%2 == 0)
		objects = append(objects, emptyNode(name), docs[name])
	}
	have := rowsOf(t, top(t, write(t, "pods.json", generate.List(objects...))))
	compared, nonzero := 0, 0
	for seed := range uint64(pods) {
		name := fmt.Sprintf("node-%d", seed)
		want := held(upstreamPod(t, docs[name]))
		for _, resource := range generate.Devices {
			row, exists := have[judge.Key{Node: name, Resource: resource}]
			delete(have, judge.Key{Node: name, Resource: resource})
			compared++
			if want[resource] != 0 {
				nonzero++
			}
			if exists == (want[resource] != 0) && (!exists || row.Allocated != nil && *row.Allocated == want[resource]) {
				continue
			}
			t.Errorf("seed %d, %s: row %t, allocated %v, want %d: %s", seed, resource, exists,
				number(row.Allocated), want[resource], encoded(docs[name]))
		}
	}
	for key := range have {
		t.Errorf("%v: shall have no row", key)
	}
	if nonzero < pods {
		t.Errorf("only %d amounts are not 0: the generator has dried up", nonzero)
	}
	t.Logf("%d pods, %d amounts compared, %d of them not 0", pods, compared, nonzero)
}

// TestGeneratedWaitingPods compares the sum over pods that are not bound.
func TestGeneratedWaitingPods(t *testing.T) {
	for group := range uint64(20) {
		objects := []generate.Doc{emptyNode("n")}
		var wantPods, wantDevices int64
		for seed := group * 50; seed < group*50+50; seed++ {
			doc := generate.Pod(seed, "", true)
			objects = append(objects, doc)
			pod := upstreamPod(t, doc)
			var devices int64
			for _, amount := range held(pod) {
				devices += amount
			}
			if devices > 0 && pod.DeletionTimestamp == nil {
				wantPods++
				wantDevices += devices
			}
		}
		waiting := top(t, write(t, "waiting.json", generate.List(objects...))).Summary.Waiting
		if waiting == nil || waiting.Pods != wantPods || waiting.GPUs != wantDevices {
			t.Errorf("seeds %d to %d: waiting %+v, want %d pods for %d", group*50, group*50+49, waiting, wantPods, wantDevices)
		}
	}
}

func rowsOf(t *testing.T, answer answer) map[judge.Key]item {
	t.Helper()
	rows := map[judge.Key]item{}
	for _, each := range answer.Items {
		key := judge.Key{Node: each.Name, Resource: each.Resource}
		if _, twice := rows[key]; twice {
			t.Errorf("%v stands twice", key)
		}
		rows[key] = each
	}
	return rows
}

func encoded(doc generate.Doc) string {
	text, err := json.Marshal(doc)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
