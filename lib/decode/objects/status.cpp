#include "decode/objects/status.hpp"

#include <exception>
#include <nlohmann/json.hpp>

#include "decode/wire/json_fields.hpp"
#include "decode/wire/list_header.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

/// The API server's own timeouts answer with a Status that has no kind.
bool is_status(std::string_view kind, std::string_view status) {
  return kind == kStatusKind || (kind.empty() && status == "Failure");
}

/// Protobuf writes zero for none.
std::optional<int> unless_zero(std::optional<int> seconds) {
  return seconds == 0 ? std::nullopt : seconds;
}

std::optional<int> retry_after_of(std::string_view details) {
  std::optional<int> seconds;
  for (auto fields = fields_of(details); fields.next();) {
    if (fields.tag_and_type() == varint_field(5))
      seconds = fields.get_int32();
    else
      fields.skip();
  }
  return unless_zero(seconds);
}

Status status_from_protobuf(std::string_view message) {
  Status status;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        status.continue_token = text_field(bytes_of(fields), 3);
        break;
      case bytes_field(3):
        status.message = string_of(fields);
        break;
      case bytes_field(4):
        status.reason = string_of(fields);
        break;
      case bytes_field(5):
        status.retry_after_seconds = retry_after_of(bytes_of(fields));
        break;
      case varint_field(6):
        status.code = fields.get_int32();
        break;
      default:
        fields.skip();
    }
  }
  return status;
}

std::optional<Status> status_from_envelope(std::string_view unknown) {
  std::string kind;
  std::optional<std::string_view> raw;
  for (auto fields = fields_of(unknown); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        kind = text_field(bytes_of(fields), 2);
        break;
      case bytes_field(2):
        raw = bytes_of(fields);
        break;
      default:
        fields.skip();
    }
  }
  if (!raw || !is_status(kind, text_field(*raw, 2))) return std::nullopt;
  return status_from_protobuf(*raw);
}

std::optional<Status> status_from_json(std::string_view body) {
  const nlohmann::json parsed = nlohmann::json::parse(body);
  const JsonObject object(parsed, Path{});
  if (!is_status(object.text("kind"), object.text("status"))) return std::nullopt;
  Status status;
  status.code = object.number("code").value_or(0);
  status.reason = object.text("reason");
  status.message = object.text("message");
  if (const auto details = object.object("details"))
    status.retry_after_seconds = unless_zero(details->number("retryAfterSeconds"));
  if (const auto metadata = object.object("metadata"))
    status.continue_token = metadata->text("continue");
  return status;
}

}  // namespace

std::optional<Status> status_from_body(std::string_view body) {
  try {
    if (body.starts_with(kEnvelopeMagic))
      return status_from_envelope(body.substr(kEnvelopeMagic.size()));
    return status_from_json(body);
  } catch (const std::exception&) {
    // Broken halfway is as good as none: the caller then shows what the body begins with.
    return std::nullopt;
  }
}

}  // namespace gpu::decode
