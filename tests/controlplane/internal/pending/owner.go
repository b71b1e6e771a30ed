package pending

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// mark is a label that only pods of the scene's owner have.
const mark = "kubectl-gpu.test/asked"

var ownerPlurals = map[string]schema.GroupVersionResource{
	"Deployment":            {Group: "apps", Version: "v1", Resource: "deployments"},
	"ReplicaSet":            {Group: "apps", Version: "v1", Resource: "replicasets"},
	"ReplicationController": {Version: "v1", Resource: "replicationcontrollers"},
	"StatefulSet":           {Group: "apps", Version: "v1", Resource: "statefulsets"},
	"DaemonSet":             {Group: "apps", Version: "v1", Resource: "daemonsets"},
	"Job":                   {Group: "batch", Version: "v1", Resource: "jobs"},
	"CronJob":               {Group: "batch", Version: "v1", Resource: "cronjobs"},
}

// TopObject is what a person would have made: the pod, or an owner with the pod as its template.
func (s *Scene) TopObject() *unstructured.Unstructured {
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
	if annotations, has, _ := unstructured.NestedMap(pod.Object, "metadata", "annotations"); has {
		template["metadata"].(map[string]any)["annotations"] = annotations
	}
	// Admission of the pods gives it, by the class.
	delete(template["spec"].(map[string]any), "priority")
	delete(template["spec"].(map[string]any), "preemptionPolicy")
	owner := ownerOf(s.OwnerKind, s.Namespace, s.Name, template, map[string]any{mark: "yes"}, max(1, s.Replicas))
	maps.Copy(owner.Object["spec"].(map[string]any), s.OwnerSpec)
	return owner
}

// ownerOf is what makes pods of a template; without a kind it is the pod.
func ownerOf(kind, namespace, name string, template, selector map[string]any, replicas int64) *unstructured.Unstructured {
	metadata := map[string]any{"name": name, "namespace": namespace}
	if kind == "" {
		given := template["metadata"].(map[string]any)
		maps.Copy(given, metadata)
		return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": given, "spec": template["spec"]}}
	}
	owner := map[string]any{"template": template}
	labels := map[string]any{"matchLabels": selector}
	switch kind {
	case "Job", "CronJob":
		template["spec"].(map[string]any)["restartPolicy"] = "Never"
	case "DaemonSet":
		owner["selector"] = labels
	case "ReplicationController":
		owner["replicas"], owner["selector"] = replicas, selector
	case "StatefulSet":
		owner["replicas"], owner["selector"], owner["serviceName"] = replicas, labels, "none"
	default:
		owner["replicas"], owner["selector"] = replicas, labels
	}
	if kind == "CronJob" { // it makes a Job when somebody asks for one
		owner = map[string]any{"schedule": "0 0 1 1 *", "suspend": true, "jobTemplate": map[string]any{"spec": owner}}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": ownerPlurals[kind].GroupVersion().String(), "kind": kind, "metadata": metadata, "spec": owner}}
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

// Again makes the scene's pod again from its manifest, with a patch in patch.yaml.
func (s *Scene) Again() string {
	manifest, err := s.TopObject().MarshalJSON()
	if err != nil {
		panic(err)
	}
	return "cat > manifest.json <<'END'\n" + string(manifest) + "\nEND\n" +
		"kubectl patch -f manifest.json --local --patch-file patch.yaml -o json > asked.json\n" +
		"kubectl delete pod " + s.Name + " -n " + s.Namespace + "\nkubectl create -f asked.json"
}
