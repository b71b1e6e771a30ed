package load

import (
	"bytes"
	"context"
	"fmt"

	clientv3 "go.etcd.io/etcd/client/v3"
	"golang.org/x/sync/errgroup"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// entry is one object as etcd holds it.
type entry struct{ key, value string }

// batchBytes keeps a transaction under etcd's limit of 1.5 MiB a request, and batchEntries under
// its limit of 128 operations.
const (
	batchBytes   = 1 << 20
	batchEntries = 100
)

// Write makes the objects of the plan and writes them into etcd at endpoint. The API server should
// not run: it would have to follow every write.
func Write(ctx context.Context, endpoint string, plan Plan) error {
	if plan.GPUNodes > plan.Nodes {
		return fmt.Errorf("%d GPU nodes of %d nodes", plan.GPUNodes, plan.Nodes)
	}
	if plan.Nodes == 0 && plan.Pods > 0 {
		return fmt.Errorf("%d pods, and no node to run them", plan.Pods)
	}
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, MaxCallSendMsgSize: 4 << 20})
	if err != nil {
		return err
	}
	defer client.Close()
	group, ctx := errgroup.WithContext(ctx)
	batches := make(chan []entry, 8)
	group.Go(func() error {
		defer close(batches)
		return generate(ctx, plan, batches)
	})
	for range 4 {
		group.Go(func() error {
			for batch := range batches {
				if err := put(ctx, client, batch); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// generate sends everything in batches; in one goroutine, so that the objects do not depend on
// timing.
func generate(ctx context.Context, plan Plan, batches chan<- []entry) error {
	m := newMaker(plan)
	var batch []entry
	size := 0
	flush := func() error {
		select {
		case batches <- batch:
		case <-ctx.Done():
			return ctx.Err()
		}
		batch, size = nil, 0
		return nil
	}
	add := func(key string, object runtime.Object, kind string) error {
		value, err := stored(object, kind)
		if err != nil {
			return err
		}
		if len(batch) == batchEntries || size+len(value) > batchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
		batch, size = append(batch, entry{key, value}), size+len(value)
		return nil
	}
	if err := each(m, add); err != nil {
		return err
	}
	return flush()
}

// each calls add with every object; the keys are the API server's.
func each(m *maker, add func(key string, object runtime.Object, kind string) error) error {
	for i := range namespaces {
		if err := add("/registry/namespaces/"+namespaceName(i), m.namespace(i), "Namespace"); err != nil {
			return err
		}
	}
	for i := range m.plan.Nodes {
		// Nodes were once called minions, and in etcd still are.
		if err := add("/registry/minions/"+nodeName(i), m.node(i), "Node"); err != nil {
			return err
		}
	}
	for i := range m.plan.Pods {
		pod := m.pod(i)
		if err := add("/registry/pods/"+pod.Namespace+"/"+pod.Name, pod, "Pod"); err != nil {
			return err
		}
	}
	return nil
}

// stored is the object as the API server writes it: protobuf in an envelope that names the kind.
func stored(object runtime.Object, kind string) (string, error) {
	object.GetObjectKind().SetGroupVersionKind(core.SchemeGroupVersion.WithKind(kind))
	var buffer bytes.Buffer
	err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(object, &buffer)
	return buffer.String(), err
}

func put(ctx context.Context, client *clientv3.Client, batch []entry) error {
	if len(batch) == 0 {
		return nil
	}
	operations := make([]clientv3.Op, 0, len(batch))
	for _, each := range batch {
		operations = append(operations, clientv3.OpPut(each.key, each.value))
	}
	_, err := client.Txn(ctx).Then(operations...).Commit()
	return err
}
