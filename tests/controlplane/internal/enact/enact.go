// Package enact plays a generated cluster to a real API server and a real kube-scheduler.
package enact

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"golang.org/x/sync/errgroup"

	"kubectl-gpu/tests/controlplane/internal/scheduler"
)

// Stage is a control plane of which only the API server and the scheduler run: no controller, no
// kubelet changes what is played.
type Stage struct {
	api dynamic.Interface

	mutex sync.Mutex
	uids  map[string]string // ours to the server's
}

// NewStage plays to this API server.
func NewStage(api dynamic.Interface) *Stage {
	return &Stage{api: api, uids: map[string]string{}}
}

// plurals are in the order in which objects are made: what owns others comes first.
var plurals = []struct {
	kind     string
	resource schema.GroupVersionResource
}{
	{"Namespace", schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}},
	{"PriorityClass", schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}},
	{"RuntimeClass", schema.GroupVersionResource{Group: "node.k8s.io", Version: "v1", Resource: "runtimeclasses"}},
	{"StorageClass", schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}},
	{"CSIDriver", schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "csidrivers"}},
	{"DeviceClass", schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "deviceclasses"}},
	{"Node", schema.GroupVersionResource{Version: "v1", Resource: "nodes"}},
	{"CSINode", schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "csinodes"}},
	{"CSIStorageCapacity", schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "csistoragecapacities"}},
	{"ResourceSlice", schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceslices"}},
	{"ResourceClaimTemplate", schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaimtemplates"}},
	{"Pod", schema.GroupVersionResource{Version: "v1", Resource: "pods"}},
	{"PersistentVolumeClaim", schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}},
	{"PersistentVolume", schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumes"}},
	{"VolumeAttachment", schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "volumeattachments"}},
	{"ResourceClaim", schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"}},
}

// lasting kinds are the same in all scenarios, mostly: they stay, and are replaced when they differ.
var lasting = map[string]bool{"Namespace": true, "PriorityClass": true, "RuntimeClass": true}

const (
	parallel = 24
	gate     = "kubectl-gpu.test/not-yet"
)

// Play makes the objects, lets the scheduler have the pod, and gives all answers that it wrote
// until it said what is expected, or patience ended.
func (s *Stage) Play(ctx context.Context, objects []json.RawMessage, namespace, name string, expected scheduler.Answer, patience time.Duration) ([]scheduler.Answer, error) {
	byKind := map[string][]*unstructured.Unstructured{}
	for _, text := range objects {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal(text, object); err != nil {
			return nil, err
		}
		byKind[object.GetKind()] = append(byKind[object.GetKind()], object)
	}
	for _, plural := range plurals {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(parallel)
		for _, object := range byKind[plural.kind] {
			gated := plural.kind == "Pod" && object.GetNamespace() == namespace && object.GetName() == name
			group.Go(func() error { return s.create(ctx, plural.resource, object, gated) })
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
	}
	// Caches of the scheduler fill on their own time; what comes late makes it try again.
	time.Sleep(150 * time.Millisecond)
	return s.watch(ctx, namespace, name, expected, patience)
}

func (s *Stage) in(resource schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return s.api.Resource(resource)
	}
	return s.api.Resource(resource).Namespace(namespace)
}

// create makes an object in as many steps as its status, its taints and its end need.
func (s *Stage) create(ctx context.Context, resource schema.GroupVersionResource, given *unstructured.Unstructured, gated bool) error {
	object, err := s.translated(given)
	if err != nil {
		return err
	}
	ours := string(object.GetUID())
	for _, field := range []string{"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	status, hasStatus := object.Object["status"]
	if gated {
		if err := unstructured.SetNestedSlice(object.Object, []any{map[string]any{"name": gate}}, "spec", "schedulingGates"); err != nil {
			return err
		}
	}
	into := s.in(resource, object.GetNamespace())
	made, err := into.Create(ctx, object, meta.CreateOptions{})
	if apierrors.IsAlreadyExists(err) && lasting[object.GetKind()] {
		made, err = into.Get(ctx, object.GetName(), meta.GetOptions{})
		if err == nil && object.GetKind() == "Namespace" {
			made.SetLabels(object.GetLabels())
			made, err = into.Update(ctx, made, meta.UpdateOptions{})
		}
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
	}
	s.mutex.Lock()
	s.uids[ours] = string(made.GetUID())
	s.mutex.Unlock()
	switch object.GetKind() {
	case "Namespace":
		return s.serviceAccount(ctx, object.GetName())
	case "Node": // admission adds a taint to every new node
		made.Object["spec"] = object.Object["spec"]
		if made, err = into.Update(ctx, made, meta.UpdateOptions{}); err != nil {
			return fmt.Errorf("node %s: %w", object.GetName(), err)
		}
	}
	if hasStatus && object.GetKind() != "VolumeAttachment" {
		made.Object["status"] = status
		if _, err := into.UpdateStatus(ctx, made, meta.UpdateOptions{}); err != nil {
			return fmt.Errorf("status of %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	if given.GetDeletionTimestamp() != nil {
		return into.Delete(ctx, object.GetName(), meta.DeleteOptions{})
	}
	return nil
}

// translated has the server's uids in place of ours.
func (s *Stage) translated(given *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	text, err := given.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var pairs []string
	s.mutex.Lock()
	for ours, theirs := range s.uids {
		pairs = append(pairs, `"uid":"`+ours+`"`, `"uid":"`+theirs+`"`)
	}
	s.mutex.Unlock()
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(strings.NewReplacer(pairs...).Replace(string(text))), object); err != nil {
		return nil, err
	}
	object.SetUID(given.GetUID())
	return object, nil
}

func (s *Stage) serviceAccount(ctx context.Context, namespace string) error {
	account := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ServiceAccount",
		"metadata": map[string]any{"name": "default"}, "automountServiceAccountToken": false}}
	_, err := s.in(schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}, namespace).Create(ctx, account, meta.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// watch takes the gate away and gathers what the scheduler says.
func (s *Stage) watch(ctx context.Context, namespace, name string, expected scheduler.Answer, patience time.Duration) ([]scheduler.Answer, error) {
	pods := s.in(schema.GroupVersionResource{Version: "v1", Resource: "pods"}, namespace)
	pod, err := pods.Get(ctx, name, meta.GetOptions{})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	events, err := pods.Watch(ctx, meta.ListOptions{FieldSelector: "metadata.name=" + name, ResourceVersion: pod.GetResourceVersion()})
	if err != nil {
		return nil, err
	}
	defer events.Stop()
	before, _, err := unstructured.NestedString(pod.Object, "status", "nominatedNodeName")
	if err != nil {
		return nil, err
	}
	unstructured.RemoveNestedField(pod.Object, "spec", "schedulingGates")
	if _, err := pods.Update(ctx, pod, meta.UpdateOptions{}); err != nil {
		return nil, fmt.Errorf("taking the gate away: %w", err)
	}
	var said []scheduler.Answer
	for {
		select {
		case <-ctx.Done():
			return said, nil
		case event, open := <-events.ResultChan():
			object, is := event.Object.(*unstructured.Unstructured)
			if !open || !is {
				return said, nil
			}
			answer, err := answerOf(object, before)
			if err != nil {
				return said, err
			}
			if answer.Node == "" && answer.Message == "" {
				continue
			}
			said = append(said, answer)
			if Agrees(expected, answer) {
				return said, nil
			}
		}
	}
}

// answerOf is what the pod's own fields say of its scheduling; before is where it was nominated to
// when the scheduler got it.
func answerOf(object *unstructured.Unstructured, before string) (scheduler.Answer, error) {
	text, err := object.MarshalJSON()
	if err != nil {
		return scheduler.Answer{}, err
	}
	var pod core.Pod
	if err := json.Unmarshal(text, &pod); err != nil {
		return scheduler.Answer{}, err
	}
	if len(pod.Spec.SchedulingGates) > 0 {
		return scheduler.Answer{}, nil
	}
	answer := scheduler.Answer{Node: pod.Spec.NodeName, Nominated: pod.Status.NominatedNodeName}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == core.PodScheduled && condition.Status == core.ConditionFalse && condition.Reason != core.PodReasonSchedulingGated {
			answer.Reason, answer.Message = condition.Reason, condition.Message
		}
	}
	// A pod that waits for its volumes has its node as a nomination, and no complaint.
	if answer.Node == "" && answer.Message == "" && answer.Nominated != before {
		answer.Node, answer.Nominated = answer.Nominated, ""
	}
	return answer, nil
}

// Agrees is whether the answer is what was expected; which of several nodes it is to be is left to
// the scores.
func Agrees(expected, answer scheduler.Answer) bool {
	if expected.Node != "" {
		return answer.Node != ""
	}
	return answer.Node == "" && answer.Reason == expected.Reason && answer.Message == expected.Message &&
		(answer.Nominated != "" || expected.Nominated == "")
}
