#include "manifest/read/object_name.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace gpu::manifest::read_object_name_test {
namespace {

using nlohmann::json;

/// What is wrong up to the reason's first word: "metadata.name: Invalid value: "A": a".
std::string mistake(const json& metadata, std::string_view kind = "Job") {
  const std::optional<FieldMistake> found = mistake_in_name({{"metadata", metadata}}, kind);
  return found ? found->message : "none";
}

bool is_refused(const std::string& name) {
  return mistake({{"name", name}})
      .starts_with("metadata.name: Invalid value: \"" + name +
                   "\": a lowercase RFC 1123 subdomain must");
}

}  // namespace

TEST_CASE("a name is of labels between dots, of lower case letters, digits and inner dashes") {
  for (const char* name : {"a", "0", "z9", "a-b", "a--b.c-d.0"})
    CHECK(mistake({{"name", name}}) == "none");
  for (const char* name : {"A", "-a", "a-", "a.", ".a", "a..b", "a.-b", "a_b", "aBc", "a`", "{"})
    CHECK(is_refused(name));
}

TEST_CASE("generateName may end with a dash, and is looked at where there is no name") {
  CHECK(mistake({{"generateName", "a-"}}) == "none");
  CHECK(mistake({{"generateName", "A-"}})
            .starts_with("metadata.generateName: Invalid value: \"A-\": a lowercase"));
  CHECK(mistake({{"generateName", "a."}}).starts_with("metadata.generateName: Invalid value"));
  CHECK(mistake({{"name", "a"}, {"generateName", "A-"}}) == "none");
  CHECK(mistake({{"name", ""}, {"generateName", "A-"}}).starts_with("metadata.generateName:"));
  CHECK(mistake({{"name", 7}}) == "none");
  CHECK(mistake_in_name({{"metadata", {{"name", "A"}}}}, "Job")->advice ==
        "give it another metadata.name");
}

TEST_CASE("an object without metadata has no name to look at") {
  CHECK_FALSE(mistake_in_name(json::object(), "Job"));
  CHECK_FALSE(mistake_in_name({{"metadata", "A"}}, "Job"));
}

TEST_CASE("a name has at most 253 bytes, that of a CronJob 52") {
  const auto of_size = [](std::size_t size, std::string_view kind) {
    const std::string name(size, 'a');
    const std::string text = mistake({{"name", name}}, kind);
    return text.substr(text == "none" ? 0 : text.rfind(": ") + 2);
  };
  CHECK(of_size(253, "Job") == "none");
  CHECK(of_size(254, "Job") == "must be no more than 253 bytes");
  CHECK(of_size(52, "CronJob") == "none");
  CHECK(of_size(53, "CronJob") == "must be no more than 52 characters");
}

}  // namespace gpu::manifest::read_object_name_test
