package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/fault"
)

// Who may list and not watch is told so: what was listed would grow old.
func TestWatchThatIsForbiddenEndsIt(t *testing.T) {
	_, server := startLive(t, func(_ *cluster.Live, w http.ResponseWriter, r *http.Request, _ int) {
		refuses(403, metav1.StatusReasonForbidden)(w, r)
	})
	w := watch(t, kubeconfig(t, server))
	if code := w.end(); code != 2 {
		t.Errorf("exit code %d, not 2", code)
	}
	w.checkSane()
	if stderr := w.stderr.String(); !strings.Contains(stderr, "Error from server (Forbidden): watch: no") {
		t.Errorf("does not say why:\n%s", stderr)
	}
	if asked := count(server, "/pods"); asked != 2 {
		t.Errorf("%d requests for pods, not 2", asked)
	}
}

// serveDRA adds lists and watches of resource.k8s.io to a live cluster, one GPU on gpu-d1.
func serveDRA(next http.Handler, watches http.HandlerFunc) http.Handler {
	const slice = `{"metadata":{"name":"s1","resourceVersion":"7"},"spec":{"driver":"gpu.nvidia.com","nodeName":"gpu-d1",` +
		`"pool":{"name":"gpu-d1","generation":1,"resourceSliceCount":1},"devices":[{"name":"gpu-0","attributes":` +
		`{"type":{"string":"gpu"},"productName":{"string":"NVIDIA H100"}},"capacity":{"memory":{"value":"80Gi"}}}]}}`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		plural, found := strings.CutPrefix(r.URL.Path, "/apis/resource.k8s.io/v1/")
		kinds := map[string]string{"resourceslices": "ResourceSliceList", "resourceclaims": "ResourceClaimList", "deviceclasses": "DeviceClassList"}
		switch {
		case !found:
			next.ServeHTTP(w, r)
		case r.URL.Query().Get("watch") != "":
			watches(w, r)
		default:
			items := ""
			if plural == "resourceslices" {
				items = slice
			}
			w.Header().Set("Content-Type", cluster.JSON)
			fmt.Fprintf(w, `{"kind":%q,"apiVersion":"resource.k8s.io/v1","metadata":{"resourceVersion":"7"},"items":[%s]}`, kinds[plural], items)
		}
	})
}

// A watch of slices or claims that is forbidden leaves a gap, and no old numbers.
func TestForbiddenWatchOfDRALeavesNoOldNumbers(t *testing.T) {
	for plural, want := range map[string]struct {
		gap   string
		known bool // whether anything of gpu-d1 is shown
	}{
		"resourceslices": {"ResourceSlices cannot be watched", false},
		"resourceclaims": {"ResourceClaims cannot be watched", true},
	} {
		t.Run(plural, func(t *testing.T) {
			t.Parallel()
			live := cluster.NewLive()
			live.AddNode(cluster.Node("gpu-d1", 0))
			var answered atomic.Bool
			server, err := fault.Start(fault.Options{Handler: serveDRA(live, func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, plural) {
					tells(func(*http.Request) []byte { return nil })(w, r)
					return
				}
				for end := time.Now().Add(watchPatience); !answered.Load() && time.Now().Before(end); {
					time.Sleep(20 * time.Millisecond)
				}
				refuses(403, metav1.StatusReasonForbidden)(w, r)
			})})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(server.Close)
			w := watch(t, kubeconfig(t, server))
			w.reaches(map[string]int64{"gpu-a1": 8, "gpu-a2": 3, "gpu-a3": 0, "gpu-d1": 0})
			answered.Store(true)
			w.says(want.gap)
			truth := map[string]int64{"gpu-a1": 8, "gpu-a2": 3, "gpu-a3": 0}
			if want.known {
				truth["gpu-d1"] = -1
			}
			w.reaches(truth)
			w.stop()
		})
	}
}

// Each time that the server has had enough of a token, the plugin gives another, at most once a
// minute: so the second time it takes that long.
func TestWatchRenewsCredentialsAgainAndAgain(t *testing.T) {
	t.Parallel()
	const patience = 2 * time.Minute
	var good atomic.Int64
	good.Store(1)
	live := cluster.NewLive()
	streams := make(chan struct{})
	live.Trouble = func(w http.ResponseWriter, r *http.Request, kind string, _ int) {
		cluster.StartStream(w, r)
		select {
		case <-streams:
			panic(http.ErrAbortHandler)
		case <-r.Context().Done():
		}
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != fmt.Sprintf("Bearer token-%d", good.Load()) {
			refuses(401, metav1.StatusReasonUnauthorized)(w, r)
			return
		}
		live.ServeHTTP(w, r)
	})
	server, err := fault.Start(fault.Options{Handler: handler})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	config, runs := withPlugin(t, server)
	w := watch(t, config)
	w.reaches(map[string]int64{"gpu-a1": 8, "gpu-a2": 3, "gpu-a3": 0})
	both := func(want int) {
		t.Helper()
		for end := time.Now().Add(patience); live.Watches("pods") < want || live.Watches("nodes") < want; {
			if time.Now().After(end) {
				t.Fatalf("%d and %d watches, not %d\n%s", live.Watches("pods"), live.Watches("nodes"), want, w.stderr.String())
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	for round := 1; round <= 2; round++ {
		both(round)
		good.Add(1)
		streams <- struct{}{}
		streams <- struct{}{}
	}
	both(3)
	if ran := countRuns(t, runs); ran != 3 {
		t.Errorf("%d runs of the plugin, not 3", ran)
	}
	w.stop()
}

// Someone who may see pods in some namespaces only has a watch for each, more than there are
// requests in flight otherwise.
func TestWatchOfManyNamespaces(t *testing.T) {
	const spaces = 30
	live := cluster.NewLive()
	live.DeletePod("ml", "train-0")
	names := make([]string, spaces)
	for i := range names {
		names[i] = fmt.Sprintf(`{"metadata":{"name":"team-%d"}}`, i)
	}
	// Without these, which every cluster has, the list would be a part of all.
	names = append(names, `{"metadata":{"name":"default"}}`, `{"metadata":{"name":"kube-system"}}`)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v1/pods":
			refuses(403, metav1.StatusReasonForbidden)(w, r)
		case "/api/v1/namespaces":
			w.Header().Set("Content-Type", cluster.JSON)
			fmt.Fprintf(w, `{"kind":"NamespaceList","apiVersion":"v1","metadata":{},"items":[%s]}`, strings.Join(names, ","))
		default:
			live.ServeHTTP(w, r)
		}
	})
	live.Trouble = func(w http.ResponseWriter, r *http.Request, kind string, _ int) {
		live.StreamOf(w, r, kind, namespaceOf(r))
	}
	server, err := fault.Start(fault.Options{Handler: handler})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	w := watch(t, kubeconfig(t, server))
	w.reaches(map[string]int64{"gpu-a1": 0, "gpu-a2": 0, "gpu-a3": 0})
	for i := range 8 {
		live.AddPod(cluster.Pod(fmt.Sprintf("team-%d", spaces-1-i), "p", "gpu-a1", 1))
	}
	w.reaches(map[string]int64{"gpu-a1": 8, "gpu-a2": 0, "gpu-a3": 0})
	w.stop()
}

func namespaceOf(r *http.Request) string {
	parts := strings.Split(r.URL.Path, "/")
	if len(parts) > 4 && parts[3] == "namespaces" {
		return parts[4]
	}
	return ""
}
