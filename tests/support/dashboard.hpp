#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace holdfast::test {

/// Checks that every metric with this prefix in a dashboard for Grafana is one of the exposition `metrics`.
inline void check_dashboard(const std::string& file, const std::string& prefix,
                            const std::string& metrics) {
  std::ifstream dashboard(file);
  const std::string text{std::istreambuf_iterator<char>(dashboard), {}};
  const std::regex name(prefix + "[a-z_]+");
  int found = 0;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), name); at != std::sregex_iterator();
       ++at, ++found) {
    const std::string family = std::regex_replace(at->str(), std::regex("_bucket$"), "");
    CAPTURE(family);
    CHECK(metrics.find("# TYPE " + family + " ") != std::string::npos);
  }
  CHECK(found >= 8);
}

}  // namespace holdfast::test
