#include "holdfast/answers/asked/option_hint.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast {
namespace {

/// Words of schedulers, of other tools and of papers, and their names here.
struct Synonyms {
  std::string_view
      meant;  ///< names here, separated by blanks; the first one that the command has is meant
  /// Words that say the same as the first of them, in the same unit: they are taken for it.
  std::string_view same;
  std::string_view near = {};  ///< words that may mean one of them: an error names it
};
constexpr auto kSynonyms = std::to_array<Synonyms>({
    {"processors machines workers nodes", "procs nprocs num-processors",
     "nodes nnodes num-nodes node proc processes cpus cpu ranks ntasks np n N P p"},
    {"processors cores cores-per-node workers", "", "cores core cores-per-node cpus-per-task c"},
    {"machines workers processors", "", "hosts servers machines"},
    {"checkpoint checkpoint-unit-cost", "ckpt checkpoint-cost checkpoint-time ckpt-cost ckpt-time",
     "checkpoint-duration checkpoint-length check cost C"},
    {"time-limit work length longest", "walltime wall-time wallclock timelimit",
     "time runtime run-time duration length hours t W"},
    {"recovery", "recovery-time recovery-cost restore-time restart-time restart-cost",
     "restart restore recover R"},
    {"flush", "flush-time durable-after",
     "async asynchronous durable async-save background persist"},
    {"downtime", "", "reboot repair repair-time mttr D"},
    {"minimum-nodes", "min-nodes", "elastic shrink"},
    {"mtbf error-rate rate", "mttf node-mtbf processor-mtbf mean-time-between-failures",
     "mtti mean rate failure-rate lambda"},
    {"platform-mtbf mtbf", "job-mtbf", "system-mtbf machine-mtbf cluster-mtbf"},
    {"distribution law", "failure-law failure-distribution dist", "law model"},
    {"platform-age", "", "age uptime node-age"},
    {"period", "", "interval checkpoint-interval every tau"},
    {"scenarios", "runs reps repetitions replications replicates repeats simulations",
     "count samples"},
    {"strategy", "strategies policy policies algorithm algorithms heuristic", "method S"},
    {"applications", "apps", "jobs"},
    {"jobs job-count tasks", "", "tasks job-count n-jobs njobs"},
    {"alive", "", "power cap power-cap energy availability outages capacity"},
    {"threads", "", "parallel jobs workers j T"},
    {"seed", "random-seed random-state rng", "s"},
    {"output", "out outfile out-file output-file", "o"},
    {"force", "overwrite", "replace f y"},
    {"instance", "", "input config file in document job i"},
    {"schedule plot", "gantt timeline", "svg picture figure draw trace"},
    {"plot schedule", "chart graph figure", "image"},
    {"quantile", "quantiles"},
    {"quiet", "silent", "q"},
    {"verbose", "", "debug v"},
    {"list-strategies", "list-policies", "list strategies-list"},
    {"partition", "queue", "q p"},
    {"account", "", "project A"},
});

/// The same for verbs.
constexpr auto kVerbSynonyms = std::to_array<Synonyms>({
    {"info", "trend statistics stats summary show describe", "months availability"},
    {"fit", "estimate", "law distribution mtbf"},
    {"slice", "cut", "filter window"},
    {"convert", "translate", "export"},
    {"simulate", "compare", "evaluate benchmark"},
    {"plan expected", "", "when period interval schedule"},
    {"spares", "", "spare nodes-needed"},
});

/// Options that are no other name of one that exists, and what to do in their place.
struct Instead {
  std::string_view typed;  ///< separated by blanks
  std::string_view needs;  ///< options of the command; all of them
  std::string_view text;
  /// Options beside which it changes nothing, and so can be left out: all that counts is said.
  std::string_view idle_beside = {};
};
constexpr auto kInstead = std::to_array<Instead>({
    {"--detection --silent-errors --sdc --verification", "save-failure",
     "errors that are found only later are not modelled; checkpoints that turn out not to be whole "
     "are (--save-failure)"},
    {"--async --asynchronous --async-save --background", "checkpoint flush",
     "a save in the background has two times, that for which the job stops and that until it is "
     "safe: --checkpoint 5s --flush 10min"},
    {"--bandwidth --bw --checkpoint-size --ckpt-size --size", "platform-mtbf checkpoint",
     "the size of a checkpoint and the bandwidth are given together, as --checkpoint 1TB@10GB/s"},
    {"--gpus --gpu --num-gpus --ngpus --gpus-per-node --world-size", "processors",
     "GPUs of a node fail with it, so what counts is nodes: give their number (--processors) and "
     "the MTBF of one (--mtbf, or --failure-rate '6.5 per 1000 node-days'), or the MTBF of the "
     "whole job (--platform-mtbf)",
     "--processors --platform-mtbf"},
    {"--percentile --percentiles --p90 --p95 --p99", "quantile",
     "the 10 % and 90 % quantiles and the median are always printed, and others by --quantile "
     "0.95,0.99"},
    {"--as --cores", "series table",
     "threads of a workflow's rules are planned, and written for its engine, by 'holdfast "
     "taskgraph plan FILE --cores N --as nextflow|snakemake'"},
});

bool holds(std::string_view words, std::string_view word) {
  const auto parts = split(words, ' ');
  return std::find(parts.begin(), parts.end(), word) != parts.end();
}

bool has(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string another_word(std::span<const Synonyms> rows, std::string_view typed,
                         std::span<const std::string> names) {
  for (const Synonyms& row : rows) {
    if (!holds(row.same, typed) && !holds(row.near, typed)) continue;
    for (const std::string_view meant : split(row.meant, ' ')) {
      if (has(names, meant)) return std::string(meant);
    }
  }
  return {};
}

// Returns the name for which a word is taken; empty if it may mean something else.
std::string same_word(std::span<const Synonyms> rows, std::string_view typed,
                      std::span<const std::string> names) {
  for (const Synonyms& row : rows) {
    const std::string_view meant = row.meant.substr(0, row.meant.find(' '));
    if (holds(row.same, typed) && has(names, meant)) return std::string(meant);
  }
  return {};
}

// Returns the word of an option in the spelling of names: without dashes before it, and with dashes in it.
std::string word_of(std::string_view typed) {
  typed.remove_prefix(std::min(typed.find_first_not_of('-'), typed.size()));
  std::string word(typed);
  std::ranges::replace(word, '_', '-');
  return word;
}

// Returns the only name that begins in this way; empty if there is none or more than one.
std::string continued(std::string_view typed, std::span<const std::string> names) {
  constexpr std::size_t kShortest = 3;
  const auto begins = [typed](const std::string& name) { return name.starts_with(typed); };
  if (typed.size() < kShortest || std::count_if(names.begin(), names.end(), begins) != 1) return {};
  return *std::find_if(names.begin(), names.end(), begins);
}

const Instead* instead_of(std::span<const std::string> names, std::string_view typed) {
  const auto row = std::ranges::find_if(kInstead, [&](const Instead& one) {
    return holds(one.typed, typed) &&
           std::ranges::all_of(split(one.needs, ' '), [&](auto name) { return has(names, name); });
  });
  return row == kInstead.end() ? nullptr : &*row;
}

}  // namespace

std::string_view given_instead(std::span<const std::string> names, std::string_view typed) {
  const Instead* row = instead_of(names, typed);
  return row == nullptr ? std::string_view() : row->text;
}

std::string_view idle_beside(std::span<const std::string> names, std::string_view typed,
                             std::span<const std::string> given) {
  const Instead* row = instead_of(names, typed);
  if (row == nullptr || row->idle_beside.empty()) return {};
  for (const std::string_view other : split(row->idle_beside, ' ')) {
    if (has(given, other)) return other;
  }
  return {};
}

std::string meant_verb(std::span<const std::string> verbs, std::string_view typed) {
  const std::vector<std::string_view> views(verbs.begin(), verbs.end());
  const std::string_view near = closest(typed, views);
  return near.empty() ? another_word(kVerbSynonyms, typed, verbs) : std::string(near);
}

std::string same_verb(std::span<const std::string> verbs, std::string_view typed) {
  return same_word(kVerbSynonyms, typed, verbs);
}

std::string meant_option(std::span<const std::string> names, std::string_view typed) {
  const bool is_letter = !typed.starts_with("--") && typed.size() == 2;
  const std::string word = word_of(typed);
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string meant = another_word(kSynonyms, word, names);
  if (meant.empty()) meant = continued(word, names);
  if (meant.empty() && !is_letter) meant = closest(lower_case(word), views);
  return meant.empty() ? meant : "--" + meant;
}

std::string unknown_option_hint(std::span<const std::string> names, std::string_view typed,
                                std::string_view dashes) {
  const std::string_view instead = given_instead(names, typed);
  if (!instead.empty()) return fmt::format(": {}", instead);
  const std::string near = meant_option(names, typed);
  if (near.empty()) return near;
  return fmt::format("; did you mean '{}{}'?", dashes, word_of(near));
}

std::string same_option(std::span<const std::string> names, std::string_view typed) {
  if (!typed.starts_with("--") || typed.size() < 3) return {};
  const std::string word = lower_case(word_of(typed));
  const std::string same = has(names, word) ? word : same_word(kSynonyms, word, names);
  return same.empty() ? same : "--" + same;
}

}  // namespace holdfast
