package controlplane

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// rightsNamespace has the objects of this file; it goes with them.
const rightsNamespace = "rights"

// workloadKind is a row of the program's own table of kinds that make pods.
type workloadKind struct{ kind, group, version, plural string }

// workloadKinds reads that table, so that a kind that is added there is asked for here.
func workloadKinds(t *testing.T) []workloadKind {
	t.Helper()
	source, err := os.ReadFile("../../lib/model/snapshot/workload.cpp")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`\{"(\w+)", "([\w.\-]*)", "(\w+)[\w ]*",\s*"(\w+)"`)
	var kinds []workloadKind
	for _, found := range row.FindAllStringSubmatch(string(source), -1) {
		kinds = append(kinds, workloadKind{found[1], found[2], found[3], found[4]})
	}
	if len(kinds) < 40 {
		t.Fatalf("%d kinds found, want 40 or more: has the table another form?", len(kinds))
	}
	return kinds
}

func (k workloadKind) isBuiltIn() bool {
	return k.group == "" || k.group == "apps" || k.group == "batch"
}

// definition lets the API server take any object of the kind.
func (k workloadKind) definition() string {
	return fmt.Sprintf(`---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[4]s.%[2]s, annotations: {api-approved.kubernetes.io: "unapproved, for a test"}}
spec:
  group: %[2]s
  scope: Namespaced
  names: {kind: %[1]s, plural: %[4]s, singular: %[5]s}
  versions:
  - {name: %[3]s, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`, k.kind, k.group, k.version, k.plural, strings.ToLower(k.kind))
}

// object is one that makes no pods.
func (k workloadKind) object() string {
	const template = `template: {metadata: {labels: {app: asked}}, spec: {restartPolicy: %s, nodeSelector: {no: where}, containers: [{name: c, image: x}]}}`
	always, never := fmt.Sprintf(template, "Always"), fmt.Sprintf(template, "Never")
	spec := "suspend: true"
	switch {
	case k.kind == "Pod":
		spec = "schedulerName: nobody, containers: [{name: c, image: x}]"
	case k.kind == "ReplicationController":
		spec = "replicas: 0, selector: {app: asked}, " + always
	case k.group == "apps":
		spec = "selector: {matchLabels: {app: asked}}, " + always
		if k.kind != "DaemonSet" {
			spec += ", replicas: 0"
		}
	case k.kind == "CronJob":
		spec = `suspend: true, schedule: "0 3 * * *", jobTemplate: {spec: {` + never + "}}"
	case k.group == "batch":
		spec = "suspend: true, " + never
	}
	api := k.version
	if k.group != "" {
		api = k.group + "/" + k.version
	}
	return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: asked, namespace: %s}\nspec: {%s}\n",
		api, k.kind, rightsNamespace, spec)
}

// stuckPods need every kind of object to be judged that a role may leave out.
const stuckPods = `---
apiVersion: v1
kind: Namespace
metadata: {name: rights}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: rights}
value: 7
---
apiVersion: v1
kind: Pod
metadata: {name: volume, namespace: rights}
spec: {priorityClassName: rights, containers: [{name: c, image: x}], volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: claim, namespace: rights}
spec: {containers: [{name: c, image: x}], resourceClaims: [{name: g, resourceClaimTemplateName: gone}]}
---
apiVersion: v1
kind: Pod
metadata: {name: gated, namespace: rights}
spec: {schedulingGates: [{name: example.com/wait}], containers: [{name: c, image: x}]}
---
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: rights}
spec: {schedulerName: nobody, containers: [{name: c, image: x}]}
---
apiVersion: v1
kind: Pod
metadata: {name: selects, namespace: rights, labels: {app: selects}}
spec:
  nodeSelector: {no: where}
  affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, namespaceSelector: {}, labelSelector: {matchLabels: {app: selects}}}]}}
  containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 4}}}]
`

// apply gives YAML to the real kubectl, as administrator.
func apply(t *testing.T, yaml string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	kubectl(t, "apply", "-f", file)
}

// remove does not wait, and takes what is there.
func remove(t *testing.T, yaml string) {
	command := exec.Command(filepath.Join(shared.Binaries, "kubectl"), "delete", "--ignore-not-found", "--wait=false", "-f", "-")
	command.Env = append(os.Environ(), "KUBECONFIG="+shared.Kubeconfig(cluster.Admin), "HOME="+t.TempDir())
	command.Stdin = strings.NewReader(yaml)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	if err := command.Run(); err != nil {
		t.Errorf("kubectl delete: %v: %s", err, complaints.String())
	}
}

type pendingList struct {
	Items []struct{ Namespace, Name, Kind, Code, Summary string }
	Gaps  []gap
}

// The rights in examples/rbac.yaml are enough for why-pending: of everything, of a pod of each kind
// of cause, and of an object of every kind that makes pods.
func TestExampleRBACOfWhyPending(t *testing.T) {
	load(t, "inventory.yaml")
	kinds := workloadKinds(t)
	var definitions, objects strings.Builder
	for _, kind := range kinds {
		if !kind.isBuiltIn() {
			definitions.WriteString(kind.definition())
		}
		objects.WriteString(kind.object())
	}
	defer remove(t, definitions.String())
	defer remove(t, stuckPods)
	apply(t, definitions.String())
	kubectl(t, "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all")
	apply(t, stuckPods)
	apply(t, objects.String())
	kubectl(t, "apply", "-f", "../../examples/rbac.yaml")
	defer kubectl(t, "delete", "-f", "../../examples/rbac.yaml")

	kubeconfig := shared.Kubeconfig(cluster.Admin)
	ask := func(words ...string) pendingList {
		t.Helper()
		words = append([]string{"why-pending", "-o", "json", "--as=ana", "--as-group=gpu-readers", "--as-group=system:authenticated"}, words...)
		stdout, stderr, code := runGPU(t, kubeconfig, words...)
		if code > 1 {
			t.Errorf("%q: exit code %d; stderr:\n%s", words, code, stderr)
			return pendingList{}
		}
		var answer pendingList
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
			t.Fatalf("%q: %v in:\n%s", words, err, stdout)
		}
		for _, gap := range answer.Gaps {
			if strings.Contains(strings.ToLower(gap.Why), "forbidden") {
				t.Errorf("%q: %+v", words, gap)
			}
		}
		return answer
	}
	if answer := ask("-A"); len(answer.Items) < 5 {
		t.Errorf("-A: %d items, want 5 or more", len(answer.Items))
	}
	if answer := ask("-f", plannedFile(t, rightsNamespace)); len(answer.Items) != 1 {
		t.Errorf("-f: %d items, want 1", len(answer.Items))
	}
	for pod, code := range map[string]string{"volume": "volume-unbound", "claim": "claim-missing", "gated": "scheduling-gated",
		"selects": "node-selector-mismatch"} {
		if answer := ask(rightsNamespace + "/" + pod); len(answer.Items) != 1 || answer.Items[0].Code != code {
			t.Errorf("%s: %+v, want %s", pod, answer.Items, code)
		}
	}
	for _, kind := range kinds {
		word := kind.plural + "." + kind.group + "/asked"
		if kind.group == "" {
			word = strings.ToLower(kind.kind) + "/asked"
		}
		answer := ask(word, "-n", rightsNamespace)
		if len(answer.Items) != 1 || answer.Items[0].Kind != kind.kind {
			t.Errorf("%s: %+v", word, answer.Items)
		} else if kind.group == "batch" && !strings.Contains(answer.Items[0].Summary, "is suspended") {
			t.Errorf("%s: %q does not say that it is suspended", word, answer.Items[0].Summary)
		}
	}
}

// An object that does not exist is told apart from one that may not be read.
func TestWhyPendingOfAMissingJob(t *testing.T) {
	apply(t, "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: rights-2}\n"+
		strings.ReplaceAll(workloadKind{"Job", "batch", "v1", "jobs"}.object(), "namespace: rights", "namespace: rights-2"))
	defer remove(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: rights-2}\n")
	for words, want := range map[string]string{
		"why-pending job/askd -n rights-2":                       "a similar one is `asked`",
		"why-pending job/asked -n default":                       "a job of that name is in rights-2",
		"why-pending jobset/asked -n rights-2":                   "the API server has no jobsets.jobset.x-k8s.io",
		"why-pending job/asked -n rights-2 --as=system:nobody-x": "orbidden",
	} {
		_, stderr, code := runGPU(t, shared.Kubeconfig(cluster.Admin), strings.Fields(words)...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, stderr without %q:\n%s", words, code, want, stderr)
		}
	}
}

// plannedFile is the manifest of a pod that is not made.
func plannedFile(t *testing.T, namespace string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "planned.yaml")
	text := "apiVersion: v1\nkind: Pod\nmetadata: {name: planned, namespace: " + namespace + "}\nspec: {containers: [{name: c, image: x}]}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// One right less than examples/rbac.yaml gives: the answer uses what is there, and names what is missing.
func TestWhyPendingWithOneRightLess(t *testing.T) {
	load(t, "inventory.yaml")
	role, err := os.ReadFile("../../examples/rbac.yaml")
	if err != nil {
		t.Fatal(err)
	}
	queue := workloadKind{"Workload", "kueue.x-k8s.io", "v1beta1", "workloads"}.definition()
	apply(t, queue)
	defer remove(t, queue)
	kubectl(t, "wait", "--for=condition=Established", "--timeout=60s", "crd", "workloads.kueue.x-k8s.io")
	// A namespace of its own: the other test's may still be on its way out.
	const namespace = "rights-less"
	pods := strings.ReplaceAll(stuckPods, "rights", namespace)
	apply(t, pods)
	defer remove(t, pods)
	// What the API server writes down of pods takes a moment.
	kubectl(t, "wait", "--for=condition=PodScheduled=false", "--timeout=30s", "-n", namespace, "pod/selects")
	for lost, pod := range map[string]string{"events": "selects", "nodes": "selects", "persistentvolumeclaims": "volume",
		"resourceclaims": "claim", "resourceclaimtemplates": "claim", "workloads": "gated", "namespaces": "selects", "leases": "alone",
		"limitranges": "", "resourcequotas": ""} {
		t.Run(lost, func(t *testing.T) {
			asked := []string{namespace + "/" + pod}
			if pod == "" {
				asked = []string{"-f", plannedFile(t, namespace)}
			}
			less := regexp.MustCompile(`\b`+lost+`\b,? ?`).ReplaceAllString(string(role), "")
			less = strings.NewReplacer("name: kubectl-gpu\n", "name: kubectl-gpu-less\n", "gpu-readers", "less-readers", "resources: []", "resources: [none]").Replace(less)
			apply(t, less)
			defer remove(t, less)
			words := append([]string{"why-pending", "-o", "json", "--as=bea", "--as-group=less-readers", "--as-group=system:authenticated"}, asked...)
			stdout, stderr, code := runGPU(t, shared.Kubeconfig(cluster.Admin), words...)
			if code > 1 {
				t.Fatalf("exit code %d; stderr:\n%s", code, stderr)
			}
			var answer struct {
				Items []struct{ NotChecked []string }
				Gaps  []gap
			}
			if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
				t.Fatal(err)
			}
			if len(answer.Items) != 1 {
				t.Fatalf("%d items", len(answer.Items))
			}
			if told := fmt.Sprint(answer.Gaps, answer.Items[0].NotChecked); !strings.Contains(told, lost) {
				t.Errorf("nothing says that %s could not be read: %s", lost, told)
			}
		})
	}
}
