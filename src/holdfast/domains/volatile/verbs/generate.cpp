#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/generator_io.hpp"
#include "holdfast/domains/volatile/instance_io.hpp"
#include "holdfast/domains/volatile/verbs.hpp"
#include "holdfast/kernel/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace holdfast::volatile_workers {
namespace {

constexpr auto kFamilies = std::to_array<std::string_view>({"random", "adversary:bi-clique"});

struct GenerateOptions {
  std::string family = std::string(kFamilies.front());
  std::int64_t draw_states = 0;
  std::int64_t size = 3;
  std::optional<std::string> edges;
  std::optional<std::int64_t> bi_clique_workers, bi_clique_slots;
  bool unbounded = false;
};
constexpr auto kGenerateFamily = std::to_array<Field<GenerateOptions>>({
    {.name = "family",
     .summary = "random (default), or adversary:bi-clique",
     .member = member<&GenerateOptions::family>,
     .fallback = "-"},
});
constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "draw_states",
     .summary = "random: draw the states of this many slots, and write them as fixed availability",
     .member = member<&GenerateOptions::draw_states>,
     .range = between(1, 1e8)},
    {.name = "size",
     .summary =
         "adversary: workers and slots of a bi-clique hidden in a random graph twice as large",
     .member = member<&GenerateOptions::size>,
     .range = between(1, 1000)},
    {.name = "edges",
     .summary = "adversary: the edges of a graph to use instead of a random one: "
                "worker-slot,worker-slot,...",
     .member = member<&GenerateOptions::edges>},
    {.name = "bi_clique_workers",
     .summary =
         "adversary: number of workers in the bi-clique to find (a), which is the number of tasks",
     .member = member<&GenerateOptions::bi_clique_workers>,
     .range = at_least(1)},
    {.name = "bi_clique_slots",
     .summary = "adversary: number of common slots in the bi-clique to find (b), which is the work "
                "of a task",
     .member = member<&GenerateOptions::bi_clique_slots>,
     .range = at_least(1)},
    {.name = "unbounded",
     .summary = "adversary: a worker may do any number of tasks",
     .member = member<&GenerateOptions::unbounded>},
});

Result<BiClique> read_graph(const std::string& edges) {
  BiClique graph;
  for (const std::string_view edge : split(edges, ',')) {
    const auto ends = split(edge, '-');
    if (ends.size() != 2) {
      return fail(ErrorCode::usage, "/edges",
                  fmt::format("found {}, expected WORKER-SLOT", in_quotes(edge)));
    }
    std::array<std::int64_t, 2> numbers{};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto number = parse_integer(ends[i]);
      if (!number || *number < 0 || *number > 1'000'000) {
        return fail(
            ErrorCode::usage, "/edges",
            fmt::format("found {}, expected a number from 0 to 1000000", in_quotes(ends[i])));
      }
      numbers[i] = *number;
    }
    graph.left = std::max(graph.left, numbers[0] + 1);
    graph.right = std::max(graph.right, numbers[1] + 1);
    graph.edges.emplace_back(numbers[0], numbers[1]);
  }
  return graph;
}

// A random graph of 2n workers and 2n slots with half of all edges, in which a bi-clique of n workers and n slots is hidden.
BiClique hidden_bi_clique(std::int64_t size, std::uint64_t seed, std::int64_t& last_slot) {
  Stream stream({.seed = seed, .purpose = Purpose::instance});
  const auto choose = [&] {
    std::vector<std::int64_t> all(static_cast<std::size_t>(2 * size));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
      const auto last = static_cast<std::int64_t>(all.size()) - 1;
      std::swap(all[i],
                all[static_cast<std::size_t>(stream.integer(static_cast<std::int64_t>(i), last))]);
    }
    all.resize(static_cast<std::size_t>(size));
    return all;
  };
  const auto workers = choose(), slots = choose();
  last_slot = *std::max_element(slots.begin(), slots.end());
  const auto has = [](const std::vector<std::int64_t>& list, std::int64_t item) {
    return std::find(list.begin(), list.end(), item) != list.end();
  };
  BiClique graph{.left = 2 * size, .right = 2 * size, .edges = {}};
  for (std::int64_t i = 0; i < 2 * size; ++i) {
    for (std::int64_t j = 0; j < 2 * size; ++j) {
      const bool is_edge = stream.chance(0.5);
      if (is_edge || (has(workers, i) && has(slots, j))) graph.edges.emplace_back(i, j);
    }
  }
  return graph;
}

Result<Answer> adversary(const GenerateOptions& options, std::uint64_t seed) {
  BiClique graph;
  std::int64_t last_slot = -1;
  const std::int64_t size = options.size;
  if (options.edges) {
    HOLDFAST_TRY(given, read_graph(*options.edges));
    graph = std::move(given);
  } else {
    graph = hidden_bi_clique(size, seed, last_slot);
  }
  graph.workers = options.bi_clique_workers.value_or(size);
  graph.slots = options.bi_clique_slots.value_or(size);
  graph.unbounded = options.unbounded;
  HOLDFAST_TRY(instance, bi_clique(graph));
  HOLDFAST_CHECK(check(instance));
  Answer answer;
  answer.document = to_value(instance);
  if (last_slot >= 0 && graph.workers <= size && graph.slots <= size) {
    // The makespan with the hidden bi-clique; in the unbounded form the slots that follow are needed too.
    const std::int64_t reference =
        graph.unbounded ? static_cast<std::int64_t>(instance.states.front().size()) : last_slot + 1;
    answer.document.set("reference", reference);
  }
  answer.document.set("bound", "NP-hard: a makespan exists iff the graph has the bi-clique");
  return answer;
}

void draw_states(Instance& instance, std::int64_t slots, std::uint64_t seed) {
  instance.slot_limit = slots;
  const auto availability = drawn_availability(instance, {.seed = seed});
  instance.states.assign(instance.workers.size(),
                         std::string(static_cast<std::size_t>(slots), 'u'));
  std::size_t record = 0;
  for (std::int64_t t = 0; t < slots; ++t) {
    if (availability->until(record) <= t && !availability->reach(++record)) break;
    for (std::size_t q = 0; q < instance.workers.size(); ++q) {
      const auto state = static_cast<std::size_t>(availability->state(record, q));
      instance.states[q][static_cast<std::size_t>(t)] = "urd"[state];
    }
  }
}

Result<Answer> run_generate(const GenerateOptions& options, const Request& request) {
  if (options.family == kFamilies.back()) return adversary(options, request.seed);
  if (options.family != kFamilies.front()) {
    return fail(ErrorCode::usage, "generate",
                fmt::format("unknown family {}, {}", in_quotes(options.family),
                            suggestion(options.family, kFamilies)));
  }
  HOLDFAST_TRY(parameters, read_generator(request.parameters, request.directory));
  HOLDFAST_TRY(instance, generate(parameters, request.seed, 0));
  if (options.draw_states > 0 && instance.states.empty()) {
    draw_states(instance, options.draw_states, request.seed);
  }
  Answer answer;
  answer.document = to_value(instance);
  return answer;
}

constexpr auto kGenerateResults =
    std::to_array<ResultField>({{"reference?", "makespan of a schedule that exists", Unit::slots},
                                {"bound?", "what the proof shows", Holds::text}});

}  // namespace

Verb generate_verb() {
  return {
      .name = "generate",
      .summary = "write a random platform, or a worst case",
      .example = "holdfast volatile generate --workers 20 --tasks 5 --output pool.json",
      .options = fields_of<kGenerateOptions>().parameters(),
      .positionals = fields_of<kGenerateFamily>().parameters(),
      .results = kGenerateResults,
      .gives = Gives::instance,
      .run = with_options<run_generate, fields_of<kGenerateFamily>, fields_of<kGenerateOptions>>};
}

}  // namespace holdfast::volatile_workers
