package server_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/fault"
)

// accepts knows one token only.
func accepts(token string) fault.Fault {
	return fault.Fault{Handle: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "Bearer "+token {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", cluster.JSON)
			w.WriteHeader(http.StatusUnauthorized)
			w.Write(cluster.EncodeStatus(cluster.Status(401, "Unauthorized", "Unauthorized"), cluster.JSON))
		})
	}}
}

// withPlugin is a kubeconfig whose plugin gives token-1, token-2, ... and counts its runs in a file.
func withPlugin(t *testing.T, server *fault.Server) (config, runs string) {
	t.Helper()
	dir := t.TempDir()
	runs = filepath.Join(dir, "runs")
	write(t, filepath.Join(dir, "plugin"), fmt.Sprintf(`#!/bin/sh
echo run >>%[1]s
count=$(wc -l <%[1]s)
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"token-'$((count))'"}}'
`, runs), 0o700)
	config = filepath.Join(dir, "config")
	write(t, config, fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: lab
clusters:
- {name: lab, cluster: {server: %q, certificate-authority-data: %s}}
users:
- name: u
  user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}}
contexts:
- {name: lab, context: {cluster: lab, user: u}}
`, server.URL, encoded(server.Authority.PEM)), 0o600)
	return config, runs
}

func countRuns(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

func TestCredentialsAreRenewedOnceAfter401(t *testing.T) {
	for token, want := range map[string]struct{ code, runs int }{"token-1": {0, 1}, "token-2": {0, 2}, "token-3": {2, 2}} {
		t.Run(token, func(t *testing.T) {
			server := start(t, accepts(token))
			config, runs := withPlugin(t, server)
			r := run(t, command{program: binary(t), args: []string{"top", "nodes", "--kubeconfig", config}})
			checkSane(t, r)
			if ran := countRuns(t, runs); r.code != want.code || ran != want.runs {
				t.Errorf("code %d after %d runs of the plugin\n%s", r.code, ran, r.stderr)
			}
			if want.code != 0 {
				checkFailed(t, r, "error: You must be logged in to the server (Unauthorized)")
			}
		})
	}
}
