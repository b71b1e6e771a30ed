package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kubectl-gpu/tests/server/fault"
)

// firstLine is what a program says first: not klog's lines and what belongs to them, which kubectl
// writes before.
func firstLine(stderr string) string {
	for _, line := range strings.Split(stderr, "\n") {
		klog := len(line) > 5 && strings.ContainsRune("EWI", rune(line[0])) && line[1] >= '0' && line[1] <= '9'
		if !klog && line == strings.TrimLeft(line, " \t") && line != "" {
			return line
		}
	}
	return ""
}

// Both programs refuse a broken configuration, with the same first words.
func TestBrokenKubeconfigs(t *testing.T) {
	b := newBench(t, fault.Options{})
	ca := encoded(b.server.Authority.PEM)
	config := func(cluster, user, more string) string {
		return "apiVersion: v1\nkind: Config\ncurrent-context: lab\nclusters:\n- name: lab\n  cluster: {server: '" + b.server.URL +
			"', " + cluster + "}\nusers:\n- name: u\n  user: " + user + "\ncontexts:\n- name: lab\n  context: {cluster: lab, user: u}\n" + more
	}
	good := "certificate-authority-data: " + ca
	token := "{token: t}"
	exec := func(text string) string { return "{exec: {" + text + "}}" }
	const v1 = "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, "
	cases := []struct {
		name string
		text string
		args []string
		// same is how many words have to be the same; 0: the whole line.
		same int
	}{
		{"missing context", config(good, token, ""), []string{"--context=nope"}, 0},
		{"missing cluster", config(good, token, ""), []string{"--cluster=nope"}, 0},
		{"missing user", config(good, token, ""), []string{"--user=nope"}, 0},
		{"not YAML", "a: [", nil, 4},
		{"tab", "a:\n\tb: c\n", nil, 4},
		{"another kind", "apiVersion: v1\nkind: Pod\n", nil, 4},
		{"CA and insecure", config(good+", insecure-skip-tls-verify: true", token, ""), nil, 0},
		{"CA file missing", config("certificate-authority: nope.crt", token, ""), nil, 5},
		{"CA is no PEM", config("certificate-authority-data: aGVsbG8=", token, ""), nil, 6},
		{"CA is no base64", config("certificate-authority-data: 'a b'", token, ""), nil, 4},
		{"client certificate missing", config(good, "{client-certificate: nope.crt, client-key: nope.key}", ""), nil, 3},
		{"key missing", config(good, "{client-certificate-data: "+ca+"}", ""), nil, 5},
		{"token and password", config(good, "{token: t, username: u, password: p}", ""), nil, 0},
		{"token with a newline", config(good, `{token: "a\nb"}`, ""), nil, 0},
		{"token is a number", config(good, "{token: 1234}", ""), nil, 3},
		{"token file missing", config(good, "{tokenFile: nope}", ""), nil, 5},
		{"groups without a user", config(good, "{token: t, as-groups: [a]}", ""), nil, 0},
		{"exec of an old version", config(good, exec("apiVersion: client.authentication.k8s.io/v1alpha1, command: true"), ""), nil, 3},
		{"exec without a mode", config(good, exec("apiVersion: client.authentication.k8s.io/v1, command: 'true'"), ""), nil, 0},
		{"exec not found", config(good, exec(v1+"command: surely-not-there"), ""), nil, 9},
		{"exec fails", config(good, exec(v1+"command: 'false'"), ""), nil, 0},
		{"exec says nothing", config(good, exec(v1+"command: 'true'"), ""), nil, 8},
		{"scheme", config(good, token, ""), []string{"-s", "ftp://127.0.0.1"}, 4},
		{"proxy scheme", config(good+", proxy-url: 'ftp://127.0.0.1:1'", token, ""), nil, 4},
		{"timeout", config(good, token, ""), []string{"--request-timeout=soon"}, 0},
		{"nobody listens", config(good, token, ""), []string{"-s", "https://127.0.0.1:1"}, 0},
		{"name does not resolve", config(good, token, ""), []string{"-s", "https://nope.invalid"}, 8},
		{"removed plugin", config(good, "{auth-provider: {name: gcp}}", ""), nil, 4},
		{"duplicate name", config(good, token, "extensions: []\n") + "- name: lab\n  context: {cluster: lab, user: u}\n", nil, 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "config.yaml")
			write(t, path, c.text, 0o600)
			args := append([]string{"--kubeconfig=" + path}, c.args...)
			theirs := run(t, command{program: kubectl(t), home: dir, dir: "/", args: append([]string{"get", "nodes"}, args...)})
			ours := run(t, command{program: binary(t), home: dir, dir: "/", args: append([]string{"top", "nodes"}, args...)})
			checkSane(t, ours)
			if theirs.code == 0 || ours.code != 2 || ours.stdout != "" {
				t.Errorf("kubectl exits %d, we %d", theirs.code, ours.code)
			}
			if said, say := words(theirs.stderr, c.same), words(ours.stderr, c.same); said != say {
				t.Errorf("first words:\nkubectl %q\nwe      %q", firstLine(theirs.stderr), firstLine(ours.stderr))
			}
		})
	}
}

func words(stderr string, count int) string {
	fields := strings.Fields(firstLine(stderr))
	if count > 0 && len(fields) > count {
		fields = fields[:count]
	}
	return strings.Join(fields, " ")
}

func TestMissingFile(t *testing.T) {
	args := []string{"--kubeconfig=/does/not/exist"}
	theirs := run(t, command{program: kubectl(t), args: append([]string{"get", "nodes"}, args...)})
	ours := run(t, command{program: binary(t), args: append([]string{"top", "nodes"}, args...)})
	checkFailed(t, ours, firstLine(theirs.stderr))
}

// kubectl blames the server here; we name the proxy.
func TestProxyIsBlamed(t *testing.T) {
	server := start(t, fault.Fault{})
	dir := t.TempDir()
	for proxy, want := range map[string]string{
		"http://joe:secret-word@127.0.0.1:1": "Unable to connect to the server: proxyconnect tcp: dial tcp 127.0.0.1:1: connect: connection refused",
		"socks5://127.0.0.1:1":               "Unable to connect to the server: ",
		"http://nope.invalid:1":              "Unable to connect to the server: proxyconnect tcp: dial tcp: lookup nope.invalid",
	} {
		text, err := os.ReadFile(kubeconfig(t, server))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "config")
		write(t, path, strings.Replace(string(text), "cluster: {server", "cluster: {proxy-url: '"+proxy+"', server", 1), 0o600)
		r := run(t, command{program: binary(t), args: []string{"top", "nodes", "--kubeconfig", path, "-v=9"}})
		if strings.Contains(r.stderr, "secret-word") {
			t.Errorf("the proxy's password is shown:\n%s", r.stderr)
		}
		quiet := run(t, command{program: binary(t), args: []string{"top", "nodes", "--kubeconfig", path}})
		checkFailed(t, quiet, want)
	}
}
