#include "model/pools/toleration_index.hpp"

namespace gpu {

TolerationIndex::TolerationIndex(const std::vector<Toleration>& tolerations) {
  for (const Toleration& each : tolerations) {
    if (each.op == "Exists")
      exists_.emplace(each.key, each.effect);
    else if (each.op.empty() || each.op == "Equal")
      equal_.emplace(each.key, each.effect, each.value);
  }
}

bool TolerationIndex::tolerates(const Taint& taint) const {
  for (const std::string_view key : {std::string_view(taint.key), std::string_view()})
    for (const std::string_view effect : {std::string_view(taint.effect), std::string_view()})
      if (exists_.contains({key, effect}) || equal_.contains({key, effect, taint.value}))
        return true;
  return false;
}

}  // namespace gpu
