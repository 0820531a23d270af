#include "holdfast/answers/option_hint.hpp"

#include "holdfast/base/text.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast {
namespace {

/// Words of schedulers, of other tools and of papers, and their names here. The first one that the command has is meant.
struct Synonyms {
  std::string_view typed;  ///< separated by blanks
  std::string_view meant;
};
constexpr auto kSynonyms = std::to_array<Synonyms>({
    {"nodes node procs proc processes cpus cpu ranks ntasks np n N P p",
     "processors machines workers nodes"},
    {"cores core cores-per-node cpus-per-task c", "processors cores cores-per-node workers"},
    {"hosts servers machines", "machines workers processors"},
    {"ckpt checkpoint-cost checkpoint-time checkpoint-duration checkpoint-length cost C",
     "checkpoint checkpoint-unit-cost"},
    {"walltime wall-time wallclock time runtime run-time duration length hours t W",
     "time-limit work length longest"},
    {"restart restart-time restore recover recovery-cost recovery-time R", "recovery"},
    {"async asynchronous durable durable-after async-save background persist", "flush"},
    {"reboot repair repair-time mttr D", "downtime"},
    {"elastic min-nodes shrink", "minimum-nodes"},
    {"mttf mtti mean mean-time-between-failures node-mtbf processor-mtbf rate failure-rate lambda",
     "mtbf error-rate rate"},
    {"system-mtbf machine-mtbf cluster-mtbf job-mtbf", "platform-mtbf mtbf"},
    {"law dist failure-law model", "distribution law"},
    {"age uptime node-age", "platform-age"},
    {"interval checkpoint-interval every tau", "period"},
    {"runs reps repetitions replications replicates repeats simulations count samples",
     "scenarios"},
    {"policy policies algorithm algorithms heuristic strategies method S", "strategy"},
    {"apps jobs", "applications"},
    {"tasks job-count n-jobs njobs", "jobs job-count tasks"},
    {"power cap power-cap energy availability outages capacity", "alive"},
    {"parallel jobs workers j T", "threads"},
    {"random-seed random-state rng s", "seed"},
    {"out outfile out-file output-file o", "output"},
    {"overwrite replace f y", "force"},
    {"input config file in document job i", "instance"},
    {"gantt svg picture figure draw timeline trace", "schedule plot"},
    {"graph chart image", "plot schedule"},
    {"silent q", "quiet"},
    {"debug v", "verbose"},
    {"list strategies-list list-policies", "list-strategies"},
    {"queue q p", "partition"},
    {"project A", "account"},
});

/// The same for verbs.
constexpr auto kVerbSynonyms = std::to_array<Synonyms>({
    {"trend months availability statistics stats summary show", "info"},
    {"law distribution mtbf estimate", "fit"},
    {"cut filter window", "slice"},
    {"export translate", "convert"},
    {"compare evaluate benchmark", "simulate"},
    {"when period interval schedule", "plan expected"},
    {"spare nodes-needed", "spares"},
});

/// Options that are no other name of one that exists, and what to do in their place.
struct Instead {
  std::string_view typed;  ///< separated by blanks
  std::string_view needs;  ///< options of the command; all of them
  std::string_view text;
};
constexpr auto kInstead = std::to_array<Instead>({
    {"--detection --silent-errors --sdc --verification", "save-failure",
     "errors that are found only later are not modelled; checkpoints that turn out not to be whole "
     "are (--save-failure)"},
    {"--bandwidth --bw --checkpoint-size --ckpt-size --size", "platform-mtbf checkpoint",
     "the size of a checkpoint and the bandwidth are given together, as --checkpoint 1TB@10GB/s"},
    {"--gpus --gpu --num-gpus --ngpus --gpus-per-node --world-size", "processors",
     "GPUs of a node fail with it, so what counts is nodes: give their number (--processors) and "
     "the MTBF of one (--mtbf, or --failure-rate '6.5 per 1000 node-days'), or the MTBF of the "
     "whole job (--platform-mtbf)"},
    {"--quantile --quantiles --percentile --percentiles --p90 --p95 --p99", "scenarios",
     "the 10 % and 90 % quantiles and the median are always printed; for others 'holdfast init' "
     "and 'holdfast run' keep every run, and 'holdfast report DIR --export csv' lists them"},
});

bool holds(std::string_view words, std::string_view word) {
  const auto parts = split(words, ' ');
  return std::find(parts.begin(), parts.end(), word) != parts.end();
}

std::string another_word(std::span<const Synonyms> rows, std::string_view typed,
                         std::span<const std::string> names) {
  for (const Synonyms& row : rows) {
    if (!holds(row.typed, typed)) continue;
    for (const std::string_view meant : split(row.meant, ' ')) {
      if (std::find(names.begin(), names.end(), meant) != names.end()) return std::string(meant);
    }
  }
  return {};
}

// Returns the only name that begins in this way; empty if there is none or more than one.
std::string continued(std::string_view typed, std::span<const std::string> names) {
  constexpr std::size_t kShortest = 3;
  const auto begins = [typed](const std::string& name) { return name.starts_with(typed); };
  if (typed.size() < kShortest || std::count_if(names.begin(), names.end(), begins) != 1) return {};
  return *std::find_if(names.begin(), names.end(), begins);
}

}  // namespace

std::string_view given_instead(std::span<const std::string> names, std::string_view typed) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  const auto row = std::ranges::find_if(kInstead, [&](const Instead& one) {
    return holds(one.typed, typed) && std::ranges::all_of(split(one.needs, ' '), has);
  });
  return row == kInstead.end() ? std::string_view() : row->text;
}

std::string meant_verb(std::span<const std::string> verbs, std::string_view typed) {
  const std::vector<std::string_view> views(verbs.begin(), verbs.end());
  const std::string_view near = closest(typed, views);
  return near.empty() ? another_word(kVerbSynonyms, typed, verbs) : std::string(near);
}

std::string meant_option(std::span<const std::string> names, std::string_view typed) {
  const bool is_letter = !typed.starts_with("--") && typed.size() == 2;
  typed.remove_prefix(std::min(typed.find_first_not_of('-'), typed.size()));
  std::string word(typed);
  std::replace(word.begin(), word.end(), '_', '-');
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string meant = another_word(kSynonyms, word, names);
  if (meant.empty()) meant = continued(word, names);
  if (meant.empty() && !is_letter) meant = closest(lower_case(word), views);
  return meant.empty() ? meant : "--" + meant;
}

}  // namespace holdfast
