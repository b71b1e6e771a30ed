package pending

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	devices "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	helpers "k8s.io/component-helpers/resource"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/pending"
)

// bounded is a namespace with what may refuse its pods, of the test that runs: one that is on its
// way out may take long.
var bounded string

// admissionClient makes what these tests are about.
func admissionClient(t *testing.T) kubernetes.Interface {
	t.Helper()
	config, err := shared.cluster.Config(cluster.Admin)
	if err != nil {
		t.Fatal(err)
	}
	config.WarningHandler = rest.NoWarnings{}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// into reads an object as what it is.
func into(t *testing.T, made *unstructured.Unstructured, typed any) {
	t.Helper()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(made.Object, typed); err != nil {
		t.Fatalf("%v in %v", err, made.Object)
	}
}

func poll(t *testing.T, what string, done func(context.Context) (bool, error)) {
	t.Helper()
	if err := cluster.Poll(t.Context(), 30*time.Second, what, done); err != nil {
		t.Fatal(err)
	}
}

// bound makes the namespace, a node with GPUs, and its limits; it is gone with the test.
func bound(t *testing.T, client kubernetes.Interface, limitRange, hard string) {
	t.Helper()
	ctx := t.Context()
	bounded = strings.ToLower(t.Name())
	space := &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: bounded}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, space, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.CoreV1().Namespaces().Delete(context.Background(), space.Name, meta.DeleteOptions{})
		_ = client.CoreV1().Nodes().Delete(context.Background(), "gpu-"+space.Name, meta.DeleteOptions{})
	})
	var host core.Node
	into(t, node(t, "gpu-"+bounded, "", eight, ""), &host)
	if _, err := client.CoreV1().Nodes().Create(ctx, &host, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	// Admission gives every new node a taint.
	poll(t, "node "+host.Name, func(ctx context.Context) (bool, error) {
		node, err := client.CoreV1().Nodes().Get(ctx, host.Name, meta.GetOptions{})
		return err == nil && len(node.Spec.Taints) == 0, err
	})
	poll(t, "service account", func(ctx context.Context) (bool, error) {
		_, err := client.CoreV1().ServiceAccounts(bounded).Get(ctx, "default", meta.GetOptions{})
		return err == nil, err
	})
	if limitRange != "" {
		var limits core.LimitRange
		into(t, object(t, `{apiVersion: v1, kind: LimitRange, metadata: {name: usual}, spec: {limits: [`+limitRange+`]}}`), &limits)
		if _, err := client.CoreV1().LimitRanges(bounded).Create(ctx, &limits, meta.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if hard == "" {
		return
	}
	var quota core.ResourceQuota
	into(t, object(t, `{apiVersion: v1, kind: ResourceQuota, metadata: {name: team}, spec: {hard: {`+hard+`}}}`), &quota)
	if _, err := client.CoreV1().ResourceQuotas(bounded).Create(ctx, &quota, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	counted(t, client, func(*core.ResourceQuota) bool { return true })
}

// counted waits until the quota has counted what there is, as is says.
func counted(t *testing.T, client kubernetes.Interface, is func(*core.ResourceQuota) bool) {
	t.Helper()
	poll(t, "use of the quota", func(ctx context.Context) (bool, error) {
		quota, err := client.CoreV1().ResourceQuotas(bounded).Get(ctx, "team", meta.GetOptions{})
		return err == nil && len(quota.Status.Used) == len(quota.Spec.Hard) && is(quota), err
	})
}

// admitted is what the answer to -f says of admission.
type admitted struct {
	Code, Summary string
	Blocked       bool
	Requests      map[string]float64
	NotChecked    []string
}

// askFile asks about what is not made yet.
func askFile(t *testing.T, made *unstructured.Unstructured) admitted {
	t.Helper()
	file := filepath.Join(t.TempDir(), "asked.yaml")
	write(t, file, made.Object)
	output, err := program(t, cluster.Admin).Run(t.Context(), "why-pending", "-f", file, "-o", "json")
	if err != nil || output.Code > 1 {
		t.Fatalf("exit code %d, error %v; stderr:\n%s", output.Code, err, output.Stderr)
	}
	var list struct{ Items []admitted }
	if err := json.Unmarshal([]byte(output.Stdout), &list); err != nil || len(list.Items) != 1 {
		t.Fatalf("%v, %d answers in:\n%s", err, len(list.Items), output.Stdout)
	}
	answer := list.Items[0]
	if told := fmt.Sprint(answer.NotChecked); strings.Contains(told, "Quota") || strings.Contains(told, "LimitRange") {
		t.Errorf("not checked: %s", told)
	}
	return answer
}

// isRefusal is whether a code is that of a pod that the API server does not let in.
func isRefusal(code string) bool {
	return code == "limit-range" || code == "quota-exceeded" || code == "quota-needs-requests" || code == "admission-rejected"
}

var taken = regexp.MustCompile(`(\S+) of (\S+) (\S+) are taken, and the pod requests ([^\s;]+)`)

// refusesAlike holds our words against the API server's.
func refusesAlike(t *testing.T, answer admitted, refusal string) {
	t.Helper()
	switch answer.Code {
	case "limit-range":
		if why := strings.TrimPrefix(answer.Summary, "the LimitRange usual of namespace "+bounded+" would refuse it: "); !strings.Contains(refusal, ": "+why) {
			t.Errorf("%q, and the API server says %q", answer.Summary, refusal)
		}
	case "quota-needs-requests":
		if _, why, _ := strings.Cut(answer.Summary, "without requests: "); !strings.HasSuffix(refusal, "failed quota: team: "+why) {
			t.Errorf("%q, and the API server says %q", answer.Summary, refusal)
		}
	case "quota-exceeded":
		var asked, used, hard []string
		for _, each := range taken.FindAllStringSubmatch(answer.Summary, -1) {
			used, hard = append(used, each[3]+"="+each[1]), append(hard, each[3]+"="+each[2])
			asked = append(asked, each[3]+"="+each[4])
		}
		told := fmt.Sprintf("exceeded quota: team, requested: %s, used: %s, limited: %s", strings.Join(asked, ","), strings.Join(used, ","), strings.Join(hard, ","))
		if !strings.HasSuffix(refusal, told) {
			t.Errorf("%q, and the API server says %q", told, refusal)
		}
	default:
		t.Errorf("%s: %q, and the API server says %q", answer.Code, answer.Summary, refusal)
	}
}

// TestPlannedAdmission asks about pods that are not made, and then has the API server try them: it
// refuses the same ones, in the same words, and gives the others the same requests.
func TestPlannedAdmission(t *testing.T) {
	client := admissionClient(t)
	bound(t, client, `{type: Container, max: {cpu: "8", memory: 64Gi}, min: {cpu: 100m}, default: {cpu: "2", memory: 4Gi}, defaultRequest: {cpu: 500m, memory: 2Gi},
  maxLimitRequestRatio: {cpu: "4"}}, {type: Pod, max: {cpu: "12"}}`,
		`requests.nvidia.com/gpu: "4", requests.cpu: "10", limits.memory: 80Gi, requests.ephemeral-storage: 8Gi, pods: "5", count/pods: "20"`)
	refused := 0
	for name, containers := range map[string]string{
		"defaults":                    `containers: [{name: main, image: none}]`,
		"a GPU":                       `containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "1"}}}]`,
		"too many GPUs":               `containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "5"}}}]`,
		"own limit":                   `containers: [{name: main, image: none, resources: {limits: {cpu: "3"}}}]`,
		"limit above max":             `containers: [{name: main, image: none, resources: {limits: {cpu: "9"}, requests: {cpu: "4"}}}]`,
		"request below min":           `containers: [{name: main, image: none, resources: {requests: {cpu: 50m}, limits: {cpu: 100m}}}]`,
		"ratio":                       `containers: [{name: main, image: none, resources: {requests: {cpu: 300m}}}]`,
		"request above default":       `containers: [{name: main, image: none, resources: {requests: {cpu: "3"}}}]`,
		"pod too big":                 `containers: [{name: main, image: none, resources: {limits: {cpu: "7"}}}, {name: beside, image: none, resources: {limits: {cpu: "6"}}}]`,
		"init container":              `initContainers: [{name: init, image: none, resources: {limits: {cpu: "8"}}}], containers: [{name: main, image: none}]`,
		"sidecar":                     `initContainers: [{name: side, image: none, restartPolicy: Always, resources: {limits: {cpu: "8"}}}], containers: [{name: main, image: none, resources: {limits: {cpu: "5"}}}]`,
		"memory and cpu of the quota": `containers: [{name: main, image: none, resources: {limits: {cpu: "6", memory: 60Gi}}}, {name: beside, image: none, resources: {limits: {cpu: "5", memory: 30Gi}}}]`,
		"storage of the quota":        `containers: [{name: main, image: none, resources: {requests: {ephemeral-storage: 9Gi}}}]`,
		"pod level":                   `resources: {limits: {cpu: "4", memory: 8Gi}}, containers: [{name: main, image: none}]`,
	} {
		t.Run(name, func(t *testing.T) {
			made := object(t, `{apiVersion: v1, kind: Pod, metadata: {name: asked, namespace: `+bounded+`}, spec: {`+containers+`}}`)
			answer := askFile(t, made)
			var asked core.Pod
			into(t, made, &asked)
			created, err := client.CoreV1().Pods(bounded).Create(t.Context(), &asked, meta.CreateOptions{DryRun: []string{meta.DryRunAll}})
			if isRefusal(answer.Code) != (err != nil) {
				t.Fatalf("%s: %q, and the API server says %v", answer.Code, answer.Summary, err)
			}
			if err != nil {
				refused++
				if answer.Code == "admission-rejected" {
					if _, field, _ := strings.Cut(answer.Summary, "refuse it: "); !strings.Contains(err.Error(), field) {
						t.Errorf("%q, and the API server says %v", answer.Summary, err)
					}
					return
				}
				refusesAlike(t, answer, err.Error())
				return
			}
			for resource, amount := range helpers.PodRequests(created, helpers.PodResourcesOptions{}) {
				if amount.IsZero() {
					continue
				}
				if told := answer.Requests[string(resource)]; told != amount.AsApproximateFloat64() {
					t.Errorf("%s: %v, and the API server made it %s", resource, told, amount.String())
				}
			}
		})
	}
	if refused < 6 {
		t.Errorf("%d pods were refused, want 6 or more", refused)
	}
}

// TestPlannedNeedsRequests is of a quota that lets in no pods without requests.
func TestPlannedNeedsRequests(t *testing.T) {
	client := admissionClient(t)
	bound(t, client, "", `limits.cpu: "8", requests.memory: 64Gi`)
	made := object(t, `{apiVersion: v1, kind: Pod, metadata: {name: asked, namespace: `+bounded+`},
  spec: {containers: [{name: main, image: none, resources: {limits: {cpu: "1"}}}, {name: beside, image: none, resources: {requests: {memory: 1Gi}}}]}}`)
	answer := askFile(t, made)
	var asked core.Pod
	into(t, made, &asked)
	_, err := client.CoreV1().Pods(bounded).Create(t.Context(), &asked, meta.CreateOptions{DryRun: []string{meta.DryRunAll}})
	if err == nil || answer.Code != "quota-needs-requests" {
		t.Fatalf("%s: %q, and the API server says %v", answer.Code, answer.Summary, err)
	}
	refusesAlike(t, answer, err.Error())
}

// TestPlannedReplicas asks how many pods of a Deployment a quota lets in, and makes it.
func TestPlannedReplicas(t *testing.T) {
	client := admissionClient(t)
	bound(t, client, "", `requests.nvidia.com/gpu: "5"`)
	made := object(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: asked, namespace: `+bounded+`},
  spec: {replicas: 4, selector: {matchLabels: {app: asked}}, template: {metadata: {labels: {app: asked}},
  spec: {containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "2"}}}]}}}}`)
	answer := askFile(t, made)
	if want := "2 of 4 pods would start; the third: "; answer.Code != "quota-exceeded" || !strings.HasPrefix(answer.Summary, want) {
		t.Fatalf("%s: %q, want %q", answer.Code, answer.Summary, want)
	}
	var asked apps.Deployment
	into(t, made, &asked)
	if _, err := client.AppsV1().Deployments(bounded).Create(t.Context(), &asked, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	four := resource.MustParse("4")
	counted(t, client, func(quota *core.ResourceQuota) bool { return four.Equal(quota.Status.Used["requests.nvidia.com/gpu"]) })
	poll(t, "word of the ReplicaSet", func(ctx context.Context) (bool, error) {
		deployment, err := client.AppsV1().Deployments(bounded).Get(ctx, "asked", meta.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, condition := range deployment.Status.Conditions {
			if condition.Type == apps.DeploymentReplicaFailure && condition.Status == core.ConditionTrue {
				_, numbers, _ := strings.Cut(answer.Summary, "no room for it: ")
				refusesAlike(t, admitted{Code: answer.Code, Summary: numbers}, condition.Message)
				return true, nil
			}
		}
		return false, nil
	})
	pods, err := client.CoreV1().Pods(bounded).List(t.Context(), meta.ListOptions{})
	if err != nil || len(pods.Items) != 2 {
		t.Errorf("%d pods, error %v; want 2", len(pods.Items), err)
	}
}

// TestPlannedClaims asks how many pods of a Deployment get devices by claims from a template that
// stands in the same file, and makes them.
func TestPlannedClaims(t *testing.T) {
	client := admissionClient(t)
	bound(t, client, "", "")
	var class devices.DeviceClass
	into(t, object(t, `{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: planned.example.com}, spec: {selectors: [{cel: {expression: "device.driver == 'planned.example.com'"}}]}}`), &class)
	if _, err := client.ResourceV1().DeviceClasses().Create(t.Context(), &class, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var slice devices.ResourceSlice
	into(t, object(t, `{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: planned}, spec: {driver: planned.example.com, nodeName: gpu-`+bounded+`,
  pool: {name: gpu-`+bounded+`, generation: 1, resourceSliceCount: 1}, devices: [{name: one}, {name: two}]}}`), &slice)
	if _, err := client.ResourceV1().ResourceSlices().Create(t.Context(), &slice, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.ResourceV1().DeviceClasses().Delete(context.Background(), class.Name, meta.DeleteOptions{})
		_ = client.ResourceV1().ResourceSlices().Delete(context.Background(), slice.Name, meta.DeleteOptions{})
	})
	var template devices.ResourceClaimTemplate
	written := object(t, `{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: one, namespace: `+bounded+`},
  spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: planned.example.com}}]}}}}`)
	into(t, written, &template)
	made := object(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: asked, namespace: `+bounded+`},
  spec: {replicas: 3, selector: {matchLabels: {app: asked}}, template: {metadata: {labels: {app: asked}},
  spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: one}], containers: [{name: main, image: none, resources: {claims: [{name: gpu}]}}]}}}}`)
	both := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{written.Object, made.Object}}}
	answer := askFile(t, both)
	if want := "2 of 3 pods would start; the third: "; answer.Code != "claim-unsatisfiable" || !strings.HasPrefix(answer.Summary, want) {
		t.Fatalf("%s: %q, want %q", answer.Code, answer.Summary, want)
	}
	if _, err := client.ResourceV1().ResourceClaimTemplates(bounded).Create(t.Context(), &template, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var asked apps.Deployment
	into(t, made, &asked)
	if _, err := client.AppsV1().Deployments(bounded).Create(t.Context(), &asked, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	poll(t, "two pods on the node, and the third refused", func(ctx context.Context) (bool, error) {
		pods, err := client.CoreV1().Pods(bounded).List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		started, refused := 0, 0
		for _, each := range pods.Items {
			if each.Spec.NodeName != "" {
				started++
			} else if strings.Contains(pending.Refusal(&each), "cannot allocate all claims") {
				refused++
			}
		}
		return started == 2 && refused == 1, nil
	})
}
