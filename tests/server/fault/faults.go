package fault

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/pki"
)

// Wire says what stands on the port.
type Wire int

const (
	TLS    Wire = iota
	Plain       // HTTP without TLS
	Silent      // takes connections and says nothing
)

// Fault is one way to misbehave.
type Fault struct {
	Name   string
	About  string
	Wire   Wire
	Handle func(next http.Handler) http.Handler
	Leaf   func(leaf *pki.Leaf)
	TLS    func(config *tls.Config, authority *pki.Authority)
}

// All faults, by what they are about.
func All() []Fault {
	return slices.Concat(refusals(), cuts(), certificates(), hostile(), endless())
}

// Named is the fault of that name.
func Named(name string) (Fault, error) {
	for _, fault := range All() {
		if fault.Name == name {
			return fault, nil
		}
	}
	return Fault{}, fmt.Errorf("no fault %q", name)
}

func each(answer http.HandlerFunc) func(http.Handler) http.Handler {
	return func(http.Handler) http.Handler { return answer }
}

// on answers paths that end so; everything else behaves.
func on(suffix string, answer http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, suffix) {
				answer(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func say(code int, reason metav1.StatusReason, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		contentType := cluster.Wants(r)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		w.Write(cluster.EncodeStatus(cluster.Status(code, reason, message), contentType))
	}
}

func text(code int, contentType, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		w.Write([]byte(body))
	}
}

// first answers the first `count` requests so.
func first(count int64, answer http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		var seen atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if seen.Add(1) <= count {
				answer(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func refusals() []Fault {
	forbidden := func(resource string) http.HandlerFunc {
		return say(403, metav1.StatusReasonForbidden, resource+` is forbidden: User "alice" cannot list resource "`+
			resource+`" in API group "" at the cluster scope`)
	}
	busy := text(429, "text/plain", "Too many requests, please try again later.\n", "Retry-After", "1")
	away := text(503, "text/plain", "apiserver is shutting down.\n", "Retry-After", "1")
	const login = "<!DOCTYPE html><html><title>Sign in</title></html>"
	return []Fault{
		{Name: "401", About: "does not know anybody", Handle: each(say(401, metav1.StatusReasonUnauthorized, "Unauthorized"))},
		{Name: "403-pods", About: "nodes only", Handle: on("/pods", forbidden("pods"))},
		{Name: "403-nodes", About: "pods only", Handle: on("/nodes", forbidden("nodes"))},
		{Name: "404", About: "no such API", Handle: each(text(404, "text/plain", "404 page not found\n"))},
		{Name: "410", About: "list expired", Handle: each(say(410, metav1.StatusReasonExpired,
			"The provided continue parameter is too old to display a consistent list result."))},
		{Name: "429-once", About: "busy for a second", Handle: first(1, busy)},
		{Name: "429-by-node", About: "too busy for a list for each node", Handle: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Query().Get("fieldSelector"), "spec.nodeName=gpu-") {
					busy(w, r)
					return
				}
				next.ServeHTTP(w, r)
			})
		}},
		{Name: "429-for-ever", About: "busy", Handle: each(busy)},
		{Name: "429-an-hour", About: "busy for longer than anybody waits", Handle: each(
			text(429, "text/plain", "Too many requests, please try again later.\n", "Retry-After", "3600"))},
		{Name: "500", About: "broken", Handle: each(say(500, metav1.StatusReasonInternalError, "etcdserver: no leader"))},
		{Name: "503-once", About: "restarts", Handle: first(1, away)},
		{Name: "503-no-time", About: "aggregated API is down", Handle: each(text(503, "text/plain", "service unavailable\n"))},
		{Name: "html-200", About: "a proxy's login page", Handle: each(text(200, "text/html; charset=utf-8", login))},
		{Name: "html-502", About: "a load balancer's page", Handle: each(text(502, "text/html", "<html>502 Bad Gateway</html>"))},
		{Name: "302", About: "redirects to a login page", Handle: each(text(302, "text/html", login,
			"Location", "https://login.example.invalid/authorize?state=secret-state"))},
		{Name: "status-200", About: "a protobuf Status that says 200", Handle: each(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", cluster.Protobuf)
			w.Write(cluster.EncodeStatus(cluster.Status(500, metav1.StatusReasonInternalError, "boom"), cluster.Protobuf))
		})},
		{Name: "warning", About: "sends Warning headers, one of them twice", Handle: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Add("Warning", `299 - "old things \x1b[31mhere"`)
				next.ServeHTTP(w, r)
			})
		}},
	}
}

// buffered lets the good server answer, for faults that damage what it says.
func buffered(next http.Handler, r *http.Request) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	next.ServeHTTP(answer, r)
	return answer
}

// damaged writes raw bytes made of a good answer, then cuts the line; what is not served stays so.
func damaged(write func(contentType string, body []byte) []byte) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := buffered(next, r)
			if answer.Code != http.StatusOK {
				w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
				w.WriteHeader(answer.Code)
				w.Write(answer.Body.Bytes())
				return
			}
			raw := write(answer.Header().Get("Content-Type"), answer.Body.Bytes())
			connection, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer connection.Close()
			connection.Write(raw)
		})
	}
}

func head(contentType string, more string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\n" + more + "\r\n"
}

func zip(body []byte) []byte {
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	writer.Write(body)
	writer.Close()
	return out.Bytes()
}

// oneOne keeps to HTTP/1.1, where connections can be taken over.
func oneOne(config *tls.Config, _ *pki.Authority) { config.NextProtos = []string{"http/1.1"} }

func cuts() []Fault {
	return []Fault{
		{Name: "slow", About: "a byte now and then, but whole", Handle: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := buffered(next, r)
				w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
				w.WriteHeader(answer.Code)
				body := answer.Body.Bytes()
				for step := len(body)/20 + 1; len(body) > 0; {
					n := min(step, len(body))
					w.Write(body[:n])
					w.(http.Flusher).Flush()
					body = body[n:]
					time.Sleep(20 * time.Millisecond)
				}
			})
		}},
		{Name: "silent-after-headers", About: "stops after the headers", Handle: each(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", cluster.Wants(r))
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})},
		{Name: "silent-answer", About: "takes the request and says nothing", Handle: each(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		})},
		{Name: "silent", About: "takes the connection and says nothing", Wire: Silent},
		{Name: "cut-length", About: "ends before Content-Length", TLS: oneOne, Handle: damaged(func(kind string, body []byte) []byte {
			return append([]byte(head(kind, fmt.Sprintf("Content-Length: %d\r\n", len(body)))), body[:len(body)/2]...)
		})},
		{Name: "cut-chunked", About: "ends in the middle of a chunk", TLS: oneOne, Handle: damaged(func(kind string, body []byte) []byte {
			raw := head(kind, "Transfer-Encoding: chunked\r\n") + strconv.FormatInt(int64(len(body)), 16) + "\r\n"
			return append([]byte(raw), body[:len(body)/2]...)
		})},
		{Name: "cut-gzip", About: "half a gzip, with the right length", TLS: oneOne, Handle: damaged(func(kind string, body []byte) []byte {
			half := zip(body)
			half = half[:len(half)/2]
			return append([]byte(head(kind, fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n", len(half)))), half...)
		})},
		{Name: "not-gzip", About: "says gzip and is not", TLS: oneOne, Handle: damaged(func(kind string, body []byte) []byte {
			return append([]byte(head(kind, fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n", len(body)))), body...)
		})},
		{Name: "gzip", About: "compresses whatever its size", Handle: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := buffered(next, r)
				w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
				w.Header().Set("Content-Encoding", "gzip")
				w.WriteHeader(answer.Code)
				w.Write(zip(answer.Body.Bytes()))
			})
		}},
		{Name: "chunked", About: "seven bytes a chunk", Handle: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := buffered(next, r)
				w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
				w.WriteHeader(answer.Code)
				for body := answer.Body.Bytes(); len(body) > 0; {
					n := min(7, len(body))
					w.Write(body[:n])
					w.(http.Flusher).Flush()
					body = body[n:]
				}
			})
		}},
		{Name: "http1", About: "HTTP/1.1 only", TLS: oneOne},
		{Name: "closes", About: "closes without a reply", TLS: oneOne, Handle: damaged(func(string, []byte) []byte { return nil })},
		{Name: "not-http", About: "another protocol", TLS: oneOne, Handle: damaged(func(string, []byte) []byte {
			return []byte("220 mail.example.invalid ESMTP\r\n")
		})},
		{Name: "empty", About: "200 and no body", Handle: each(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", cluster.Wants(r))
		})},
	}
}

func certificates() []Fault {
	return []Fault{
		{Name: "wrong-name", About: "a certificate for another host", Leaf: func(leaf *pki.Leaf) { leaf.Names = []string{"other.example.invalid"} }},
		{Name: "expired", About: "an old certificate", Leaf: func(leaf *pki.Leaf) {
			leaf.NotBefore, leaf.NotAfter = time.Now().Add(-47*time.Hour), time.Now().Add(-time.Hour)
		}},
		{Name: "client-certificate", About: "asks for a client certificate", TLS: func(config *tls.Config, authority *pki.Authority) {
			config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, authority.Pool()
		}},
		{Name: "old-tls", About: "TLS 1.1", TLS: func(config *tls.Config, _ *pki.Authority) {
			config.MinVersion, config.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
		}},
		{Name: "plain", About: "HTTP on the port", Wire: Plain},
	}
}
