#include "report/render.hpp"

#include "base/secrets.hpp"
#include "report/renderers.hpp"

namespace gpu::report {

namespace {

std::string rendered(const Report& report, Format format, const Style& style) {
  switch (format) {
    case Format::text:
    case Format::wide:
      return style.width ? render_text(report, format, style) : render_plain(report, format, style);
    case Format::json:
      return render_json(report);
    case Format::yaml:
      return render_yaml(report);
    case Format::csv:
      return render_csv(report, style);
    case Format::name:
      return render_names(report, style);
  }
  return {};
}

}  // namespace

std::string render(const Report& report, Format format, const Style& style) {
  return without_secrets(rendered(report, format, style));
}

}  // namespace gpu::report
