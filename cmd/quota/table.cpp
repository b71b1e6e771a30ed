#include "cmd/quota/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "cmd/quota/cells.hpp"

namespace gpu::cmd {
namespace {

using quota::Figures;
using quota::Limiter;
using quota::QuotaRow;
using quota::State;
using report::Audience;
using report::Cell;
using report::Concern;
using report::kPeople;
using report::kPlain;
using report::kWide;
using report::Type;
using QuotaColumns = report::Columns<QuotaRow>;
using Units = std::optional<Quantity> QuotaRow::*;

constexpr auto kPeopleWide = static_cast<unsigned>(Audience::people_wide);
constexpr auto kPlainWide = static_cast<unsigned>(Audience::plain_wide);

QuotaColumns::Fill units(Units member) {
  return [member](const QuotaRow& row) { return units_cell(row.*member); };
}

/// The same for people and pipes, who read a part of a card as "0.5".
QuotaColumns::Fill shown_units(Units member) {
  return [member](const QuotaRow& row) {
    return row.*member ? Cell(units_text(*(row.*member))) : Cell();
  };
}

Cell text_or_unknown(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

Concern concern_of(const QuotaRow& row) {
  if (row.state == State::no_effect || row.state == State::over) return Concern::broken;
  const bool is_fine = row.state == State::ok || row.state == State::unknown;
  return is_fine && row.problem == quota::Problem::none ? Concern::none : Concern::warning;
}

/// As kubectl takes it: "clusterqueue", "queue.scheduling.run.ai".
std::string type_of(Limiter limiter) {
  const std::string kind = lower_case(quota::kind_of(limiter));
  if (limiter == Limiter::volcano_queue) return kind + ".scheduling.volcano.sh";
  if (limiter == Limiter::kai_queue) return kind + ".scheduling.run.ai";
  return kind;
}

/// "on hold", "closed": why a queue is stopped.
std::string stop_word(const QuotaRow& row) {
  if (row.stop == "Hold") return "on hold";
  if (row.stop == "HoldAndDrain") return "draining";
  return row.stop.empty() ? "stopped" : lower_case(row.stop);
}

/// The state, then what else is to be said of it; people with little room see what comes first.
std::string state_text(const QuotaRow& row) {
  std::vector<std::string> parts;
  if (const std::string_view problem = problem_words(row.problem); !problem.empty())
    parts.emplace_back(problem);
  switch (row.state) {
    case State::full:
      parts.emplace_back("full");
      break;
    case State::over:
      parts.push_back("over by " + units_text(*row.used - *row.limit));
      break;
    case State::stopped:
      parts.push_back(stop_word(row));
      break;
    case State::no_quota:
      parts.emplace_back("no quota");
      break;
    case State::unknown:
      parts.emplace_back("use unknown");
      break;
    case State::ok:
    case State::no_effect:
      break;
  }
  const auto add = [&](const std::optional<Quantity>& amount, std::string_view word) {
    if (amount && *amount != Quantity{})
      parts.push_back(fmt::format("{} {}", word, units_text(*amount)));
  };
  add(row.borrowed, row.limiter == Limiter::cohort ? "borrowed" : "borrows");
  add(row.lent, "lends");
  // What others may take back.
  if (row.deserved && row.used && *row.deserved < *row.used)
    parts.push_back(fmt::format("{} over deserved", units_text(*row.used - *row.deserved)));
  if (parts.empty()) parts.emplace_back("ok");
  return joined(parts);
}

/// "2 for 9": workloads, or pods that a ResourceQuota refuses, and the GPUs that they request.
Cell waiting_cell(const QuotaRow& row) {
  if (!row.waiting) return {};
  if (*row.waiting == 0) return Cell(std::int64_t{0});
  const std::string wanted = row.waiting_units ? units_text(*row.waiting_units) : "?";
  return {fmt::format("{} for {}", *row.waiting, wanted), Concern::warning};
}

/// Which columns have something to say in this answer.
struct Shown {
  bool flavor = false;
  bool lending = false;
  bool waiting = false;
  bool deserved = false;
  bool scopes = false;
};

Shown shown_of(const std::vector<QuotaRow>& rows) {
  Shown shown;
  for (const QuotaRow& row : rows) {
    shown.flavor = shown.flavor || !row.flavor.empty();
    shown.lending = shown.lending || row.borrowed || row.lent;
    shown.waiting = shown.waiting || row.waiting;
    shown.deserved = shown.deserved || row.deserved;
    shown.scopes = shown.scopes || !row.scopes.empty();
  }
  return shown;
}

void add_people(QuotaColumns& columns, const Shown& shown) {
  columns.text("KIND", kPeople,
               [](const QuotaRow& row) { return Cell(limiter_text(row.limiter)); });
  columns.text("NAME", kPeople, [](const QuotaRow& row) { return Cell(quota::full_name(row)); })
      .is_name = true;
  columns
      .text("RESOURCE", kPeople,
            [](const QuotaRow& row) { return Cell(resource_text(row.resource, row.unit)); })
      .is_name = true;
  if (shown.flavor)
    columns.text("FLAVOR", kPeople,
                 [](const QuotaRow& row) { return text_or_unknown(row.flavor); });
  columns.number("LIMIT", kPeople, shown_units(&QuotaRow::limit));
  if (shown.deserved)
    columns.number("DESERVED", kPeople, shown_units(&QuotaRow::deserved)).drops_next = true;
  columns.number("USED", kPeople, shown_units(&QuotaRow::used));
  columns.number("FREE", kPeople, shown_units(&QuotaRow::free));
  if (shown.lending) {
    columns.number("BORROWED", kPeopleWide, shown_units(&QuotaRow::borrowed));
    columns.number("LENT", kPeopleWide, shown_units(&QuotaRow::lent));
    columns.number("MAY_BORROW", kPeopleWide, shown_units(&QuotaRow::borrowing_limit));
  }
  if (shown.waiting) columns.number("WAITING", kPeople, waiting_cell).drops_next = true;
  if (shown.scopes)
    columns.text("SCOPES", kPeopleWide,
                 [](const QuotaRow& row) { return text_or_unknown(joined(row.scopes)); });
  columns
      .text("STATE", kPeople,
            [](const QuotaRow& row) { return Cell(state_text(row), concern_of(row)); })
      .is_note = true;
}

void add_plain(QuotaColumns& columns) {
  const unsigned plain = kPlain;
  columns.text("KIND", plain,
               [](const QuotaRow& row) { return Cell(quota::kind_of(row.limiter)); });
  columns.text("SYSTEM", plain,
               [](const QuotaRow& row) { return Cell(quota::system_of(row.limiter)); });
  columns.text("NAMESPACE", plain, [](const QuotaRow& row) { return text_or_unknown(row.ns); });
  columns.text("NAME", plain, [](const QuotaRow& row) { return Cell(row.name); });
  columns.text("RESOURCE", plain, [](const QuotaRow& row) { return Cell(row.resource); });
  columns.text("FLAVOR", plain, [](const QuotaRow& row) { return text_or_unknown(row.flavor); });
  columns.number("LIMIT", plain, shown_units(&QuotaRow::limit));
  columns.number("DESERVED", kPlainWide, shown_units(&QuotaRow::deserved));
  columns.number("USED", plain, shown_units(&QuotaRow::used));
  columns.number("FREE", plain, shown_units(&QuotaRow::free));
  columns.number("BORROWED", plain, shown_units(&QuotaRow::borrowed));
  columns.number("LENT", plain, shown_units(&QuotaRow::lent));
  columns.number("MAY_BORROW", kPlainWide, shown_units(&QuotaRow::borrowing_limit));
  columns.number("MAY_LEND", kPlainWide, shown_units(&QuotaRow::lending_limit));
  columns.number("WAITING", plain,
                 [](const QuotaRow& row) { return report::cell_of(row.waiting); });
  columns.number("WAITING_UNITS", plain, shown_units(&QuotaRow::waiting_units));
  columns.text("PARENT", kPlainWide,
               [](const QuotaRow& row) { return text_or_unknown(row.parent); });
  columns.text("STATE", plain, [](const QuotaRow& row) { return Cell(quota::name_of(row.state)); });
  columns.text("PROBLEM", plain, [](const QuotaRow& row) {
    return text_or_unknown(std::string(quota::name_of(row.problem)));
  });
}

const report::Fields<Figures>& figure_fields() {
  const auto amount = [](std::string key, std::string says,
                         std::optional<Quantity> Figures::*member) {
    return report::Fields<Figures>::Entry{
        {std::move(key), Type::number().or_null(), std::move(says)},
        [member](const Figures& it) { return units_cell(it.*member); }};
  };
  const auto number = [](std::string key, std::string says,
                         std::optional<std::int64_t> Figures::*member) {
    return report::Fields<Figures>::Entry{
        {std::move(key), Type::integer().or_null(), std::move(says)},
        [member](const Figures& it) { return report::cell_of(it.*member); }};
  };
  static const report::Fields<Figures> kFields = {
      amount("used", "Of Kueue: reserved, flavorsReservation.", &Figures::used),
      amount("admitted", "Of Kueue: flavorsUsage.", &Figures::admitted),
      amount("borrowed", "Of used, beyond its own quota.", &Figures::borrowed),
      number(
          "pendingWorkloads",
          "Of the whole queue, in each of its rows, whatever they request; of Volcano PodGroups.",
          &Figures::pending),
      number("reservingWorkloads", "Of the whole queue, too.", &Figures::reserving),
      number("admittedWorkloads", "Of the whole queue, too; of Volcano PodGroups that run.",
             &Figures::running),
  };
  return kFields;
}

void add_names(QuotaColumns& columns) {
  columns.machine({"kind", Type::text(), "Namespace: pods there hold GPUs that nothing limits."},
                  [](const QuotaRow& row) { return Cell(quota::kind_of(row.limiter)); });
  columns.machine(
      {"system", Type::one_of({"kubernetes", "kueue", "volcano", "kai"}), "Whose rule it is."},
      [](const QuotaRow& row) { return Cell(quota::system_of(row.limiter)); });
  columns.machine({"namespace", Type::text().or_null(), "null: of the whole cluster."},
                  [](const QuotaRow& row) { return text_or_unknown(row.ns); });
  columns.machine({"name", Type::text()}, [](const QuotaRow& row) { return Cell(row.name); });
  columns.machine({"resource", Type::text(), "A resource, or a DeviceClass."},
                  [](const QuotaRow& row) { return Cell(row.resource); });
  columns.machine({"unit", Type::text().or_null(),
                   "What one of them is: gpu, mig, share; mixed; null: nodes have none."},
                  [](const QuotaRow& row) { return text_or_unknown(row.unit); });
  columns.machine({"flavor", Type::text().or_null(), "Of Kueue."},
                  [](const QuotaRow& row) { return text_or_unknown(row.flavor); });
  columns.machine({"key", Type::text().or_null(), "As the object has it."},
                  [](const QuotaRow& row) { return text_or_unknown(row.key); });
  columns.machine(
      {"parent", Type::text().or_null(),
       "A LocalQueue's ClusterQueue, a ClusterQueue's or Cohort's cohort, a queue's parent."},
      [](const QuotaRow& row) { return text_or_unknown(row.parent); });
  columns.machine({"scopes", Type::list(Type::text()), "Of a ResourceQuota: it counts such pods."},
                  [](const QuotaRow& row) {
                    report::List list;
                    for (const std::string& scope : row.scopes) list.emplace_back(scope);
                    return Cell(std::move(list));
                  });
}

void add_amounts(QuotaColumns& columns) {
  const auto amount = [&](std::string key, std::string says, Units member) {
    columns.machine({std::move(key), Type::number().or_null(), std::move(says)}, units(member));
  };
  amount("limit",
         "hard, nominalQuota, capability or limit; of a Cohort with all below it; null: none.",
         &QuotaRow::limit);
  amount("deserved", "Of Volcano; of KAI its quota.", &QuotaRow::deserved);
  amount("used", "As its controller wrote it, otherwise as counted here.", &QuotaRow::used);
  amount("free", "What could still be had, borrowing included; of a Cohort by one of its queues.",
         &QuotaRow::free);
  amount("borrowed", "Of used, beyond its own quota.", &QuotaRow::borrowed);
  amount("lent",
         "Of its own quota, what other queues have; null, too, where any of several may lend it.",
         &QuotaRow::lent);
  amount("borrowingLimit", "null: none.", &QuotaRow::borrowing_limit);
  amount("lendingLimit", "null: none.", &QuotaRow::lending_limit);
  columns.machine({"waitingWorkloads", Type::count().or_null(),
                   "Workloads, PodGroups or pods that wait there and request the resource; of a "
                   "ResourceQuota pods that it refuses. A Workload of Kueue is in the row of the "
                   "first flavor that its pods may use: Kueue has decided on none yet."},
                  [](const QuotaRow& row) { return report::cell_of(row.waiting); });
  amount("waitingUnits", "What they request.", &QuotaRow::waiting_units);
}

void add_machine(QuotaColumns& columns) {
  add_names(columns);
  add_amounts(columns);
  columns.machine({"state", Type::one_of<State>(quota::name_of)},
                  [](const QuotaRow& row) { return Cell(quota::name_of(row.state)); });
  columns.machine({"stop", Type::text().or_null(),
                   "Why a queue is stopped: Hold, HoldAndDrain, Inactive, Closed, Closing."},
                  [](const QuotaRow& row) { return text_or_unknown(row.stop); });
  columns.machine({"isWrong", Type::flag(),
                   "It counts nothing, names what does not exist, or is exceeded: exit code 1."},
                  [](const QuotaRow& row) { return Cell(quota::is_wrong(row)); });
  columns.machine({"problem", Type::one_of<quota::Problem>(quota::name_of).or_null(),
                   "Why it counts nothing, or gives nothing that exists now."},
                  [](const QuotaRow& row) {
                    return text_or_unknown(std::string(quota::name_of(row.problem)));
                  });
  columns.machine({"suggestion", Type::text().or_null(), "What may have been meant."},
                  [](const QuotaRow& row) { return text_or_unknown(row.suggestion); });
  columns.machine({"reported", figure_fields().type(), "By its controller, in its status."},
                  [](const QuotaRow& row) { return Cell(figure_fields().record(row.reported)); });
  columns.machine({"counted", figure_fields().type(), "Here, of pods and Workloads."},
                  [](const QuotaRow& row) { return Cell(figure_fields().record(row.counted)); });
  columns.machine({"differs", Type::flag(), "Whether these two differ."},
                  [](const QuotaRow& row) { return Cell(quota::differs(row)); });
  // What -o name prints.
  columns.text("", 0, [](const QuotaRow& row) {
    return Cell(fmt::format("{}/{}", type_of(row.limiter), quota::full_name(row)));
  });
}

}  // namespace

report::Table quota_table(const quota::QuotaAnswer& answer) {
  QuotaColumns columns;
  add_people(columns, shown_of(answer.rows));
  add_plain(columns);
  add_machine(columns);
  return columns.table(answer.rows);
}

}  // namespace gpu::cmd
