package server_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"kubectl-gpu/tests/server/fault"
)

func named(t *testing.T, name string) fault.Fault {
	t.Helper()
	f, err := fault.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// top runs `kubectl-gpu top nodes` against a server.
func top(t *testing.T, server *fault.Server, args ...string) result {
	t.Helper()
	all := append([]string{"top", "nodes", "--kubeconfig", kubeconfig(t, server)}, args...)
	return run(t, command{program: binary(t), args: all})
}

func TestFaultsThatLeaveNoAnswer(t *testing.T) {
	const unable = "Unable to connect to the server: "
	cases := []struct {
		fault string
		first string
		args  []string
	}{
		{"401", "error: You must be logged in to the server (Unauthorized)", nil},
		{"403-nodes", `Error from server (Forbidden): nodes is forbidden: User "alice"`, nil},
		{"404", "Error from server (NotFound): the server could not find the requested resource", nil},
		{"410", "Error from server (Expired): ", nil},
		{"429-for-ever", "Error from server (TooManyRequests): ", []string{"--request-timeout=3s"}},
		{"429-an-hour", "Error from server (TooManyRequests): ", nil},
		{"500", "Error from server (InternalError): etcdserver: no leader", nil},
		{"503-no-time", "Error from server (ServiceUnavailable): the server is currently unable to handle the request", nil},
		{"html-200", "answered with HTML, not Kubernetes", nil},
		{"html-502", "answered 502 with HTML, not Kubernetes", nil},
		{"302", "answered 302 Found and points to https://login.example.invalid/authorize", nil},
		{"status-200", "", nil},
		{"silent", unable, []string{"--request-timeout=2s"}},
		{"silent-answer", unable + "net/http: request canceled", []string{"--request-timeout=2s"}},
		{"silent-after-headers", unable + "net/http: request canceled", []string{"--request-timeout=2s"}},
		{"cut-length", unable + "unexpected EOF", nil},
		{"cut-chunked", unable + "unexpected EOF", nil},
		{"cut-gzip", "", nil},
		{"not-gzip", "is not the gzip it says it is", nil},
		{"closes", unable + "EOF", nil},
		{"not-http", unable + "malformed HTTP response", nil},
		{"empty", "", nil},
		{"wrong-name", unable + "tls: failed to verify certificate: x509: certificate is valid for", nil},
		{"expired", unable + "tls: failed to verify certificate: x509: certificate has expired or is not yet valid", nil},
		{"client-certificate", unable + "remote error: tls: certificate required", nil},
		{"old-tls", unable, nil},
		{"plain", unable + "tls: first record does not look like a TLS handshake", nil},
		{"garbage", "", nil},
		{"giant-item", "", nil},
		{"nesting", "", nil},
		{"long-string", "", nil},
		{"huge-error", "", nil},
		{"error-text", "Error from server (InternalError): ", nil},
		{"long-header", unable, nil},
	}
	for _, c := range cases {
		t.Run(c.fault, func(t *testing.T) {
			r := top(t, start(t, named(t, c.fault)), c.args...)
			checkFailed(t, r, c.first)
			checkMemory(t, r)
			if strings.Contains(r.stderr, "secret-") {
				t.Errorf("a secret is shown:\n%s", r.stderr)
			}
		})
	}
}

// checkMemory: what a server sends must not decide how much we use. A build with AddressSanitizer
// keeps freed memory, so it cannot be measured.
func checkMemory(t *testing.T, r result) {
	t.Helper()
	const most = 100 << 20
	if !sanitized(t) && r.maxRSS > most {
		t.Errorf("used %d MB", r.maxRSS>>20)
	}
}

func sanitized(t *testing.T) bool {
	t.Helper()
	is, err := isSanitized(binary(t))
	if err != nil {
		t.Fatal(err)
	}
	return is
}

var sanitizers sync.Map // by path of the program

// isSanitized reads in parts: what this process uses at most counts for the children that it starts.
func isSanitized(path string) (bool, error) {
	if known, found := sanitizers.Load(path); found {
		return known.(bool), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	mark := []byte("__asan_init")
	part := make([]byte, 1<<20)
	is, kept := false, 0
	for !is {
		n, err := file.Read(part[kept:])
		if n == 0 || err != nil {
			break
		}
		is = bytes.Contains(part[:kept+n], mark)
		kept = copy(part, part[max(0, kept+n-len(mark)):kept+n])
	}
	sanitizers.Store(path, is)
	return is, nil
}

// A server that is too busy for a list of pods for each node is asked for one list, without waiting.
func TestBusyServerGetsOneList(t *testing.T) {
	want := top(t, start(t, fault.Fault{}), "-o", "json")
	r := top(t, start(t, named(t, "429-by-node")), "-o", "json", "--pod-lists=by-node", "-v=6")
	if r.code != 0 || r.stdout != want.stdout {
		t.Errorf("code %d, or another answer\nstderr: %s\nstdout: %.1500s", r.code, r.stderr, r.stdout)
	}
	refused, whole := 0, 0
	for line := range strings.Lines(r.stderr) {
		switch {
		case strings.Contains(line, "/pods?") && strings.Contains(line, " 429 "):
			refused++
		case strings.Contains(line, "/pods?") && !strings.Contains(line, "spec.nodeName"):
			whole++
		}
	}
	if refused == 0 || whole != 1 || strings.Contains(r.stderr, "waiting") {
		t.Errorf("%d lists refused, %d whole lists, want some, 1, and no waiting:\n%s", refused, whole, r.stderr)
	}
}

func TestFaultsThatDoNotMatter(t *testing.T) {
	want := top(t, start(t, fault.Fault{}), "-o", "json")
	checkSane(t, want)
	if want.code != 0 || !strings.Contains(want.stdout, "gpu-a3") {
		t.Fatalf("a good server: code %d\n%s\n%s", want.code, want.stdout, want.stderr)
	}
	for _, name := range []string{"429-once", "503-once", "slow", "gzip", "chunked", "http1", "json", "warning"} {
		t.Run(name, func(t *testing.T) {
			r := top(t, start(t, named(t, name)), "-o", "json")
			checkSane(t, r)
			if r.code != 0 || r.stdout != want.stdout {
				t.Errorf("code %d, or another answer\nstderr: %s\nstdout: %.1500s\nwanted: %.1500s", r.code, r.stderr, r.stdout, want.stdout)
			}
			if waits := strings.Count(r.stderr, "waiting 1 s: the API server is busy"); waits != strings.Count(name, "-once") {
				t.Errorf("%d lines about waiting:\n%s", waits, r.stderr)
			}
			if warnings := strings.Count(r.stderr, "Warning: "); (warnings == 1) != (name == "warning") {
				t.Errorf("%d warnings:\n%s", warnings, r.stderr)
			}
		})
	}
}

func TestPodsForbiddenIsAGap(t *testing.T) {
	server := start(t, named(t, "403-pods"))
	r := top(t, server, "-o", "json", "--metrics=none")
	checkSane(t, r)
	var answer struct {
		Items []struct {
			Name      string
			Allocated *float64
			Free      *float64
		}
		Gaps []struct{ What, Why, Help string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil {
		t.Fatalf("%v: code %d\n%s\n%s", err, r.code, r.stdout, r.stderr)
	}
	if r.code != 0 || len(answer.Items) != 3 || len(answer.Gaps) != 1 {
		t.Errorf("code %d, %d nodes, gaps %v", r.code, len(answer.Items), answer.Gaps)
	}
	for _, node := range answer.Items {
		if node.Free != nil || node.Allocated != nil {
			t.Errorf("%s: unknown is not null: %+v", node.Name, node)
		}
	}
	if len(answer.Gaps) > 0 && !strings.Contains(answer.Gaps[0].Why+answer.Gaps[0].Help, "pods") {
		t.Errorf("the gap does not say what is missing: %+v", answer.Gaps)
	}
	table := top(t, server)
	checkSane(t, table)
	if table.code != 0 || !strings.Contains(table.stdout, " - ") && !strings.Contains(table.stdout, " -\n") {
		t.Errorf("code %d, unknown is not -:\n%s\n%s", table.code, table.stdout, table.stderr)
	}
}

func TestHostileNames(t *testing.T) {
	for _, name := range []string{"escape-name", "bidi-name", "long-name", "broken-utf8"} {
		for _, output := range []string{"table", "json"} {
			t.Run(name+"/"+output, func(t *testing.T) {
				server := start(t, named(t, name))
				var r result
				if output == "json" {
					r = top(t, server, "-o", "json")
					if !json.Valid([]byte(r.stdout)) {
						t.Errorf("not JSON: %.300q\n%.300s", r.stdout, r.stderr)
					}
					// Inside a JSON string everything is allowed but control characters, which
					// json.Valid has refused.
					r.stdout = ""
				} else {
					r = top(t, server)
				}
				checkSane(t, r)
				if r.code != 0 {
					t.Errorf("code %d\n%.500s", r.code, r.stderr)
				}
			})
		}
	}
}

func TestUnknownAuthority(t *testing.T) {
	server, other := start(t, fault.Fault{}), start(t, fault.Fault{})
	server.Authority, other.Authority = other.Authority, server.Authority
	checkFailed(t, top(t, server), "Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed by unknown authority")
}

func TestNobodyListens(t *testing.T) {
	server := start(t, fault.Fault{})
	server.Close()
	checkFailed(t, top(t, server), "The connection to the server "+server.Address+" was refused - did you specify the right host or port?")
}

func TestInterrupted(t *testing.T) {
	for _, name := range []string{"silent", "silent-answer", "silent-after-headers", "429-for-ever"} {
		t.Run(name, func(t *testing.T) {
			server := start(t, named(t, name))
			r := run(t, command{program: binary(t), interrupt: time.Second,
				args: []string{"top", "nodes", "--kubeconfig", kubeconfig(t, server)}})
			checkSane(t, r)
			if r.code != 130 || r.stdout != "" {
				t.Errorf("code %d, not 130\n%s\n%s", r.code, r.stdout, r.stderr)
			}
			if late := r.elapsed - time.Second; late > time.Second {
				t.Errorf("stopped %v after SIGINT", late)
			}
		})
	}
}

func TestBusyServerIsNotHammered(t *testing.T) {
	server := start(t, named(t, "429-for-ever"))
	top(t, server, "--request-timeout=4s")
	if n := len(server.Requests()); n < 2 || n > 12 {
		t.Errorf("%d requests in 4 seconds of `Retry-After: 1`", n)
	}
}

func TestVerboseShowsNoSecret(t *testing.T) {
	server := start(t, fault.Fault{})
	r := top(t, server, "-v=9", "--as=jane", "--as-user-extra=scopes=secret-scope")
	checkSane(t, r)
	if r.code != 0 || strings.Contains(r.stderr+r.stdout, "secret-") {
		t.Errorf("code %d, or a secret:\n%s", r.code, r.stderr)
	}
	for _, part := range []string{"curl ", "Bearer <masked>", " 200 OK in ", "Impersonate-User: jane", "Content-Type: "} {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("-v=9 does not show %q:\n%s", part, r.stderr)
		}
	}
}

func TestRequestsAreWellMannered(t *testing.T) {
	server := start(t, fault.Fault{})
	for _, compressed := range []bool{true, false} {
		server.Forget()
		args := []string{"--request-timeout=5s"}
		want := "gzip"
		if !compressed {
			args, want = append(args, "--disable-compression"), ""
		}
		if r := top(t, server, args...); r.code != 0 {
			t.Fatalf("code %d: %s", r.code, r.stderr)
		}
		requests := server.Requests()
		if len(requests) == 0 {
			t.Fatal("no requests")
		}
		for _, seen := range requests {
			if seen.Encoding != want || seen.Protocol != "HTTP/1.1" || !strings.HasPrefix(seen.UserAgent, "kubectl-gpu/") ||
				!strings.Contains(seen.Query, "timeout=5s") || seen.Authorization != "Bearer secret-token" {
				t.Errorf("not as it should be: %+v", seen)
			}
		}
	}
}
