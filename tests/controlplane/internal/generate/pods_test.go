package generate

import (
	"encoding/json"
	"reflect"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	conversion "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
)

// TestAcceptedPods: the API server's own defaults and validation have no objection.
func TestAcceptedPods(t *testing.T) {
	for seed := range uint64(500) {
		external, internal := read(t, Pod(seed, "node", true)), &core.Pod{}
		conversion.SetObjectDefaults_Pod(external)
		// Set while the pod lives, and refused on creation.
		external.DeletionTimestamp, external.DeletionGracePeriodSeconds = nil, nil
		if err := conversion.Convert_v1_Pod_To_core_Pod(external, internal, nil); err != nil {
			t.Fatal(err)
		}
		if errs := validation.ValidatePodCreate(internal, validation.PodValidationOptions{PodLevelResourcesEnabled: true}); len(errs) > 0 {
			t.Errorf("seed %d: %v", seed, errs.ToAggregate())
		}
	}
}

// TestShapes counts what the generator makes, so that none of it can dry up unseen.
func TestShapes(t *testing.T) {
	seen := map[string]int{}
	count := func(shape string, is bool) {
		if is {
			seen[shape]++
		}
	}
	const pods = 1000
	for seed := range uint64(pods) {
		pod := read(t, Pod(seed, "node", seed%2 == 0))
		count("several containers", len(pod.Spec.Containers) > 1)
		count("overhead", len(pod.Spec.Overhead) > 0)
		count("pod-level requests", pod.Spec.Resources != nil && len(pod.Spec.Resources.Requests) > 0)
		count("pod-level limits alone", pod.Spec.Resources != nil && len(pod.Spec.Resources.Requests) == 0 && len(pod.Spec.Resources.Limits) > 0)
		count("leaving", pod.DeletionTimestamp != nil)
		count("phase "+string(pod.Status.Phase), true)
		for i := range pod.Spec.InitContainers {
			count("sidecar", isSidecar(pod.Spec.InitContainers[i]))
			count("init after sidecar", i > 0 && isSidecar(pod.Spec.InitContainers[i-1]) && !isSidecar(pod.Spec.InitContainers[i]))
			count("sidecar after init", i > 0 && !isSidecar(pod.Spec.InitContainers[i-1]) && isSidecar(pod.Spec.InitContainers[i]))
		}
		for _, status := range append(pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses...) {
			count("status with requests", status.Resources != nil && status.Resources.Requests != nil)
			count("status without requests", status.Resources != nil && status.Resources.Requests == nil)
			count("allocated without resources", status.Resources == nil && status.AllocatedResources != nil)
		}
		for _, condition := range pod.Status.Conditions {
			count(string(condition.Type)+" "+condition.Reason, true)
		}
	}
	for _, shape := range []string{"several containers", "overhead", "pod-level requests", "pod-level limits alone",
		"leaving", "phase ", "phase Running", "phase Pending", "phase Unknown", "phase Succeeded", "phase Failed",
		"sidecar", "init after sidecar", "sidecar after init", "status with requests", "status without requests",
		"allocated without resources", "PodResizePending Infeasible", "PodResizePending Deferred", "PodResizeInProgress Infeasible"} {
		if seen[shape] < 20 {
			t.Errorf("%s: only %d in %d pods", shape, seen[shape], pods)
		}
	}
}

func TestSameSeedSamePod(t *testing.T) {
	if !reflect.DeepEqual(Pod(7, "n", false), Pod(7, "n", false)) {
		t.Error("seed 7 gives two different pods")
	}
	if reflect.DeepEqual(Pod(7, "n", false), Pod(8, "n", false)) {
		t.Error("seeds 7 and 8 give the same pod")
	}
}

func isSidecar(container v1.Container) bool {
	return container.RestartPolicy != nil && *container.RestartPolicy == v1.ContainerRestartPolicyAlways
}

func read(t *testing.T, doc Doc) *v1.Pod {
	t.Helper()
	encoded, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	pod := &v1.Pod{}
	if err := json.Unmarshal(encoded, pod); err != nil {
		t.Fatal(err)
	}
	return pod
}
