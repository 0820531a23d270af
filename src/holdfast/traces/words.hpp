#pragma once

#include <string_view>
#include <vector>

namespace holdfast {

/// The parts of a line between any number of blanks and tabs.
[[nodiscard]] inline std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string_view> words;
  std::size_t begin = line.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = line.find_first_of(kBlanks, begin);
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

}  // namespace holdfast
