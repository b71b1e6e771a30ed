package cluster

import (
	"context"
	"fmt"
	"os"
	"strings"

	core "k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// The users that every cluster has. Their rights are in createRoles.
const (
	// Admin may do everything.
	Admin = "admin"
	// Ordinary may read what the inventory is made of, in the whole cluster.
	Ordinary = "ordinary"
	// NodesOnly may list nodes and no pods.
	NodesOnly = "nodes-only"
	// OneNamespace may list nodes, and pods of the namespace TeamNamespace only.
	OneNamespace = "one-namespace"
	// PodsOneNamespaceNoNodes may list pods of the namespace TeamNamespace, and no nodes.
	PodsOneNamespaceNoNodes = "pods-one-namespace-no-nodes"
	// Nobody may do nothing but what every user may.
	Nobody = "nobody"
)

// TeamNamespace is the namespace that the users of one namespace may read; it is also their
// kubeconfig's namespace.
const TeamNamespace = "team-a"

// Users lists all users, the administrator first.
func Users() []string {
	return []string{Admin, Ordinary, NodesOnly, OneNamespace, PodsOneNamespaceNoNodes, Nobody}
}

// token needs no secrecy: the cluster listens on 127.0.0.1 and lives for one test run.
func token(user string) string {
	return "token-of-" + user
}

// tokenFile is what --token-auth-file reads: token, user, uid, groups.
func tokenFile() string {
	var text strings.Builder
	for _, user := range Users() {
		group := "testers"
		if user == Admin {
			group = "system:masters"
		}
		fmt.Fprintf(&text, "%s,%s,%s,%s\n", token(user), user, user, group)
	}
	return text.String()
}

// Kubeconfig is the path of user's kubeconfig.
func (c *Cluster) Kubeconfig(user string) string {
	return c.path(user + ".kubeconfig")
}

func (c *Cluster) writeKubeconfigs() error {
	authority, err := os.ReadFile(c.certificate())
	if err != nil {
		return err
	}
	for _, user := range Users() {
		namespace := core.NamespaceDefault
		if user == OneNamespace || user == PodsOneNamespaceNoNodes {
			namespace = TeamNamespace
		}
		config := api.NewConfig()
		config.Clusters["test"] = &api.Cluster{Server: c.Server, CertificateAuthorityData: authority}
		config.AuthInfos[user] = &api.AuthInfo{Token: token(user)}
		config.Contexts["test"] = &api.Context{Cluster: "test", AuthInfo: user, Namespace: namespace}
		config.CurrentContext = "test"
		if err := clientcmd.WriteToFile(*config, c.Kubeconfig(user)); err != nil {
			return err
		}
	}
	return nil
}

// createRoles gives each limited user exactly what its name says.
func (c *Cluster) createRoles(ctx context.Context) error {
	client, err := c.Client(Admin)
	if err != nil {
		return err
	}
	namespace := &core.Namespace{ObjectMeta: v1.ObjectMeta{Name: TeamNamespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, v1.CreateOptions{}); err != nil {
		return err
	}
	clusterRoles := map[string][]string{
		"read-nodes":     {"nodes"},
		"read-inventory": {"nodes", "pods", "namespaces", "resourceslices", "resourceclaims", "deviceclasses", "replicasets", "jobs"},
		"read-pods":      {"pods"},
	}
	for name, resources := range clusterRoles {
		role := &rbac.ClusterRole{ObjectMeta: v1.ObjectMeta{Name: name}, Rules: []rbac.PolicyRule{{
			APIGroups: []string{"", "resource.k8s.io", "apps", "batch"}, Resources: resources, Verbs: []string{"get", "list", "watch"}}}}
		if _, err := client.RbacV1().ClusterRoles().Create(ctx, role, v1.CreateOptions{}); err != nil {
			return err
		}
	}
	everywhere := map[string]string{
		Ordinary: "read-inventory", NodesOnly: "read-nodes", OneNamespace: "read-nodes"}
	for user, role := range everywhere {
		binding := &rbac.ClusterRoleBinding{ObjectMeta: v1.ObjectMeta{Name: user},
			RoleRef: roleRef(role), Subjects: subjects(user)}
		if _, err := client.RbacV1().ClusterRoleBindings().Create(ctx, binding, v1.CreateOptions{}); err != nil {
			return err
		}
	}
	for _, user := range []string{OneNamespace, PodsOneNamespaceNoNodes} {
		binding := &rbac.RoleBinding{ObjectMeta: v1.ObjectMeta{Name: user, Namespace: TeamNamespace},
			RoleRef: roleRef("read-pods"), Subjects: subjects(user)}
		if _, err := client.RbacV1().RoleBindings(TeamNamespace).Create(ctx, binding, v1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func roleRef(name string) rbac.RoleRef {
	return rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "ClusterRole", Name: name}
}

func subjects(user string) []rbac.Subject {
	return []rbac.Subject{{APIGroup: rbac.GroupName, Kind: rbac.UserKind, Name: user}}
}
