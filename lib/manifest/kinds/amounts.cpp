#include "manifest/kinds/amounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"

namespace gpu::manifest {
namespace {

Error bad_slices(std::string_view word) {
  return {ErrorKind::usage, fmt::format("`--mig {}` cannot be read", sanitize(word)),
          "for example --mig 1g.10gb=4, or --mig 1g.10gb=2,3g.40gb=1"};
}

SliceCount slice_count(std::string_view word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  SliceCount slices{.profile = std::string(word.substr(0, equals)), .count = {}};
  if (slices.profile.empty() || !is_digit(slices.profile.front())) throw bad_slices(word);
  if (equals == word.size()) return slices;
  constexpr std::int64_t kMost = 100'000'000;
  slices.count = whole_number(word.substr(equals + 1));
  if (!slices.count || *slices.count < 1 || *slices.count > kMost) throw bad_slices(word);
  return slices;
}

/// The request as one for other options; what is noted of it is noted of `request`.
template <class Make>
auto with_options(GenRequest& request, const GenOptions& options, Make make) {
  GenRequest inner{.options = options, .facts = request.facts, .notes = std::move(request.notes)};
  auto made = make(inner);
  request.notes = std::move(inner.notes);
  return made;
}

Tree metadata_in(const GenRequest& request, std::string_view name, std::string ns) {
  GenOptions options = request.options;
  options.ns = std::move(ns);
  const GenRequest inner{.options = options, .facts = request.facts, .notes = {}};
  return metadata_of(inner, name);
}

}  // namespace

std::vector<SliceCount> slice_counts(std::string_view text) {
  std::vector<SliceCount> all;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    SliceCount one = slice_count(rest.substr(0, comma));
    const bool is_there = std::any_of(all.begin(), all.end(), [&](const SliceCount& each) {
      return each.profile == one.profile;
    });
    if (is_there) throw bad_slices(text);
    all.push_back(std::move(one));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return all;
}

Accelerator accelerator_of_any(GenRequest& request, const std::string& mig) {
  GenOptions options = request.options;
  options.gpus.reset();
  options.mig = mig;
  return with_options(request, options, [](GenRequest& inner) { return accelerator_of(inner); });
}

std::vector<GpuAmount> amounts_of(GenRequest& request) {
  const GenOptions& options = request.options;
  std::vector<GpuAmount> amounts;
  if (options.gpus) amounts.push_back({accelerator_of_any(request, "").resource, *options.gpus});
  for (const SliceCount& each : slice_counts(options.mig)) {
    if (!each.count)
      throw Error(ErrorKind::usage, fmt::format("how many {} is not said", sanitize(each.profile)),
                  fmt::format("for example --mig {}=4", sanitize(each.profile)));
    amounts.push_back({accelerator_of_any(request, each.profile).resource, *each.count});
  }
  if (amounts.empty())
    throw Error(ErrorKind::usage, "how many GPUs is not said",
                "for example --gpus 8, or --mig 1g.10gb=4");
  return amounts;
}

Tree cluster_metadata_of(const GenRequest& request, std::string_view name) {
  return metadata_in(request, name, {});
}

Tree operator_metadata_of(const GenRequest& request) {
  const std::string& ns = request.options.ns;
  return metadata_in(request, request.options.name, ns.empty() ? "gpu-operator" : ns);
}

}  // namespace gpu::manifest
