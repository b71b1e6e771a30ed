#include "cost/prices/price.hpp"

namespace gpu::cost {

std::string_view name_of(PriceSource source) {
  switch (source) {
    case PriceSource::flag:
      return "flag";
    case PriceSource::file:
      return "file";
    case PriceSource::annotation:
      return "annotation";
    case PriceSource::table:
      return "table";
    case PriceSource::other_region:
      return "other-region";
    case PriceSource::model:
      return "model";
    case PriceSource::none:
      return "none";
  }
  return {};
}

}  // namespace gpu::cost
