#include "holdfast/answers/reproduction/reproduction_plot.hpp"

#include "holdfast/pages/reproduction_figure.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace holdfast {
namespace {

// Returns "weibull-0.5-checkpoint-60s" for "weibull 0.5, checkpoint 60s".
std::string file_name(std::string title) {
  std::erase(title, ',');
  std::replace_if(
      title.begin(), title.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_'; },
      '-');
  return title;
}

}  // namespace

std::vector<NamedPicture> pictures_of(const reproduction::Item& item,
                                      const reproduction::Figure& figure) {
  std::vector<NamedPicture> out;
  for (const reproduction::Panel& panel : figure.panels) {
    const std::string title = panel.title.empty() ? item.id : item.id + ": " + panel.title;
    const auto chart = figure_chart(title, item, {&panel, 1}, figure);
    if (!chart) continue;
    const std::string which = panel.title.empty() ? "" : "-" + file_name(panel.title);
    out.push_back({.file = item.id + which + ".svg", .svg = chart->draw({})});
  }
  return out;
}

}  // namespace holdfast
