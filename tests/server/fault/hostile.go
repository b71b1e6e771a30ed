package fault

import (
	"bytes"
	"net/http"
	"strings"

	"kubectl-gpu/tests/server/cluster"
)

const huge = 200 << 20

// flood sends `block` again and again after `start`, 200 MB in all.
func flood(contentType string, start, block []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		if _, err := w.Write(start); err != nil {
			return
		}
		for sent := 0; sent < huge; sent += len(block) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
}

func hostile() []Fault {
	garbage := bytes.Repeat([]byte{0xff, 0x13, 0x37, 0x00}, 16<<10)
	// A true beginning: the envelope, then one item that claims 2 GiB.
	giant := append([]byte("k8s\x00\x12\xff\xff\xff\xff\x07"), 0x12, 0xf0, 0xff, 0xff, 0xff, 0x07)
	names := func(name string) func(http.Handler) http.Handler {
		return func(http.Handler) http.Handler {
			bad := cluster.Small()
			bad.Nodes[0].Name = name
			for i := range bad.Pods {
				if bad.Pods[i].Spec.NodeName == "gpu-a1" {
					bad.Pods[i].Spec.NodeName = name
				}
			}
			return bad
		}
	}
	return []Fault{
		{Name: "garbage", About: "200 MB that is no protobuf", Handle: each(flood(cluster.Protobuf, nil, garbage))},
		{Name: "giant-item", About: "an item of 2 GiB", Handle: each(flood(cluster.Protobuf, giant, garbage))},
		{Name: "nesting", About: "200 MB of [", Handle: each(flood(cluster.JSON, []byte(`{"items":[`), bytes.Repeat([]byte("["), 64<<10)))},
		{Name: "long-string", About: "a string of 200 MB", Handle: each(flood(cluster.JSON, []byte(`{"kind":"`), bytes.Repeat([]byte("x"), 64<<10)))},
		{Name: "huge-error", About: "500 with 200 MB", Handle: each(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", cluster.JSON)
			w.WriteHeader(500)
			for sent := 0; sent < huge; sent += len(garbage) {
				if _, err := w.Write(garbage); err != nil {
					return
				}
			}
		})},
		{Name: "json", About: "JSON though protobuf was asked for", Handle: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Header.Set("Accept", cluster.JSON)
				next.ServeHTTP(w, r)
			})
		}},
		{Name: "escape-name", About: "a node named for a terminal", Handle: names("gpu\x1b]0;owned\x07\x1b[31m\r\n")},
		{Name: "bidi-name", About: "a node name that reads backwards", Handle: names("gpu-\u202etxt.exe\u200b\u2066")},
		{Name: "long-name", About: "a node name of 1 MB", Handle: names(strings.Repeat("n", 1<<20))},
		{Name: "broken-utf8", About: "a node name that is not UTF-8", Handle: names("gpu-\xff\xfe\xc0")},
		{Name: "error-text", About: "an error message for a terminal", Handle: each(text(500, "text/plain", "\x1b[2J\x1b]0;owned\x07boom\u202e\n"))},
		{Name: "long-header", About: "a header of 1 MB", Handle: each(text(200, cluster.JSON, "{}", "X-Long", strings.Repeat("h", 1<<20)))},
	}
}
