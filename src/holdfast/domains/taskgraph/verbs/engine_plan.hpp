#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/verb.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::taskgraph {

/// The engines for which threads are written.
enum class Engine : std::uint8_t { none, snakemake, nextflow };

/// The options of `plan` about a workflow of an engine.
struct EngineOptions {
  std::vector<std::string> runs;
  std::filesystem::path graph;
  std::optional<std::int64_t> cores;
  double delay = 0;
  Engine as = Engine::none;
};

/// Returns one number of threads for each rule, compared with what the engine would do, and the engine's file that sets them.
[[nodiscard]] Result<Answer> answer_engine_plan(const EngineOptions& options,
                                                const Request& request);

}  // namespace holdfast::taskgraph
