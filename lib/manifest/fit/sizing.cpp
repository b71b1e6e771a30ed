#include "manifest/fit/sizing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "model/objects/quantity_text.hpp"

namespace gpu::manifest {
namespace {

constexpr std::int64_t kGibi = std::int64_t{1} << 30;

/// What a GPU of a workload usually wants beside it.
struct Usual {
  std::int64_t cpus;       ///< for each GPU
  std::int64_t most_cpus;  ///< for each GPU, however large the node
  std::int64_t memory_gib;
  std::int64_t most_memory_gib;
};

constexpr Usual usual_of(Workload workload) {
  switch (workload) {
    case Workload::training:
    case Workload::ray:
      return {8, 16, 64, 128};
    case Workload::notebook:
      return {4, 4, 16, 16};
    case Workload::inference:
      return {4, 8, 16, 32};
    case Workload::check:
      return {1, 1, 2, 2};
  }
  return {};
}

/// The node of the chosen groups that has the least room for each unit.
struct Share {
  const GpuNodes* nodes = nullptr;
  std::int64_t cpus = 0;
  std::int64_t memory_gib = 0;
};

/// Whole eights where there are many: 472 reads better than 475, and costs nothing.
std::int64_t rounded(std::int64_t gib) { return gib >= 32 ? gib / 8 * 8 : gib; }

/// A tenth is left to daemon sets and to what the kubelet starts.
std::int64_t share_of(std::int64_t all, std::int64_t units, std::int64_t of) {
  return static_cast<std::int64_t>(Int128{all} * 9 * units / (Int128{10} * of));
}

std::optional<Share> smallest_share(const Accelerator& accelerator) {
  std::optional<Share> smallest;
  for (const GpuNodes* each : accelerator.nodes) {
    if (each->largest < accelerator.units || each->largest == 0) continue;
    const Share share{
        .nodes = each,
        .cpus = share_of(each->cpu.milli_value(), accelerator.units, each->largest) / 1000,
        .memory_gib = share_of(each->memory.value(), accelerator.units, each->largest) / kGibi};
    if (!smallest) smallest = share;
    if (share.cpus < smallest->cpus) smallest->cpus = share.cpus, smallest->nodes = each;
    if (share.memory_gib < smallest->memory_gib) smallest->memory_gib = share.memory_gib;
  }
  return smallest;
}

Quantity gibi(std::int64_t count) { return Quantity::of(capped_product(count, kGibi)); }

/// What Ray keeps of a pod's memory for objects, in /dev/shm: 30 %, in whole GiB or MiB.
Quantity object_store(Quantity memory) {
  const std::int64_t bytes = memory.value() / 10 * 3;
  const std::int64_t unit = bytes >= kGibi ? kGibi : kGibi / 1024;
  return Quantity::of(bytes / unit * unit);
}

/// In whole GiB, or MiB of little memory: what lies there leaves the rest to the program.
Quantity quarter_of(Quantity memory) {
  const std::int64_t bytes = memory.value() / 4;
  const std::int64_t unit = bytes >= kGibi ? kGibi : kGibi / 1024;
  return Quantity::of(std::max<std::int64_t>(bytes / unit, 1) * unit);
}

std::optional<Quantity> usual_shm(Workload workload, std::int64_t units, Quantity memory) {
  const Quantity quarter = quarter_of(memory);
  switch (workload) {
    case Workload::training:
      return std::min(gibi(16 * units), quarter);
    case Workload::notebook:
      return std::min(gibi(8), quarter);
    case Workload::inference:
      return std::min(gibi(units > 1 ? 8 : 2), quarter);
    case Workload::ray:
      return object_store(memory);
    case Workload::check:
      break;
  }
  return std::nullopt;
}

std::string share_comment(const Share& share, std::int64_t units) {
  return fmt::format("sized as {} of the {} GPUs of a node; --cpu and --memory change it", units,
                     share.nodes->largest);
}

}  // namespace

Sizes sizes_of(const GenRequest& request, const Accelerator& accelerator, Workload workload) {
  const GenOptions& options = request.options;
  const std::int64_t units = std::max<std::int64_t>(accelerator.units, 1);
  Usual usual = usual_of(workload);
  Sizes sizes;
  if (options.is_cpu_only) {
    sizes.cpu = Quantity::of(2);
    sizes.memory = gibi(4);
  } else if (const auto share = smallest_share(accelerator); share && workload != Workload::check) {
    const bool takes_all = workload == Workload::training || workload == Workload::ray;
    sizes.cpu = Quantity::of(std::max<std::int64_t>(
        std::min(share->cpus, (takes_all ? usual.most_cpus : usual.cpus) * units), 1));
    sizes.memory = gibi(std::max<std::int64_t>(
        std::min(rounded(share->memory_gib),
                 (takes_all ? usual.most_memory_gib : usual.memory_gib) * units),
        1));
    sizes.why = {share_comment(*share, units),
                 "A job that takes its share of CPU and memory strands no GPU of the node. A tenth "
                 "of the node is left to daemon sets.",
                 ""};
  } else {
    sizes.cpu = Quantity::of(usual.cpus * units);
    sizes.memory = gibi(usual.memory_gib * units);
    sizes.why = {
        fmt::format("usual for {} GPU{}, not fitted to a node; --cpu and --memory change it", units,
                    units == 1 ? "" : "s"),
        "No node with such GPUs is known, so these are usual figures.", ""};
  }
  if (options.cpu) sizes.cpu = *options.cpu;
  if (options.memory) sizes.memory = *options.memory;
  if ((options.cpu && options.memory) || workload == Workload::check) sizes.why = {};
  if (options.shm && *options.shm >= sizes.memory)
    throw Error(ErrorKind::usage,
                fmt::format("--shm {} does not fit into the memory of the pod, {}",
                            bytes_text(*options.shm), bytes_text(sizes.memory)),
                "what lies in /dev/shm counts as memory: raise --memory");
  if (options.shm)
    sizes.shm = options.shm;
  else if (!options.is_cpu_only || workload == Workload::ray)
    sizes.shm = usual_shm(workload, units, sizes.memory);
  return sizes;
}

std::string cpu_text(Quantity cpu) { return quantity_text("cpu", cpu); }
std::string bytes_text(Quantity bytes) { return quantity_text("memory", bytes); }

}  // namespace gpu::manifest
