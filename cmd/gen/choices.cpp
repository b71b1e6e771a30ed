#include "cmd/gen/choices.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>
#include <vector>

#include "manifest/tree/yaml.hpp"
#include "report/columns.hpp"
#include "report/wrap.hpp"

namespace gpu::cmd {
namespace {

using report::Type;

/// A field of a manifest that has a reason.
struct Choice {
  std::string object;  ///< "Job/train"
  std::string path;    ///< "spec.template.spec.volumes[0]"
  std::string value;   ///< on one line; empty for one of several lines
  std::string reason;
  std::string source;
};

std::string text_in(const manifest::Tree* tree) {
  const auto* text = tree == nullptr ? nullptr : std::get_if<std::string>(&tree->value());
  return text == nullptr ? std::string() : *text;
}

/// Helm values are no object.
std::string object_name(const manifest::Tree& document) {
  if (document.find("kind") == nullptr) return "values";
  const manifest::Tree* const metadata = document.find("metadata");
  return text_in(document.find("kind")) + "/" +
         text_in(metadata == nullptr ? nullptr : metadata->find("name"));
}

/// Collects the fields of one document that have a reason, in its order.
class ChoiceFinder {
 public:
  ChoiceFinder(std::vector<Choice>& to, std::string object) : to_(to), object_(std::move(object)) {}

  void look(const manifest::Tree& tree, const std::string& path) {
    if (const auto* map = std::get_if<manifest::Tree::Map>(&tree.value())) {
      for (const manifest::Tree::Entry& entry : *map) {
        const std::string own = path.empty() ? entry.key : path + "." + entry.key;
        add(entry.value, entry.why, own);
        look(entry.value, own);
      }
    } else if (const auto* list = std::get_if<manifest::Tree::List>(&tree.value())) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string own = fmt::format("{}[{}]", path, i);
        add((*list)[i].value, (*list)[i].why, own);
        look((*list)[i].value, own);
      }
    }
  }

 private:
  void add(const manifest::Tree& value, const manifest::Why& why, const std::string& path) {
    if (why.reason.empty() && why.comment.empty()) return;
    const std::string reason = why.reason.empty() ? why.comment : why.reason;
    to_.push_back({.object = object_,
                   .path = path,
                   .value = manifest::one_line_of(value),
                   .reason = reason,
                   .source = why.source});
  }

  std::vector<Choice>& to_;
  std::string object_;
};

std::vector<Choice> choices_of(const manifest::Documents& documents) {
  std::vector<Choice> choices;
  for (const manifest::Tree& document : documents)
    ChoiceFinder(choices, object_name(document)).look(document, "");
  return choices;
}

report::Columns<Choice> choice_columns() {
  report::Columns<Choice> columns;
  columns.machine({"object", Type::text(), "Kind and name of the object."},
                  [](const Choice& row) { return report::Cell(row.object); });
  columns.machine({"field", Type::text(), "Path of the field in the object."},
                  [](const Choice& row) { return report::Cell(row.path); });
  columns.machine({"value", Type::text(), "What is written there, as YAML on one line."},
                  [](const Choice& row) { return report::Cell(row.value); });
  columns.machine({"reason", Type::text(), "Why it is written."},
                  [](const Choice& row) { return report::Cell(row.reason); });
  columns.machine({"source", Type::text().or_null(), "The rule or public report behind it."},
                  [](const Choice& row) {
                    return row.source.empty() ? report::Cell{} : report::Cell(row.source);
                  });
  return columns;
}

}  // namespace

report::Report choices_report(const manifest::Documents& documents) {
  report::Report report;
  report.kind = "ManifestChoiceList";
  report.table = choice_columns().table(choices_of(documents));
  return report;
}

std::vector<report::AnswerForm> choice_forms() {
  return {{.kind = "ManifestChoiceList",
           .command = "gen KIND NAME --explain",
           .item = "A field of the manifest that was chosen for a reason.",
           .fields = report::declared_fields(choice_columns().table({})),
           .summary = {},
           .summary_says = "Nothing."}};
}

std::string choices_text(const manifest::Documents& documents, const report::Style& style) {
  constexpr std::size_t kIndent = 6;
  std::string text;
  std::string object;
  for (const Choice& choice : choices_of(documents)) {
    if (choice.object != object) text += (text.empty() ? "" : "\n") + choice.object + '\n';
    object = choice.object;
    text += fmt::format("  {}: {}\n", choice.path, choice.value);
    const std::string source = choice.source.empty() ? "" : " (" + choice.source + ")";
    text += std::string(kIndent, ' ');
    report::append_prose(text, choice.reason + source, kIndent, style);
    text += '\n';
  }
  return text;
}

}  // namespace gpu::cmd
