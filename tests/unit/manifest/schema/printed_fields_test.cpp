#include <catch2/catch.hpp>
#include <variant>

#include "manifest/kinds/kind.hpp"
#include "manifest/schema/field_type.hpp"

namespace schema_printed_fields_test {

using namespace gpu;
using namespace gpu::manifest;

namespace {

using Form = FieldType::Form;

bool is_of(const Tree& tree, Form form) {
  const bool is_text = std::holds_alternative<std::string>(tree.value());
  const bool is_whole = std::holds_alternative<std::int64_t>(tree.value());
  switch (form) {
    case Form::text:
      return is_text;
    case Form::whole:
    case Form::number:
      return is_whole;
    case Form::truth:
      return std::holds_alternative<bool>(tree.value());
    case Form::quantity:
      return is_text || is_whole;
    case Form::object:
    case Form::map:
      return std::holds_alternative<Tree::Map>(tree.value());
    case Form::list:
      return std::holds_alternative<Tree::List>(tree.value());
    case Form::any:
      return true;
  }
  return false;
}

/// Every field below `tree` has to be one that `type` has.
void check_fields(const Tree& tree, const FieldType& type, const std::string& path) {
  CAPTURE(path);
  CHECK(is_of(tree, type.form()));
  if (type.form() == Form::any) return;
  if (const auto* list = std::get_if<Tree::List>(&tree.value()))
    for (const Tree::Item& item : *list) check_fields(item.value, type.element(), path + "[]");
  const auto* map = std::get_if<Tree::Map>(&tree.value());
  if (map == nullptr) return;
  for (const Tree::Entry& entry : *map) {
    const std::string own = path + "." + entry.key;
    const auto field =
        type.form() == Form::map ? std::optional(type.element()) : type.field(entry.key);
    CAPTURE(own);
    CHECK(field.has_value());
    if (field) check_fields(entry.value, *field, own);
  }
}

std::string text_in(const Tree& document, std::string_view key) {
  const Tree* const found = document.find(key);
  return found == nullptr ? "" : std::get<std::string>(found->value());
}

/// What most kinds take, and what some need.
GenOptions usual_options(const GenKind& kind) {
  GenOptions options;
  options.name = "demo";
  options.image = "ghcr.io/acme/train:1.4";
  options.gpus = 2;
  options.gpu_models = {"H100", "A100"};
  options.ns = "ml";
  options.labels = {{"team", "a"}};
  options.annotations = {{"note", "b"}};
  if (kind.options.contains(Option::volumes))
    options.claims = {{.claim = "data", .path = "/data", .is_read_only = true}};
  if (kind.options.contains(Option::env))
    options.env = {{.name = "A", .value = "1", .secret = {}, .key = {}},
                   {.name = "B", .value = {}, .secret = "s", .key = "k"}};
  if (kind.options.contains(Option::model)) options.model = "hf://acme/model";
  if (kind.options.contains(Option::nodes)) options.nodes = 2;
  if (kind.options.contains(Option::queue)) options.queue = "team-a";
  if (kind.options.contains(Option::dra)) options.uses_dra = true;
  if (kind.options.contains(Option::storage)) options.storage = Quantity::of(1LL << 40);
  if (kind.options.contains(Option::budget)) options.selector = {{"app", "a"}};
  if (kind.options.contains(Option::command) && kind.word != "raycluster")
    options.command = {kind.word == "rayservice" ? "app:main" : "train.py"};
  if (kind.word == "mig-config") options.mig = "1g.10gb=4";
  if (kind.word == "nodepool") options.gpu_models = {"H100"};
  if (kind.word == "time-slicing") options.replicas = 4;
  if (kind.word == "priorityclass") options.priority_value = 1000;
  return options;
}

}  // namespace

TEST_CASE("every kind prints only fields that its API has", "[manifest]") {
  int checked = 0;
  for (const GenKind* kind : gen_kinds()) {
    if (kind->word == "jupyterhub") continue;  // Helm values
    CAPTURE(kind->word);
    const Generated made = generate(*kind, usual_options(*kind), {});
    for (const Tree& document : made.documents) {
      const std::string api_version = text_in(document, "apiVersion");
      const auto type = FieldType::of_kind(text_in(document, "kind"), api_version);
      CAPTURE(text_in(document, "kind"), api_version);
      REQUIRE(type.has_value());
      check_fields(document, *type, "");
      ++checked;
    }
  }
  CHECK(checked > static_cast<int>(gen_kinds().size()));
}

}  // namespace schema_printed_fields_test
