package server_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"kubectl-gpu/tests/server/fault"
	"kubectl-gpu/tests/server/pki"
)

// values are what templates in testdata/kubeconfig may use.
type values struct {
	Server, CA, Bundle, Cert, Key string
}

func newValues(t *testing.T, b *bench) values {
	t.Helper()
	pair, err := b.server.Authority.Issue(pki.Leaf{CommonName: "alice-ec", Form: pki.ECSec1})
	if err != nil {
		t.Fatal(err)
	}
	other, err := pki.NewAuthority("another authority")
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.StdEncoding.EncodeToString
	bundle := append(append(append([]byte{}, other.PEM...), "and now the one that counts\n"...), b.server.Authority.PEM...)
	return values{Server: b.server.URL, CA: encode(b.server.Authority.PEM), Bundle: encode(bundle), Cert: encode(pair.Cert), Key: encode(pair.Key)}
}

// wrap folds base64 as people who paste it into a block do.
func wrap(text string) string {
	var lines []string
	for len(text) > 64 {
		lines, text = append(lines, "      "+text[:64]), text[64:]
	}
	return strings.Join(append(lines, "      "+text), "\n")
}

// layOut fills in all templates and writes them, with the plugins, into a folder.
func layOut(t *testing.T, b *bench) string {
	t.Helper()
	dir := t.TempDir()
	data := newValues(t, b)
	templates, err := template.New("").Funcs(template.FuncMap{"wrap": wrap}).ParseGlob("testdata/kubeconfig/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range templates.Templates() {
		var text bytes.Buffer
		if each.Name() == "" {
			continue
		}
		if err := each.Execute(&text, data); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, each.Name()), text.String(), 0o600)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "01-second.yaml"), filepath.Join(dir, "sub", "second.yaml")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "01-empty.yaml"), "", 0o600)
	write(t, filepath.Join(dir, "sub", "certs", "ca.crt"), string(b.server.Authority.PEM), 0o600)
	for _, plugin := range []string{"noisy", "needs-cluster", "beta"} {
		text, err := os.ReadFile(filepath.Join("testdata/kubeconfig/bin", plugin))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "bin", plugin), string(text), 0o700)
	}
	return dir
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func TestKubeconfigCases(t *testing.T) {
	b := newBench(t, fault.Options{})
	dir := layOut(t, b)
	in := func(name string) string { return filepath.Join(dir, name) }
	merged := strings.Join([]string{in("01-first.yaml"), in("nope.yaml"), "", in("01-empty.yaml"), in("sub/second.yaml")}, ":")
	cases := []struct {
		name, kubeconfig, authorization, client, path string
	}{
		{"01-merge", merged, "Bearer first-file-token", "", ""},
		{"02-exec-relative-noisy", in("02-exec-relative-noisy.yaml"), "Bearer argc2-from-env", "", ""},
		{"03-exec-cluster-info", in("03-exec-cluster-info.yaml"), "Bearer cluster-info-ok", "", ""},
		{"04-base64-wrapped", in("04-base64-wrapped.yaml"), "Bearer wrapped", "", ""},
		{"05-ca-bundle", in("05-ca-bundle.yaml"), "Bearer bundle", "", ""},
		{"06-ec-sec1-key", in("06-ec-sec1-key.yaml"), "", "alice-ec", ""},
		{"07-path-prefix", in("07-path-prefix.yaml"), "Bearer prefix", "", "/k8s/clusters/c-m-1"},
		{"08-nulls", in("08-nulls.yaml"), "Bearer beta-ok", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			saw := b.agree(t, situation{name: c.name, dir: dir, env: []string{"KUBECONFIG=" + c.kubeconfig}})
			if saw.Authorization != c.authorization || saw.ClientCN != c.client || saw.Path != c.path+"/api/v1/nodes" {
				t.Errorf("the server saw %+v", saw)
			}
		})
	}
}

// A context without a user: kubectl asks for a name on standard input, we go on without.
func TestContextWithoutUserDoesNotPrompt(t *testing.T) {
	b := newBench(t, fault.Options{Fault: named(t, "401")})
	dir := layOut(t, b)
	r := run(t, command{program: binary(t), dir: "/", home: dir,
		args: []string{"top", "nodes", "--context=no-user", "--kubeconfig", filepath.Join(dir, "08-nulls.yaml")}})
	checkFailed(t, r, "error: You must be logged in to the server")
	if seen := b.server.Requests(); len(seen) == 0 || seen[0].Authorization != "" {
		t.Errorf("the server saw %+v", seen)
	}
}
