package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// Request is one line of the audit log.
type Request struct {
	Verb      string
	URI       string
	User      string
	UserAgent string
	Code      int32
}

// selfReviews are the only requests but reads that our program may make: they ask for one's own
// rights, and nothing is stored.
var selfReviews = []string{
	"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
	"/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
}

// Writes tells whether the request could change anything.
func (r Request) Writes() bool {
	switch r.Verb {
	case "get", "list", "watch":
		return false
	}
	for _, path := range selfReviews {
		if r.Verb == "create" && r.URI == path {
			return false
		}
	}
	return true
}

// Requests reads from the audit log what came from user agents that start with agent.
func (c *Cluster) Requests(agent string) ([]Request, error) {
	file, err := os.Open(c.AuditLog())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var found []Request
	lines := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return found, nil // what stands after the last newline is still being written
		}
		if err != nil {
			return nil, err
		}
		request, err := parseRequest(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", c.AuditLog(), number, err)
		}
		if strings.HasPrefix(request.UserAgent, agent) {
			found = append(found, request)
		}
	}
}

func parseRequest(line []byte) (Request, error) {
	var event struct {
		Verb           string
		RequestURI     string
		UserAgent      string
		User           struct{ Username string }
		ResponseStatus struct{ Code int32 }
	}
	err := json.Unmarshal(line, &event)
	return Request{Verb: event.Verb, URI: event.RequestURI, UserAgent: event.UserAgent,
		User: event.User.Username, Code: event.ResponseStatus.Code}, err
}

// OnlyReads is an error for each request of agent that could have changed something. The agent has
// listed something before: the API server writes its line after it has answered.
func (c *Cluster) OnlyReads(ctx context.Context, agent string) error {
	var requests []Request
	err := Poll(ctx, 10*time.Second, "lists of "+agent+" in the audit log", func(context.Context) (bool, error) {
		var err error
		requests, err = c.Requests(agent)
		return slices.ContainsFunc(requests, func(each Request) bool { return each.Verb == "list" }), err
	})
	for _, request := range requests {
		if request.Writes() {
			err = errors.Join(err, fmt.Errorf("%s %s by %s", request.Verb, request.URI, request.User))
		}
	}
	return err
}
