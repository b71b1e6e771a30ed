package server_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/fault"
)

// bench is what the programs under comparison talk to.
type bench struct {
	server *fault.Server
	http   *fault.Proxy
	socks  *fault.Proxy
}

func newBench(t *testing.T, options fault.Options) *bench {
	t.Helper()
	options.Handler = cluster.Small()
	server, err := fault.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	b := &bench{server: server}
	if b.http, err = fault.StartHTTPProxy(server.Address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.http.Close)
	if b.socks, err = fault.StartSOCKSProxy(server.Address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.socks.Close)
	return b
}

// sight is what reached the server when somebody listed nodes: what both programs must agree on.
type sight struct {
	Path, Host, SNI, Authorization, ClientCN, Encoding, Timeout string
	Impersonate                                                 map[string][]string
	Via                                                         string
	Asked                                                       string // of the proxy, once
}

// situation is a kubeconfig, flags and environment.
type situation struct {
	name string
	dir  string // holds the files
	args []string
	env  []string
}

func (b *bench) sightOf(t *testing.T, c command) (sight, result) {
	t.Helper()
	b.server.Forget()
	b.http.Asked()
	b.socks.Asked()
	r := run(t, c)
	var s sight
	for _, seen := range b.server.Requests() {
		if !strings.HasSuffix(seen.Path, "/api/v1/nodes") {
			continue
		}
		s = sight{Path: seen.Path, Host: seen.Host, SNI: seen.SNI, Authorization: seen.Authorization,
			ClientCN: seen.ClientCN, Encoding: seen.Encoding, Impersonate: seen.Impersonate, Via: "none"}
		for _, part := range strings.Split(seen.Query, "&") {
			if value, found := strings.CutPrefix(part, "timeout="); found {
				s.Timeout = value
			}
		}
		if b.http.Carried(seen.Remote) {
			s.Via = "http"
		} else if b.socks.Carried(seen.Remote) {
			s.Via = "socks5"
		}
	}
	for _, asked := range append(b.http.Asked(), b.socks.Asked()...) {
		s.Asked = asked
	}
	return s, r
}

// agree runs real kubectl and ours, and wants the server to see the same.
func (b *bench) agree(t *testing.T, s situation) sight {
	t.Helper()
	// From / and without input, so that nothing depends on either.
	theirs, kubectlRan := b.sightOf(t, command{program: kubectl(t), dir: "/", env: s.env, home: s.dir,
		args: append([]string{"get", "nodes"}, s.args...)})
	ours, weRan := b.sightOf(t, command{program: binary(t), dir: "/", env: s.env, home: s.dir,
		args: append([]string{"top", "nodes"}, s.args...)})
	checkSane(t, weRan)
	if (kubectlRan.code == 0) != (weRan.code == 0) {
		t.Errorf("kubectl exits %d, we %d", kubectlRan.code, weRan.code)
	}
	if !reflect.DeepEqual(theirs, ours) {
		t.Errorf("the server saw\n  of kubectl %+v\n  of us      %+v", theirs, ours)
	}
	b.agreeOnNames(t, s)
	if t.Failed() {
		t.Logf("args %q env %q\nkubectl: %d %.600s\nwe: %d %.600s", s.args, s.env, kubectlRan.code, kubectlRan.stderr, weRan.code, weRan.stderr)
		for _, file := range s.files() {
			text, _ := os.ReadFile(file)
			t.Logf("%s:\n%.1500s", filepath.Base(file), text)
		}
	}
	return ours
}

func (s situation) files() []string {
	found, _ := filepath.Glob(filepath.Join(s.dir, "*.yaml"))
	return found
}

// agreeOnNames compares `kubectl config view --raw --minify` with our `__connection`.
func (b *bench) agreeOnNames(t *testing.T, s situation) {
	t.Helper()
	view := run(t, command{program: kubectl(t), dir: "/", env: s.env, home: s.dir,
		args: append([]string{"config", "view", "--raw", "--minify", "-o", "json"}, s.args...)})
	mine := run(t, command{program: binary(t), dir: "/", env: s.env, home: s.dir, args: append([]string{"__connection"}, s.args...)})
	checkSane(t, mine)
	if view.code != 0 {
		return // a broken or empty configuration: other tests are about those
	}
	var theirs struct {
		CurrentContext string `json:"current-context"`
		Clusters       []struct {
			Name    string
			Cluster struct{ Server string }
		}
		Contexts []struct {
			Context struct{ Cluster, User, Namespace string }
		}
	}
	var ours struct{ Server, Namespace, Context, Cluster, User string }
	if err := json.Unmarshal([]byte(view.stdout), &theirs); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(mine.stdout), &ours); err != nil {
		t.Errorf("__connection: %v\n%s", err, mine.stderr)
		return
	}
	if len(theirs.Contexts) != 1 || len(theirs.Clusters) != 1 {
		return
	}
	context := theirs.Contexts[0].Context
	if context.Namespace == "" {
		context.Namespace = "default"
	}
	compare := func(what, ours, theirs string, flags ...string) {
		for _, arg := range s.args {
			for _, flag := range flags {
				if strings.HasPrefix(arg, flag) {
					return // config view does not apply overrides
				}
			}
		}
		if ours != theirs {
			t.Errorf("%s: kubectl %q, we %q", what, theirs, ours)
		}
	}
	compare("context", ours.Context, theirs.CurrentContext, "--context")
	compare("cluster", ours.Cluster, context.Cluster, "--cluster")
	compare("user", ours.User, context.User, "--user")
	compare("namespace", ours.Namespace, context.Namespace, "--namespace", "-n")
	compare("server", strings.ToLower(ours.Server), strings.ToLower(strings.TrimRight(theirs.Clusters[0].Cluster.Server, "/")),
		"--server", "-s", "--cluster")
}
