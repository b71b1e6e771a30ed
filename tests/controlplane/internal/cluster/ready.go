package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Poll asks done every 50 ms until it says yes, ctx ends, or limit has passed. The last error of
// done is part of the answer, so that a timeout says what was missing.
func Poll(ctx context.Context, limit time.Duration, what string, done func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var last error
	for {
		ok, err := done(ctx)
		if ok && err == nil {
			return nil
		}
		if err != nil && ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%s: not within %s", what, limit), last)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// waitReady waits for the API server's own word, and gives up at once if it or etcd has died. With
// 100,000 pods it takes a minute to fill its watch cache.
func (c *Cluster) waitReady(ctx context.Context) error {
	// The certificate is made by the server that is waited for, so it cannot be verified yet.
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var dead error
	err := Poll(ctx, 5*time.Minute, "API server ready", func(ctx context.Context) (bool, error) {
		if dead = c.dead(etcd, apiServer); dead != nil {
			cancel()
			return false, dead
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+c.serverHost()+"/readyz", nil)
		if err != nil {
			return false, err
		}
		request.Header.Set("Authorization", "Bearer "+token(Admin))
		response, err := client.Do(request)
		if err != nil {
			return false, err
		}
		defer response.Body.Close()
		return response.StatusCode == http.StatusOK, nil
	})
	return errors.Join(dead, err)
}

// dead is an error with the end of the log if a component of these has ended.
func (c *Cluster) dead(names ...string) error {
	for _, name := range names {
		if !c.Processes[name].running() {
			return fmt.Errorf("%s has ended:\n%s", name, c.Processes[name].logTail(c.Dir))
		}
	}
	return nil
}

const probeName = "controlplane-probe"

// probe proves that the whole machinery works, by having a pod scheduled and run: no health page
// says that a new node loses its not-ready taint, or that KWOK plays it.
func (c *Cluster) probe(ctx context.Context) error {
	client, err := c.Client(Admin)
	if err != nil {
		return err
	}
	node := &core.Node{ObjectMeta: v1.ObjectMeta{Name: probeName, Labels: map[string]string{core.LabelHostname: probeName}}}
	room := core.ResourceList{core.ResourceCPU: resource.MustParse("1"), core.ResourcePods: resource.MustParse("10")}
	node.Status.Capacity, node.Status.Allocatable = room, room
	if _, err := client.CoreV1().Nodes().Create(ctx, node, v1.CreateOptions{}); err != nil {
		return err
	}
	err = Poll(ctx, 60*time.Second, "first pod runs", func(ctx context.Context) (bool, error) {
		if dead := c.dead(etcd, apiServer, scheduler, controllerManager, kwok); dead != nil {
			return false, dead
		}
		return probePodRuns(ctx, client)
	})
	if err != nil {
		return err
	}
	now := int64(0)
	remove := v1.DeleteOptions{GracePeriodSeconds: &now}
	return errors.Join(client.CoreV1().Pods(core.NamespaceDefault).Delete(ctx, probeName, remove),
		client.CoreV1().Nodes().Delete(ctx, probeName, remove))
}

// probePodRuns creates the pod if it is not there: at first that fails, since the controller
// manager has yet to create the namespace's service account.
func probePodRuns(ctx context.Context, client kubernetes.Interface) (bool, error) {
	pods := client.CoreV1().Pods(core.NamespaceDefault)
	pod, err := pods.Get(ctx, probeName, v1.GetOptions{})
	if err == nil {
		return pod.Status.Phase == core.PodRunning, nil
	}
	pod = &core.Pod{ObjectMeta: v1.ObjectMeta{Name: probeName}, Spec: core.PodSpec{
		NodeSelector: map[string]string{core.LabelHostname: probeName},
		Containers:   []core.Container{{Name: "main", Image: "none"}}}}
	_, err = pods.Create(ctx, pod, v1.CreateOptions{})
	return false, err
}
