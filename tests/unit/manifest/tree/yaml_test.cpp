#include "manifest/tree/yaml.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "decode/wire/yaml.hpp"
#include "manifest/read_tree.hpp"

namespace tree_yaml_test {

using namespace gpu;
using namespace gpu::manifest;

namespace {

std::string yaml(const Tree& tree) { return yaml_of({tree}); }

}  // namespace

TEST_CASE("maps keep their order, and lists stand under their key", "[manifest]") {
  const Tree tree = Tree::map(
      {{"kind", "Job"},
       {"apiVersion", "batch/v1"},
       {"items", Tree::list({Tree::map({{"name", "a"}, {"more", Tree::map({{"x", 1}})}})})}});
  CHECK(yaml(tree) ==
        "kind: Job\n"
        "apiVersion: batch/v1\n"
        "items:\n"
        "- name: a\n"
        "  more:\n"
        "    x: 1\n");
}

TEST_CASE("records in a list, words, and what says so stand on one line", "[manifest]") {
  const Tree tree =
      Tree::map({{"env", Tree::list({Tree::map({{"name", "A"}, {"value", "1"}})})},
                 {"command", Tree::texts({"torchrun", "--nnodes=2"})},
                 {"limits", Tree::map({{"cpu", "8"}, {"memory", "64Gi"}}).on_one_line()},
                 {"labels", Tree::map({{"app", "x"}})}});
  CHECK(yaml(tree) ==
        "env:\n"
        "- {name: A, value: \"1\"}\n"
        "command: [torchrun, --nnodes=2]\n"
        "limits: {cpu: \"8\", memory: 64Gi}\n"
        "labels:\n"
        "  app: x\n");
}

TEST_CASE("what does not fit on a line of 100 columns gets lines of its own", "[manifest]") {
  const std::string word(40, 'a');
  CHECK(yaml(Tree::map({{"args", Tree::texts({word, word, word})}})) ==
        "args:\n- " + word + "\n- " + word + "\n- " + word + "\n");
}

TEST_CASE("a comment stands behind its line, or above it where that is full", "[manifest]") {
  const Tree near = Tree::map({{"a", 1, {"why", "", ""}}});
  CHECK(yaml(near) == "a: 1  # why\n");
  CHECK(yaml_of({near}, Comments::left_out) == "a: 1\n");
  const std::string why(60, 'w');
  const std::string value(50, 'v');
  CHECK(yaml(Tree::map({{"m", Tree::map({{"a", value, {why, "", ""}}})}})) ==
        "m:\n  # " + why + "\n  a: " + value + "\n");
}

TEST_CASE("a comment of an item stands above it, or behind its first key", "[manifest]") {
  const Tree item = Tree::map({{"name", "shm", {"why", "", ""}}, {"more", Tree::map({{"x", 1}})}});
  CHECK(yaml(Tree::map({{"volumes", Tree::list({item})}})) ==
        "volumes:\n- name: shm  # why\n  more:\n    x: 1\n");
  Tree list = Tree::list();
  list.push(item, {"all of it", "", ""});
  CHECK(yaml(Tree::map({{"volumes", list}})) ==
        "volumes:\n# all of it\n- name: shm  # why\n  more:\n    x: 1\n");
}

TEST_CASE("a comment cannot become anything else", "[manifest]") {
  const std::string text = yaml(Tree::map({{"a", 1, {"x\nb: 2", "", ""}}}));
  CHECK(decode::yaml_to_json(text) == nlohmann::json{{"a", 1}});
}

TEST_CASE("texts that YAML 1.1 takes for something else are quoted", "[manifest]") {
  for (const std::string word :
       {"on",         "Off",  "yes",     "n",     "true",  "null", "~",  "1",  "012",
        "0o17",       "0x1f", "1e3",     "1_000", ".5",    "1.",   "+1", "08", "1:30",
        "2001-01-01", "-1",   "-x y: z", "---",   "- a",   "",     " a", "a ", "a: b",
        "a #b",       "#a",   "*a",      "&a",    "!a",    "%a",   "@a", "`a", "{a",
        "[a",         "a\tb", "NaN",     ".inf",  "-.inf", "-no",  "=",  "<<"}) {
    CAPTURE(word);
    const std::string text = yaml(Tree::map({{"a", word}}));
    CHECK(decode::yaml_to_json(text) == nlohmann::json{{"a", word}});
  }
}

TEST_CASE("texts that nobody can take for anything else stand as they are", "[manifest]") {
  for (const std::string word : {"ghcr.io/acme/train:1.4", "/dev/shm", "64Gi", "500m", "--nnodes=2",
                                 "-c", "$(JOB_COMPLETION_INDEX)", "nvidia.com/gpu", "a b"}) {
    CAPTURE(word);
    CHECK(yaml(Tree::map({{"a", word}})) == "a: " + word + "\n");
  }
}

TEST_CASE("a script stands as it is", "[manifest]") {
  for (const std::string script : {"a\nb\n", "a\nb", "a\n\n", "a\n\nb\n", "  a\nb\n", "\ta\nb\n",
                                   "a: b\n#c\n---\n", "é\n\"\\\n"}) {
    CAPTURE(script);
    const std::string text = yaml(Tree::map({{"x.py", script}, {"z", 1}}));
    CHECK(text.find("x.py: |") == 0);
    CHECK(decode::yaml_to_json(text) == nlohmann::json{{"x.py", script}, {"z", 1}});
  }
}

TEST_CASE("a script that readers could take otherwise is quoted", "[manifest]") {
  for (const std::string script : {"\na\n", "a\n  \nb\n", "a\r\nb\r\n", "a\n\u2028\n", "\n"}) {
    CAPTURE(script);
    const std::string text = yaml(Tree::map({{"x.py", script}}));
    CHECK(text.find("x.py: \"") == 0);
    CHECK(decode::yaml_to_json(text) == nlohmann::json{{"x.py", script}});
  }
}

TEST_CASE("what is printed, parsed and printed again is the same", "[manifest]") {
  Tree tree = Tree::map({{"a", Tree::map({{"b", Tree::list()}, {"c", Tree()}}), {"why", "", ""}},
                         {"s", "x\ny\n"},
                         {"t", true},
                         {"n", 7},
                         {"q", "7"}});
  const std::string text = yaml_of({tree, tree}, Comments::left_out);
  CHECK(yaml_of(test::read_documents(text), Comments::left_out) == text);
}

TEST_CASE("JSON is one object, or a List of several", "[manifest]") {
  const Tree tree = Tree::map({{"kind", "Job"}, {"n", 1}, {"l", Tree::texts({"a"})}});
  const nlohmann::json object = {{"kind", "Job"}, {"n", 1}, {"l", {"a"}}};
  CHECK(nlohmann::json::parse(json_of({tree})) == object);
  CHECK(nlohmann::json::parse(json_of({tree, tree})) ==
        nlohmann::json{{"apiVersion", "v1"}, {"kind", "List"}, {"items", {object, object}}});
}

TEST_CASE("entries are set in place, or at the end", "[manifest]") {
  Tree tree = Tree::map({{"a", 1}, {"b", 2}});
  tree.set("a", 3).set("c", 4).set_unless_empty("d", Tree());
  CHECK(yaml(tree) == "a: 3\nb: 2\nc: 4\n");
  tree.set_all(Tree::map({{"b", 5}, {"e", 6}}));
  CHECK(yaml(tree) == "a: 3\nb: 5\nc: 4\ne: 6\n");
}

TEST_CASE("broken bytes are written as the same character in YAML and JSON", "[manifest]") {
  const Documents broken = {Tree::map({{"a", "x\xff"}})};
  CHECK(decode::yaml_to_json(yaml_of(broken)) == nlohmann::json{{"a", "x\xEF\xBF\xBD"}});
  CHECK(nlohmann::json::parse(json_of(broken)) == nlohmann::json{{"a", "x\xEF\xBF\xBD"}});
}

}  // namespace tree_yaml_test
