package cluster

import (
	"os"
	"testing"
)

func TestParseRequest(t *testing.T) {
	request, err := parseRequest([]byte(`{"verb":"list","requestURI":"/api/v1/pods","userAgent":"kubectl-gpu/1",` +
		`"user":{"username":"ordinary"},"responseStatus":{"code":200}}`))
	want := Request{Verb: "list", URI: "/api/v1/pods", User: "ordinary", UserAgent: "kubectl-gpu/1", Code: 200}
	if err != nil || request != want {
		t.Errorf("%+v, error %v; want %+v", request, err, want)
	}
}

func TestWrites(t *testing.T) {
	for request, want := range map[Request]bool{
		{Verb: "get"}: false, {Verb: "list"}: false, {Verb: "watch"}: false,
		{Verb: "create", URI: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"}: false,
		{Verb: "update", URI: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"}: true,
		{Verb: "create", URI: "/api/v1/namespaces/default/pods"}:                        true,
		{Verb: "patch"}: true, {Verb: "update"}: true, {Verb: "delete"}: true, {Verb: "deletecollection"}: true,
	} {
		if have := request.Writes(); have != want {
			t.Errorf("%+v: writes %t, want %t", request, have, want)
		}
	}
}

func TestRequestsOfOneAgent(t *testing.T) {
	c := &Cluster{Dir: t.TempDir()}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(c.AuditLog(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"verb":"list","userAgent":"kubectl-gpu/1"}
{"verb":"get","userAgent":"kubectl/1"}
{"verb":"watch","userAgent":"kubectl-gpu/1"}
{"verb":"li`)
	requests, err := c.Requests("kubectl-gpu")
	if err != nil || len(requests) != 2 || requests[1].Verb != "watch" {
		t.Errorf("%+v, error %v; want a list and a watch, and nothing of the unfinished line", requests, err)
	}
	write("not JSON\n")
	if _, err := c.Requests("kubectl-gpu"); err == nil {
		t.Error("no error for a line that is not JSON")
	}
}
