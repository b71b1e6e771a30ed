/// Runs the golden cases, all in this process, and holds the answers against the files beside them.
///
/// Usage: golden ROOT [--update] [CASE-OR-PREFIX...]. With --update, or UPDATE_GOLDEN=1 in the
/// environment, the files are rewritten; git shows the change. Cases with a line `spawned:` are
/// left to run.py.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "check.hpp"
#include "golden_case.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

using namespace gpu::golden;

struct Question {
  std::filesystem::path root;
  OnChange on_change = OnChange::report;
  Words wanted;
};

std::string running;  ///< the case that runs, for last words

/// A sanitizer that stops the program says where, but not in which case.
void tell_case_at_death() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback([] {
    if (!running.empty()) std::cout << "it was in " << running << std::endl;
  });
#endif
}

bool wants_update() {
  const char* value = std::getenv("UPDATE_GOLDEN");  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr && *value != '\0';
}

Question question_of(std::span<char*> words) {
  if (words.size() < 2)
    throw std::runtime_error("usage: golden ROOT [--update] [CASE-OR-PREFIX...]");
  Question question{.root = words[1]};
  if (wants_update()) question.on_change = OnChange::update;
  for (const std::string_view word : words.subspan(2)) {
    if (word == "--update") {
      question.on_change = OnChange::update;
    } else {
      question.wanted.emplace_back(word);
    }
  }
  return question;
}

int run(const Question& question) {
  std::filesystem::current_path(question.root);
  const Forms forms = read_forms();
  int passed = 0;
  int failed = 0;
  for (const Case& each : chosen(read_cases(forms), question.wanted)) {
    if (each.spawned) {
      if (!question.wanted.empty())
        std::cout << each.name << " is left to run.py: " << *each.spawned << '\n';
      continue;
    }
    for (const std::string& form : each.forms) {
      running = fmt::format("{} [{}]: {}", each.name, form, fmt::join(each.words, " "));
      const std::string problems = problems_of(each, form, forms.at(form), question.on_change);
      (problems.empty() ? passed : failed) += 1;
      if (!problems.empty()) std::cout << "FAILED " << running << '\n' << problems << '\n';
    }
  }
  running.clear();
  std::cout << fmt::format("{} passed, {} failed\n", passed, failed) << std::flush;
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    tell_case_at_death();
    return run(question_of({argv, static_cast<std::size_t>(argc)}));
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
