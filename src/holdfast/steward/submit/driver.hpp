#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/verb.hpp"
#include "holdfast/steward/submit/attempt.hpp"
#include "holdfast/steward/submit/core.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::steward::submit {

/// The options of `moldable submit`.
struct Options {
  bool act = false;
  bool dry_run = false;
  std::string directory = "holdfast-submit";
  Size size = Size::tasks;
  std::string sbatch;
  std::int64_t attempts = 5;
  double every = 2;  ///< seconds
  bool once = false;
};

/// What is to be submitted.
struct Order {
  Options options;
  Charge charge;
  Form form;
  std::vector<Work> works;  ///< [jobs]
};

/// How a run stands.
struct Standing {
  State state;
  std::vector<Action> next = {};  ///< what would be submitted now, in a dry run
};

/// Returns how a run stands that begins, or that the folder keeps. Slurm is asked only about one that has begun.
[[nodiscard]] Result<Standing> look_once(const Order& order);

/// Submits attempts and follows them until all jobs are over. An error if the folder keeps a run of other jobs.
[[nodiscard]] Result<Standing> follow(const Order& order, const Request& request);

}  // namespace holdfast::steward::submit
