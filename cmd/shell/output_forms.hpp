#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cmd/shell/flags.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// A form of -o.
struct OutputForm {
  std::string_view name;                 ///< as typed
  std::optional<report::Format> format;  ///< nothing: the command prints it itself
  std::string_view says = {};            ///< help of it, where its name does not say all
};

/// What a command offers with -o: parser, help, Tab and errors read this list.
struct OutputForms {
  std::vector<OutputForm> forms;
  std::string_view jq;  ///< a command that takes names and amounts out of its JSON
};

/// The forms of an answer that is a table: what `top` offers.
const OutputForms& table_forms();

/// -o and --no-headers.
void add_format_flags(FlagSet& flags, GlobalFlags& to, const OutputForms& offered = table_forms());

/// The choice of -o; nothing for a form that the command prints itself. Throws Error{usage} for one
/// that is not offered, with the nearest and all that are, and for kubectl's templates with the jq
/// line that does the same.
std::optional<report::Format> format_of(const GlobalFlags& flags, const OutputForms& offered);
/// The same of table_forms().
report::Format format_of(const GlobalFlags& flags);

}  // namespace gpu::cmd
