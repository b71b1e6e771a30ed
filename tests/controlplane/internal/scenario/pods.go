package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
)

var behaviours = []string{"", "run", "succeed", "fail", "crash", "image-pull", "hang"}

// podObjects makes the API objects of one entry.
func podObjects(entry Pod) ([]*core.Pod, error) {
	template, err := podTemplate(entry)
	if err != nil {
		return nil, fmt.Errorf("pod %s: %w", entry.Name, err)
	}
	var pods []*core.Pod
	for _, name := range names(entry.Name, entry.Count) {
		pod := &core.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
		pod.Name, pod.Namespace = name, orDefault(entry.Namespace)
		if entry.Terminating {
			pod.Finalizers = []string{keepFinalizer}
		}
		pods = append(pods, pod)
	}
	return pods, nil
}

func podTemplate(entry Pod) (*core.PodTemplateSpec, error) {
	if !slices.Contains(behaviours, entry.Behaviour) {
		return nil, fmt.Errorf("behaviour %q: not one of %s", entry.Behaviour, strings.Join(behaviours[1:], ", "))
	}
	template := &core.PodTemplateSpec{
		ObjectMeta: v1.ObjectMeta{Labels: maps.Clone(entry.Labels), Annotations: maps.Clone(entry.Annotations)},
		Spec: core.PodSpec{NodeName: entry.Node, NodeSelector: entry.NodeSelector,
			SchedulerName: entry.Scheduler},
	}
	if entry.Behaviour != "" {
		if template.Annotations == nil {
			template.Annotations = map[string]string{}
		}
		template.Annotations[behaviourAnnotation] = entry.Behaviour
	}
	if entry.RuntimeClass != "" {
		template.Spec.RuntimeClassName = &entry.RuntimeClass
	}
	for _, gate := range entry.Gates {
		template.Spec.SchedulingGates = append(template.Spec.SchedulingGates, core.PodSchedulingGate{Name: gate})
	}
	for _, text := range entry.Tolerations {
		template.Spec.Tolerations = append(template.Spec.Tolerations, parseToleration(text))
	}
	if own, err := entry.PodRequests.list(); err != nil {
		return nil, err
	} else if own != nil {
		template.Spec.Resources = &core.ResourceRequirements{Requests: own}
	}
	if err := addContainers(&template.Spec, entry); err != nil {
		return nil, err
	}
	return template, addClaims(&template.Spec, entry)
}

// addContainers adds the containers; a pod without any gets one that asks for entry.Requests.
func addContainers(spec *core.PodSpec, entry Pod) error {
	containers := entry.Containers
	if len(containers) == 0 {
		containers = []Container{{Name: "main", Requests: entry.Requests, Limits: entry.Requests}}
	} else if len(entry.Requests) > 0 {
		return fmt.Errorf("requests and containers: say it in containers")
	}
	for i, container := range containers {
		made, err := containerObject(container, fmt.Sprintf("c%d", i+1))
		if err != nil {
			return err
		}
		if container.Sidecar {
			return fmt.Errorf("container %s: only init containers can be sidecars", made.Name)
		}
		spec.Containers = append(spec.Containers, made)
	}
	for i, container := range entry.InitContainers {
		made, err := containerObject(container, fmt.Sprintf("init%d", i+1))
		if err != nil {
			return err
		}
		if container.Sidecar {
			always := core.ContainerRestartPolicyAlways
			made.RestartPolicy = &always
		}
		spec.InitContainers = append(spec.InitContainers, made)
	}
	if entry.Behaviour == "succeed" || entry.Behaviour == "fail" {
		spec.RestartPolicy = core.RestartPolicyNever
	}
	return nil
}

func containerObject(container Container, name string) (core.Container, error) {
	if container.Name != "" {
		name = container.Name
	}
	requests, err := container.Requests.list()
	if err != nil {
		return core.Container{}, err
	}
	limits, err := container.Limits.list()
	return core.Container{Name: name, Image: "registry.example/work:1",
		Resources: core.ResourceRequirements{Requests: requests, Limits: limits}}, err
}

// parseToleration reads "*" or KEY[=VALUE][:EFFECT]. Without a value any value is tolerated.
func parseToleration(text string) core.Toleration {
	if text == "*" {
		return core.Toleration{Operator: core.TolerationOpExists}
	}
	rest, effect, _ := strings.Cut(text, ":")
	key, value, valued := strings.Cut(rest, "=")
	toleration := core.Toleration{Key: key, Value: value, Operator: core.TolerationOpEqual, Effect: core.TaintEffect(effect)}
	if !valued {
		toleration.Operator = core.TolerationOpExists
	}
	return toleration
}

func jobObject(entry Workload) (*batch.Job, error) {
	template, err := podTemplate(entry.Pod)
	if err != nil {
		return nil, fmt.Errorf("job %s: %w", entry.Name, err)
	}
	template.Spec.RestartPolicy = core.RestartPolicyNever
	once := int32(0)
	return &batch.Job{
		ObjectMeta: v1.ObjectMeta{Name: entry.Name, Namespace: orDefault(entry.Namespace)},
		Spec: batch.JobSpec{Parallelism: &entry.Replicas, Completions: &entry.Replicas,
			BackoffLimit: &once, Template: *template},
	}, nil
}

// selected is the pod template with a label of its own, and that label.
func selected(entry Workload) (*core.PodTemplateSpec, map[string]string, error) {
	template, err := podTemplate(entry.Pod)
	if err != nil {
		return nil, nil, fmt.Errorf("workload %s: %w", entry.Name, err)
	}
	labels := map[string]string{"app": entry.Name}
	if template.Labels == nil {
		template.Labels = map[string]string{}
	}
	maps.Copy(template.Labels, labels)
	return template, labels, nil
}

func deploymentObject(entry Workload) (*apps.Deployment, error) {
	template, labels, err := selected(entry)
	if err != nil {
		return nil, err
	}
	return &apps.Deployment{
		ObjectMeta: v1.ObjectMeta{Name: entry.Name, Namespace: orDefault(entry.Namespace)},
		Spec: apps.DeploymentSpec{Replicas: &entry.Replicas, Template: *template,
			Selector: &v1.LabelSelector{MatchLabels: labels}},
	}, nil
}

func statefulSetObject(entry Workload) (*apps.StatefulSet, error) {
	template, labels, err := selected(entry)
	if err != nil {
		return nil, err
	}
	return &apps.StatefulSet{
		ObjectMeta: v1.ObjectMeta{Name: entry.Name, Namespace: orDefault(entry.Namespace)},
		Spec: apps.StatefulSetSpec{Replicas: &entry.Replicas, Template: *template,
			PodManagementPolicy: apps.ParallelPodManagement, Selector: &v1.LabelSelector{MatchLabels: labels}},
	}, nil
}

func orDefault(namespace string) string {
	if namespace == "" {
		return core.NamespaceDefault
	}
	return namespace
}
