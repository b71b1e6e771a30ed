#include "scheduler/filters/affinity_term.hpp"

#include <algorithm>

namespace gpu::scheduler {
namespace {

bool is_empty(const ObjectSelector& selector) {
  return selector.labels.empty() && selector.expressions.empty();
}

bool lists_namespace(const PodAffinityTerm& term, std::string_view owner_ns, std::string_view ns) {
  if (term.namespaces.empty() && !term.namespace_selector) return ns == owner_ns;
  return std::find(term.namespaces.begin(), term.namespaces.end(), ns) != term.namespaces.end();
}

}  // namespace

bool names_namespace(const PodAffinityTerm& term, std::string_view owner_ns, const Pod& pod,
                     const StringMap& namespace_labels) {
  return lists_namespace(term, owner_ns, pod.ns) ||
         (term.namespace_selector && matches(*term.namespace_selector, namespace_labels));
}

bool is_about(const PodAffinityTerm& term, std::string_view owner_ns, const Pod& pod,
              const StringMap& namespace_labels) {
  return term.selector && names_namespace(term, owner_ns, pod, namespace_labels) &&
         matches(*term.selector, pod.labels);
}

bool selects_by_labels(const PodAffinityTerm& term) {
  return term.namespace_selector && !is_empty(*term.namespace_selector);
}

bool hangs_on_labels(const PodAffinityTerm& term, std::string_view owner_ns, const Pod& pod) {
  return selects_by_labels(term) && !lists_namespace(term, owner_ns, pod.ns) && term.selector &&
         matches(*term.selector, pod.labels);
}

OwnTerm::OwnTerm(const Cluster& cluster, const PodAffinityTerm& term, std::string_view owner_ns)
    : term_(term), namespaces_(term.namespaces) {
  if (term.namespaces.empty() && !term.namespace_selector) namespaces_.emplace_back(owner_ns);
  if (term.namespace_selector) {
    is_about_all_ = is_empty(*term.namespace_selector);
    if (!is_about_all_)
      for (const Namespace& each : cluster.snapshot().scheduling.namespaces)
        if (matches(*term.namespace_selector, each.labels)) namespaces_.push_back(each.name);
  }
  std::sort(namespaces_.begin(), namespaces_.end());
}

bool OwnTerm::is_about_namespace(std::string_view ns) const {
  return is_about_all_ || std::binary_search(namespaces_.begin(), namespaces_.end(), ns);
}

bool OwnTerm::is_about(const Pod& pod) const {
  return term_.selector && is_about_namespace(pod.ns) && matches(*term_.selector, pod.labels);
}

}  // namespace gpu::scheduler
