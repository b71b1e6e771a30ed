package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// plurals of the kinds that faults are made of, by kind; the version is the object's own.
var plurals = map[string]string{
	"CustomResourceDefinition": "customresourcedefinitions", "Namespace": "namespaces", "Node": "nodes", "Pod": "pods",
	"DaemonSet": "daemonsets", "ConfigMap": "configmaps", "ResourceQuota": "resourcequotas",
	"ClusterPolicy": "clusterpolicies", "DeviceClass": "deviceclasses", "ResourceSlice": "resourceslices",
	"ResourceClaim": "resourceclaims", "RuntimeClass": "runtimeclasses", "Event": "events",
}

func documents(text string) (objects []*unstructured.Unstructured, err error) {
	reader := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := reader.Decode(&object.Object); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}

func at(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	version, err := schema.ParseGroupVersion(object.GetAPIVersion())
	if err != nil {
		return nil, err
	}
	plural := plurals[object.GetKind()]
	if plural == "" {
		return nil, fmt.Errorf("no plural is known of %s", object.GetKind())
	}
	resource := api.Resource(version.WithResource(plural))
	if object.GetNamespace() == "" {
		return resource, nil
	}
	return resource.Namespace(object.GetNamespace()), nil
}

// create makes the objects of a YAML text with their status, and waits until nodes have only the taints that they
// were given, and DaemonSets a pod wherever the controller wants one.
func create(ctx context.Context, text string) error {
	objects, err := documents(text)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if err := createOne(ctx, object); err != nil {
			return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return cluster.Poll(ctx, 30*time.Second, "DaemonSets and nodes at rest", settled)
}

func createOne(ctx context.Context, given *unstructured.Unstructured) error {
	into, err := at(given)
	if err != nil {
		return err
	}
	object := given.DeepCopy()
	status, hasStatus := object.Object["status"]
	delete(object.Object, "status")
	if hasStatus && given.GetKind() == "Node" { // the API server takes it with the node
		object.Object["status"] = status
	}
	var made *unstructured.Unstructured
	// A kind that was just defined, a service account of a namespace that was: they take a moment.
	err = cluster.Poll(ctx, 20*time.Second, "created", func(ctx context.Context) (bool, error) {
		made, err = into.Create(ctx, object, meta.CreateOptions{})
		return err == nil, err
	})
	if err != nil || !hasStatus || given.GetKind() == "Node" {
		return err
	}
	return cluster.Poll(ctx, 10*time.Second, "status", func(ctx context.Context) (bool, error) {
		if made, err = into.Get(ctx, given.GetName(), meta.GetOptions{}); err != nil {
			return false, err
		}
		made.Object["status"] = status
		_, err = into.UpdateStatus(ctx, made, meta.UpdateOptions{})
		return err == nil, err
	})
}

// remove deletes the objects of a YAML text at once, and waits until they and their pods are gone.
func remove(ctx context.Context, text string) error {
	objects, err := documents(text)
	if err != nil {
		return err
	}
	now := int64(0)
	for i := len(objects) - 1; i >= 0; i-- {
		into, err := at(objects[i])
		if err != nil {
			return err
		}
		if err := into.Delete(ctx, objects[i].GetName(), meta.DeleteOptions{GracePeriodSeconds: &now}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return cluster.Poll(ctx, 30*time.Second, "everything gone", func(ctx context.Context) (bool, error) {
		if err := endOrphans(ctx); err != nil {
			return false, err
		}
		for _, object := range objects {
			into, err := at(object)
			if err != nil {
				return false, err
			}
			if _, err := into.Get(ctx, object.GetName(), meta.GetOptions{}); !apierrors.IsNotFound(err) {
				return false, fmt.Errorf("%s %s is still there: %v", object.GetKind(), object.GetName(), err)
			}
		}
		return settled(ctx)
	})
}

// endOrphans deletes pods whose node or DaemonSet is gone: the garbage collector takes half a minute.
func endOrphans(ctx context.Context) error {
	pods, sets, nodes, err := world(ctx)
	if err != nil {
		return err
	}
	now := int64(0)
	for _, pod := range pods {
		node, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")
		isOrphan := node != "" && !nodes[node]
		for _, owner := range pod.GetOwnerReferences() {
			isOrphan = isOrphan || (owner.Kind == "DaemonSet" && !sets[pod.GetNamespace()+"/"+owner.Name])
		}
		if !isOrphan {
			continue
		}
		err := api.Resource(podResource).Namespace(pod.GetNamespace()).Delete(ctx, pod.GetName(), meta.DeleteOptions{GracePeriodSeconds: &now})
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

var (
	podResource  = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	nodeResource = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	setResource  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "daemonsets"}
)

func world(ctx context.Context) (pods []unstructured.Unstructured, sets, nodes map[string]bool, err error) {
	podList, err := api.Resource(podResource).List(ctx, meta.ListOptions{})
	if err != nil {
		return nil, nil, nil, err
	}
	setList, err := api.Resource(setResource).List(ctx, meta.ListOptions{})
	if err != nil {
		return nil, nil, nil, err
	}
	nodeList, err := api.Resource(nodeResource).List(ctx, meta.ListOptions{})
	if err != nil {
		return nil, nil, nil, err
	}
	sets, nodes = map[string]bool{}, map[string]bool{}
	for _, set := range setList.Items {
		sets[set.GetNamespace()+"/"+set.GetName()] = true
	}
	for _, node := range nodeList.Items {
		nodes[node.GetName()] = true
	}
	return podList.Items, sets, nodes, nil
}

// settled says whether each DaemonSet has a pod on every node that it is meant for and on no other, pods that are
// bound have a status, and no node has the taint of a new one.
func settled(ctx context.Context) (bool, error) {
	sets, err := api.Resource(setResource).List(ctx, meta.ListOptions{})
	if err != nil {
		return false, err
	}
	nodes, err := api.Resource(nodeResource).List(ctx, meta.ListOptions{})
	if err != nil {
		return false, err
	}
	pods, err := api.Resource(podResource).List(ctx, meta.ListOptions{})
	if err != nil {
		return false, err
	}
	has := map[string]bool{}
	for _, pod := range pods.Items {
		node, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")
		for _, owner := range pod.GetOwnerReferences() {
			has[owner.Name+" on "+node] = true
		}
	}
	for _, set := range sets.Items {
		for _, node := range nodes.Items {
			if _, isUnmanaged := node.GetAnnotations()["kubectl-gpu.test/unmanaged"]; isUnmanaged {
				continue
			}
			where := set.GetName() + " on " + node.GetName()
			if isMeantFor(set, node) != has[where] {
				return false, fmt.Errorf("DaemonSet %s: pod %t", where, has[where])
			}
		}
	}
	return podsAndNodesSettled(ctx)
}

// isMeantFor knows node selectors and tolerations with the operator Exists, which is all that daemon() writes.
func isMeantFor(set, node unstructured.Unstructured) bool {
	selector, _, _ := unstructured.NestedStringMap(set.Object, "spec", "template", "spec", "nodeSelector")
	for key, value := range selector {
		if node.GetLabels()[key] != value {
			return false
		}
	}
	tolerations, _, _ := unstructured.NestedSlice(set.Object, "spec", "template", "spec", "tolerations")
	taints, _, _ := unstructured.NestedSlice(node.Object, "spec", "taints")
	for _, each := range taints {
		taint := each.(map[string]any)
		isTolerated := strings.HasPrefix(taint["key"].(string), "node.kubernetes.io/")
		for _, each := range tolerations {
			toleration := each.(map[string]any)
			isTolerated = isTolerated || (toleration["key"] == taint["key"] && toleration["effect"] == taint["effect"])
		}
		if !isTolerated {
			return false
		}
	}
	return true
}

func podsAndNodesSettled(ctx context.Context) (bool, error) {
	nodes, err := api.Resource(nodeResource).List(ctx, meta.ListOptions{})
	if err != nil {
		return false, err
	}
	unmanaged := map[string]bool{}
	for _, node := range nodes.Items {
		_, isUnmanaged := node.GetAnnotations()["kubectl-gpu.test/unmanaged"]
		unmanaged[node.GetName()] = isUnmanaged
		taints, _, _ := unstructured.NestedSlice(node.Object, "spec", "taints")
		for _, taint := range taints {
			if taint.(map[string]any)["key"] == "node.kubernetes.io/not-ready" && !isUnmanaged {
				return false, fmt.Errorf("node %s is new", node.GetName())
			}
		}
	}
	pods, err := api.Resource(podResource).List(ctx, meta.ListOptions{})
	if err != nil {
		return false, err
	}
	for _, pod := range pods.Items {
		bound, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")
		statuses, _, _ := unstructured.NestedSlice(pod.Object, "status", "containerStatuses")
		isOfSet := len(pod.GetOwnerReferences()) > 0
		if unmanaged[bound] || pod.GetAnnotations()["kubectl-gpu.test/behaviour"] == "hang" {
			continue // no kubelet writes their status
		}
		if pod.GetDeletionTimestamp() != nil || (isOfSet && bound == "") || (bound != "" && len(statuses) == 0) {
			return false, fmt.Errorf("pod %s starts or ends", pod.GetName())
		}
	}
	return true, nil
}
