#include "check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "cmd/app.hpp"
#include "cmd/shell/env.hpp"
#include "unified_diff.hpp"
#include "verdict.hpp"

namespace gpu::golden {
namespace {

struct Answer {
  std::string out;
  std::string err;
  int code = 0;
};

Environment environment() {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): there is one thread
  return Environment(
      {{"LC_ALL", "C.UTF-8"}, {"HOME", "/nonexistent"}, {"PATH", path == nullptr ? "" : path}});
}

/// The answer of the program when neither stdout nor stderr is a terminal. Throws what it throws.
Answer answer_to(const Words& words) {
  std::ostringstream out;
  std::ostringstream err;
  cmd::Env env = cmd::Env::of_process(nullptr);
  cmd::Env ours{.out = out,
                .err = err,
                .environment = environment(),
                .out_terminal = std::nullopt,
                .err_terminal = std::nullopt,
                .now = env.now,
                .uptime = env.uptime,
                .program = env.program};
  const int code = cmd::run(words, ours);
  return {out.str(), err.str(), code};
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// No file says the same as an empty one.
void write(const std::filesystem::path& path, std::string_view content) {
  if (content.empty()) {
    std::filesystem::remove(path);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  if (!(file << content).flush()) throw std::runtime_error(path.string() + ": cannot be written");
}

std::string compare(const std::filesystem::path& path, const std::string& actual,
                    OnChange on_change) {
  const std::string expected = content_of(path);
  if (actual == expected) return {};
  if (on_change == OnChange::report)
    return unified_diff(path.filename().string(), expected, actual);
  write(path, actual);
  return {};
}

/// What the screen ought to show and does not.
std::string screen_faults(const Case& each) {
  if (each.shows.empty()) return {};
  const std::string screen = answer_to(each.words).out;
  std::string problems;
  for (const std::string& text : each.shows)
    if (screen.find(text) == std::string::npos)
      problems += fmt::format("the screen does not show: {}\n", text);
  return problems;
}

std::string verdict_problems(const Case& each, const Answer& answer, OnChange on_change) {
  const Verdict verdict = verdict_of(answer.out);
  std::string problems = compare(each.folder / "verdict.json", verdict.decisions, on_change) +
                         compare(each.folder / "verdict.stderr", answer.err, on_change);
  for (const std::string& text : each.says)
    if (!says(verdict, text)) problems += fmt::format("no sentence says: {}\n", text);
  return problems + screen_faults(each);
}

std::string screen_problems(const Case& each, const std::string& form, const Answer& answer,
                            OnChange on_change) {
  return compare(each.folder / (form + ".stdout"), answer.out, on_change) +
         compare(each.folder / (form + ".stderr"), answer.err, on_change);
}

}  // namespace

std::string problems_of(const Case& each, const std::string& form, const Words& form_words,
                        OnChange on_change) try {
  Words words = each.words;
  // What stands behind `--` is no flag of ours.
  words.insert(std::find(words.begin(), words.end(), "--"), form_words.begin(), form_words.end());
  const Answer answer = answer_to(words);
  std::string problems = form == "verdict" ? verdict_problems(each, answer, on_change)
                                           : screen_problems(each, form, answer, on_change);
  if (answer.code != each.code)
    problems += fmt::format("exit code {}, expected {}\n", answer.code, each.code);
  if (::alarm(0) != 0)
    problems += "it sets an alarm, which ends all cases: give it a line `spawned: WHY`\n";
  return problems;
} catch (const std::exception& error) {
  return fmt::format("exception: {}\n", error.what());
} catch (...) {
  return "exception of an unknown type\n";
}

}  // namespace gpu::golden
