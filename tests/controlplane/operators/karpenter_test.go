//go:build operators

package operators

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

// instanceTypes are what may be bought: the provider's own have no GPUs. The cheapest has none either.
const instanceTypes = `[
 {"name": "plain.xlarge", "architecture": "amd64", "operatingSystems": ["linux"],
  "resources": {"cpu": "96", "memory": "768Gi"}, "offerings": [%[1]s, %[2]s]},
 {"name": "h100.large", "architecture": "amd64", "operatingSystems": ["linux"],
  "resources": {"cpu": "16", "memory": "128Gi", "nvidia.com/gpu": "1"}, "offerings": [%[3]s, %[4]s]},
 {"name": "h100.8xlarge", "architecture": "amd64", "operatingSystems": ["linux"],
  "resources": {"cpu": "192", "memory": "2Ti", "nvidia.com/gpu": "8"}, "offerings": [%[5]s, %[6]s]}
]`

func offering(price float64, capacity string) string {
	return fmt.Sprintf(`{"Price": %g, "Available": true, "Requirements": [
		{"key": "karpenter.sh/capacity-type", "operator": "In", "values": [%q]},
		{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["zone-a"]}]}`, price, capacity)
}

// startKarpenter runs it with its provider for KWOK, which makes a Node of a NodeClaim at once.
func startKarpenter(ctx context.Context, at site) error {
	types, err := at.configured(fmt.Sprintf(instanceTypes, offering(0.5, "spot"), offering(1, "on-demand"),
		offering(2, "spot"), offering(4, "on-demand"), offering(16, "spot"), offering(32, "on-demand")))
	if err != nil {
		return err
	}
	if err := apply(ctx, object("karpenter.kwok.sh/v1alpha1", "KWOKNodeClass", "", "gpu")); err != nil {
		return err
	}
	err = at.start([]string{"SYSTEM_NAMESPACE=kube-system"}, "--instance-types-file-path="+types, "--disable-leader-election=true",
		fmt.Sprintf("--metrics-port=%d", at.metrics), fmt.Sprintf("--health-probe-port=%d", at.health))
	if err != nil {
		return err
	}
	return at.listens(ctx, at.health)
}

// grown is what shall come of a NodePool and of a Job for it, where no node has GPUs.
type grown struct {
	pool     string // the words behind `kubectl gpu gen nodepool NAME`
	job      wanted
	instance string // type of the nodes
	labels   map[string]string
	refused  string // what Karpenter says in place of bringing a node up
	code     string // what `why-pending` says then
	also     func(ctx context.Context, t *testing.T, pool string)
}

const onlyLarge = ` --set "spec.template.spec.requirements[1]={key: node.kubernetes.io/instance-type, operator: In, values: [h100.8xlarge]}"`

var grownTable = map[string]grown{
	"plain": {pool: "--gpus 8", job: wanted{line: "--gpus 1", pods: 1, gpus: 1}, instance: "h100.large"},
	"large": {pool: "--gpus 8", job: wanted{line: "--gpus 4", pods: 1, gpus: 4}, instance: "h100.8xlarge"},
	"model": {pool: "--gpus 8 --gpu-model H100", job: wanted{line: "--gpus 2 --gpu-model H100", pods: 1, gpus: 2}, instance: "h100.8xlarge",
		labels: map[string]string{"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}},
	"nodes": {pool: "--gpus 16", job: wanted{line: "--nodes 2 --gpus 8 -- train.py", pods: 2, gpus: 8}, instance: "h100.8xlarge"},
	"spot": {pool: "--gpus 8 --spot", job: wanted{line: "--gpus 1 --spot", pods: 1, gpus: 1}, instance: "h100.large",
		labels: map[string]string{"karpenter.sh/capacity-type": "spot"}},
	"chosen": {pool: "--gpus 8" + onlyLarge, job: wanted{line: "--gpus 1", pods: 1, gpus: 1}, instance: "h100.8xlarge"},
	"empty": {pool: "--gpus 8 --set spec.disruption.consolidateAfter=1s", job: wanted{line: "--gpus 1", pods: 1, gpus: 1},
		instance: "h100.large", also: nodesGo},
	"beyond-limits": {pool: "--gpus 4" + onlyLarge, job: wanted{line: "--gpus 4"}, refused: "exceed limits", code: "autoscaler-limit"},
	// Types within the limits are left, so that Karpenter says nothing of these.
	"limits-leave-small": {pool: "--gpus 4", job: wanted{line: "--gpus 8"}, refused: "no instance type", code: "autoscaler-no-match"},
	"other-model":        {pool: "--gpus 8 --gpu-model L4", job: wanted{line: "--gpus 1 --gpu-model H100"}, refused: "incompatible", code: "autoscaler-no-match"},
	"not-spot":           {pool: "--gpus 8", job: wanted{line: "--gpus 1 --spot"}, refused: "incompatible", code: "autoscaler-no-match"},
	"too-large":          {pool: "--gpus 64", job: wanted{line: "--gpus 16"}, refused: "no instance type", code: "autoscaler-no-match"},
}

// TestScaleFromZero: gen prints a NodePool and a Job for it. Karpenter brings nodes up for the pods, or
// says why it does not.
func TestScaleFromZero(t *testing.T) {
	if _, err := run(t.Context(), nil, "delete", "nodes", "-l", "nvidia.com/gpu.product"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		withGPUs := &scenario.Scenario{Nodes: nodes().Nodes[:1]}
		if err := withGPUs.Create(context.WithoutCancel(t.Context()), client); err != nil {
			t.Error(err)
		}
	}()
	for name, want := range grownTable {
		t.Run(name, func(t *testing.T) { want.grow(t, "grown-"+name) })
	}
}

func (g grown) grow(t *testing.T, name string) {
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	if err := scenario.CreateNamespace(ctx, client, name); err != nil {
		t.Fatal(err)
	}
	defer removePool(t, name)
	defer remove(t, name)
	pool, _ := generated(t, "nodepool "+name+" --node-class karpenter.kwok.sh/KWOKNodeClass/gpu "+g.pool+" ", name)
	job, said := generated(t, "job train"+image+" "+g.job.line+" ", name)
	if !strings.Contains(said, "warning: it would wait today: ") || !strings.Contains(said, "Karpenter brings one up") {
		t.Errorf("gen does not say that it would wait for Karpenter:\n%s", said)
	}
	manifest := append(append(pool, "---\n"...), job...)
	began := time.Now()
	if out, err := run(ctx, manifest, "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatalf("%v\n%s", err, manifest)
	} else if strings.Contains(out, "Warning") {
		t.Error(out)
	}
	if g.refused != "" {
		g.checkRefused(ctx, t, name)
		return
	}
	g.job.on = "kwok-"
	g.job.stand(ctx, t, name, manifest)
	t.Logf("%d pods after %.1f s", g.job.pods, time.Since(began).Seconds())
	g.checkNodes(ctx, t, name)
	if g.also != nil {
		g.also(ctx, t, name)
	}
}

func nodesOf(ctx context.Context, pool string) ([]core.Node, error) {
	list, err := client.CoreV1().Nodes().List(ctx, v1.ListOptions{LabelSelector: "karpenter.sh/nodepool=" + pool})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

func (g grown) checkNodes(ctx context.Context, t *testing.T, pool string) {
	t.Helper()
	all, err := nodesOf(ctx, pool)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != g.job.pods {
		t.Errorf("%d nodes came, wanted are %d", len(all), g.job.pods)
	}
	checkPrices(ctx, t, all)
	labels := map[string]string{"node.kubernetes.io/instance-type": g.instance, "karpenter.sh/capacity-type": "on-demand"}
	maps.Copy(labels, g.labels)
	for _, node := range all {
		for key, value := range labels {
			if node.Labels[key] != value {
				t.Errorf("%s has the label %s=%s, wanted is %s", node.Name, key, node.Labels[key], value)
			}
		}
		if taint := (core.Taint{Key: "nvidia.com/gpu", Effect: core.TaintEffectNoSchedule}); !hasTaint(&node, taint) {
			t.Errorf("%s has the taints %v", node.Name, node.Spec.Taints)
		}
	}
}

func hasTaint(node *core.Node, wanted core.Taint) bool {
	for i := range node.Spec.Taints {
		if node.Spec.Taints[i].MatchTaint(&wanted) {
			return true
		}
	}
	return false
}

// checkRefused waits for what Karpenter says about the pod, and asks `why-pending` about it.
func (g grown) checkRefused(ctx context.Context, t *testing.T, namespace string) {
	t.Helper()
	var pod string
	err := cluster.Poll(ctx, time.Minute, "Karpenter's word", func(ctx context.Context) (bool, error) {
		events, err := client.CoreV1().Events(namespace).List(ctx, v1.ListOptions{FieldSelector: "involvedObject.kind=Pod"})
		if err != nil {
			return false, err
		}
		for _, event := range events.Items {
			if event.Source.Component == "karpenter" || event.ReportingController == "karpenter" {
				pod = event.InvolvedObject.Name
				if !strings.Contains(event.Message, g.refused) {
					t.Errorf("Karpenter says %s", event.Message)
				}
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if nodes, err := nodesOf(ctx, namespace); err != nil || len(nodes) != 0 {
		t.Errorf("%d nodes came: %v", len(nodes), err)
	}
	answer := whyPending(ctx, t, namespace, pod)
	if !regexp.MustCompile(`"code": *"` + g.code + `"`).MatchString(answer) {
		t.Errorf("why-pending does not say %s:\n%s", g.code, answer)
	}
}

// nodesGo: the Job's pods have ended, and nothing runs there any more.
func nodesGo(ctx context.Context, t *testing.T, pool string) {
	t.Helper()
	began := time.Now()
	err := cluster.Poll(ctx, 2*time.Minute, "the nodes go", func(ctx context.Context) (bool, error) {
		left, err := nodesOf(ctx, pool)
		return err == nil && len(left) == 0, err
	})
	if err != nil {
		t.Error(err)
	}
	t.Logf("no node %.1f s after", time.Since(began).Seconds())
}

// removePool deletes a NodePool, and with it its nodes.
func removePool(t *testing.T, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if _, err := run(ctx, nil, "delete", "nodepool", name, "--ignore-not-found"); err != nil {
		t.Error(err)
	}
	nodesGo(ctx, t, name)
}
