package quota

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	amounts "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-gpu/tests/controlplane/internal/queueing"
)

// state is what the API server says, of the kinds that matter.
type state struct {
	quotas, queues, locals, cohorts, workloads, pods, jobs []unstructured.Unstructured
	refusals                                               map[[2]string]string // of an object by namespace and name: messages
	version                                                string               // of all of it
}

var events = schema.GroupVersionResource{Version: "v1", Resource: "events"}

func read(ctx context.Context) (state, error) {
	var s state
	for _, each := range []struct {
		kind string
		to   *[]unstructured.Unstructured
	}{{"ResourceQuota", &s.quotas}, {"ClusterQueue", &s.queues}, {"LocalQueue", &s.locals}, {"Cohort", &s.cohorts},
		{"Workload", &s.workloads}, {"Pod", &s.pods}, {"Job", &s.jobs}} {
		list, err := client.Resource(queueing.Kinds[each.kind]).List(ctx, v1.ListOptions{})
		if err != nil {
			return s, err
		}
		*each.to = list.Items
		for _, item := range list.Items {
			s.version += item.GetName() + item.GetResourceVersion() + " "
		}
	}
	refused, err := client.Resource(events).List(ctx, v1.ListOptions{FieldSelector: "reason=FailedCreate"})
	if err != nil {
		return s, err
	}
	s.refusals = map[[2]string]string{}
	for _, event := range refused.Items {
		name, _, _ := unstructured.NestedString(event.Object, "involvedObject", "name")
		message, _, _ := unstructured.NestedString(event.Object, "message")
		s.refusals[[2]string{event.GetNamespace(), name}] += message + "\n"
	}
	return s, nil
}

func number(value any) float64 {
	parsed, err := amounts.ParseQuantity(fmt.Sprint(value))
	if err != nil {
		panic(err)
	}
	return parsed.AsApproximateFloat64()
}

func counts(resource string) bool { return resource == card || resource == slice }

// quota is what a ClusterQueue or Cohort gives of a resource in a flavor.
type quota struct {
	flavor, resource string
	nominal          float64
}

func each(source any, fields ...string) []map[string]any {
	found, _, _ := unstructured.NestedSlice(source.(map[string]any), fields...)
	var maps []map[string]any
	for _, one := range found {
		maps = append(maps, one.(map[string]any))
	}
	return maps
}

func quotasOf(object unstructured.Unstructured) []quota {
	var found []quota
	for _, group := range each(object.Object, "spec", "resourceGroups") {
		for _, flavor := range each(group, "flavors") {
			for _, resource := range each(flavor, "resources") {
				if name := resource["name"].(string); counts(name) {
					found = append(found, quota{flavor["name"].(string), name, number(resource["nominalQuota"])})
				}
			}
		}
	}
	return found
}

// use is what a status says under flavorsReservation or flavorsUsage; nil where it says nothing.
func use(object unstructured.Unstructured, field, member string, of quota) *float64 {
	for _, flavor := range each(object.Object, "status", field) {
		if flavor["name"] != of.flavor {
			continue
		}
		for _, resource := range each(flavor, "resources") {
			if resource["name"] == of.resource {
				value := 0.0
				if resource[member] != nil {
					value = number(resource[member])
				}
				return &value
			}
		}
	}
	return nil
}

// tally is a count in a status; a Go controller leaves out 0.
func tally(object unstructured.Unstructured, field string) *float64 {
	count, _, _ := unstructured.NestedInt64(object.Object, "status", field)
	value := float64(count)
	return &value
}

func spec(object unstructured.Unstructured, field string) string {
	value, _, _ := unstructured.NestedString(object.Object, "spec", field)
	return value
}

// expected has an item for each limit that there is, with what the API server says of it.
type expected struct {
	item
	// what our own count has to be; nil where the status says nothing
	used, admitted, borrowed, pending, reserving, running *float64
}

func (s state) expect() map[string]expected {
	all := map[string]expected{}
	add := func(e expected) { all[e.id()] = e }
	for _, object := range s.quotas {
		hard, _, _ := unstructured.NestedStringMap(object.Object, "spec", "hard")
		used, _, _ := unstructured.NestedStringMap(object.Object, "status", "used")
		for key := range hard {
			resource, problem := strings.TrimPrefix(strings.TrimPrefix(key, "requests."), "limits."), ""
			switch {
			case resource == "pods" || strings.HasPrefix(key, "count/"):
				continue
			case !strings.HasPrefix(key, "requests."):
				problem = map[bool]string{true: "limits-of-extended-resource", false: "without-requests"}[strings.HasPrefix(key, "limits.")]
			case !counts(resource) && hard[key] != "0":
				problem = "not-advertised"
			}
			e := expected{item: item{Kind: "ResourceQuota", Namespace: ptr(object.GetNamespace()), Name: object.GetName(),
				Resource: resource, Key: ptr(key)}}
			if problem != "" {
				e.Problem = &problem
			}
			limit := number(hard[key])
			e.Limit = &limit
			if amount, has := used[key]; has {
				value := number(amount)
				e.used = &value
			}
			add(e)
		}
	}
	for _, object := range s.queues {
		for _, of := range quotasOf(object) {
			nominal := of.nominal
			e := expected{item: item{Kind: "ClusterQueue", Name: object.GetName(), Resource: of.resource, Flavor: ptr(of.flavor),
				Key: ptr("nominalQuota"), Limit: &nominal},
				used: use(object, "flavorsReservation", "total", of), admitted: use(object, "flavorsUsage", "total", of),
				borrowed: use(object, "flavorsReservation", "borrowed", of), pending: tally(object, "pendingWorkloads"),
				reserving: tally(object, "reservingWorkloads"), running: tally(object, "admittedWorkloads")}
			add(e)
		}
	}
	for _, object := range s.locals {
		i := slices.IndexFunc(s.queues, func(each unstructured.Unstructured) bool { return each.GetName() == spec(object, "clusterQueue") })
		if i < 0 {
			continue
		}
		for _, of := range quotasOf(s.queues[i]) {
			add(expected{item: item{Kind: "LocalQueue", Namespace: ptr(object.GetNamespace()), Name: object.GetName(), Resource: of.resource,
				Flavor: ptr(of.flavor), Key: ptr("clusterQueue")},
				used: use(object, "flavorsReservation", "total", of), admitted: use(object, "flavorsUsage", "total", of),
				pending: tally(object, "pendingWorkloads"), reserving: tally(object, "reservingWorkloads"), running: tally(object, "admittedWorkloads")})
		}
	}
	s.expectCohorts(add)
	return all
}

// expectCohorts sums up what the statuses of ClusterQueues say, by cohort and all that is below it.
func (s state) expectCohorts(add func(expected)) {
	parents := map[string]string{}
	for _, object := range s.cohorts {
		parents[object.GetName()] = spec(object, "parentName")
	}
	names := map[string]bool{}
	for name, parent := range parents {
		names[name] = true
		if parent != "" {
			names[parent] = true
		}
	}
	for _, object := range s.queues {
		if cohort := spec(object, "cohortName"); cohort != "" {
			names[cohort] = true
		}
	}
	for name := range names {
		below := func(cohort string) bool {
			for ; cohort != ""; cohort = parents[cohort] {
				if cohort == name {
					return true
				}
			}
			return false
		}
		sums := map[[2]string]*expected{}
		at := func(of quota) *expected {
			key := [2]string{of.flavor, of.resource}
			if sums[key] == nil {
				sums[key] = &expected{item: item{Kind: "Cohort", Name: name, Resource: of.resource, Flavor: ptr(of.flavor), Key: ptr("nominalQuota"),
					Limit: new(float64)}, used: new(float64), borrowed: new(float64)}
			}
			return sums[key]
		}
		for _, object := range s.cohorts {
			if below(object.GetName()) {
				for _, of := range quotasOf(object) {
					*at(of).Limit += of.nominal
				}
			}
		}
		for _, object := range s.queues {
			if !below(spec(object, "cohortName")) {
				continue
			}
			for _, of := range quotasOf(object) {
				sum := at(of)
				*sum.Limit += of.nominal
				if total := use(object, "flavorsReservation", "total", of); total != nil && sum.used != nil {
					*sum.used += *total
					*sum.borrowed += *use(object, "flavorsReservation", "borrowed", of)
				} else {
					sum.used, sum.borrowed = nil, nil
				}
			}
		}
		for _, sum := range sums {
			add(*sum)
		}
	}
}

func ptr(text string) *string { return &text }

// waiting are the Workloads that wait for quota, by ClusterQueue ("" where there is none) and resource.
func (s state) waiting() map[[2]string][]string {
	behind := map[[2]string]string{}
	for _, object := range s.locals {
		name := spec(object, "clusterQueue")
		if slices.ContainsFunc(s.queues, func(each unstructured.Unstructured) bool { return each.GetName() == name }) {
			behind[[2]string{object.GetNamespace(), object.GetName()}] = name
		}
	}
	found := map[[2]string][]string{}
	for _, object := range s.workloads {
		active, has, _ := unstructured.NestedBool(object.Object, "spec", "active")
		if has && !active || queueing.StatusOf(&object, "QuotaReserved") == "True" || queueing.StatusOf(&object, "Finished") == "True" {
			continue
		}
		queue := behind[[2]string{object.GetNamespace(), spec(object, "queueName")}]
		for _, set := range each(object.Object, "spec", "podSets") {
			for _, container := range each(set, "template", "spec", "containers") {
				requests, _, _ := unstructured.NestedMap(container, "resources", "requests")
				for name, amount := range requests {
					if counts(name) {
						units := number(amount) * float64(set["count"].(int64))
						key := [2]string{queue, name}
						found[key] = append(found[key], fmt.Sprintf("%s/%s %v", object.GetNamespace(), object.GetOwnerReferences()[0].Name, units))
					}
				}
			}
		}
	}
	return found
}

func expectedPending(queue unstructured.Unstructured) *float64 {
	return tally(queue, "pendingWorkloads")
}

// isStopped is whether a LocalQueue passes nothing on: Kueue counts nothing as pending there.
func (s state) isStopped(ns, name string) bool {
	return slices.ContainsFunc(s.locals, func(each unstructured.Unstructured) bool {
		return each.GetNamespace() == ns && each.GetName() == name && strings.HasPrefix(spec(each, "stopPolicy"), "Hold")
	})
}

// hasOverdueEnd is whether a pod of a namespace has outlived its end: the quota controller counts it until its
// grace time has passed twice, which we do not read, so we count nothing there.
func (s state) hasOverdueEnd(namespace string) bool {
	return slices.ContainsFunc(s.pods, func(each unstructured.Unstructured) bool {
		end := each.GetDeletionTimestamp()
		return each.GetNamespace() == namespace && end != nil && end.Time.Before(time.Now())
	})
}

// isInFlight is whether Kueue did not count the workload that it tried in that moment, which of a queue with
// StrictFIFO it does all the time: its LocalQueue then has one less than wait there.
func (s state) isInFlight(got item) bool {
	if got.Kind != "LocalQueue" || got.Reported.PendingWorkloads == nil || got.Counted.PendingWorkloads == nil ||
		*got.Reported.PendingWorkloads+1 != *got.Counted.PendingWorkloads {
		return false
	}
	return slices.ContainsFunc(s.queues, func(each unstructured.Unstructured) bool {
		return each.GetName() == text(got.Parent) && spec(each, "queueingStrategy") == "StrictFIFO"
	})
}
