package pending

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"golang.org/x/sync/errgroup"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/enact"
)

// Stage is a control plane with all its controllers, empty but for namespaces between scenes.
type Stage struct {
	api    dynamic.Interface
	client kubernetes.Interface
	enact  *enact.Stage
}

// NewStage uses these clients of an administrator.
func NewStage(api dynamic.Interface, client kubernetes.Interface) *Stage {
	return &Stage{api: api, client: client, enact: enact.NewStage(api)}
}

// ErrDidNotWait says that the pod of a scene got a node, or that room is being made for it.
var ErrDidNotWait = errors.New("the pod does not wait")

const (
	parallel = 16
	patience = 90 * time.Second
)

// order is that in which objects are made: what others need comes first.
var order = []string{"Namespace", "PriorityClass", "RuntimeClass", "StorageClass", "CSIDriver", "DeviceClass", "ResourceClaimTemplate",
	"Node", "CSINode", "ResourceSlice", "PersistentVolume", "PersistentVolumeClaim", "ResourceClaim", "Pod",
	"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "CronJob", "Job",
	// What others made may take all of it.
	"ResourceQuota", "LimitRange"}

// resources are those of order.
var resources = func() map[string]schema.GroupVersionResource {
	all := map[string]schema.GroupVersionResource{
		"Namespace":             {Version: "v1", Resource: "namespaces"},
		"PriorityClass":         {Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"},
		"RuntimeClass":          {Group: "node.k8s.io", Version: "v1", Resource: "runtimeclasses"},
		"Node":                  {Version: "v1", Resource: "nodes"},
		"Pod":                   {Version: "v1", Resource: "pods"},
		"PersistentVolume":      {Version: "v1", Resource: "persistentvolumes"},
		"PersistentVolumeClaim": {Version: "v1", Resource: "persistentvolumeclaims"},
		"StorageClass":          {Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"},
		"CSIDriver":             {Group: "storage.k8s.io", Version: "v1", Resource: "csidrivers"},
		"CSINode":               {Group: "storage.k8s.io", Version: "v1", Resource: "csinodes"},
		"DeviceClass":           {Group: "resource.k8s.io", Version: "v1", Resource: "deviceclasses"},
		"ResourceClaimTemplate": {Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaimtemplates"},
		"ResourceClaim":         {Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"},
		"ResourceSlice":         {Group: "resource.k8s.io", Version: "v1", Resource: "resourceslices"},
	}
	for _, kinds := range []map[string]schema.GroupVersionResource{ownerPlurals, limitPlurals} {
		maps.Copy(all, kinds)
	}
	return all
}()

// limitPlurals are kinds that may keep a pod from being made.
var limitPlurals = map[string]schema.GroupVersionResource{
	"ResourceQuota": {Version: "v1", Resource: "resourcequotas"},
	"LimitRange":    {Version: "v1", Resource: "limitranges"},
}

// Lay makes the scene and gives the pod that waits, with the scheduler's word on it.
func (s *Stage) Lay(ctx context.Context, scene *Scene) (*core.Pod, error) {
	for _, kind := range order {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(parallel)
		for _, object := range scene.Others {
			if object.GetKind() == kind {
				group.Go(func() error { return s.make(ctx, object) })
			}
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
	}
	if err := s.quiet(ctx, scene.Holders); err != nil {
		return nil, err
	}
	top := scene.TopObject()
	kind := resources["Pod"]
	if scene.OwnerKind != "" {
		kind = ownerPlurals[scene.OwnerKind]
	}
	made, err := s.api.Resource(kind).Namespace(scene.Namespace).Create(ctx, top, meta.CreateOptions{})
	if err == nil {
		err = s.start(ctx, made)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", top.GetKind(), top.GetName(), err)
	}
	return s.Waiting(ctx, scene)
}

// start makes the Job that a CronJob would make some day.
func (s *Stage) start(ctx context.Context, made *unstructured.Unstructured) error {
	if made.GetKind() != "CronJob" {
		return nil
	}
	_, err := s.api.Resource(ownerPlurals["Job"]).Namespace(made.GetNamespace()).Create(ctx, jobOf(made), meta.CreateOptions{})
	return err
}

// make creates an object and gives it its status, which others write as well.
func (s *Stage) make(ctx context.Context, given *unstructured.Unstructured) error {
	object := given.DeepCopy()
	for _, field := range []string{"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	var into dynamic.ResourceInterface = s.api.Resource(resources[object.GetKind()])
	if object.GetNamespace() != "" {
		into = s.api.Resource(resources[object.GetKind()]).Namespace(object.GetNamespace())
	}
	what := object.GetKind() + " " + object.GetName()
	made, err := into.Create(ctx, object, meta.CreateOptions{})
	switch object.GetKind() {
	case "Namespace":
		if apierrors.IsAlreadyExists(err) {
			err = s.patch(ctx, into, object.GetName(), map[string]any{"metadata": map[string]any{"labels": object.GetLabels()}})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return s.accounts(ctx, object.GetName())
	case "PriorityClass", "RuntimeClass":
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	switch object.GetKind() {
	case "CronJob":
		return s.start(ctx, made)
	case "ResourceQuota":
		return s.counted(ctx, object.GetNamespace(), object.GetName())
	case "Node":
	default:
		return nil
	}
	status := map[string]any{"status": given.Object["status"]}
	if err := s.patch(ctx, into, object.GetName(), status, "status"); err != nil {
		return fmt.Errorf("status of %s: %w", what, err)
	}
	// Admission gave it a taint, which the scene has only where it says so.
	taints, _, _ := unstructured.NestedSlice(given.Object, "spec", "taints")
	if err := s.patch(ctx, into, object.GetName(), map[string]any{"spec": map[string]any{"taints": taints}}); err != nil {
		return fmt.Errorf("taints of %s: %w", what, err)
	}
	if given.GetDeletionTimestamp() != nil {
		return into.Delete(ctx, object.GetName(), meta.DeleteOptions{})
	}
	return nil
}

func (s *Stage) patch(ctx context.Context, into dynamic.ResourceInterface, name string, change map[string]any, of ...string) error {
	text, err := json.Marshal(change)
	if err != nil {
		return err
	}
	_, err = into.Patch(ctx, name, types.MergePatchType, text, meta.PatchOptions{}, of...)
	return err
}

// accounts waits for the service account that every pod of the namespace gets.
func (s *Stage) accounts(ctx context.Context, namespace string) error {
	return cluster.Poll(ctx, patience, "service account of "+namespace, func(ctx context.Context) (bool, error) {
		_, err := s.client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", meta.GetOptions{})
		return err == nil, err
	})
}

// counted waits until a quota knows what is used of it.
func (s *Stage) counted(ctx context.Context, namespace, name string) error {
	return cluster.Poll(ctx, patience, "use of quota "+name, func(ctx context.Context) (bool, error) {
		quota, err := s.client.CoreV1().ResourceQuotas(namespace).Get(ctx, name, meta.GetOptions{})
		return err == nil && len(quota.Status.Used) == len(quota.Spec.Hard), err
	})
}

// quiet waits until no node, pod or claim has changed for a while, every pod with a node has been
// taken up by KWOK, and there are as many pods as the scene's owners make.
func (s *Stage) quiet(ctx context.Context, holders int) error {
	const enough = 10 // polls, 50 ms each and the time of two lists
	last, same := uint64(0), 0
	return cluster.Poll(ctx, patience, "nodes and pods at rest", func(ctx context.Context) (bool, error) {
		nodes, err := s.client.CoreV1().Nodes().List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		pods, err := s.client.CoreV1().Pods("").List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		sum := fnv.New64a()
		for i := range nodes.Items {
			fmt.Fprintln(sum, nodes.Items[i].Name, nodes.Items[i].ResourceVersion)
		}
		claims, err := s.client.CoreV1().PersistentVolumeClaims("").List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		for i := range claims.Items {
			fmt.Fprintln(sum, claims.Items[i].Name, claims.Items[i].ResourceVersion)
		}
		owned := 0
		busy := false
		for i := range pods.Items {
			pod := &pods.Items[i]
			if meta.GetControllerOf(pod) != nil && pod.Spec.NodeName != "" {
				owned++
			}
			fmt.Fprintln(sum, pod.Namespace, pod.Name, pod.ResourceVersion)
			busy = busy || pod.DeletionTimestamp != nil || pod.Spec.NodeName != "" && pod.Status.Phase == core.PodPending
		}
		if busy || owned < holders || sum.Sum64() != last {
			last, same = sum.Sum64(), 0
			return false, nil
		}
		same++
		return same >= enough, nil
	})
}

// Asked are the pods that the scene is about: one, or the owner's.
func (s *Stage) Asked(ctx context.Context, scene *Scene) ([]core.Pod, error) {
	found, err := s.client.CoreV1().Pods(scene.Namespace).List(ctx, meta.ListOptions{LabelSelector: mark + "=yes"})
	if err != nil {
		return nil, err
	}
	return found.Items, nil
}

// Refusal is the scheduler's word on a pod; empty if it said nothing, or found a node.
func Refusal(pod *core.Pod) string {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == core.PodScheduled && condition.Status == core.ConditionFalse && condition.Reason == core.PodReasonUnschedulable {
			return condition.Message
		}
	}
	return ""
}

// Waiting gives a pod of the scene that the scheduler refused.
func (s *Stage) Waiting(ctx context.Context, scene *Scene) (*core.Pod, error) {
	var found *core.Pod
	err := cluster.Poll(ctx, patience, "the scheduler's word", func(ctx context.Context) (bool, error) {
		pods, err := s.Asked(ctx, scene)
		if err != nil {
			return false, err
		}
		bound := 0
		for i := range pods {
			if pods[i].Spec.NodeName != "" {
				bound++
			} else if Refusal(&pods[i]) != "" {
				found = &pods[i]
				return true, nil
			}
		}
		return bound >= int(max(1, scene.Replicas)), nil
	})
	if err != nil {
		return nil, err
	}
	if found == nil || found.Status.NominatedNodeName != "" {
		return nil, ErrDidNotWait
	}
	return found, nil
}

// BoundNamed waits until a pod whose name starts so has a node.
func (s *Stage) BoundNamed(ctx context.Context, namespace, start string) error {
	return cluster.Poll(ctx, patience, "a node for "+start, func(ctx context.Context) (bool, error) {
		pods, err := s.client.CoreV1().Pods(namespace).List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		return slices.ContainsFunc(pods.Items, func(pod core.Pod) bool {
			return strings.HasPrefix(pod.Name, start) && pod.Spec.NodeName != ""
		}), nil
	})
}

// AllBound waits until the owner has all its pods, and each of them a node.
func (s *Stage) AllBound(ctx context.Context, scene *Scene) error {
	bound, wanted := 0, int(max(1, scene.Replicas))
	err := cluster.Poll(ctx, patience, "a node for every pod", func(ctx context.Context) (bool, error) {
		pods, err := s.Asked(ctx, scene)
		if err != nil {
			return false, err
		}
		bound = 0
		for i := range pods {
			if pods[i].DeletionTimestamp == nil && pods[i].Spec.NodeName != "" {
				bound++
			}
		}
		return bound == wanted && len(pods) == wanted, nil
	})
	if err != nil {
		return fmt.Errorf("%w; %d of %d have one", err, bound, wanted)
	}
	return nil
}

// Wake makes the scheduler try again what it refused: a node that has come, and a new label of the
// pod, are news to every plugin that overlooks the end of a pod. No pod fits on this node.
func (s *Stage) Wake(ctx context.Context, scene *Scene) error {
	node := &core.Node{ObjectMeta: meta.ObjectMeta{Name: "news"}, Spec: core.NodeSpec{Unschedulable: true}}
	node.Status.Allocatable = core.ResourceList{core.ResourcePods: resource.MustParse("0")}
	if _, err := s.client.CoreV1().Nodes().Create(ctx, node, meta.CreateOptions{}); err != nil {
		return err
	}
	pods, err := s.Asked(ctx, scene)
	if err != nil {
		return err
	}
	for i := range pods {
		into := s.api.Resource(resources["Pod"]).Namespace(pods[i].Namespace)
		label := map[string]any{"metadata": map[string]any{"labels": map[string]any{"kubectl-gpu.test/woken": "yes"}}}
		if err := s.patch(ctx, into, pods[i].Name, label); err != nil {
			return err
		}
	}
	return nil
}

// Bound waits until a pod of the scene has a node, one that had none before.
func (s *Stage) Bound(ctx context.Context, scene *Scene, before ...types.UID) error {
	said := ""
	err := cluster.Poll(ctx, patience, "a node for the pod", func(ctx context.Context) (bool, error) {
		pods, err := s.Asked(ctx, scene)
		if err != nil {
			return false, err
		}
		for i := range pods {
			if pods[i].Spec.NodeName != "" && !slices.Contains(before, pods[i].UID) {
				return true, nil
			}
			if pods[i].Spec.NodeName == "" {
				said = Refusal(&pods[i])
			}
		}
		return false, nil
	})
	if err != nil {
		return fmt.Errorf("%w; the scheduler says %q", err, said)
	}
	return nil
}

// Clear takes the scene away.
func (s *Stage) Clear(ctx context.Context) error {
	background := meta.DeletePropagationBackground
	for _, kind := range slices.Backward(order) {
		resource, is := ownerPlurals[kind]
		if !is {
			resource, is = limitPlurals[kind]
		}
		if !is {
			continue
		}
		all, err := s.api.Resource(resource).List(ctx, meta.ListOptions{})
		if err != nil {
			return err
		}
		for i := range all.Items {
			err := s.api.Resource(resource).Namespace(all.Items[i].GetNamespace()).Delete(ctx, all.Items[i].GetName(), meta.DeleteOptions{PropagationPolicy: &background})
			if err != nil && !apierrors.IsNotFound(err) {
				return err
			}
		}
	}
	return cluster.Poll(ctx, patience, "an empty cluster", func(ctx context.Context) (bool, error) {
		if err := s.enact.Clear(ctx); err != nil {
			return false, err
		}
		pods, err := s.client.CoreV1().Pods("").List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		sets, err := s.client.AppsV1().ReplicaSets("").List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		return len(pods.Items) == 0 && len(sets.Items) == 0, nil
	})
}
