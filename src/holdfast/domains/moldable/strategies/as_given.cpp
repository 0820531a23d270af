#include "holdfast/base/text.hpp"
#include "holdfast/domains/moldable/strategies/makers.hpp"

#include <fmt/format.h>

namespace holdfast::moldable {
namespace {

/// The allocations that the document gives, attempt by attempt.
class AsGiven final : public Strategy {
 public:
  AsGiven(Priority priority, const std::vector<std::vector<std::int64_t>>& given)
      : Strategy(priority), given_{given} {}

  void allot(const State& state, std::int64_t, Allotment& out) const override {
    out.clear();
    for (const std::uint32_t job : state.pending) {
      const std::size_t begin = out.runs.size();
      for (const std::int64_t processors : given_[job]) {
        const bool continues = out.runs.size() > begin && out.runs.back().processors == processors;
        if (continues) {
          ++out.runs.back().attempts;
        } else {
          out.runs.push_back({processors, 1});
        }
      }
      out.runs.back().attempts = kUnlimited;
      out.end_job();
    }
  }

 private:
  std::vector<std::vector<std::int64_t>> given_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_as_given(const StrategySpec& spec,
                                                const Instance& instance) {
  if (instance.given.empty()) {
    return fail(ErrorCode::bad_value, "/jobs",
                "found no allocation, expected one for each job: 'as-given' takes them from the "
                "document");
  }
  for (std::size_t job = 0; job < instance.given.size(); ++job) {
    if (!instance.given[job].empty()) continue;
    return fail(ErrorCode::bad_value, fmt::format("/jobs/{}", job),
                fmt::format("found no allocation of job {}, expected one: 'as-given' takes them "
                            "from the document",
                            in_quotes(instance.name(job))));
  }
  return std::make_unique<AsGiven>(priority_of(spec), instance.given);
}

}  // namespace holdfast::moldable
