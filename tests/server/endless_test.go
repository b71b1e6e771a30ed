package server_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kubectl-gpu/tests/server/fault"
)

// What would have us read, wait or grow for ever ends by itself, and says why.
func TestEndlessAnswersEnd(t *testing.T) {
	cases := []struct {
		fault string
		says  string
		limit time.Duration
		args  []string
	}{
		{"same-page", "has no end: it names the same next page twice", 5 * time.Second, nil},
		{"more-pages", "seems to have no end: ", 20 * time.Second, nil},
		{"more-pages", "", 4 * time.Second, []string{"--request-timeout=1s"}},
		{"long-token", "names the next page of a NodeList by 10,485,760 bytes", 10 * time.Second, nil},
		{"429-zero", "Error from server (TooManyRequests): ", 10 * time.Second, []string{"--request-timeout=5s"}},
		{"429-overflow", "Error from server (TooManyRequests): ", 5 * time.Second, nil},
		{"long-status", "Error from server (RRR", 5 * time.Second, nil},
		{"status-200", "sent a Status, a NodeList was expected: boom", 5 * time.Second, nil},
	}
	for _, c := range cases {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			r := top(t, start(t, named(t, c.fault)), c.args...)
			checkFailed(t, r, c.says)
			checkMemory(t, r)
			if !sanitized(t) && r.elapsed > c.limit {
				t.Errorf("took %v", r.elapsed)
			}
		})
	}
}

// More nodes than any cluster has are not read to their end; what is read has room in 1.5 GB, which
// KUBECTL_GPU_FLOODS=1 says that there is.
func TestEndlessListsEnd(t *testing.T) {
	if os.Getenv("KUBECTL_GPU_FLOODS") == "" {
		t.Skip("takes over 1 GB of memory: KUBECTL_GPU_FLOODS is not set")
	}
	for _, name := range []string{"endless-list", "million-nodes", "endless-same"} {
		t.Run(name, func(t *testing.T) {
			server := start(t, named(t, name))
			r := run(t, command{program: binary(t), limit: 10 * time.Minute,
				args: []string{"top", "nodes", "--kubeconfig", kubeconfig(t, server)}})
			checkFailed(t, r, "has more than 150,000 items, the most that are read")
			const most = 1500 << 20
			if !sanitized(t) && r.maxRSS > most {
				t.Errorf("used %d MB", r.maxRSS>>20)
			}
		})
	}
}

func TestEndlessWatchEnds(t *testing.T) {
	if os.Getenv("KUBECTL_GPU_FLOODS") == "" {
		t.Skip("takes over 1 GB of memory: KUBECTL_GPU_FLOODS is not set")
	}
	server := start(t, named(t, "watch-flood"))
	r := run(t, command{program: "/bin/sh", limit: 10 * time.Minute, args: []string{"-c", `exec "$@" >/dev/null`, "sh",
		binary(t), "top", "nodes", "-w", "--metrics=none", "--kubeconfig", kubeconfig(t, server)}})
	checkFailed(t, r, "reports more than 150,000 nodes or 1,000,000 pods")
}

// Without memory we say so; it is no bug of ours.
func TestOutOfMemoryIsTold(t *testing.T) {
	if sanitized(t) {
		t.Skip("AddressSanitizer needs terabytes of addresses")
	}
	for _, name := range []string{"endless-list"} {
		t.Run(name, func(t *testing.T) {
			server := start(t, named(t, name))
			r := run(t, command{program: "/bin/sh", limit: 2 * time.Minute, args: []string{"-c", `ulimit -v 100000; exec "$@"`, "sh",
				binary(t), "top", "nodes", "--kubeconfig", kubeconfig(t, server)}})
			checkFailed(t, r, "error: not enough memory")
		})
	}
}

func TestSameNodeTwiceIsOne(t *testing.T) {
	r := top(t, start(t, named(t, "same-name")), "-o", "json", "--metrics=none")
	checkSane(t, r)
	var answer struct{ Items []struct{ Name string } }
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil || len(answer.Items) != 1 {
		t.Errorf("%v, %d rows:\n%s\n%s", err, len(answer.Items), r.stdout, r.stderr)
	}
}

// A time to wait that is none is no reason to ask every second.
func TestOddRetryAfterBacksOff(t *testing.T) {
	server := start(t, named(t, "429-negative"))
	top(t, server, "--request-timeout=8s")
	if n := len(server.Requests()); n < 2 || n > 12 {
		t.Errorf("%d requests in 8 seconds", n)
	}
}

// Nobody wonders what is waited for, be there a terminal or not.
func TestLongWaitsAreTold(t *testing.T) {
	for _, name := range []string{"trickle", "silent-answer"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := top(t, start(t, named(t, name)), "--request-timeout=12s")
			checkFailed(t, r, "still reading from lab")
			if strings.Count(r.stderr, "still reading") != 1 {
				t.Errorf("reported more than once:\n%s", r.stderr)
			}
		})
	}
}

func TestTrickleEnds(t *testing.T) {
	if os.Getenv("CI") == "" && testing.Short() {
		t.Skip("takes a minute")
	}
	t.Parallel()
	server := start(t, named(t, "trickle"))
	r := run(t, command{program: binary(t), limit: 80 * time.Second,
		args: []string{"top", "nodes", "--kubeconfig", kubeconfig(t, server)}})
	checkFailed(t, r, "hardly anything came for 30s")
}

// A part of the namespaces is not all of them: nothing is free then that might not be.
func TestFilteredNamespacesAreNotAll(t *testing.T) {
	for _, name := range []string{"no-namespaces", "own-namespaces", "own-pods"} {
		t.Run(name, func(t *testing.T) {
			server := start(t, named(t, name))
			r := top(t, server, "-o", "json", "--metrics=none")
			checkSane(t, r)
			var answer struct {
				Items []struct {
					Name string
					Free *float64
				}
				Gaps []struct{ What, Why, Help string }
			}
			if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil {
				t.Fatalf("%v: code %d\n%s\n%s", err, r.code, r.stdout, r.stderr)
			}
			for _, node := range answer.Items {
				if node.Free != nil {
					t.Errorf("%s: %v are called free", node.Name, *node.Free)
				}
			}
			if len(answer.Items) == 0 || len(answer.Gaps) != 1 || !strings.Contains(answer.Gaps[0].What, "allocated") {
				t.Errorf("%d nodes, gaps %+v", len(answer.Items), answer.Gaps)
			}
			waiting := run(t, command{program: binary(t), args: []string{"why-pending", "-A", "--kubeconfig", kubeconfig(t, server)}})
			checkSane(t, waiting)
			if waiting.code == 0 && !strings.Contains(waiting.stderr, "no pod waits, of those that were seen") {
				t.Errorf("nothing is said of pods that were not seen:\n%s\n%s", waiting.stdout, waiting.stderr)
			}
		})
	}
}

// plugin writes a kubeconfig whose user is a script.
func plugin(t *testing.T, server *fault.Server, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "login-helper")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := kubeconfig(t, server)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	exec := fmt.Sprintf("user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: %q, interactiveMode: Never}}", path)
	changed := strings.Replace(string(text), "user: {token: secret-token}", exec, 1)
	if err := os.WriteFile(config, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

func TestPluginThatHangs(t *testing.T) {
	t.Parallel()
	config := plugin(t, start(t, fault.Fault{}), "exec sleep 60")
	r := run(t, command{program: binary(t), args: []string{"top", "nodes", "--kubeconfig", config, "--request-timeout=7s"}})
	checkFailed(t, r, "gave nothing within the time of --request-timeout")
	if !strings.Contains(r.stderr, "waiting for credential plugin ") || !strings.Contains(r.stderr, "login-helper") {
		t.Errorf("the plugin is not named:\n%s", r.stderr)
	}
	if r.elapsed > 12*time.Second {
		t.Errorf("took %v", r.elapsed)
	}
}

// Whatever we have open, a program that we run has its standard streams alone.
func TestPluginInheritsNothing(t *testing.T) {
	listed := filepath.Join(t.TempDir(), "descriptors")
	config := plugin(t, start(t, named(t, "401")), fmt.Sprintf(`for n in /proc/$$/fd/*; do echo "$n $(readlink "$n")"; done >>%q
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'`, listed))
	r := run(t, command{program: binary(t), args: []string{"top", "nodes", "--kubeconfig", config}})
	checkFailed(t, r, "error: You must be logged in to the server")
	text, err := os.ReadFile(listed)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "socket:") || strings.Contains(string(text), "eventfd") {
		t.Errorf("it has sockets:\n%s", text)
	}
}

func TestTokenOfFlagIsNamed(t *testing.T) {
	server := start(t, named(t, "401"))
	r := run(t, command{program: binary(t), args: []string{"top", "nodes", "--kubeconfig=/dev/null", "-s", server.URL,
		"--insecure-skip-tls-verify", "--token", "X"}})
	checkFailed(t, r, "the token of --token, ")
}
