package quota

import (
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/queueing"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

func kubectl(t *testing.T, words ...string) {
	t.Helper()
	binaries, err := cluster.Built(t.Context(), "../build")
	if err != nil {
		t.Fatal(err)
	}
	words = append([]string{"--kubeconfig", shared.Kubeconfig(cluster.Admin)}, words...)
	if out, err := exec.CommandContext(t.Context(), binaries+"/kubectl", words...).CombinedOutput(); err != nil {
		t.Fatalf("kubectl %v: %v\n%s", words, err, out)
	}
}

// team is one namespace with a quota and a queue.
func team(ctx context.Context, t *testing.T) {
	t.Helper()
	if err := scenario.CreateNamespace(ctx, typed, cluster.TeamNamespace); err != nil {
		t.Fatal(err)
	}
	err := queueing.Create(ctx, client,
		object("v1", "ResourceQuota", cluster.TeamNamespace, "gpus", map[string]any{"spec": map[string]any{"hard": map[string]any{"requests." + card: "4"}}}),
		queueObject("ResourceFlavor", "", "rights-all", map[string]any{}),
		queueObject("ClusterQueue", "", "rights", map[string]any{"namespaceSelector": map[string]any{}, "resourceGroups": []any{map[string]any{
			"coveredResources": []any{card}, "flavors": []any{map[string]any{"name": "rights-all", "resources": []any{map[string]any{"name": card, "nominalQuota": "8"}}}}}}}),
		queueObject("LocalQueue", cluster.TeamNamespace, "main", map[string]any{"clusterQueue": "rights"}))
	if err != nil {
		t.Fatal(err)
	}
}

// The rights in examples/rbac.yaml are enough. Whoever has fewer gets the rest, and is told what lacks.
func TestRights(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	team(ctx, t)
	settle(ctx, t)
	kubectl(t, "apply", "-f", "../../../examples/rbac.yaml")
	as := []string{"quota", "-o", "json", "--as=ana", "--as-group=gpu-readers", "--as-group=system:authenticated"}
	out, complaints, code := gpu(ctx, t, cluster.Admin, as...)
	var whole list
	if err := json.Unmarshal([]byte(out), &whole); err != nil || code > 1 || len(whole.Gaps) > 0 || len(whole.Summary.NotRead) > 0 {
		t.Errorf("exit %d, %v, gaps %v, not read %v\n%s", code, err, whole.Gaps, whole.Summary.NotRead, complaints)
	}
	all := ask(ctx, t)
	if len(all.Items) != len(whole.Items) || len(all.Items) < 3 {
		t.Errorf("%d items, the administrator sees %d", len(whole.Items), len(all.Items))
	}
	kubectl(t, "delete", "-f", "../../../examples/rbac.yaml")

	out, complaints, code = gpu(ctx, t, cluster.Ordinary, "quota", "-o", "json")
	var part list
	if err := json.Unmarshal([]byte(out), &part); err != nil || code > 1 || len(part.Gaps) != 1 || len(part.Summary.NotRead) == 0 {
		t.Fatalf("exit %d, %v, gaps %v, not read %v\n%s", code, err, part.Gaps, part.Summary.NotRead, complaints)
	}
	if gap := part.Gaps[0]; !strings.Contains(gap.What, "clusterqueues") || !strings.Contains(gap.What, "resourcequotas") {
		t.Errorf("the gap is %+v", gap)
	}
	for _, each := range part.Items {
		t.Errorf("an item without the right to see it: %s", each.id())
	}

	// Of one namespace: what is there, and that there may be more.
	kubectl(t, "create", "role", "of-team", "-n", cluster.TeamNamespace, "--verb=get,list", "--resource=resourcequotas,localqueues.kueue.x-k8s.io,workloads.kueue.x-k8s.io")
	kubectl(t, "create", "rolebinding", "of-team", "-n", cluster.TeamNamespace, "--role=of-team", "--user="+cluster.OneNamespace)
	out, complaints, code = gpu(ctx, t, cluster.OneNamespace, "quota", "-n", cluster.TeamNamespace, "-o", "json")
	var own list
	if err := json.Unmarshal([]byte(out), &own); err != nil || code > 1 || len(own.Gaps) == 0 {
		t.Fatalf("exit %d, %v, gaps %v\n%s%s", code, err, own.Gaps, out, complaints)
	}
	seen := map[string]item{}
	for _, each := range own.Items {
		seen[each.Kind+" "+each.Name] = each
	}
	if quota := seen["ResourceQuota gpus"]; quota.Limit == nil || *quota.Limit != 4 || quota.Used == nil || *quota.Used != 0 {
		t.Errorf("the quota is %+v of %+v", quota, own.Items)
	}
	if queue, is := seen["LocalQueue main"]; !is || queue.Free != nil {
		t.Errorf("the queue is %+v of %+v: what is free there is not known", queue, own.Items)
	}
}

// What exits with 2 did not answer.
func TestUnknownTeam(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := scenario.CreateNamespace(ctx, typed, "research"); err != nil {
		t.Fatal(err)
	}
	out, complaints, code := gpu(ctx, t, cluster.Admin, "quota", "reserach")
	if code != 2 || out != "" || !strings.Contains(complaints, "`research`") {
		t.Errorf("exit %d: %s%s", code, out, complaints)
	}
}
