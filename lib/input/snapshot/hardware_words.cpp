#include "input/snapshot/hardware_words.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/ascii.hpp"
#include "input/snapshot/word_set.hpp"
#include "model/gpu/gpu_models.hpp"
#include "model/gpu/instance_table.hpp"

namespace gpu::input {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_wordlike(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

/// The first run of letters and digits in `text`, which goes on behind it; empty at the end.
std::string_view next_part(std::string_view& text) {
  const auto* const start = std::find_if(text.begin(), text.end(), is_wordlike);
  const auto* const end = std::find_if_not(start, text.end(), is_wordlike);
  const std::string_view part = text.substr(static_cast<std::size_t>(start - text.begin()),
                                            static_cast<std::size_t>(end - start));
  text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  return part;
}

/// How makers, clouds and drivers call what the tables name no model or machine after.
const WordSet kHardwareWords(
    // Cards.
    "tesla geforce rtx gtx titan quadro grid instinct radeon advanced micro devices inc ati amd "
    "nvidia intel huawei ascend mlu dcu iluvatar metax google cloud corporation generation laptop "
    "max ti super pcie sxm sxm2 sxm3 sxm4 sxm5 nvl gb hbm2 hbm2e hbm3 hbm3e ecc x v a1000 a2000 "
    "a4500 a5500 p2000 p2200 p4000 p5000 p6000 p40 t400 t1000 m4 m10 m40 k40 mi25 mi50 mi60 mi100 "
    "mi300 mi300a mi308x flex arc gpu gpus card cards tpu npu hpu vgpu mig neuron neuroncore "
    "neurondevice accel accelerator chip core device nvidiactl renderd kfd dri nvswitch nvlink "
    "link "
    "ib mlx "
    // Architectures.
    "kepler maxwell pascal volta turing ampere ada lovelace hopper blackwell cdna cdna2 cdna3 "
    "cdna4 "
    "rdna rdna2 rdna3 gfx xe hpg hpc dgx hgx egx superpod "
    // How a card is cut, and what it does.
    "shared time slicing sharing mps single mixed none strategy all default disabled enabled on "
    "off spx dpx qpx tpx cpx nps1 nps2 nps4 nps8 partition compute memory mem engine engines copy "
    "video enhance other average sum min mean count total free used device host system vram hbm "
    "sram l2 l3 cache ecc correctable uncorrectable corrected uncorrected sbe dbe volatile "
    "aggregate pending success failed failure rebooting success unknown healthy unhealthy idle "
    "active inactive up down ok error errors warning info power temperature junction edge hotspot "
    "clock graphics sm mclk sclk generic internal passthrough vm na n "
    // Machines, and how they are bought.
    "nano micro small medium large xlarge metal highcpu highmem standard spot demand on ondemand "
    "preemptible regular reserved flex start queued provisioning low capacity block lifecycle "
    "normal m4 m5 m5a m5n m6a m6g m6i m7a m7g m7i m8g c4 c5 c5n c6a c6g c6i c7a c7g c7i r4 r5 r6a "
    "r6g r6i r7i t2 t3 t3a e2 n1 n2 n2d c2 c2d c3 c3d c4 t2d d2s d4s d8s d16s d32s v3 v4 v5 v6 "
    "ct4p "
    "ct5l ct5lp ct5p ct6e hightpu 1t 2t 4t 8t 1g 2g 4g 8g lite podslice slice litepod "
    // Operating systems and their versions in labels.
    "linux windows amd64 arm64 x86 64 ppc64le s390x true false yes no "
    // States of drivers and layouts.
    "upgrade required done cordon wait for jobs pod deletion drain restart validation uncordon "
    "node maintenance post pre installed paused change display");

/// Values of annotations by HAMi, Volcano, KAI, Run:ai, Alibaba's GPU share and others.
const WordSet kAnnotationWords(
    "hami io volcano sh aliyun com gpu fraction fractions memory mem idx pod dev assigned assume "
    "time container scheduler framework gpushare allocation vgpu node devices allocated to "
    "allocate bind phase register handshake nvidia amd huawei ascend mlu dcu iluvatar metax "
    "success failed requesting reported id ids index count devmem devcore type numa mode health "
    "true false hami core mig mps name uuid usedmem usedcores cores num number share predicate "
    "deleted mig-parted template inuse usage customresource devicepairscore devicevendor "
    "customfilter custominfo new reserve for run ai gpumem gpucores percentage use nouse gputype "
    "gpuuuid");

void add_words(std::set<std::string, std::less<>>& words, std::string_view text) {
  while (!text.empty())
    if (const std::string_view part = next_part(text);
        part.find_first_not_of(kDigits) != std::string_view::npos)
      words.insert(lower_case(part));
}

/// The words of the names in the tables of models and machines.
const std::set<std::string, std::less<>>& table_words() {
  static const std::set<std::string, std::less<>> kOfTables = [] {
    std::set<std::string, std::less<>> words;
    for (const GpuModel& model : gpu_models()) {
      add_words(words, model.name);
      add_words(words, model.vendor);
      for (const std::string& profile : model.mig_profiles) add_words(words, profile);
      for (const std::string& alias : model.aliases) add_words(words, alias);
    }
    for (const GpuInstance& instance : gpu_instances()) add_words(words, instance.type);
    return words;
  }();
  return kOfTables;
}

/// "2x4", "4x4x8": how chips are arranged.
bool is_arrangement(std::string_view word) {
  constexpr std::size_t kMost = 12;
  return word.size() <= kMost && is_digit(word.front()) && is_digit(word.back()) &&
         word.find_first_not_of("0123456789x") == std::string_view::npos &&
         word.find("xx") == std::string_view::npos && word.find('x') != std::string_view::npos;
}

/// "GA100", "TU104GL", "GB202": what NVIDIA calls chips.
bool is_chip(std::string_view word) {
  static const WordSet kFamilies("gk gm gp gv tu ga ad gh gb");
  constexpr std::size_t kNumber = 3;
  const std::string lower = lower_case(word);
  const std::string_view rest =
      std::string_view(lower).substr(std::min<std::size_t>(2, lower.size()));
  const std::size_t digits = std::min(rest.find_first_not_of(kDigits), rest.size());
  static const WordSet kVariants("gl g m");
  return kFamilies.has(std::string_view(lower).substr(0, 2)) && digits == kNumber &&
         (digits == rest.size() || kVariants.has(rest.substr(digits)));
}

bool has_known_letters(std::string_view word) {
  return kHardwareWords.has(word) || kAnnotationWords.has(word) || table_words().contains(word);
}

}  // namespace

bool is_short_number(std::string_view word, std::size_t most) {
  static const WordSet kUnits(
      "% Ki Mi Gi Ti K M G T s m h d GB gb MB mb MiB GiB g c q C Q W GHz MHz vcpu gpu x");
  const auto take_digits = [&word] {
    const std::size_t digits = std::min(word.find_first_not_of(kDigits), word.size());
    word.remove_prefix(digits);
    return digits;
  };
  std::size_t digits = take_digits();
  if (digits == 0 || digits > most) return false;
  if (word.starts_with('/') || word.starts_with('.')) {
    word.remove_prefix(1);
    digits = take_digits();
    if (digits == 0 || digits > most) return false;
  }
  return word.empty() || kUnits.has(word);
}

bool has_dotted_address(std::string_view text) {
  constexpr int kNumbers = 4;
  int numbers = 0;
  bool is_behind_dot = true;
  for (const char c : text) {
    if (is_digit(c)) {
      numbers += is_behind_dot ? 1 : 0;
      if (numbers == kNumbers) return true;
      is_behind_dot = false;
    } else if (c == '.' && !is_behind_dot) {
      is_behind_dot = true;
    } else {
      numbers = 0;
      is_behind_dot = true;
    }
  }
  return false;
}

bool is_pci_address(std::string_view text) {
  const auto is_hex = [](std::string_view part, std::size_t least, std::size_t most) {
    return part.size() >= least && part.size() <= most &&
           part.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  };
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos || text.size() - dot != 2 || !is_digit(text.back()))
    return false;
  text = text.substr(0, dot);
  const std::size_t device = text.rfind(':');
  if (device == std::string_view::npos || !is_hex(text.substr(device + 1), 2, 2)) return false;
  text = text.substr(0, device);
  const std::size_t bus = text.rfind(':');
  if (bus == std::string_view::npos) return is_hex(text, 2, 2);
  return is_hex(text.substr(bus + 1), 2, 2) && is_hex(text.substr(0, bus), 4, 8);
}

bool is_hardware_word(std::string_view word) {
  const std::string lower = lower_case(word);
  // "gpu0", "nvidia12", "renderD128"
  constexpr std::size_t kNumber = 3;
  const std::size_t letters = lower.find_last_not_of(kDigits) + 1;
  return has_known_letters(lower) || is_chip(word) ||
         (lower.size() - letters <= kNumber && (letters > 1 || lower.front() == 'v') &&
          has_known_letters(std::string_view(lower).substr(0, letters)));
}

bool is_hardware_text(std::string_view text, std::size_t most) {
  if (is_pci_address(text)) return true;
  if (has_dotted_address(text)) return false;
  while (!text.empty()) {
    const std::string_view part = next_part(text);
    if (!part.empty() && !is_short_number(part, most) && !is_arrangement(part) &&
        !is_hardware_word(part))
      return false;
  }
  return true;
}

bool is_hardware_name(std::string_view name) {
  static const WordSet kParts(
      "gpu gpus mig card tpu neuron neuroncore accel device counter counters set vfio vf pf memory "
      "slice slices multiprocessors copy engines engine decoders encoders jpeg ofa partition xcp "
      "spx cpx dpx qpx nps1 nps2 nps4 pci render renderD128 npu gaudi channel daemon cores compute "
      "units me all xe i915 nvidia gi vgpu");
  static constexpr std::string_view kSeparators = "-._:/";
  if (has_dotted_address(name)) return false;
  while (!name.empty()) {
    const std::size_t at = name.find_first_of(kSeparators);
    const std::string_view part = name.substr(0, at);
    name = at == std::string_view::npos ? std::string_view{} : name.substr(at + 1);
    const bool is_short_hex =
        part.size() <= kShortNumber &&
        std::all_of(
            part.begin(), part.end(),
            [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || c == 'x' || c == 'g'; }) &&
        (part.empty() || is_digit(part.front()));
    // "gpu0", "slice7", "1g10gb"
    const std::string_view word = part.substr(0, part.find_last_not_of(kDigits) + 1);
    const bool is_numbered = part.size() - word.size() <= kShortNumber;
    const bool is_profile = part.size() <= 10 && !part.empty() && is_digit(part.front()) &&
                            part.find('g') != std::string_view::npos &&
                            part.find_first_not_of("0123456789gb") == std::string_view::npos;
    if (!is_short_hex && !is_profile && !kParts.has(part) && !(is_numbered && kParts.has(word)))
      return false;
  }
  return true;
}

bool is_hardware_suffix(std::string_view suffix) {
  static const WordSet kParts(
      "product count memory replicas family machine present sharing strategy compute major minor "
      "multiprocessors engines copy decoder encoder jpeg ofa slices gi ci clique deploy driver "
      "device plugin dcgm exporter gpu feature discovery container toolkit mig manager node status "
      "operator validator operands sandbox vgpu cc workload config state capable rev revision "
      "runtime version full cu simd vram name series firmware partitioning supported partition "
      "sriov me gfx all category cpu manufacturer sustained clock speed mhz ebs bandwidth "
      "encryption in transit generation hypervisor local nvme network size accelerator capability "
      "flex tenancy millicores max tiles cards numbers numa map pci groups class control plane "
      "master worker not ready unreachable unschedulable disk pid pressure unavailable out of "
      "service uninitialized disrupted disruption unregistered shutdown agent gke tpu spot "
      "preemptible scalesetpriority provisioning topology shared gpumem gpucores percentage cores "
      "monitoring i915 xe rdma hca ib nic vf pf neuron neuroncore neurondevice gaudi pgpu number "
      "priority nps grid tile itn do schedule type mode id card capacity nodepool initialized "
      "registered zone region instance nvsm");
  if (has_dotted_address(suffix)) return false;
  while (!suffix.empty()) {
    const std::size_t at = suffix.find_first_of("-._/");
    const std::string_view part = suffix.substr(0, at);
    suffix = at == std::string_view::npos ? std::string_view{} : suffix.substr(at + 1);
    if (!kParts.has(lower_case(part)) && !is_hardware_name(part) && !is_hardware_text(part))
      return false;
  }
  return true;
}

}  // namespace gpu::input
