package pending

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// mark is a label that only pods of the scene's owner have.
const mark = "kubectl-gpu.test/asked"

var ownerPlurals = map[string]schema.GroupVersionResource{
	"Deployment":  {Group: "apps", Version: "v1", Resource: "deployments"},
	"StatefulSet": {Group: "apps", Version: "v1", Resource: "statefulsets"},
	"DaemonSet":   {Group: "apps", Version: "v1", Resource: "daemonsets"},
	"Job":         {Group: "batch", Version: "v1", Resource: "jobs"},
	"CronJob":     {Group: "batch", Version: "v1", Resource: "cronjobs"},
}

// topObject is what a person would have made: the pod, or an owner with the pod as its template.
func (s *Scene) topObject() *unstructured.Unstructured {
	pod := s.Pod.DeepCopy()
	for _, field := range []string{"uid", "creationTimestamp"} {
		unstructured.RemoveNestedField(pod.Object, "metadata", field)
	}
	labels := map[string]any{mark: "yes"}
	for key, value := range pod.GetLabels() {
		labels[key] = value
	}
	_ = unstructured.SetNestedMap(pod.Object, labels, "metadata", "labels")
	if s.OwnerKind == "" {
		return pod
	}
	spec := pod.Object["spec"].(map[string]any)
	template := map[string]any{"metadata": map[string]any{"labels": labels}, "spec": maps.Clone(spec)}
	// Admission of the pods gives it, by the class.
	delete(template["spec"].(map[string]any), "priority")
	delete(template["spec"].(map[string]any), "preemptionPolicy")
	owner := map[string]any{"template": template}
	switch s.OwnerKind {
	case "Job", "CronJob":
		template["spec"].(map[string]any)["restartPolicy"] = "Never"
	case "DaemonSet":
		owner["selector"] = map[string]any{"matchLabels": map[string]any{mark: "yes"}}
	case "StatefulSet":
		owner["serviceName"] = "none"
		fallthrough
	default:
		owner["replicas"] = int64(1)
		owner["selector"] = map[string]any{"matchLabels": map[string]any{mark: "yes"}}
	}
	if s.OwnerKind == "CronJob" { // it makes a Job when somebody asks for one
		owner = map[string]any{"schedule": "0 0 1 1 *", "suspend": true, "jobTemplate": map[string]any{"spec": owner}}
	}
	resource := ownerPlurals[s.OwnerKind]
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": resource.GroupVersion().String(), "kind": s.OwnerKind,
		"metadata": map[string]any{"name": s.Name, "namespace": s.Namespace}, "spec": owner}}
}

// jobOf is the Job that a CronJob makes.
func jobOf(made *unstructured.Unstructured) *unstructured.Unstructured {
	spec, _, _ := unstructured.NestedMap(made.Object, "spec", "jobTemplate", "spec")
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "batch/v1", "kind": "Job", "spec": spec,
		"metadata": map[string]any{"name": made.GetName() + "-1", "namespace": made.GetNamespace(),
			"ownerReferences": []any{map[string]any{"apiVersion": "batch/v1", "kind": "CronJob", "controller": true,
				"name": made.GetName(), "uid": string(made.GetUID())}}}}}
}
