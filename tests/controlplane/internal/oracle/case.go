// Package oracle makes cases: a cluster and a waiting pod as the API server stores them, and what
// kube-scheduler says of the pod.
package oracle

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/scheduler"
	"kubectl-gpu/tests/controlplane/internal/stored"
)

// Case is one question and its answer.
type Case struct {
	ID      string            `json:"id"`
	Version string            `json:"version"`
	Pod     string            `json:"pod"`
	Objects []json.RawMessage `json:"objects"`
	Answer  scheduler.Answer  `json:"answer"`
}

// Refused says that the API server would not take the waiting pod of this seed.
type Refused struct{ Why error }

func (r Refused) Error() string { return "the pod is refused: " + r.Why.Error() }

// Made are the objects of a seed as the API server stores them; those that it would refuse are
// left out. Dropped says why.
type Made struct {
	Waiting   generate.Waiting
	Objects   []runtime.Object
	Manifests []json.RawMessage // of the objects, as they were before
	Dropped   []error
}

// Make makes the objects of a seed.
func Make(seed uint64) (Made, error) {
	made := Made{Waiting: generate.RandomWaiting(seed)}
	for _, manifest := range made.Waiting.Objects {
		text, err := json.Marshal(manifest)
		if err != nil {
			return Made{}, err
		}
		object, err := stored.Object(text)
		metadata := manifest["metadata"].(generate.Doc)
		if err == nil {
			made.Objects, made.Manifests = append(made.Objects, object), append(made.Manifests, text)
			continue
		}
		if metadata["name"] == made.Waiting.Name && manifest["kind"] == "Pod" {
			return Made{}, Refused{err}
		}
		made.Dropped = append(made.Dropped, err)
	}
	return made, nil
}

// Judge makes the case of a seed.
func Judge(ctx context.Context, seed uint64) (Case, error) {
	made, err := Make(seed)
	if err != nil {
		return Case{}, err
	}
	waiting := made.Waiting
	answer, err := scheduler.Judge(ctx, made.Objects, waiting.Namespace, waiting.Name)
	if err != nil {
		return Case{}, err
	}
	result := Case{ID: fmt.Sprintf("seed-%d", seed), Version: scheduler.Version, Pod: waiting.Namespace + "/" + waiting.Name, Answer: answer}
	for _, object := range made.Objects {
		text, err := stored.JSON(object)
		if err != nil {
			return Case{}, err
		}
		if text, err = trimmed(text); err != nil {
			return Case{}, err
		}
		if text != nil {
			result.Objects = append(result.Objects, text)
		}
	}
	return result, nil
}
