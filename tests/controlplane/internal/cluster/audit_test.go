package cluster

import "testing"

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
