package offline

import (
	"testing"

	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/judge"
)

// TestNamedPods: shapes that are worth a name, and what they hold of nvidia.com/gpu.
func TestNamedPods(t *testing.T) {
	type doc = generate.Doc
	gpus := func(amount any) doc { return doc{"nvidia.com/gpu": amount} }
	requests := func(amount any) doc { return doc{"requests": gpus(amount), "limits": gpus(amount)} }
	resizing := func(status doc) doc {
		status["containerStatuses"] = []doc{{"name": "c", "resources": requests("2"), "allocatedResources": gpus("3")}}
		return doc{"spec": doc{"containers": []doc{{"name": "c", "resources": requests("5")}}}, "status": status}
	}
	infeasible := doc{"type": "PodResizePending", "status": "True", "reason": "Infeasible"}
	deferred := doc{"type": "PodResizePending", "status": "True", "reason": "Deferred"}
	for name, test := range map[string]struct {
		pod  doc
		want int64
		// other: kube-scheduler 1.36 counts something else, for the reason that the case gives.
		other bool
	}{
		"infeasible":              {pod: resizing(doc{"conditions": []doc{infeasible}}), want: 3},
		"deferred":                {pod: resizing(doc{"conditions": []doc{deferred}}), want: 5},
		"the first of two":        {pod: resizing(doc{"conditions": []doc{deferred, infeasible}}), want: 5},
		"condition over resize":   {pod: resizing(doc{"resize": "Infeasible", "conditions": []doc{deferred}}), want: 5},
		"infeasible in 1.32":      {pod: resizing(doc{"resize": "Infeasible"}), want: 3, other: true},
		"limit alone":             {pod: doc{"spec": doc{"containers": []doc{{"name": "c", "resources": doc{"limits": gpus("4")}}}}}, want: 4},
		"for the pod as a whole":  {pod: doc{"spec": doc{"resources": requests("4"), "containers": []doc{{"name": "c", "resources": requests("1")}}}}, want: 1},
		"status under other list": {pod: doc{"spec": doc{"containers": []doc{{"name": "c", "resources": requests("1")}}}, "status": doc{"initContainerStatuses": []doc{{"name": "c", "resources": requests("6")}}}}, want: 6},
		"status twice":            {pod: doc{"spec": doc{"containers": []doc{{"name": "c", "resources": requests("1")}}}, "status": doc{"containerStatuses": []doc{{"name": "c", "resources": requests("4")}, {"name": "c", "resources": requests("2")}}}}, want: 2},
	} {
		t.Run(name, func(t *testing.T) {
			test.pod["kind"], test.pod["apiVersion"] = "Pod", "v1"
			test.pod["metadata"] = doc{"name": "p", "namespace": "d"}
			test.pod["spec"].(doc)["nodeName"] = "n"
			if have := held(upstreamPod(t, test.pod))["nvidia.com/gpu"]; (have != test.want) != test.other {
				t.Errorf("upstream: %d, want %d (or another: %t)", have, test.want, test.other)
			}
			answer := top(t, write(t, "pod.json", generate.List(emptyNode("n"), test.pod)))
			row := rowsOf(t, answer)[judge.Key{Node: "n", Resource: "nvidia.com/gpu"}]
			if row.Allocated == nil || *row.Allocated != test.want {
				t.Errorf("allocated %v, want %d", number(row.Allocated), test.want)
			}
		})
	}
}
