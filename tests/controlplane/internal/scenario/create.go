package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	node "k8s.io/api/node/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// Create makes everything that s describes and waits until it has come to rest: see Settle.
func (s *Scenario) Create(ctx context.Context, client kubernetes.Interface) error {
	if err := s.createNodes(ctx, client); err != nil {
		return err
	}
	if err := s.createNamespaces(ctx, client); err != nil {
		return err
	}
	for _, entry := range s.RuntimeClasses {
		if err := createRuntimeClass(ctx, client, entry); err != nil {
			return fmt.Errorf("runtime class %s: %w", entry.Name, err)
		}
	}
	if err := s.createDevices(ctx, client); err != nil {
		return err
	}
	for _, entry := range s.Pods {
		if err := createPods(ctx, client, entry); err != nil {
			return err
		}
	}
	if err := s.createWorkloads(ctx, client); err != nil {
		return err
	}
	return s.Settle(ctx, client)
}

// Add creates the nodes and pods of s beside what others made, and waits for the nodes only.
func (s *Scenario) Add(ctx context.Context, client kubernetes.Interface) error {
	if err := s.createNodes(ctx, client); err != nil {
		return err
	}
	for _, entry := range s.Pods {
		if err := createPods(ctx, client, entry); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scenario) createWorkloads(ctx context.Context, client kubernetes.Interface) error {
	for _, entry := range s.Jobs {
		job, err := jobObject(entry)
		if err != nil {
			return err
		}
		if _, err := client.BatchV1().Jobs(job.Namespace).Create(ctx, job, v1.CreateOptions{}); err != nil {
			return fmt.Errorf("job %s: %w", entry.Name, err)
		}
	}
	for _, entry := range s.Deployments {
		deployment, err := deploymentObject(entry)
		if err != nil {
			return err
		}
		if _, err := client.AppsV1().Deployments(deployment.Namespace).Create(ctx, deployment, v1.CreateOptions{}); err != nil {
			return fmt.Errorf("deployment %s: %w", entry.Name, err)
		}
	}
	for _, entry := range s.StatefulSets {
		set, err := statefulSetObject(entry)
		if err != nil {
			return err
		}
		if _, err := client.AppsV1().StatefulSets(set.Namespace).Create(ctx, set, v1.CreateOptions{}); err != nil {
			return fmt.Errorf("stateful set %s: %w", entry.Name, err)
		}
	}
	return nil
}

// createNodes returns when every node is what it shall be: pods that are created earlier would be
// scheduled elsewhere, since a new node is tainted until the controller manager has seen it Ready.
func (s *Scenario) createNodes(ctx context.Context, client kubernetes.Interface) error {
	for _, entry := range s.Nodes {
		nodes, err := nodeObjects(entry)
		if err != nil {
			return err
		}
		for _, node := range nodes {
			if _, err := client.CoreV1().Nodes().Create(ctx, node, v1.CreateOptions{}); err != nil {
				return fmt.Errorf("node %s: %w", node.Name, err)
			}
		}
	}
	return WaitForNodes(ctx, client)
}

// WaitForNodes waits until every managed node is Ready, and every node has exactly the taints that
// follow from its conditions and from being cordoned.
func WaitForNodes(ctx context.Context, client kubernetes.Interface) error {
	return cluster.Poll(ctx, time.Minute, "nodes as the scenario says", func(ctx context.Context) (bool, error) {
		list, err := client.CoreV1().Nodes().List(ctx, v1.ListOptions{})
		if err != nil {
			return false, err
		}
		for i := range list.Items {
			if reason := unsettled(&list.Items[i]); reason != "" {
				return false, fmt.Errorf("node %s: %s", list.Items[i].Name, reason)
			}
		}
		return true, nil
	})
}

// taintOf is the taint that the controller manager gives a node for a condition's status.
var taintOf = map[string]string{
	"Ready=False": core.TaintNodeNotReady, "Ready=Unknown": core.TaintNodeUnreachable,
	"DiskPressure=True": core.TaintNodeDiskPressure, "MemoryPressure=True": core.TaintNodeMemoryPressure,
	"PIDPressure=True": core.TaintNodePIDPressure, "NetworkUnavailable=True": core.TaintNodeNetworkUnavailable,
}

// unsettled says what is still to come for the node, and nothing when all is there.
func unsettled(node *core.Node) string {
	wanted := map[string]bool{}
	if node.Spec.Unschedulable {
		wanted[core.TaintNodeUnschedulable] = true
	}
	ready := core.ConditionStatus("")
	for _, condition := range node.Status.Conditions {
		if condition.Type == core.NodeReady {
			ready = condition.Status
		}
		if key := taintOf[string(condition.Type)+"="+string(condition.Status)]; key != "" {
			wanted[key] = true
		}
	}
	if _, unmanaged := node.Annotations[unmanagedAnnotation]; !unmanaged && ready != core.ConditionTrue {
		return "not Ready yet"
	}
	found := 0
	for _, taint := range node.Spec.Taints {
		if taint.Effect != core.TaintEffectNoSchedule || !strings.HasPrefix(taint.Key, "node.kubernetes.io/") {
			continue
		}
		if !wanted[taint.Key] {
			return "still has the taint " + taint.Key
		}
		found++
	}
	if found < len(wanted) {
		return "not yet tainted for its conditions"
	}
	return ""
}

func (s *Scenario) namespaces() map[string]bool {
	wanted := map[string]bool{}
	for _, entry := range s.Pods {
		wanted[orDefault(entry.Namespace)] = true
	}
	for _, entry := range slices.Concat(s.Jobs, s.Deployments, s.StatefulSets) {
		wanted[orDefault(entry.Namespace)] = true
	}
	for _, entry := range s.ResourceClaims {
		wanted[orDefault(entry.Namespace)] = true
	}
	return wanted
}

// createNamespaces waits for each namespace's service account, without which no pod is admitted.
func (s *Scenario) createNamespaces(ctx context.Context, client kubernetes.Interface) error {
	for name := range s.namespaces() {
		if err := CreateNamespace(ctx, client, name); err != nil {
			return err
		}
	}
	return nil
}

// CreateNamespace creates the namespace if it is not there, and waits until pods can be created.
func CreateNamespace(ctx context.Context, client kubernetes.Interface, name string) error {
	namespace := &core.Namespace{ObjectMeta: v1.ObjectMeta{Name: name}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, v1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("namespace %s: %w", name, err)
	}
	return cluster.Poll(ctx, time.Minute, "service account of "+name, func(ctx context.Context) (bool, error) {
		_, err := client.CoreV1().ServiceAccounts(name).Get(ctx, "default", v1.GetOptions{})
		return err == nil, err
	})
}

func createRuntimeClass(ctx context.Context, client kubernetes.Interface, entry RuntimeClass) error {
	overhead, err := entry.Overhead.list()
	if err != nil {
		return err
	}
	class := &node.RuntimeClass{ObjectMeta: v1.ObjectMeta{Name: entry.Name}, Handler: entry.Name}
	if overhead != nil {
		class.Overhead = &node.Overhead{PodFixed: overhead}
	}
	if _, err = client.NodeV1().RuntimeClasses().Create(ctx, class, v1.CreateOptions{}); err != nil {
		return err
	}
	// Admission looks into its own cache: wait until it knows the class, with a trial that leaves
	// nothing behind.
	trial := &core.Pod{ObjectMeta: v1.ObjectMeta{GenerateName: "trial-"}, Spec: core.PodSpec{
		RuntimeClassName: &entry.Name, Containers: []core.Container{{Name: "main", Image: "none"}}}}
	return cluster.Poll(ctx, 30*time.Second, "admission of the class", func(ctx context.Context) (bool, error) {
		_, err := client.CoreV1().Pods(core.NamespaceDefault).Create(ctx, trial, v1.CreateOptions{DryRun: []string{v1.DryRunAll}})
		return err == nil, err
	})
}

func createPods(ctx context.Context, client kubernetes.Interface, entry Pod) error {
	pods, err := podObjects(entry)
	if err != nil {
		return err
	}
	for _, pod := range pods {
		api := client.CoreV1().Pods(pod.Namespace)
		made, err := api.Create(ctx, pod, v1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("pod %s: %w", pod.Name, err)
		}
		if entry.Nominated != "" {
			patch := fmt.Sprintf(`{"status":{"nominatedNodeName":%q}}`, entry.Nominated)
			if _, err := api.Patch(ctx, made.Name, "application/strategic-merge-patch+json", []byte(patch), v1.PatchOptions{}, "status"); err != nil {
				return fmt.Errorf("pod %s: nominate: %w", pod.Name, err)
			}
		}
	}
	return nil
}

// phases is what a pod with a node comes to, by its behaviour.
var phases = map[string]core.PodPhase{
	"": core.PodRunning, "run": core.PodRunning, "crash": core.PodRunning, "succeed": core.PodSucceeded,
	"fail": core.PodFailed, "image-pull": core.PodPending, "hang": core.PodPending}

// Settle waits until every pod of the scenario that has a node is in the phase of its behaviour,
// every workload has all its pods, and then deletes those that shall be Terminating.
func (s *Scenario) Settle(ctx context.Context, client kubernetes.Interface) error {
	err := cluster.Poll(ctx, 2*time.Minute, "pods as the scenario says", func(ctx context.Context) (bool, error) {
		return s.settled(ctx, client)
	})
	if err != nil {
		return err
	}
	for _, entry := range s.Pods {
		if !entry.Terminating {
			continue
		}
		for _, name := range names(entry.Name, entry.Count) {
			if err := client.CoreV1().Pods(orDefault(entry.Namespace)).Delete(ctx, name, v1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Scenario) settled(ctx context.Context, client kubernetes.Interface) (bool, error) {
	list, err := client.CoreV1().Pods("").List(ctx, v1.ListOptions{})
	if err != nil {
		return false, err
	}
	ofOwner := map[string]int{}
	for i := range list.Items {
		pod := &list.Items[i]
		behaviour := pod.Annotations[behaviourAnnotation]
		want := phases[behaviour]
		for _, owner := range pod.OwnerReferences {
			ofOwner[pod.Namespace+"/"+strings.ToLower(owner.Kind)+"/"+owner.Name]++
			if owner.Kind == "Job" && behaviour == "" {
				want = core.PodSucceeded
			}
		}
		if pod.Spec.NodeName != "" && pod.Status.Phase != want {
			return false, fmt.Errorf("pod %s/%s is %s, shall be %s", pod.Namespace, pod.Name, pod.Status.Phase, want)
		}
		// Whoever asks for claims in a scenario shall have them.
		if s.asksForDevices(pod) && pod.Spec.NodeName == "" {
			return false, fmt.Errorf("pod %s/%s is not bound: its claims are not allocated", pod.Namespace, pod.Name)
		}
	}
	return s.workloadsFull(ctx, client, ofOwner)
}

func (s *Scenario) workloadsFull(ctx context.Context, client kubernetes.Interface, ofOwner map[string]int) (bool, error) {
	for _, entry := range s.Jobs {
		if have := ofOwner[orDefault(entry.Namespace)+"/job/"+entry.Name]; have < int(entry.Replicas) {
			return false, fmt.Errorf("job %s has %d of %d pods", entry.Name, have, entry.Replicas)
		}
	}
	for _, entry := range s.Deployments {
		deployment, err := client.AppsV1().Deployments(orDefault(entry.Namespace)).Get(ctx, entry.Name, v1.GetOptions{})
		if err != nil {
			return false, err
		}
		if deployment.Status.Replicas < entry.Replicas {
			return false, fmt.Errorf("deployment %s has %d of %d pods", entry.Name, deployment.Status.Replicas, entry.Replicas)
		}
	}
	for _, entry := range s.StatefulSets {
		if have := ofOwner[orDefault(entry.Namespace)+"/statefulset/"+entry.Name]; have < int(entry.Replicas) {
			return false, fmt.Errorf("stateful set %s has %d of %d pods", entry.Name, have, entry.Replicas)
		}
	}
	return true, nil
}
