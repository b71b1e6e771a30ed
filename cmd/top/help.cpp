#include "cmd/top/help.hpp"

#include <array>
#include <span>
#include <string_view>

#include "cmd/shell/app.hpp"
#include "cmd/top/question.hpp"

namespace gpu::cmd {
namespace {

/// What help says of one view.
struct ViewHelp {
  CommandInfo info;
  std::string_view selector;                  ///< what -l chooses among
  std::string_view sort;                      ///< what --sort-by takes
  std::span<const std::string_view> without;  ///< flags that mean nothing there
};

constexpr std::array<std::string_view, 3> kNotOfNodes = {"--idle", "--all-namespaces",
                                                         "--namespace"};
constexpr std::array<std::string_view, 4> kNotOfGpus = {"--idle", "--no-fold", "--tree",
                                                        "--label-columns"};
constexpr std::array<std::string_view, 1> kNotOfPods = {"--tree"};
constexpr std::array<std::string_view, 6> kNotOfModels = {
    "--idle", "--no-fold", "--tree", "--label-columns", "--all-namespaces", "--namespace"};

// In the order of View.
const std::array<ViewHelp, kViews.size()> kHelps = {{
    {{.name = "top",
      .usage = "top nodes [NODE...]",
      .summary = "Show each node's GPUs: allocated, free, unavailable and why, live use",
      .examples = "top nodes\n"
                  "top nodes gpu-a1 gpu-a2 -o wide\n"
                  "top nodes --tree  # below each node the pods that hold its GPUs\n"
                  "top nodes -l pool=training --sort-by free\n"
                  "top nodes --since 1h  # averages and maxima too; Prometheus tells"},
     "labels of nodes",
     "a column: free, allocated, util, memory, power, idle, ...",
     kNotOfNodes},
    {{.name = "top",
      .usage = "top gpus [NODE|NODE/INDEX|UUID...]",
      .summary = "Show each GPU, MIG slice or share that can be told apart: its use, who holds it",
      .examples = "top gpus\n"
                  "top gpus gpu-a2 gpu-m1/0  # all of a node; one card, with its slices\n"
                  "top gpus GPU-4b3c1f00  # by the beginning of a UUID\n"
                  "top gpus -n research --sort-by power\n"
                  "top gpus --model H100 -o wide  # SM, TENSOR, DRAM activity, UUID"},
     "labels of nodes",
     "a column: util, memory, power, temp, idle, node, ...",
     kNotOfGpus},
    {{.name = "top",
      .usage = "top pods [POD|NAMESPACE/POD...]",
      .summary = "Show the pods that hold GPUs, and what they do with them",
      .examples = "top pods\n"
                  "top pods -n research --no-fold\n"
                  "top pods -l app=notebook --sort-by age\n"
                  "top pods --idle 1h  # under 5 % used for so long; Prometheus tells\n"
                  "top pods -w  # until q; ? tells the other keys"},
     "labels of pods",
     "a column: util, memory, idle, age, gpus, node, ...",
     kNotOfPods},
    {{.name = "top",
      .usage = "top namespaces [NAMESPACE...]",
      .summary = "Show how many GPUs each namespace holds, and how busy these are",
      .examples = "top namespaces\n"
                  "top namespaces --model H100\n"
                  "top namespaces --sort-by idle\n"
                  "top namespaces ml research -o json"},
     "labels of pods",
     "a column: util, memory, idle, gpus, pods, ...",
     kNotOfGpus},
    {{.name = "top",
      .usage = "top models [MODEL...]",
      .summary = "Show each GPU model of the cluster: how many, held, free, how busy",
      .examples = "top models\n"
                  "top models H100\n"
                  "top models --sort-by free\n"
                  "top models --summary  # totals by kind"},
     "labels of nodes",
     "a column: util, memory, power, free, total, ...",
     kNotOfModels},
}};

}  // namespace

std::string top_help(CLI::App& app, const TopFlags& flags, const std::string& program) {
  if (flags.words.empty())
    return help_text(kTop, app, program) + "\nOne view's own: " + program + " top gpus --help\n";
  const View view = view_typed(flags.words.front(), program);
  const ViewHelp& help = kHelps.at(static_cast<std::size_t>(view));
  for (const std::string_view flag : help.without) app.get_option(std::string(flag))->group("");
  app.get_option("--selector")->description(std::string(help.selector));
  app.get_option("--sort-by")->description(std::string(help.sort));
  return help_text(help.info, app, program);
}

}  // namespace gpu::cmd
