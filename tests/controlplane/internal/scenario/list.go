package scenario

import (
	"context"
	"errors"

	"k8s.io/client-go/kubernetes"
)

func CreateFrom(ctx context.Context, client kubernetes.Interface, path string) error {
	s, err := Read(path)
	if err != nil {
		return errors.Join(err)
	}
	return s.Create(ctx, client)
}
