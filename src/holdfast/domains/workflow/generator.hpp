#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/workflow/instance.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace holdfast::workflow {

/// Families of workflows, in the order of kFamilyNames: shapes and run times of nine scientific workflows, as drawn by release
/// 0.4 of the WfCommons package.
enum class Family : std::uint8_t {
  blast,
  bwa,
  cycles,
  epigenomics,
  genome,
  montage,
  seismology,
  soykb,
  srasearch,
};
inline constexpr std::array<std::string_view, 9> kFamilyNames = {
    "blast",   "bwa",        "cycles", "epigenomics", "genome",
    "montage", "seismology", "soykb",  "srasearch"};
/// Returns the smallest number of tasks in a workflow of that family.
[[nodiscard]] std::int64_t least_tasks(Family family);

/// The scale of a workflow, which decides the factor on all lengths.
enum class Scale : std::uint8_t {
  large,   ///< failure-free makespan uniform in 3 to 5 days
  small,   ///< failure-free makespan uniform in 15 to 24 hours
  author,  ///< the author's factor for the family; as `large` if that is unknown
  none,    ///< lengths as they were measured
};

struct GeneratorParameters {
  Family family = Family::seismology;
  std::int64_t tasks = 50'000;  ///< approximate number of tasks
  Scale scale = Scale::large;
  std::optional<double> factor = {};  ///< factor on lengths, instead of that of the scale
};

/// A drawn workflow on a machine.
struct Experiment : Machine, Costs, GeneratorParameters {
  Experiment() {
    processors = 16'384;
    mtbf = 10 * kYear;
    all_checkpoints = 60;
  }
};

/// A workflow with the types of its tasks.
struct Generated {
  Dag graph;
  std::vector<double> lengths;          ///< [n] seconds
  std::vector<std::uint8_t> type_of;    ///< [n]
  std::vector<std::string_view> types;  ///< names
  /// Returns "blastall_00000012": type and position of a task.
  [[nodiscard]] std::string name(std::size_t task) const;
};

/// Factors of scales, kept between calls because each needs a schedule of 50 000 tasks.
using FactorCache = std::map<std::tuple<Family, Scale, std::uint64_t, std::uint64_t>, double>;

/// Draws a workflow. The factor of `large` and `small` is that of the workflow with 50 000 tasks on 16 384 processors, whatever
/// the size asked for, so that size and machine can vary while the lengths of tasks stay the same. Source: Perotin's thesis,
/// section 6.5.1; the recipes of the generator that the thesis used.
/// @param cache  may be null
[[nodiscard]] Generated generate(const GeneratorParameters& parameters, std::uint64_t seed,
                                 std::uint64_t instance, FactorCache* cache = nullptr);

/// Returns the tight instance of Theorem 22 and Proposition 3: n(K) equal tasks of 2 K - 1 s, all ready at once, with
/// checkpoints of 1 s, recovery and downtime 0, and ln(1 + 1/(2K)) / (2K) failures per second. min-exp uses one segment,
/// check-more 2 K - 1 segments of 1 s. @pre 2 <= size <= 6
[[nodiscard]] Instance tight_instance(std::int64_t size);

}  // namespace holdfast::workflow
