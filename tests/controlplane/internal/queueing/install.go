// Package queueing starts Kueue's own controller beside the control plane, with its CRDs and webhooks.
package queueing

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// Kinds are those that the tests write, by kind.
var Kinds = map[string]schema.GroupVersionResource{
	"CustomResourceDefinition":       {Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"},
	"MutatingWebhookConfiguration":   {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"},
	"ValidatingWebhookConfiguration": {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations"},
	"AdmissionCheck":                 {Group: "kueue.x-k8s.io", Version: "v1beta2", Resource: "admissionchecks"},
	"Cohort":                         {Group: "kueue.x-k8s.io", Version: "v1beta2", Resource: "cohorts"},
	"ClusterQueue":                   {Group: "kueue.x-k8s.io", Version: "v1beta2", Resource: "clusterqueues"},
	"LocalQueue":                     {Group: "kueue.x-k8s.io", Version: "v1beta2", Resource: "localqueues"},
	"ResourceFlavor":                 {Group: "kueue.x-k8s.io", Version: "v1beta2", Resource: "resourceflavors"},
	"Workload":                       {Group: "kueue.x-k8s.io", Version: "v1beta2", Resource: "workloads"},
	"ResourceQuota":                  {Version: "v1", Resource: "resourcequotas"},
	"Namespace":                      {Version: "v1", Resource: "namespaces"},
	"PriorityClass":                  {Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"},
	"WorkloadPriorityClass":          {Group: "kueue.x-k8s.io", Version: "v1beta2", Resource: "workloadpriorityclasses"},
	"Service":                        {Version: "v1", Resource: "services"},
	"Job":                            {Group: "batch", Version: "v1", Resource: "jobs"},
	"Deployment":                     {Group: "apps", Version: "v1", Resource: "deployments"},
	"JobSet":                         {Group: "jobset.x-k8s.io", Version: "v1alpha2", Resource: "jobsets"},
	"PyTorchJob":                     {Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"},
	"TFJob":                          {Group: "kubeflow.org", Version: "v1", Resource: "tfjobs"},
	"MPIJob":                         {Group: "kubeflow.org", Version: "v2beta1", Resource: "mpijobs"},
	"RayCluster":                     {Group: "ray.io", Version: "v1", Resource: "rayclusters"},
	"RayJob":                         {Group: "ray.io", Version: "v1", Resource: "rayjobs"},
	"ConfigMap":                      {Version: "v1", Resource: "configmaps"},
	"StorageClass":                   {Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"},
	"PersistentVolume":               {Version: "v1", Resource: "persistentvolumes"},
	"PodDisruptionBudget":            {Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
	"PersistentVolumeClaim":          {Version: "v1", Resource: "persistentvolumeclaims"},
	"Pod":                            {Version: "v1", Resource: "pods"},
}

// Documents reads the objects of a YAML text.
func Documents(text string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := decoder.Decode(object); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		if object.Object != nil {
			objects = append(objects, object)
		}
	}
}

// API is where an object is written.
func API(client dynamic.Interface, object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind, known := Kinds[object.GetKind()]
	if !known {
		return nil, fmt.Errorf("kind %q is not in the table", object.GetKind())
	}
	if object.GetNamespace() == "" {
		return client.Resource(kind), nil
	}
	return client.Resource(kind).Namespace(object.GetNamespace()), nil
}

// Create makes objects; while Kueue's webhooks do not answer yet, it tries again.
func Create(ctx context.Context, client dynamic.Interface, objects ...*unstructured.Unstructured) error {
	for _, object := range objects {
		api, err := API(client, object)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("create %s %s", object.GetKind(), object.GetName())
		err = cluster.Poll(ctx, 30*time.Second, what, func(ctx context.Context) (bool, error) {
			_, err := api.Create(ctx, object, v1.CreateOptions{})
			return err == nil || apierrors.IsAlreadyExists(err), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// StatusOf is the status of a condition, "" if there is none of that type.
func StatusOf(object *unstructured.Unstructured, kind string) string {
	all, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, each := range all {
		if found, _ := each.(map[string]any); found != nil && found["type"] == kind {
			status, _ := found["status"].(string)
			return status
		}
	}
	return ""
}

// edge is where the API server reaches Kueue.
type edge struct {
	url       string
	authority []byte
}

func (e edge) clientConfig(path string) map[string]any {
	return map[string]any{"url": e.url + path, "caBundle": base64.StdEncoding.EncodeToString(e.authority)}
}

// converted are the CRDs whose versions the controller converts, as the release has it; the others'
// versions have the same form.
var converted = []string{"localqueues", "clusterqueues", "cohorts", "workloads", "multikueueclusters"}

// installCRDs creates the CRDs of folders and waits for them.
func installCRDs(ctx context.Context, client dynamic.Interface, folders []string, at edge) error {
	var files []string
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
		if err != nil || len(found) == 0 {
			return errors.Join(err, fmt.Errorf("no CRDs in %s", folder))
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		objects, err := Documents(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, object := range objects {
			if plural, _, _ := strings.Cut(object.GetName(), "."); slices.Contains(converted, plural) {
				err := unstructured.SetNestedField(object.Object, map[string]any{"strategy": "Webhook",
					"webhook": map[string]any{"clientConfig": at.clientConfig("/convert"),
						"conversionReviewVersions": []any{"v1"}}}, "spec", "conversion")
				if err != nil {
					return err
				}
			}
		}
		if err := Create(ctx, client, objects...); err != nil {
			return err
		}
	}
	return cluster.Poll(ctx, time.Minute, "CRDs established", func(ctx context.Context) (bool, error) {
		list, err := client.Resource(Kinds["CustomResourceDefinition"]).List(ctx, v1.ListOptions{})
		if err != nil {
			return false, err
		}
		return len(list.Items) >= len(files) && !slices.ContainsFunc(list.Items, func(crd unstructured.Unstructured) bool {
			return StatusOf(&crd, "Established") != "True"
		}), nil
	})
}

// installWebhooks registers those webhooks of the release whose kinds exist here.
func installWebhooks(ctx context.Context, client dynamic.Interface, config string, at edge) error {
	text, err := os.ReadFile(filepath.Join(config, "components/webhook/manifests.yaml"))
	if err != nil {
		return err
	}
	objects, err := Documents(string(text))
	if err != nil {
		return err
	}
	for _, object := range objects {
		all, _, err := unstructured.NestedSlice(object.Object, "webhooks")
		if err != nil {
			return err
		}
		kept := []any{}
		for _, each := range all {
			webhook := each.(map[string]any)
			if !slices.ContainsFunc([]string{"job", "pod", "deployment", "jobset", "pytorchjob", "tfjob", "mpijob", "raycluster",
				"rayjob", "workload", "clusterqueue", "resourceflavor", "cohort"},
				func(kind string) bool {
					return webhook["name"] == "m"+kind+".kb.io" || webhook["name"] == "v"+kind+".kb.io"
				}) {
				continue
			}
			path, _, _ := unstructured.NestedString(webhook, "clientConfig", "service", "path")
			webhook["clientConfig"] = at.clientConfig(path)
			// As the release has it for pods: never the system's own.
			webhook["namespaceSelector"] = map[string]any{"matchExpressions": []any{map[string]any{
				"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": []any{"kube-system", "kueue-system"}}}}
			kept = append(kept, webhook)
		}
		if err := unstructured.SetNestedSlice(object.Object, kept, "webhooks"); err != nil {
			return err
		}
		object.SetName("kueue-" + object.GetName())
	}
	return Create(ctx, client, objects...)
}
