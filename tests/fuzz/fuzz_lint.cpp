// Rules read manifests of any shape, and --fix leaves what it does not mend as it is.
#include "fuzz.hpp"
#include "lint/text/fix.hpp"
#include "lint/text/lint.hpp"

using gpu::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = gpu::fuzz::text_of(data, size);
  for (const auto& each : gpu::lint::lint_text(text).findings) {
    require(each.line > 0 && each.column > 0, "a finding has a place");
    require(!each.finding.message.empty(), "a finding says what is wrong");
  }
  const gpu::lint::FixedText fixed = gpu::lint::fixed_text(text);
  require(fixed.mended > 0 || fixed.text == text, "without a fix the text stays as it is");
  return 0;
}
