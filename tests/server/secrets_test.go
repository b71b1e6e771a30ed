package server_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/fault"
)

// Servers and proxies that debug show what they were sent. Whatever they echo, in whatever place and form, no secret
// of ours is printed, logged or stored.

// echoed is every form in which a server may repeat the credentials of a request.
func echoed(r *http.Request) []string {
	sent := r.Header.Get("Authorization")
	_, token, _ := strings.Cut(sent, " ")
	forms := []string{sent, token, url.QueryEscape(token), "token=" + token + "&x=1"}
	if name, password, ok := r.BasicAuth(); ok {
		forms = append(forms, name+":"+password, password, url.QueryEscape(password))
	}
	return forms
}

// echo answers every request, or those whose path holds `part`, with what it was sent: in the words of an error, as a
// Status or plain text, and in headers.
func echo(status int, contentType, part string) fault.Fault {
	return fault.Fault{Name: "echo", Handle: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if part != "" && r.URL.Path == "/apis" {
				// What the cluster of these tests does not serve, and a snapshot reads.
				w.Header().Set("Content-Type", cluster.JSON)
				fmt.Fprint(w, `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[]}`)
				return
			}
			if !strings.Contains(r.URL.Path, part) {
				next.ServeHTTP(w, r)
				return
			}
			said := "no entry for " + strings.Join(echoed(r), ", nor for ")
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("X-Debug", said)
			w.Header().Add("Warning", fmt.Sprintf("299 - %q", said))
			w.WriteHeader(status)
			switch {
			case strings.Contains(contentType, "json"):
				json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure",
					"message": said, "error": said, "reason": "Forbidden", "code": status})
			default:
				fmt.Fprintln(w, said)
			}
		})
	}}
}

func checkNoSecret(t *testing.T, what, text string, secrets ...string) {
	t.Helper()
	for _, secret := range secrets {
		for _, form := range []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret))} {
			if at := strings.Index(text, form); at >= 0 {
				t.Errorf("%s holds %q: ...%.120q...", what, form, text[max(0, at-60):])
			}
		}
	}
}

func TestEchoedCredentialsOfTheAPIServer(t *testing.T) {
	const token, password = "secret-token", `pa"ss wo\rd/7%`
	basic := func(t *testing.T, server *fault.Server) string {
		path := kubeconfig(t, server)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), "token: secret-token", fmt.Sprintf("username: jane, password: %q", password), 1)
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, status := range []int{200, 401, 403, 500} {
		for _, form := range []string{"text/plain", cluster.JSON} {
			for name, config := range map[string]func(*testing.T, *fault.Server) string{"token": kubeconfig, "basic": basic} {
				t.Run(fmt.Sprintf("%d/%s/%s", status, strings.ReplaceAll(form, "/", "-"), name), func(t *testing.T) {
					server := start(t, echo(status, form, ""))
					for _, verbose := range []string{"-v=0", "-v=9"} {
						r := run(t, command{program: binary(t),
							args: []string{"top", verbose, "--request-timeout=2s", "--kubeconfig", config(t, server)}})
						checkSane(t, r)
						if verbose == "-v=9" && !strings.Contains(r.stderr, "no entry for B") {
							t.Errorf("the server's words are not shown at all: this proves nothing\n%s", r.stderr)
						}
						checkNoSecret(t, "the output of "+verbose, r.stdout+r.stderr, token, password, "jane:"+password)
					}
				})
			}
		}
	}
}

func TestEchoedCredentialsAreNotStored(t *testing.T) {
	const token = "PROMSECRET"
	for _, status := range []int{401, 500} {
		for _, form := range []string{"text/plain", cluster.JSON} {
			t.Run(fmt.Sprintf("%d/%s", status, strings.ReplaceAll(form, "/", "-")), func(t *testing.T) {
				server := start(t, echo(status, form, "/prom/"))
				folder := t.TempDir()
				ca, file := filepath.Join(folder, "ca.pem"), filepath.Join(folder, "snapshot.json")
				if err := os.WriteFile(ca, server.Authority.PEM, 0o600); err != nil {
					t.Fatal(err)
				}
				for _, redact := range []bool{false, true} {
					args := []string{"snapshot", file, "-v=9", "--kubeconfig", kubeconfig(t, server), "--prometheus-url", server.URL + "/prom"}
					if redact {
						args = append(args, "--redact")
					}
					r := run(t, command{program: binary(t), args: args,
						env: []string{"KUBECTL_GPU_PROMETHEUS_TOKEN=" + token, "SSL_CERT_FILE=" + ca}})
					checkSane(t, r)
					stored, err := os.ReadFile(file)
					if err != nil {
						t.Fatalf("code %d, no file: %v\n%s", r.code, err, r.stderr)
					}
					if !redact && !strings.Contains(string(stored), "<masked>") {
						t.Errorf("the server's words are not in the file at all: this proves nothing\n%s", r.stderr)
					}
					checkNoSecret(t, "the file", string(stored), token, "secret-token")
					checkNoSecret(t, "the output", r.stdout+r.stderr, token, "secret-token")
				}
			})
		}
	}
}
