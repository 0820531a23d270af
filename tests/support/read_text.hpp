#pragma once

#include "holdfast/traces/formats.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::test {

/// Reads a text as one format, with errors placed in a file of that name.
template <class Record>
Result<Record> read_text(std::string_view format, std::string text, std::string file = "log",
                         const RecordsQuestion& question = {}) {
  HOLDFAST_TRY(trace, open_trace(open_text(std::move(text)), std::move(file), ReadAs(format)));
  return trace.format->as<Record>()->read_all(std::move(trace.lines), question);
}

/// Returns true if the text is recognised as that format.
inline bool looks_like(std::string_view format, std::string_view text) {
  const auto found = std::ranges::find(formats(), format, &Format::name);
  return found != formats().end() && found->is_of(text);
}

}  // namespace holdfast::test
