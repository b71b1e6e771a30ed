package kueue

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"kubectl-gpu/tests/controlplane/internal/queueing"
)

var kinds = queueing.Kinds

func documents(text string) ([]*unstructured.Unstructured, error) { return queueing.Documents(text) }

func create(ctx context.Context, client dynamic.Interface, objects ...*unstructured.Unstructured) error {
	return queueing.Create(ctx, client, objects...)
}
