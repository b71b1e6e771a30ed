// Package views reads all views of `kubectl-gpu top` as JSON and holds them against each other: what
// one view says must be the sum of what another says.
package views

import (
	"encoding/json"
	"fmt"
)

// Views is one answer of each view, of the same cluster at the same moment.
type Views struct {
	Nodes      List[Node]
	Pods       List[Pod]
	Namespaces List[Namespace]
	Models     List[Model]
	GPUs       List[GPU]
}

// List is one answer; pointers tell null from 0 everywhere.
type List[T any] struct {
	Kind    string  `json:"kind"`
	Items   []T     `json:"items"`
	Summary Summary `json:"summary"`
	Gaps    []Gap   `json:"gaps"`
}

// Summary is the same in every view.
type Summary struct {
	Totals  []Total  `json:"totals"`
	Waiting *Waiting `json:"waiting"`
}

// Total is one line of the summary.
type Total struct {
	Kind        string `json:"kind"`
	Total       int64  `json:"total"`
	Allocated   *int64 `json:"allocated"`
	Free        *int64 `json:"free"`
	Unavailable *int64 `json:"unavailable"`
}

// Waiting counts pods that are not bound.
type Waiting struct {
	Pods int64 `json:"pods"`
	GPUs int64 `json:"gpus"`
}

// Gap is what was not seen.
type Gap struct{ What, Why, Help string }

// Sharing says into how many units a card was cut.
type Sharing struct {
	Strategy string `json:"strategy"`
	Replicas *int64 `json:"replicas"`
}

// Node is a row of `top nodes`.
type Node struct {
	Name              string  `json:"name"`
	Vendor            string  `json:"vendor"`
	Model             *string `json:"model"`
	Resource          string  `json:"resource"`
	Source            string  `json:"source"`
	Unit              string  `json:"unit"`
	Sharing           Sharing `json:"sharing"`
	Cards             *int64  `json:"cards"`
	FreeCards         *int64  `json:"freeCards"`
	SecondView        bool    `json:"secondView"`
	Capacity          int64   `json:"capacity"`
	Allocatable       int64   `json:"allocatable"`
	Allocated         *int64  `json:"allocated"`
	Free              *int64  `json:"free"`
	Unavailable       *int64  `json:"unavailable"`
	UnavailableReason *string `json:"unavailableReason"`
	State             string  `json:"state"`
}

// Pod is a row of `top pods`.
type Pod struct {
	Namespace string  `json:"namespace"`
	Name      *string `json:"name"`
	Node      *string `json:"node"`
	Owner     *struct {
		Kind string `json:"kind"`
		Name string `json:"name"`
	} `json:"owner"`
	Resource    string   `json:"resource"`
	Source      string   `json:"source"`
	Model       *string  `json:"model"`
	Unit        string   `json:"unit"`
	GPUs        *int64   `json:"gpus"`
	Claim       *string  `json:"claim"`
	SharedBy    int64    `json:"sharedBy"`
	Devices     []string `json:"devices"`
	Evidence    string   `json:"evidence"`
	Utilization *float64 `json:"utilization"`
	Phase       *string  `json:"phase"`
}

// Namespace is a row of `top namespaces`.
type Namespace struct {
	Namespace string  `json:"namespace"`
	Resource  string  `json:"resource"`
	Source    string  `json:"source"`
	Model     *string `json:"model"`
	Unit      string  `json:"unit"`
	GPUs      *int64  `json:"gpus"`
	Pods      int64   `json:"pods"`
}

// Model is a row of `top models`.
type Model struct {
	Model       *string `json:"model"`
	Vendor      string  `json:"vendor"`
	SecondView  bool    `json:"secondView"`
	Unit        string  `json:"unit"`
	Sharing     Sharing `json:"sharing"`
	Nodes       int64   `json:"nodes"`
	Cards       *int64  `json:"cards"`
	FreeCards   *int64  `json:"freeCards"`
	Total       *int64  `json:"total"`
	Allocated   *int64  `json:"allocated"`
	Free        *int64  `json:"free"`
	Unavailable *int64  `json:"unavailable"`
}

// GPU is a row of `top gpus`.
type GPU struct {
	Node     string  `json:"node"`
	UUID     *string `json:"uuid"`
	Device   *string `json:"device"`
	Resource string  `json:"resource"`
	Source   string  `json:"source"`
	Profile  *string `json:"profile"`
	Model    *string `json:"model"`
	Unit     string  `json:"unit"`
	Units    int64   `json:"units"`
	State    string  `json:"state"`
	Pods     []struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"pods"`
	Claims        []string `json:"claims"`
	OwnerEvidence string   `json:"ownerEvidence"`
	Health        *string  `json:"health"`
	Utilization   *float64 `json:"utilization"`
}

// Names are the views, as one calls them.
var Names = []string{"nodes", "pods", "namespaces", "models", "gpus"}

// Read asks for every view with top, which gets the view's name and prints its JSON.
func Read(top func(view string) ([]byte, error)) (*Views, error) {
	read := &Views{}
	targets := map[string]any{"nodes": &read.Nodes, "pods": &read.Pods, "namespaces": &read.Namespaces,
		"models": &read.Models, "gpus": &read.GPUs}
	for _, name := range Names {
		text, err := top(name)
		if err != nil {
			return nil, fmt.Errorf("top %s: %w", name, err)
		}
		if err := json.Unmarshal(text, targets[name]); err != nil {
			return nil, fmt.Errorf("top %s: %w in:\n%s", name, err, text)
		}
	}
	return read, nil
}
