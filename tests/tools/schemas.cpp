/// Writes the JSON Schema of each kind of answer from what the commands declare of their columns,
/// and holds docs/schema against it.
///
/// Usage: schemas ROOT. With UPDATE_GOLDEN=1 in the environment the files are rewritten; git shows
/// the change.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "cmd/app.hpp"
#include "report/schema.hpp"

namespace {

/// Not an answer of a command: the file itself says why it is written by hand.
constexpr std::string_view kByHand = "Snapshot.json";

/// Text by name of file.
using Files = std::map<std::string, std::string>;

Files declared() {
  Files files{};
  for (const gpu::cmd::Command* command : gpu::cmd::all_commands()) {
    if (command->answers == nullptr) continue;
    for (const gpu::report::AnswerForm& form : command->answers())
      files[form.kind + ".json"] = gpu::report::schema_text(form);
  }
  return files;
}

Files written(const std::filesystem::path& folder) {
  Files files{};
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name == kByHand) continue;
    std::ifstream file(entry.path());
    files[name] = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

void write(const std::filesystem::path& folder, const Files& files) {
  for (const auto& [name, text] : files) {
    std::ofstream file(folder / name);
    file << text;
    file.close();
    if (!file) throw std::runtime_error(name + " cannot be written");
  }
}

int compare(const Files& expected, const Files& actual) {
  int problems = 0;
  const auto say = [&](const std::string& name, std::string_view problem) {
    std::cout << "docs/schema/" << name << ": " << problem << '\n';
    ++problems;
  };
  for (const auto& [name, text] : expected) {
    const auto found = actual.find(name);
    if (found == actual.end())
      say(name, "is missing");
    else if (found->second != text)
      say(name, "is not what the columns declare");
  }
  for (const auto& [name, text] : actual)
    if (!expected.contains(name)) say(name, "is of no answer that a command declares");
  if (problems > 0) std::cout << "UPDATE_GOLDEN=1 writes them; git shows what changed\n";
  std::cout << expected.size() << " kinds of answers, " << problems << " problems\n";
  return problems == 0 && !expected.empty() ? 0 : 1;
}

bool wants_update() {
  const char* value = std::getenv("UPDATE_GOLDEN");  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr && *value != '\0';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: schemas ROOT");
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / "docs/schema";
    const Files expected = declared();
    if (wants_update()) write(folder, expected);
    return compare(expected, written(folder));
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
