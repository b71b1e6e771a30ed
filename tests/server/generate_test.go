package server_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"kubectl-gpu/tests/server/pki"
)

type object = map[string]any

// generator makes up one kubeconfig after another, each from its own seed.
type generator struct {
	t      *testing.T
	bench  *bench
	random *rand.Rand
	dir    string
	notes  []string
	args   []string
	env    []string
	host   string // what the server is called
}

// pick chooses and takes note, so that a failing case can be read.
func (g *generator) pick(what string, choices ...string) string {
	choice := choices[g.random.IntN(len(choices))]
	g.notes = append(g.notes, what+"="+choice)
	return choice
}

func (g *generator) file(name string, text []byte) string {
	write(g.t, filepath.Join(g.dir, name), string(text), 0o700)
	return name
}

func encoded(bytes []byte) string { return base64.StdEncoding.EncodeToString(bytes) }

// generate writes the files of a situation into dir.
func generate(t *testing.T, b *bench, seed uint64, dir string) situation {
	g := &generator{t: t, bench: b, dir: dir, random: rand.New(rand.NewPCG(seed, 1))}
	cluster, user := g.cluster(), g.user()
	context := object{"cluster": "lab", "user": "tester"}
	if g.pick("namespace", "no", "yes") == "yes" {
		context["namespace"] = "ml"
	}
	decoy := object{"server": "https://decoy.invalid:1", "insecure-skip-tls-verify": true}
	config := object{"apiVersion": "v1", "kind": "Config", "current-context": "lab",
		"clusters": []any{object{"name": "lab", "cluster": cluster}, object{"name": "decoy", "cluster": decoy}},
		"users":    []any{object{"name": "tester", "user": user}, object{"name": "guest", "user": object{"token": "guest-token"}}},
		"contexts": []any{object{"name": "lab", "context": context},
			object{"name": "other", "context": object{"cluster": "lab", "user": "guest"}},
			object{"name": "nowhere", "context": object{"cluster": "decoy", "user": "tester"}}},
	}
	g.flags(config)
	g.load(config)
	return situation{name: fmt.Sprintf("%02d %s", seed, strings.Join(g.notes, " ")), dir: dir, args: g.args, env: g.env}
}

func (g *generator) cluster() object {
	cluster := object{}
	_, port, _ := strings.Cut(g.bench.server.Address, ":")
	g.host = "127.0.0.1"
	switch g.pick("proxy", "none", "none", "http", "socks5", "login", "socks5login", "env", "env-no-proxy", "env-loopback") {
	case "http":
		cluster["proxy-url"] = "http://" + g.bench.http.Address
		g.env = append(g.env, "NO_PROXY=*")
	case "login":
		cluster["proxy-url"] = "http://joe:pa%3Ass@" + g.bench.http.Address
	case "socks5":
		cluster["proxy-url"] = "socks5://" + g.bench.socks.Address
		g.host = g.pick("host", "127.0.0.1", "api.example.test")
	case "socks5login":
		cluster["proxy-url"] = "socks5://joe:word@" + g.bench.socks.Address
	case "env":
		g.env = append(g.env, g.pick("variable", "HTTPS_PROXY", "https_proxy")+"=http://"+g.bench.http.Address, "NO_PROXY=example.org,10.0.0.0/8")
		g.host = "api.example.test"
	case "env-no-proxy":
		g.env = append(g.env, "HTTPS_PROXY=http://127.0.0.1:1", "no_proxy="+g.pick("no_proxy", "localhost,127.0.0.0/8", "*", ".test,127.0.0.1"))
	case "env-loopback": // loopback is never proxied, and ALL_PROXY is not Go's
		g.env = append(g.env, "HTTPS_PROXY=http://127.0.0.1:1", "ALL_PROXY=socks5://127.0.0.1:1")
		g.host = g.pick("host", "127.0.0.1", "localhost")
	}
	cluster["server"] = g.pick("scheme", "https", "https", "HTTPS") + "://" + g.host + ":" + port +
		g.pick("path", "", "", "/", "/k8s/clusters/c-1", "/a/b/")
	switch g.pick("trust", "data", "data", "file", "absolute", "insecure") {
	case "data":
		cluster["certificate-authority-data"] = encoded(g.bench.server.Authority.PEM)
	case "file":
		cluster["certificate-authority"] = g.file("pki/ca.crt", g.bench.server.Authority.PEM)
	case "absolute":
		cluster["certificate-authority"] = filepath.Join(g.dir, g.file("pki/ca.crt", g.bench.server.Authority.PEM))
	case "insecure":
		cluster["insecure-skip-tls-verify"] = true
	}
	if g.pick("name", "no", "no", "sni") == "sni" {
		cluster["tls-server-name"] = "kubernetes.default.svc"
	}
	if g.pick("compression", "yes", "yes", "no") == "no" {
		cluster["disable-compression"] = true
	}
	return cluster
}

func (g *generator) certificate(user object, form pki.KeyForm) {
	pair, err := g.bench.server.Authority.Issue(pki.Leaf{CommonName: "carol " + string(form), Form: form})
	if err != nil {
		g.t.Fatal(err)
	}
	if g.pick("pem", "data", "files") == "data" {
		user["client-certificate-data"], user["client-key-data"] = encoded(pair.Cert), encoded(pair.Key)
		return
	}
	user["client-certificate"], user["client-key"] = g.file("pki/client.crt", pair.Cert), g.file("./pki/client.key", pair.Key)
}

func (g *generator) user() object {
	user := object{}
	switch kind := g.pick("auth", "token", "tokenFile", "both", "basic", "certificate", "certificate", "cert+token", "exec", "exec", "exec-cert", "exec+token"); kind {
	case "token":
		user["token"] = g.pick("token", "plain-token", "12345", "yes", "a: b # c", "0x1F", "~")
	case "tokenFile", "both":
		user["tokenFile"] = g.file("token", []byte("  from-a-file\n\n"))
		if kind == "both" {
			user["token"] = "inline"
		}
	case "basic":
		user["username"], user["password"] = "dave", "p:ss wörd"
	case "certificate":
		g.certificate(user, pki.KeyForm(g.pick("key", string(pki.ECSec1), string(pki.ECPkcs8), string(pki.RSAPkcs1), string(pki.RSAPkcs8), string(pki.Ed25519Key))))
	case "cert+token":
		g.certificate(user, pki.ECPkcs8)
		user["token"] = "and-a-token"
	default:
		user["exec"] = g.exec(kind == "exec-cert")
		if kind == "exec+token" {
			user["token"] = "no-need-for-a-plugin"
		}
	}
	g.impersonation(user)
	return user
}

func (g *generator) exec(withCertificate bool) object {
	version := "client.authentication.k8s.io/" + g.pick("exec", "v1", "v1beta1")
	status := object{"token": "from-plugin"}
	if withCertificate {
		pair, err := g.bench.server.Authority.Issue(pki.Leaf{CommonName: "plugin-cert", Form: pki.ECPkcs8})
		if err != nil {
			g.t.Fatal(err)
		}
		status = object{"clientCertificateData": string(pair.Cert), "clientKeyData": string(pair.Key)}
	}
	answer, err := json.Marshal(object{"kind": "ExecCredential", "apiVersion": version, "status": status})
	if err != nil {
		g.t.Fatal(err)
	}
	g.file("bin/plugin", []byte("#!/bin/sh\ncat \"${0%/*}/answer.json\"\n"))
	g.file("bin/answer.json", answer)
	exec := object{"apiVersion": version, "command": "./bin/plugin", "interactiveMode": g.pick("interactive", "Never", "IfAvailable")}
	if g.pick("info", "no", "yes") == "yes" {
		exec["provideClusterInfo"] = true
	}
	return exec
}

func (g *generator) impersonation(user object) {
	switch g.pick("as", "no", "no", "user", "all") {
	case "user":
		user["as"] = "jane"
	case "all":
		user["as"], user["as-uid"], user["as-groups"] = "jane", "u-1", []any{"dev", "system:authenticated"}
		user["as-user-extra"] = object{"scopes.example/x y%": []any{"one", "two"}, "Reason": []any{"tests"}}
	}
}

// flags overrides something, and with it maybe the reason why the rest would fail.
func (g *generator) flags(config object) {
	port := g.bench.server.Address[strings.LastIndex(g.bench.server.Address, ":")+1:]
	switch g.pick("flag", "none", "none", "token", "as", "as-group", "context", "context=", "cluster", "user", "server", "ca", "insecure", "sni", "timeout", "compression", "namespace", "cert") {
	case "token":
		g.args = append(g.args, "--token=flag-token")
	case "as":
		g.args = append(g.args, "--as", "flag-jane")
	case "as-group":
		g.args = append(g.args, "--as=flag-jane", "--as-group=one", "--as-group", "two", "--as-uid=7")
	case "context":
		g.args = append(g.args, "--context", "other")
	case "context=":
		config["current-context"] = "nowhere"
		g.args = append(g.args, "--context=lab")
	case "cluster":
		config["current-context"] = "nowhere"
		g.args = append(g.args, "--cluster=lab")
	case "user":
		g.args = append(g.args, "--user=guest")
	case "server":
		g.args = append(g.args, "-s", "https://"+g.host+":"+port+"/from-flag")
	case "ca":
		g.args = append(g.args, "--certificate-authority", filepath.Join(g.dir, g.file("flag-ca.crt", g.bench.server.Authority.PEM)))
	case "insecure":
		g.args = append(g.args, "--insecure-skip-tls-verify")
	case "sni":
		g.args = append(g.args, "--tls-server-name=localhost")
	case "timeout":
		g.args = append(g.args, "--request-timeout", g.pick("timeout", "20", "20s", "1m30s", "2m"))
	case "compression":
		g.args = append(g.args, "--disable-compression=true")
	case "namespace":
		g.args = append(g.args, "-n", "flag-ns")
	case "cert":
		pair, err := g.bench.server.Authority.Issue(pki.Leaf{CommonName: "flag-cert", Form: pki.ECPkcs8})
		if err != nil {
			g.t.Fatal(err)
		}
		g.args = append(g.args, "--client-certificate="+filepath.Join(g.dir, g.file("flag.crt", pair.Cert)),
			"--client-key="+filepath.Join(g.dir, g.file("flag.key", pair.Key)))
	}
}

// load writes the configuration as one file or two, and says where it is in one of the ways.
func (g *generator) load(config object) {
	write := func(name string, part object) string { return filepath.Join(g.dir, g.file(name, g.text(part))) }
	switch g.pick("load", "flag", "variable", "home", "merge", "merge") {
	case "flag":
		g.args = append(g.args, "--kubeconfig="+write("config.yaml", config))
		g.env = append(g.env, "KUBECONFIG=/does/not/exist")
	case "variable":
		g.env = append(g.env, "KUBECONFIG="+write("config.yaml", config))
	case "home":
		// Relative paths then start from ~/.kube.
		g.dir = filepath.Join(g.dir, ".kube")
		write("config", config)
		g.dir = filepath.Dir(g.dir)
		for _, folder := range []string{"pki", "bin"} {
			copyFolder(g.t, filepath.Join(g.dir, folder), filepath.Join(g.dir, ".kube", folder))
		}
		copyFile(g.t, filepath.Join(g.dir, "token"), filepath.Join(g.dir, ".kube", "token"))
	case "merge":
		users := object{"users": config["users"]}
		rest := object{"apiVersion": "v1", "kind": "Config"}
		for key, value := range config {
			if key != "users" {
				rest[key] = value
			}
		}
		// The later file must not win.
		rest["users"] = []any{object{"name": "tester", "user": object{"token": "of-the-later-file"}}}
		g.env = append(g.env, "KUBECONFIG="+write("users.yaml", users)+"::/does/not/exist:"+write("rest.yaml", rest))
	}
}

// text writes a configuration in one of the forms that people and programs write.
func (g *generator) text(config object) []byte {
	switch g.pick("form", "block", "block", "flow", "json", "crlf", "document") {
	case "flow":
		text, _ := json.Marshal(config)
		return append(text, '\n')
	case "json":
		text, _ := json.MarshalIndent(config, "", "    ")
		return text
	case "crlf":
		return []byte(strings.ReplaceAll(g.block(config, ""), "\n", "\r\n"))
	case "document":
		return []byte("# made by a test\n---\n" + g.block(config, "") + "...\n---\nnot: read\n")
	}
	return []byte(g.block(config, ""))
}

// block is YAML in block style with some of its quoting chosen at random.
func (g *generator) block(value any, indent string) string {
	switch typed := value.(type) {
	case object:
		keys := make([]string, 0, len(typed))
		for key := range typed {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		var out strings.Builder
		for _, key := range keys {
			out.WriteString(indent + quotedKey(key) + ":" + g.nested(typed[key], indent+"  "))
		}
		return out.String()
	case []any:
		var out strings.Builder
		for _, item := range typed {
			text := g.block(item, indent+"  ")
			if _, scalar := item.(string); scalar {
				text = indent + "  " + text + "\n"
			}
			out.WriteString(indent + "- " + strings.TrimPrefix(text, indent+"  "))
		}
		return out.String()
	case bool:
		return fmt.Sprint(typed)
	}
	return g.scalar(fmt.Sprint(value))
}

func (g *generator) nested(value any, indent string) string {
	switch value.(type) {
	case object, []any:
		return "\n" + g.block(value, indent)
	}
	return " " + g.block(value, indent) + "\n"
}

func quotedKey(key string) string {
	if strings.ContainsAny(key, " %/") {
		return "'" + key + "'"
	}
	return key
}

func (g *generator) scalar(text string) string {
	plain := strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+", r)
	}) < 0 && len(text) > 3 && (text[0] < '0' || text[0] > '9')
	switch style := g.random.IntN(3); {
	case style == 0 && plain:
		return text
	case style == 1:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
