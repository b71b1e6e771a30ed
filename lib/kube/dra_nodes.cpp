#include "kube/dra_nodes.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "decode/resource_slice.hpp"
#include "kube/list_batch.hpp"
#include "kube/list_path.hpp"
#include "model/pool.hpp"

namespace gpu::kube {
namespace {

bool advertises_none_of_its_gpus(const Node& node) {
  const std::vector<Pool> pools = pools_of(node, nullptr, Sight::none);
  return std::any_of(pools.begin(), pools.end(),
                     [](const Pool& pool) { return pool.capacity == 0; });
}

}  // namespace

void read_dra_nodes(Client& client, Snapshot& snapshot) {
  if (std::none_of(snapshot.nodes.begin(), snapshot.nodes.end(), advertises_none_of_its_gpus))
    return;
  // 1.34 and later serve v1; 1.32 and 1.33 the beta, where it is on at all.
  static constexpr std::array<std::string_view, 2> kPaths = {
      "/apis/resource.k8s.io/v1/resourceslices", "/apis/resource.k8s.io/v1beta1/resourceslices"};
  for (const std::string_view path : kPaths) {
    ListBatch batch(client, "application/json");
    batch.add(list_path(path, {}),
              ItemReader::of_objects("ResourceSliceList", [&](const nlohmann::json& slice) {
                ResourceSlice read = decode::resource_slice_from_json(slice);
                if (is_gpu_driver(read.driver)) snapshot.slices.push_back(std::move(read));
              }));
    const Reply reply = batch.run().front();
    if (reply.status == 404) continue;
    if (reply.status == 403) {
      const Error error = error_of(reply, client.connection());
      snapshot.gaps.push_back(
          {.what = "whether DRA manages the GPUs of nodes without a device plugin is unknown",
           .why = error.message(),
           .help = error.help()});
    } else if (!reply.ok()) {
      throw error_of(reply, client.connection());
    }
    return;
  }
}

}  // namespace gpu::kube
