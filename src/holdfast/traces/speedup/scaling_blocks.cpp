#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <vector>

namespace holdfast {
namespace {

constexpr std::string_view kTitle = ">>>";

}  // namespace

Result<SpeedupTable> read_scaling_blocks(LineReader lines) {
  std::vector<SpeedupRuns> out;
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    const auto words = words_of(line);
    if (words.empty() || words.front().starts_with('#')) continue;
    if (words.front() == kTitle) {
      std::string name;
      for (std::size_t i = 1; i < words.size(); ++i) {
        name += (name.empty() ? "" : " ") + std::string(words[i]);
      }
      out.push_back({.name = std::move(name), .processors = {}, .seconds = {}});
      continue;
    }
    const auto processors = parse_integer(words.front());
    const auto seconds =
        words.size() < 2 ? Result<double>{0.0} : parse_quantity(words[1], Unit::none);
    if (out.empty() || !processors || *processors < 1 || !seconds || !(*seconds > 0)) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {}, expected a title after >>> or a number of nodes and the "
                              "seconds on them",
                              in_quotes(trim(line).substr(0, 60))));
    }
    out.back().processors.push_back(*processors);
    out.back().seconds.push_back(*seconds);
  }
  std::erase_if(out, [](const SpeedupRuns& runs) { return runs.processors.empty(); });
  if (out.empty()) {
    return fail(ErrorCode::bad_format, lines.place(), "found no run, expected at least one");
  }
  return out;
}

bool looks_like_scaling_blocks(std::string_view head) {
  for (const std::string_view line : split(head, '\n')) {
    const auto words = words_of(line);
    if (words.empty() || words.front().starts_with('#')) continue;
    return words.front() == kTitle && words.size() > 1;
  }
  return false;
}

FormatOf<SpeedupTable> scaling_blocks_format() {
  return {.facts = {.name = "scaling-blocks",
                    .summary = "run times by number of nodes in blocks with titles (>>>)",
                    .recognise = looks_like_scaling_blocks},
          .read = read_scaling_blocks};
}

}  // namespace holdfast
