#include "golden_case.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace gpu::golden {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = "tests/golden";

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

Words split(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// As a shell does it, with single and double quotes and nothing else.
Words shell_words(std::string_view line) {
  Words words;
  std::optional<std::string> word;
  char quote = 0;
  for (const char c : line) {
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      if (!word) word.emplace();
    } else if (quote == 0 && c == ' ') {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else {
      if (!word) word.emplace();
      *word += c;
    }
  }
  if (quote != 0) throw std::runtime_error("a quote is not closed");
  if (word) words.push_back(*word);
  return words;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

void take_command(std::string line, Case& into) {
  replace_all(line, "{demo}", "examples/demo-cluster");
  replace_all(line, "{case}", into.folder.generic_string());
  into.words = shell_words(line);
}

void take_line(const std::string& line, const Forms& forms, Case& into) {
  const std::size_t colon = line.find(": ");
  const std::string key = line.substr(0, colon);
  const std::string value = colon == std::string::npos ? "" : line.substr(colon + 2);
  if (line.starts_with("$")) return take_command(line.substr(1), into);
  if (value.empty()) throw std::runtime_error("`" + line + "` is not `KEY: VALUE`");
  if (key == "code") {
    into.code = std::stoi(value);
  } else if (key == "spawned") {
    into.spawned = value;
  } else if (key == "says") {
    into.says.push_back(value);
  } else if (key == "shows") {
    into.shows.push_back(value);
  } else if (key == "forms") {
    into.forms = split(value);
    for (const std::string& form : into.forms)
      if (!forms.contains(form)) throw std::runtime_error("there is no form `" + form + "`");
  } else {
    throw std::runtime_error("there is no `" + key + ":`");
  }
}

bool is_checked_in(const Case& each, std::string_view form) {
  return std::find(each.forms.begin(), each.forms.end(), form) != each.forms.end();
}

Case read_case(const fs::path& folder, const Forms& forms) {
  Case result{.name = fs::relative(folder, kFolder).generic_string(), .folder = folder};
  try {
    for (const std::string& line : lines_of(folder / "case")) take_line(line, forms, result);
    if (result.forms.empty()) throw std::runtime_error("there is no line `forms:`");
    if (!(result.says.empty() && result.shows.empty()) && !is_checked_in(result, "verdict"))
      throw std::runtime_error("only the form `verdict` reads `says:` and `shows:`");
  } catch (const std::exception& error) {
    throw std::runtime_error((folder / "case: ").string() + error.what());
  }
  return result;
}

/// A folder below tests/golden, however a shell completes it.
std::string name_of(std::string wanted) {
  const std::string folder = kFolder.generic_string() + "/";
  if (wanted.starts_with("./")) wanted.erase(0, 2);
  if (wanted.starts_with(folder)) wanted.erase(0, folder.size());
  return wanted;
}

std::vector<Case> named(const std::vector<Case>& cases, const std::string& name) {
  std::vector<Case> found;
  for (const Case& each : cases)
    if (each.name == name || each.name + "/" == name) return {each};
  for (const Case& each : cases)
    if (each.name.starts_with(name)) found.push_back(each);
  if (found.empty()) throw std::runtime_error("there is no case `" + name + "`");
  return found;
}

}  // namespace

Forms read_forms() {
  Forms forms;
  for (const std::string& line : lines_of(kFolder / "forms")) {
    if (line.starts_with("#")) continue;
    Words words = split(line);
    if (words.empty()) continue;
    const std::string name = words.front();
    words.erase(words.begin());
    forms.emplace(name, std::move(words));
  }
  return forms;
}

std::vector<Case> read_cases(const Forms& forms) {
  std::vector<Case> cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kFolder))
    if (entry.path().filename() == "case")
      cases.push_back(read_case(entry.path().parent_path(), forms));
  if (cases.empty()) throw std::runtime_error(kFolder.string() + " holds no case");
  std::sort(cases.begin(), cases.end(),
            [](const Case& one, const Case& other) { return one.name < other.name; });
  return cases;
}

std::vector<Case> chosen(std::vector<Case> cases, const Words& wanted) {
  if (wanted.empty()) return cases;
  std::map<std::string, Case> found;
  for (const std::string& word : wanted)
    for (Case& each : named(cases, name_of(word))) found.emplace(each.name, std::move(each));
  std::vector<Case> result;
  for (auto& [name, each] : found) result.push_back(std::move(each));
  return result;
}

}  // namespace gpu::golden
