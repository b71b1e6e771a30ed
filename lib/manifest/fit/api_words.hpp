#pragma once

#include <string_view>

#include "manifest/fit/options.hpp"

namespace gpu::manifest {

// What the API server takes for a name, a label, a key; by k8s.io/apimachinery's util/validation.

/// A DNS label: at most 63 lower case letters, digits and dashes.
bool is_dns_label(std::string_view text);
/// DNS labels with dots between them, at most 253 bytes: what most objects may be called.
bool is_dns_subdomain(std::string_view text);
/// [PREFIX/]NAME, of a label, an annotation or a taint.
bool is_qualified_name(std::string_view text);
/// The value of a label, a selector or a taint; may be empty.
bool is_label_value(std::string_view text);

/// "1g.10gb", "1g.10gb+me": how NVIDIA calls the parts of a card.
bool is_mig_profile(std::string_view text);

/// Refuses what the API server would: names, labels, taints, variables, paths, amounts. Throws
/// Error{usage} that names the flag.
void check_api_words(const GenOptions& options);

}  // namespace gpu::manifest
