package fault

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/server/cluster"
)

// aNode is one as JSON, with 8 GPUs.
func aNode(name string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q},"status":{"capacity":{"nvidia.com/gpu":"8"},"allocatable":{"nvidia.com/gpu":"8"}}}`, name)
}

func write(w http.ResponseWriter, text string) bool {
	if _, err := w.Write([]byte(text)); err != nil {
		return false
	}
	return true
}

// paged answers lists of nodes by pages, whose tokens and items `page` makes of their number.
func paged(page func(number int64) (token, items string)) func(http.Handler) http.Handler {
	var asked atomic.Int64
	return on("/nodes", func(w http.ResponseWriter, _ *http.Request) {
		token, items := page(asked.Add(1))
		w.Header().Set("Content-Type", cluster.JSON)
		write(w, fmt.Sprintf(`{"kind":"NodeList","apiVersion":"v1","metadata":{"continue":%q},"items":[%s]}`, token, items))
	})
}

// nodes answers with `count` nodes that `name` names; below 0 they have no end.
func nodes(count int, name func(i int) string) func(http.Handler) http.Handler {
	return on("/nodes", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", cluster.JSON)
		if !write(w, `{"kind":"NodeList","apiVersion":"v1","metadata":{},"items":[`+aNode(name(0))) {
			return
		}
		for i := 1; i != count; i++ {
			if !write(w, ","+aNode(name(i))) {
				return
			}
		}
		write(w, "]}")
	})
}

// filtered refuses pods of the whole cluster, or leaves out those of other namespaces than the
// listed ones, and shows these alone.
func filtered(refuses bool, listed ...string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/api/v1/pods" && refuses:
				say(403, metav1.StatusReasonForbidden, `pods is forbidden: User "alice" cannot list resource "pods" in API group "" at the cluster scope`)(w, r)
			case r.URL.Path == "/api/v1/pods":
				shown := cluster.Small()
				shown.Pods = shown.Pods[:1]
				shown.ServeHTTP(w, r)
			case r.URL.Path == "/api/v1/namespaces":
				var items []string
				for _, name := range listed {
					items = append(items, fmt.Sprintf(`{"metadata":{"name":%q}}`, name))
				}
				w.Header().Set("Content-Type", cluster.JSON)
				write(w, `{"kind":"NamespaceList","apiVersion":"v1","metadata":{},"items":[`+strings.Join(items, ",")+`]}`)
			default:
				next.ServeHTTP(w, r)
			}
		})
	}
}

// endless are faults that would have a client wait, read or grow for ever.
func endless() []Fault {
	numbered := func(i int) string { return fmt.Sprintf("n-%d", i) }
	busy := func(retryAfter string) func(http.Handler) http.Handler {
		return each(text(429, "text/plain", "Too many requests, please try again later.\n", "Retry-After", retryAfter))
	}
	return []Fault{
		{Name: "same-page", About: "names the same next page again and again", Handle: paged(func(n int64) (string, string) {
			return "next", aNode(fmt.Sprintf("n-%d", n))
		})},
		{Name: "more-pages", About: "always names one more page of one node", Handle: paged(func(n int64) (string, string) {
			return fmt.Sprintf("page-%d", n), aNode(fmt.Sprintf("n-%d", n))
		})},
		{Name: "long-token", About: "names a next page by 10 MB", Handle: paged(func(int64) (string, string) {
			return strings.Repeat("t", 10<<20), aNode("n")
		})},
		{Name: "endless-list", About: "a list of nodes without end", Handle: nodes(-1, numbered)},
		{Name: "endless-same", About: "the same node without end", Handle: nodes(-1, func(int) string { return "n" })},
		{Name: "same-name", About: "the same node twice", Handle: nodes(2, func(int) string { return "n" })},
		{Name: "million-nodes", About: "a million nodes", Handle: nodes(1_000_000, numbered)},
		{Name: "watch-flood", About: "a watch that tells of new nodes without end", Handle: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("watch") == "" || !strings.HasSuffix(r.URL.Path, "/nodes") {
					next.ServeHTTP(w, r)
					return
				}
				w.Header().Set("Content-Type", cluster.JSON)
				for i := 0; write(w, fmt.Sprintf(`{"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"w-%07d","resourceVersion":"%d"}}}`+"\n", i, i+8)); i++ {
				}
			})
		}},
		{Name: "trickle", About: "a byte of the answer every two seconds", Handle: on("/nodes", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", cluster.JSON)
			write(w, `{"kind":"NodeList"`)
			for write(w, " ") {
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
					return
				case <-time.After(2 * time.Second):
				}
			}
		})},
		{Name: "long-status", About: "an error of 500 KB in a Status", Handle: each(say(500, metav1.StatusReason(strings.Repeat("R", 10<<10)), strings.Repeat("m", 500<<10)))},
		{Name: "429-negative", About: "busy, with a time that is none", Handle: busy("-1")},
		{Name: "429-zero", About: "busy, with no time to wait", Handle: busy("0")},
		{Name: "429-overflow", About: "busy, for longer than a number holds", Handle: busy("99999999999999999999")},
		{Name: "no-namespaces", About: "pods by namespace only, and no namespace is shown", Handle: filtered(true)},
		{Name: "own-namespaces", About: "pods by namespace only, and one's own are shown", Handle: filtered(true, "ml")},
		{Name: "own-pods", About: "a list of all pods that holds one's own", Handle: filtered(false, "ml")},
	}
}
