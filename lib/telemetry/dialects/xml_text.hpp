#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gpu::telemetry {

/// Callbacks for an XML text, element by element. A path has the names of the elements from the
/// root on: "nvidia_smi_log/gpu/uuid".
struct XmlEvents {
  std::function<void(const std::string& path)> start;
  /// With the text directly within the element, without white space at its ends.
  std::function<void(const std::string& path, std::string_view text)> end;
};

/// The longest XML that is read.
inline constexpr std::size_t kLongestXml = std::size_t{8} << 20;

/// Reads an XML text as UTF-8. Nothing is fetched for a DOCTYPE, and a text that declares entities
/// is refused, so that it stays as large as it is. Throws Error{data} for what is not well-formed,
/// cut off, longer than kLongestXml or deeper than 20 elements, and what the events throw.
void read_xml(std::string_view xml, const XmlEvents& events);

}  // namespace gpu::telemetry
