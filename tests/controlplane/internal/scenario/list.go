package scenario

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	core "k8s.io/api/core/v1"
	node "k8s.io/api/node/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// CreateFrom creates what path describes: a scenario, or what `kubectl get -o json` (or yaml) has
// printed, in one file or in a folder of them.
func CreateFrom(ctx context.Context, client kubernetes.Interface, path string) error {
	files, err := filesOf(path)
	if err != nil {
		return err
	}
	var recorded recording
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if isScenario(text) {
			s, err := Parse(text)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			if err := s.Create(ctx, client); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			continue
		}
		if err := recorded.read(text); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return recorded.create(ctx, client)
}

// filesOf is path itself, or the JSON and YAML files under it.
func filesOf(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, err
	}
	var files []string
	err := filepath.WalkDir(path, func(file string, _ fs.DirEntry, err error) error {
		if slices.Contains([]string{".json", ".yaml", ".yml"}, filepath.Ext(file)) {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

// isScenario tells our own files, which have no kind, from the API's objects.
func isScenario(text []byte) bool {
	var object struct{ Kind string }
	return yaml.Unmarshal(text, &object) == nil && object.Kind == ""
}

// recording is a cluster that someone looked at. Only what decides about capacity is created
// again; controllers would make new pods beside the recorded ones.
type recording struct {
	classes []*node.RuntimeClass
	nodes   []*core.Node
	pods    []*core.Pod
}

func (r *recording) read(text []byte) error {
	json, err := yaml.YAMLToJSON(text)
	if err != nil {
		return err
	}
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(json, nil, nil)
	if runtime.IsNotRegisteredError(err) {
		return nil // a custom resource, or a file of some other program
	}
	if err != nil {
		return err
	}
	switch object := object.(type) {
	case *core.List:
		for _, item := range object.Items {
			if err := r.read(item.Raw); err != nil {
				return err
			}
		}
	case *core.NodeList:
		for i := range object.Items {
			r.nodes = append(r.nodes, &object.Items[i])
		}
	case *core.PodList:
		for i := range object.Items {
			r.pods = append(r.pods, &object.Items[i])
		}
	case *core.Node:
		r.nodes = append(r.nodes, object)
	case *core.Pod:
		r.pods = append(r.pods, object)
	case *node.RuntimeClass:
		r.classes = append(r.classes, object)
	}
	return nil
}

func (r *recording) create(ctx context.Context, client kubernetes.Interface) error {
	for _, each := range r.nodes {
		if _, err := client.CoreV1().Nodes().Create(ctx, freshNode(each), v1.CreateOptions{}); err != nil {
			return fmt.Errorf("node %s: %w", each.Name, err)
		}
	}
	if err := WaitForNodes(ctx, client); err != nil {
		return err
	}
	for _, each := range r.classes {
		each.ObjectMeta = freshMeta(each.ObjectMeta)
		if _, err := client.NodeV1().RuntimeClasses().Create(ctx, each, v1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("runtime class %s: %w", each.Name, err)
		}
	}
	var leaving []*core.Pod
	for _, each := range r.pods {
		if err := CreateNamespace(ctx, client, each.Namespace); err != nil {
			return err
		}
		made, err := client.CoreV1().Pods(each.Namespace).Create(ctx, freshPod(each), v1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("pod %s/%s: %w", each.Namespace, each.Name, err)
		}
		if each.DeletionTimestamp != nil {
			leaving = append(leaving, made)
		}
	}
	if err := (&Scenario{}).Settle(ctx, client); err != nil {
		return err
	}
	var failed error
	for _, pod := range leaving {
		failed = errors.Join(failed, client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, v1.DeleteOptions{}))
	}
	return failed
}

// freshMeta keeps what a client may set. Owners are left out: they do not exist here, and the
// garbage collector would take the pod away.
func freshMeta(meta v1.ObjectMeta) v1.ObjectMeta {
	return v1.ObjectMeta{Name: meta.Name, Namespace: meta.Namespace, Labels: meta.Labels, Annotations: meta.Annotations}
}

// freshNode keeps the status, and keeps KWOK away from a node that was not ready.
func freshNode(recorded *core.Node) *core.Node {
	fresh := &core.Node{ObjectMeta: freshMeta(recorded.ObjectMeta), Spec: recorded.Spec, Status: recorded.Status}
	for _, condition := range fresh.Status.Conditions {
		if condition.Type == core.NodeReady && condition.Status == core.ConditionTrue {
			return fresh
		}
	}
	if fresh.Annotations == nil {
		fresh.Annotations = map[string]string{}
	}
	fresh.Annotations[unmanagedAnnotation] = ""
	return fresh
}

// freshPod asks KWOK to bring the pod to the phase that it had.
func freshPod(recorded *core.Pod) *core.Pod {
	fresh := &core.Pod{ObjectMeta: freshMeta(recorded.ObjectMeta), Spec: *recorded.Spec.DeepCopy()}
	// Admission works these out again, and refuses what it would not have chosen.
	fresh.Spec.Priority, fresh.Spec.PreemptionPolicy, fresh.Spec.PriorityClassName = nil, nil, ""
	fresh.Spec.ServiceAccountName, fresh.Spec.DeprecatedServiceAccount = "", ""
	for i := range fresh.Spec.Containers {
		if fresh.Spec.Containers[i].Image == "" {
			fresh.Spec.Containers[i].Image = "none" // snapshots may leave it out
		}
	}
	behaviours := map[core.PodPhase]string{core.PodSucceeded: "succeed", core.PodFailed: "fail", core.PodRunning: "run", core.PodPending: "hang"}
	if fresh.Annotations == nil {
		fresh.Annotations = map[string]string{}
	}
	if recorded.Spec.NodeName != "" {
		fresh.Annotations[behaviourAnnotation] = behaviours[recorded.Status.Phase]
	}
	if recorded.DeletionTimestamp != nil {
		fresh.Finalizers = []string{keepFinalizer}
	}
	return fresh
}
