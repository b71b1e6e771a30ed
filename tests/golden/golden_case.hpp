#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpu::golden {

using Words = std::vector<std::string>;

/// The words that each form adds to a command line, by its name: the file tests/golden/forms.
using Forms = std::map<std::string, Words>;

/// A folder below tests/golden with a file `case`.
struct Case {
  std::string name;                    ///< its folder, from tests/golden: "top/gpus/demo"
  std::filesystem::path folder;        ///< from the root of the project
  Words words;                         ///< the command line without the program
  Words forms;                         ///< what it is checked in, names of Forms
  int code = 0;                        ///< the exit code
  std::optional<std::string> spawned;  ///< why it needs a process of its own
  std::vector<std::string> says;       ///< what a sentence of its verdict has to contain
  std::vector<std::string> shows;      ///< what its screen has to contain, and JSON does not carry
};

/// The table of forms. The working folder is the root of the project. Throws std::runtime_error.
Forms read_forms();

/// All cases, by name. The working folder is the root of the project. Throws std::runtime_error
/// where one is not as CONTRIBUTING.md has it.
std::vector<Case> read_cases(const Forms& forms);

/// The cases that one of `wanted` names; where it names none, those whose names begin so. All of
/// them if nothing is wanted. Throws std::runtime_error where there is no such case.
std::vector<Case> chosen(std::vector<Case> cases, const Words& wanted);

}  // namespace gpu::golden
