#include "telemetry/live/smi_exec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "kube/config/files.hpp"
#include "kube/http/advice.hpp"
#include "kube/process/process.hpp"
#include "telemetry/dialects/interpret.hpp"
#include "telemetry/dialects/nvidia_smi_xml.hpp"
#include "telemetry/dialects/smi_series.hpp"
#include "telemetry/dialects/xml_text.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::telemetry {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestRun{10};
constexpr std::chrono::seconds kLongest{60};
constexpr std::size_t kAtOnce = 8;
constexpr std::size_t kNamed = 5;  ///< nodes and pods in a gap
constexpr std::size_t kLongestWhy = 600;

Time now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

/// Kubernetes' names; an option of kubectl starts with a dash.
bool is_name(std::string_view text) {
  const auto is_fine = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '.'; };
  return !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), is_fine);
}

std::string last_line(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(trimmed(text));
  return lines.empty() ? std::string{} : std::string(lines.back().substr(0, kLongestWhy));
}

/// What failed, in kubectl's words, and in nvidia-smi's, which writes its own to standard output.
std::string why_failed(const kube::ProcessResult& result) {
  if (result.start_error != 0)
    return "kubectl does not start: " + kube::system_problem(result.start_error);
  if (result.is_late) return fmt::format("no answer in {} s", kLongestRun.count());
  if (result.too_much_output) return "its answer is longer than 8 MiB";
  const std::string kubectl = last_line(result.errors);
  const std::string program = last_line(result.output);
  if (kubectl.empty() && program.empty())
    return fmt::format("kubectl exec ended with exit code {}", result.exit_code);
  return kubectl.empty() || program.empty() ? kubectl + program : program + ": " + kubectl;
}

/// What all runs share.
struct Setup {
  std::string program;
  const kube::ConnectionFlags& flags;
  const Environment& environment;
  Clock::time_point deadline;
};

void ask_pod(const Setup& setup, SmiAnswer& answer) {
  const SmiPod& pod = answer.pod;
  if (!is_name(pod.ns) || !is_name(pod.pod) || !is_name(pod.container)) {
    answer.why = "its name is none of Kubernetes";
    return;
  }
  const auto left = std::chrono::floor<std::chrono::milliseconds>(setup.deadline - Clock::now());
  if (left <= std::chrono::milliseconds::zero()) {
    answer.why =
        fmt::format("there was no time left: all nodes together have {} s", kLongest.count());
    return;
  }
  const kube::ProcessResult result =
      kube::run_process({.program = setup.program,
                         .arguments = exec_arguments(pod, setup.flags),
                         .environment = setup.environment.all(),
                         .output_limit = kLongestXml,
                         .errors = kube::ChildErrors::collected,
                         .time_limit = std::min<std::chrono::milliseconds>(kLongestRun, left)});
  const bool is_good = result.start_error == 0 && result.exit_code == 0 && !result.is_late &&
                       !result.too_much_output;
  if (!is_good) {
    answer.why = why_failed(result);
    return;
  }
  try {
    answer.samples = samples_of_nvidia_smi(result.output, {.source = MetricSource::exec,
                                                           .exporter = pod.ns + "/" + pod.pod,
                                                           .node = pod.node,
                                                           .read_at = now()});
    answer.why = answer.samples.empty() ? "nvidia-smi lists no GPU" : "";
  } catch (const Error& error) {
    answer.why = "the answer is not nvidia-smi's XML: " + error.message();
  }
}

/// Of the pods of one node, the first that answers.
SmiAnswer ask_node(const Setup& setup, const std::vector<SmiPod>& pods) {
  SmiAnswer answer;
  for (const SmiPod& pod : pods) {
    answer.pod = pod;
    ask_pod(setup, answer);
    if (!answer.samples.empty()) break;
  }
  return answer;
}

std::vector<std::vector<SmiPod>> by_node(const std::vector<SmiPod>& pods) {
  std::vector<std::vector<SmiPod>> nodes;
  for (const SmiPod& pod : pods) {
    const auto is_there = [&](const auto& some) { return some.front().node == pod.node; };
    const auto known = std::find_if(nodes.begin(), nodes.end(), is_there);
    if (known == nodes.end()) {
      nodes.push_back({pod});
    } else {
      known->push_back(pod);
    }
  }
  return nodes;
}

void refuse_secrets(const kube::ConnectionFlags& flags) {
  const bool is_in_url = flags.server && flags.server->find('@') != std::string::npos;
  const char* secret = flags.token      ? "--token"
                       : flags.password ? "--password"
                       : is_in_url      ? "--server"
                                        : nullptr;
  if (secret == nullptr) return;
  throw Error(ErrorKind::config,
              fmt::format("`{}` is not passed on to kubectl: others could read it there", secret),
              "put it into a kubeconfig: kubectl config set-credentials");
}

std::string named_in(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
    text += (i == 0 ? "" : "; ") + names[i];
  if (names.size() > kNamed) text += fmt::format("; and {} more", names.size() - kNamed);
  return text;
}

std::string nodes_in_words(std::size_t count) {
  return count == 1 ? "one node" : fmt::format("{} nodes", count);
}

void describe(kube::CollectContext& reading, const std::vector<SmiAnswer>& answers) {
  std::vector<std::string> used, failed;
  std::string refusal;
  for (const SmiAnswer& answer : answers) {
    const std::string pod = answer.pod.ns + "/" + answer.pod.pod;
    if (answer.why.empty()) {
      used.push_back(fmt::format("{} for node {}", pod, answer.pod.node));
      continue;
    }
    failed.push_back(fmt::format("node {}, {}: {}", answer.pod.node, pod, answer.why));
    if (answer.why.find("is forbidden") != std::string::npos) refusal = answer.why;
  }
  std::vector<Gap>& gaps = reading.snapshot().gaps;
  if (!used.empty())
    gaps.push_back({.what = fmt::format("live use of {} is what nvidia-smi says, run in pods",
                                        nodes_in_words(used.size())),
                    .why = named_in(used),
                    .help = {},
                    .about = GapTopic::use});
  if (failed.empty()) return;
  gaps.push_back(
      {.what = fmt::format("nvidia-smi reported nothing about {}", nodes_in_words(failed.size())),
       .why = named_in(failed),
       .help = refusal.empty() ? "" : role_help(refusal, reading.client().connection()),
       .about = GapTopic::use});
}

}  // namespace

std::vector<std::string> exec_arguments(const SmiPod& pod, const kube::ConnectionFlags& flags) {
  std::vector<std::string> arguments = {"exec", "--namespace=" + pod.ns,
                                        "--container=" + pod.container};
  const auto add = [&](const char* name, const std::optional<std::string>& value) {
    if (value) arguments.push_back(fmt::format("--{}={}", name, *value));
  };
  const auto add_switch = [&](const char* name, const std::optional<bool>& value) {
    if (value) arguments.push_back(fmt::format("--{}={}", name, *value));
  };
  add("kubeconfig", flags.kubeconfig);
  add("context", flags.context);
  add("cluster", flags.cluster);
  add("user", flags.user);
  add("server", flags.server);
  add("username", flags.username);
  add("as", flags.as);
  add("as-uid", flags.as_uid);
  for (const std::string& group : flags.as_groups) add("as-group", group);
  for (const std::string& extra : flags.as_user_extra) add("as-user-extra", extra);
  add("certificate-authority", flags.certificate_authority);
  add("client-certificate", flags.client_certificate);
  add("client-key", flags.client_key);
  add_switch("insecure-skip-tls-verify", flags.insecure_skip_tls_verify);
  add("tls-server-name", flags.tls_server_name);
  add_switch("disable-compression", flags.disable_compression);
  for (const std::string& word :
       {"pod/" + pod.pod, std::string("--"), pod.command, std::string("-q"), std::string("-x")})
    arguments.push_back(word);
  return arguments;
}

std::vector<SmiAnswer> run_nvidia_smi(const std::vector<SmiPod>& pods,
                                      const kube::ConnectionFlags& flags,
                                      const Environment& environment) {
  refuse_secrets(flags);
  const std::optional<std::string> program = kube::program_in_path("kubectl", environment);
  if (!program) throw Error(ErrorKind::config, "there is no kubectl in PATH");
  const Setup setup{*program, flags, environment, Clock::now() + kLongest};
  const std::vector<std::vector<SmiPod>> nodes = by_node(pods);
  std::vector<SmiAnswer> answers(nodes.size());
  std::vector<std::exception_ptr> problems(nodes.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < nodes.size(); i = next++) {
      try {
        answers[i] = ask_node(setup, nodes[i]);
      } catch (...) {
        problems[i] = std::current_exception();
        next = nodes.size();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min(kAtOnce, nodes.size()); ++i) workers.emplace_back(work);
  }
  for (const std::exception_ptr& problem : problems)
    if (problem) std::rethrow_exception(problem);
  return answers;
}

std::set<std::string, std::less<>> read_smi_by_exec(kube::CollectContext& reading,
                                                    const std::vector<SmiPod>& pods) {
  std::set<std::string, std::less<>> nodes;
  if (pods.empty()) return nodes;
  std::vector<SmiAnswer> answers;
  try {
    answers = run_nvidia_smi(pods, reading.client().connection().flags, Environment::of_process());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    reading.snapshot().gaps.push_back(
        {"nvidia-smi was not run", error.message(), error.help(), GapTopic::use});
    return nodes;
  }
  describe(reading, answers);
  std::vector<Sample>& samples = reading.snapshot().samples;
  for (SmiAnswer& answer : answers) {
    if (!answer.why.empty()) continue;
    nodes.insert(answer.pod.node);
    if (reading.needs().on_object)
      reading.tell(
          scrape_json(smi_series(answer.samples), {.source = MetricSource::exec,
                                                   .exporter = answer.pod.ns + "/" + answer.pod.pod,
                                                   .node = answer.pod.node,
                                                   .read_at = answer.samples.front().at}),
          kScrapeVersion, kScrapeKind);
    samples.insert(samples.end(), std::make_move_iterator(answer.samples.begin()),
                   std::make_move_iterator(answer.samples.end()));
  }
  return nodes;
}

}  // namespace gpu::telemetry
