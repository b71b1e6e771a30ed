#include "manifest/fit/claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "manifest/fit/api_words.hpp"
#include "manifest/fit/pod.hpp"
#include "model/gpu/gpu_models.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kCards = "gpu.nvidia.com";
constexpr std::string_view kSlices = "mig.nvidia.com";

/// "device.attributes['gpu.nvidia.com'].productName.contains('H100')": product names have spaces
/// where labels have dashes, and differ by memory and form factor.
std::string model_expression(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    std::vector<std::string> products = product_labels_of(name);
    if (products.empty())
      throw Error(ErrorKind::usage, fmt::format("what the DRA driver calls {} is not known", name),
                  "leave out --gpu-model, and add a selector to the claim");
    for (std::string& product : products) {
      std::replace(product.begin(), product.end(), '-', ' ');
      text += (text.empty() ? "" : " || ") +
              fmt::format("device.attributes['{}'].productName == '{}'", kCards, product);
    }
  }
  return text;
}

std::string slice_expression(const std::string& profile) {
  return fmt::format("device.attributes['{}'].profile == '{}'", kCards, profile);
}

}  // namespace

std::string claim_template_name(const GenRequest& request) { return request.options.name + "-gpu"; }

Tree device_claim_spec(GenRequest& request, std::int64_t units) {
  const GenOptions& options = request.options;
  const bool is_slice = !options.mig.empty();
  if (is_slice && !is_mig_profile(options.mig))
    throw Error(ErrorKind::usage,
                fmt::format("there is no MIG profile `{}`", sanitize(options.mig)),
                "profiles are 1g.10gb, 3g.40gb, ...");
  const std::string device_class(is_slice ? kSlices : kCards);
  if (const auto& known = request.facts.device_classes;
      known && std::find(known->begin(), known->end(), device_class) == known->end())
    request.warn(fmt::format("there is no DeviceClass {} in this cluster", device_class),
                 "install NVIDIA's DRA driver, or leave out --dra");
  Tree exactly = Tree::map({{"deviceClassName", device_class}, {"count", units}});
  const std::string models = model_expression(options.gpu_models);
  std::string expression = is_slice ? slice_expression(options.mig) : models;
  if (is_slice && !models.empty()) expression += " && (" + models + ")";
  if (!expression.empty())
    exactly.set("selectors",
                Tree::list({Tree::map({{"cel", Tree::map({{"expression", expression}})}})}));
  return Tree::map(
      {{"devices", Tree::map({{"requests", Tree::list({Tree::map({{"name", kClaimName},
                                                                  {"exactly", exactly}})})}})}});
}

Tree claim_template(GenRequest& request, std::int64_t units) {
  Tree made = object_of("resource.k8s.io/v1", "ResourceClaimTemplate",
                        metadata_of(request, claim_template_name(request)));
  made.set("spec", Tree::map({{"spec", device_claim_spec(request, units)}}));
  return made;
}

}  // namespace gpu::manifest
