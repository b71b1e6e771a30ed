#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/style.hpp"

namespace gpu::report {

/// A line of evidence inside the frame: `asks for  4 nvidia.com/gpu, 32 cpu`.
struct Evidence {
  std::string label;
  std::string text;
  std::string origin = {};  ///< the field: "spec.nodeSelector"; at the right, dim
};

/// A name in a row of the frame's table: `gpu-a2 (2 free)`.
struct Named {
  std::string name;
  std::string note = {};
  std::string unit = {};  ///< the unit of the note; printed once if names in a row share it
};

/// A row of the frame's table: how many things are alike, in what, and which they are.
struct AlikeRow {
  std::int64_t count = 0;
  std::string what;
  std::vector<Named> names;
  std::string detail = {};  ///< behind the names: what all of them share
};

/// A file that a command needs, printed below it.
struct PrintedFile {
  std::string name;
  std::string comment;  ///< behind its name
  std::string text;
};

/// Something to do, or to know: `help: uncordon gpu-a4: ...` and the command.
struct Advised {
  std::string label;  ///< help, advice, note, warning
  std::string text;
  std::vector<std::string> commands = {};  ///< each on a line of its own, never wrapped
  std::vector<PrintedFile> files = {};
};

/// An answer in the form that rustc has: headline, framed evidence, then what to do.
struct Diagnostic {
  std::string severity;  ///< error, note
  std::string code;      ///< in brackets; may be empty
  std::string headline;
  std::string place;  ///< behind the arrow
  std::vector<Evidence> evidence;
  std::string count_title;  ///< of the frame's table: "NODES", "RULED OUT BY", "NEAREST FIRST"
  std::string what_title;
  std::string names_title;
  std::vector<AlikeRow> rows;
  std::vector<Advised> advised;  ///< in this order
};

/// How many names a row shows; more than four are printed one below the other.
enum class Names { first, all };

/// For people; without a width, nothing is wrapped or left out to save room.
std::string render_diagnostic(const Diagnostic& diagnostic, Names names, const Style& style);
/// What holds for several diagnostics, below them.
std::string render_advised(const std::vector<Advised>& advised, const Style& style);

}  // namespace gpu::report
