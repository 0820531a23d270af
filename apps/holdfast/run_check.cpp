#include "holdfast/run_check.hpp"

#include <fmt/format.h>

#include <memory>

namespace holdfast::cli {

Status check_runs(const Domain& domain, const SimulateRequest& request, std::uint64_t scenarios) {
  HOLDFAST_TRY(point, domain.open(request.parameters, request.strategies, request.directory));
  const std::unique_ptr<Workspace> workspace = point->make_workspace();
  for (std::uint64_t scenario = 0; scenario < scenarios; ++scenario) {
    const Draw draw{.seed = request.seed, .instance = 0, .scenario = scenario};
    for (std::size_t i = 0; i < request.strategies.size(); ++i) {
      if (request.control.stopped()) return fail(ErrorCode::interrupted, "", "stopped");
      HOLDFAST_TRY(outcome, point->run(draw, i, *workspace, true));
      const auto verdict = point->check(draw, i, outcome);
      if (!verdict) {
        return fail(ErrorCode::usage, "--check",
                    fmt::format("'{}' offers no check of its runs", domain.name));
      }
      if (!*verdict) {
        return fail(ErrorCode::infeasible,
                    fmt::format("scenario {}, {}", scenario, request.strategies[i].text),
                    "the run does not obey the model: " + verdict->error().text());
      }
    }
  }
  return {};
}

}  // namespace holdfast::cli
