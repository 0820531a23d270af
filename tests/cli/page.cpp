#include "cli/page.hpp"

#include "holdfast/base/text.hpp"

#include <algorithm>
#include <span>

namespace holdfast::cli {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::string_view kAnyLines = "...";

bool is_command(std::string_view line) {
  return line == "$ holdfast" || line.starts_with("$ holdfast ") || line.starts_with("$ ./run");
}

// Without blanks at the ends of lines, and without empty lines before and after the others.
Lines trimmed(std::string_view text) {
  Lines lines;
  for (std::string_view line : split(text, '\n')) {
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (!line.empty() || !lines.empty()) lines.push_back(line);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

bool agree(std::span<const std::string_view> shown, std::span<const std::string_view> printed) {
  if (shown.empty()) return printed.empty();
  if (shown.front() == kAnyLines) {
    for (std::size_t skipped = 0; skipped <= printed.size(); ++skipped) {
      if (agree(shown.subspan(1), printed.subspan(skipped))) return true;
    }
    return false;
  }
  return !printed.empty() && shown.front() == printed.front() &&
         agree(shown.subspan(1), printed.subspan(1));
}

// How many characters of the lines are the same.
std::size_t likeness(std::span<const std::string_view> some,
                     std::span<const std::string_view> others) {
  std::size_t same = 0;
  for (std::size_t line = 0; line < some.size(); ++line) {
    const std::size_t length = std::min(some[line].size(), others[line].size());
    for (std::size_t i = 0; i < length; ++i) same += some[line][i] == others[line][i] ? 1U : 0U;
  }
  return same;
}

// The lines between those that stand for any.
std::vector<Lines> blocks_of(const Lines& shown) {
  std::vector<Lines> blocks(1);
  for (const std::string_view line : shown) {
    if (line == kAnyLines)
      blocks.emplace_back();
    else
      blocks.back().push_back(line);
  }
  return blocks;
}

// Which of the places from `begin` to `end` a block of lines has in what was printed: where they resemble it most.
std::size_t place_of(const Lines& block, std::span<const std::string_view> printed,
                     std::size_t begin, std::size_t end) {
  const auto of = [&](std::size_t at) {
    return likeness(block, printed.subspan(at, block.size()));
  };
  std::size_t best = begin;
  for (std::size_t at = begin + 1; at <= end; ++at) {
    if (of(at) > of(best)) best = at;
  }
  return best;
}

}  // namespace

Session read_page(std::string_view text) {
  Session page;
  bool is_fenced = false, is_continued = false;
  std::size_t number = 0;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const bool is_fence = line.starts_with("```");
    if (is_fence) is_fenced = !is_fenced;
    Session::Part* last = page.parts.empty() ? nullptr : &page.parts.back();
    const bool in_step = is_fenced && last != nullptr && last->kind == Session::Part::Kind::step;
    if (is_continued || (is_fenced && is_command(line))) {
      if (!is_continued)
        page.parts.push_back({Session::Part::Kind::step, "", "", {.line = number}});
      Session::Part& part = page.parts.back();
      part.text += std::string(line) + "\n";
      is_continued = line.ends_with('\\');
      std::string_view words = part.step.command.empty() ? line.substr(2) : trim(line);
      if (is_continued) words.remove_suffix(1);
      part.step.command += words;
    } else if (in_step && !is_fence && !line.starts_with("$ ")) {
      last->step.output += std::string(line) + "\n";
    } else {
      page.parts.push_back({Session::Part::Kind::text, std::string(line) + "\n", "", {}});
    }
  }
  return page;
}

std::string write_page(const Session& page) {
  std::string out;
  for (const Session::Part& part : page.parts) out += part.text + part.step.output;
  return out;
}

bool shows(std::string_view shown, std::string_view printed) {
  return agree(trimmed(shown), trimmed(printed));
}

std::string elided(std::string_view shown, std::string_view printed) {
  const Lines lines = trimmed(printed);
  const std::vector<Lines> blocks = blocks_of(trimmed(shown));
  std::size_t after = 0;
  for (const Lines& block : blocks) after += block.size();
  const bool is_whole = blocks.size() == 1 || after > lines.size();
  if (is_whole) return lines.empty() ? "" : join(lines, "\n") + "\n";
  std::string out;
  std::size_t begin = 0;
  for (const Lines& block : blocks) {
    after -= block.size();
    const bool is_first = &block == &blocks.front(), is_last = &block == &blocks.back();
    const std::size_t end = lines.size() - after - block.size();
    if (!is_first) {
      out += std::string(kAnyLines) + "\n";
      begin = is_last ? end : place_of(block, lines, begin, end);
    }
    for (std::size_t i = 0; i < block.size(); ++i) out += std::string(lines[begin + i]) + "\n";
    begin += block.size();
  }
  return out;
}

}  // namespace holdfast::cli
