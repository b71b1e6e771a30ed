#include "cmd/gen/gen.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/gen/choices.hpp"
#include "cmd/gen/gen_flags.hpp"
#include "cmd/gen/price_note.hpp"
#include "cmd/gen/sight.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/output_forms.hpp"
#include "manifest/kinds/kind.hpp"
#include "manifest/tree/yaml.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

namespace {

const OutputForms& gen_forms() {
  static const OutputForms forms{
      .forms = {{.name = "yaml", .format = report::Format::yaml},
                {.name = "json", .format = report::Format::json}},
      .jq = "kubectl gpu gen job train --image IMAGE -o json | jq .spec"};
  return forms;
}

std::vector<std::string_view> kind_words() {
  std::vector<std::string_view> words;
  for (const manifest::GenKind* kind : manifest::gen_kinds()) words.push_back(kind->word);
  return words;
}

/// "similar ones are rayjob, raycluster, rayservice; "; empty where none is near.
std::string similar_kinds(const std::string& typed, const std::vector<std::string_view>& words) {
  std::vector<std::string_view> similar;
  for (const std::string_view word : words)
    if (!typed.empty() && word.find(typed) != std::string_view::npos) similar.push_back(word);
  if (similar.size() > 1) return fmt::format("similar ones are {}; ", joined(similar));
  const auto nearest =
      similar.empty() ? nearest_name(typed, words) : std::optional(similar.front());
  return nearest ? fmt::format("a similar one is `{}`; ", *nearest) : "";
}

const manifest::GenKind& kind_typed(const GenFlags& flags, std::string_view program) {
  const std::vector<std::string_view> words = kind_words();
  if (flags.words.empty())
    throw Error(ErrorKind::usage, "`gen` needs a kind and a name",
                fmt::format("for example\n      {} gen job train --image IMAGE --gpus 4\n"
                            "kinds are {}",
                            program, joined(words)));
  const std::string& typed = flags.words.front();
  if (const manifest::GenKind* const kind = manifest::find_gen_kind(typed)) return *kind;
  throw Error(ErrorKind::usage, fmt::format("there is no kind `{}`", sanitize(typed)),
              similar_kinds(typed, words) + "kinds are " + joined(words));
}

void check_words(const GenFlags& flags, const manifest::GenKind& kind, std::string_view program) {
  if (flags.words.size() < 2)
    throw Error(
        ErrorKind::usage, fmt::format("`gen {}` needs a name", kind.word),
        fmt::format("for example\n      {} gen {} NAME {}", program, kind.word, kind.example));
  if (flags.words.size() > 2)
    throw Error(ErrorKind::usage,
                fmt::format("`{}` is neither a flag nor behind `--`", sanitize(flags.words[2])),
                "the command of the container follows `--`: -- python train.py");
  if (!flags.command.empty() && !kind.options.contains(manifest::Option::command))
    throw Error(ErrorKind::usage, fmt::format("`{}` runs nothing behind `--`", kind.word),
                "leave it out");
}

manifest::Script script_of(const std::string& path) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(ErrorKind::usage, fmt::format("the script {} cannot be read: {}", sanitize(path),
                                              std::strerror(errno)));
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad() || (text.empty() && !file.eof()))
    throw Error(ErrorKind::usage, fmt::format("the script {} cannot be read", sanitize(path)));
  if (text.size() > kMostBytes)
    throw Error(
        ErrorKind::usage,
        fmt::format("the script {} is larger than the 1 MiB of a ConfigMap", sanitize(path)),
        "put it into the image, or onto a claim: --data CLAIM");
  if (valid_utf8(text) != text)
    throw Error(ErrorKind::usage, fmt::format("the script {} is not UTF-8", sanitize(path)),
                "put it into the image, or onto a claim: --data CLAIM");
  const std::size_t slash = path.rfind('/');
  return {.name = slash == std::string::npos ? path : path.substr(slash + 1),
          .text = std::move(text)};
}

report::Note note_of(const manifest::GenNote& note) {
  const std::string help = note.command.empty() ? note.help : note.help + "\n      " + note.command;
  return {.what = note.text, .why = {}, .help = help};
}

void print_notes(const std::vector<manifest::GenNote>& notes, const report::Style& style,
                 Env& env) {
  for (const manifest::GenNote& note : notes) {
    if (note.level == manifest::GenNote::Level::note)
      env.err << report::render_note(note.text, style);
    else
      env.err << report::render_gaps({note_of(note)}, style);
  }
}

/// Helm values are no objects.
manifest::Documents objects_of(const manifest::Generated& made) {
  manifest::Documents objects = made.documents;
  std::erase_if(objects, [](const manifest::Tree& each) { return each.find("kind") == nullptr; });
  return objects;
}

/// What says whether the pods would start: the claims, and what makes the pods.
std::string judged_text(const manifest::Generated& made) {
  manifest::Documents judged = objects_of(made);
  judged.insert(judged.end(), made.judged_as.begin(), made.judged_as.end());
  return manifest::yaml_of(judged);
}

/// Which models there are, a cluster may know better than our table.
manifest::GenOptions unplaced(manifest::GenOptions options) {
  options.gpu_models.clear();
  return options;
}

int run_gen(const GenFlags& flags, const FlagSet& typed, Env& env) {
  const manifest::GenKind& kind = kind_typed(flags, env.program);
  check_words(flags, kind, env.program);
  check_flags_of_kind(typed, kind);
  const report::Style style = err_style(flags.global, env);
  const auto format = format_of(flags.global, gen_forms());
  manifest::GenOptions options = options_of(flags);
  if (flags.script) options.script = script_of(*flags.script);

  // Without a cluster first: what is mistaken is said before one is asked, and what is to be read
  // depends on what the pods will name.
  const manifest::ClusterFacts unknown{.is_to_come = !flags.is_offline};
  GenSight sight =
      look(flags, judged_text(manifest::generate(kind, unplaced(options), unknown)), env);
  manifest::Generated made = manifest::generate(kind, options, sight.facts);
  const bool is_json = format == report::Format::json;
  if (flags.explain) {
    const report::Style shown = out_style(flags.global, env);
    env.out << (is_json ? report::render(choices_report(made.documents), *format, shown)
                        : choices_text(made.documents, shown));
  } else if (is_json) {
    env.out << manifest::json_of(made.documents);
  } else {
    env.out << "# " << command_line(typed, flags, env.program) << '\n'
            << manifest::yaml_of(made.documents);
  }
  env.out.flush();
  made.notes.insert(made.notes.begin(), sight.notes.begin(), sight.notes.end());
  if (sight.snapshot && !flags.no_check) {
    if (auto price = price_note(sight, manifest::yaml_of(objects_of(made)), env))
      made.notes.push_back(*std::move(price));
    if (auto outlook = outlook_of(flags, std::move(sight), judged_text(made), env))
      made.notes.push_back(*std::move(outlook));
  }
  print_notes(made.notes, style, env);
  return 0;
}

std::string gen_help(FlagSet& flags, const GenFlags& typed, std::string_view program) {
  if (typed.words.empty()) {
    for (const Flag& flag : flags.all()) {
      const std::string name = "--" + flag.long_name();
      if (option_of(name)) flags.at(name).in(FlagGroup::hidden);
    }
    std::string text = help_text(kGen.info, flags.all(), program) + "\nKinds:\n";
    for (const manifest::GenKind* kind : manifest::gen_kinds())
      text += fmt::format("  {:<18}{}\n", kind->word, kind->summary);
    return text + fmt::format("\nFor the flags of one kind: {} gen job --help\n", program);
  }
  const manifest::GenKind& kind = kind_typed(typed, program);
  for (const Flag& flag : flags.all()) {
    const std::string name = "--" + flag.long_name();
    if (const auto option = option_of(name); option && !kind.options.contains(*option))
      flags.at(name).in(FlagGroup::hidden);
  }
  for (const manifest::FlagMeaning& each : kind.meanings)
    flags.at(each.flag).help(std::string(each.help));
  const std::string usage = fmt::format("gen {} NAME", kind.word);
  const std::string example =
      fmt::format("gen {} {} {}", kind.word, kind.word == "job" ? "train" : "demo", kind.example);
  return help_text({.name = "gen", .usage = usage, .summary = kind.summary, .examples = example},
                   flags.all(), program);
}

BoundCommand bind_gen(FlagSet& flags, Commands /*all*/) {
  auto options = std::make_shared<GenFlags>();
  add_gen_flags(flags, *options);
  add_format_flags(flags, options->global, gen_forms());
  add_screen_flags(flags, options->global);
  add_connection_flags(flags, options->global);
  flags.at("--namespace").help("namespace to write into the objects");
  return {.run = [options, &flags](Env& env) { return run_gen(*options, flags, env); },
          .help = [options](FlagSet& all,
                            std::string_view program) { return gen_help(all, *options, program); }};
}

}  // namespace

const Command kGen = {
    .info =
        {
            .name = "gen",
            .usage = "gen KIND NAME",
            .summary =
                "Print manifests of GPU jobs, notebooks and servers that start the first time",
            .examples =
                "gen job train --image ghcr.io/acme/train:1.4 --gpus 4 --gpu-model H100\n"
                "gen job train --script train.py --nodes 2 --gpus 8 | kubectl apply -f -\n"
                "gen notebook lab --gpu-model A100 --storage 50Gi\n"
                "gen inferenceservice llm --model hf://Qwen/Qwen2.5-7B-Instruct\n"
                "gen deployment llm --preset vllm --model Qwen/Qwen2.5-7B-Instruct --explain\n"
                "gen job train --image IMAGE --offline  # without a cluster",
        },
    .bind = bind_gen,
    .answers = choice_forms,
};

}  // namespace gpu::cmd
