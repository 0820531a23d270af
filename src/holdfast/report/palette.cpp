#include "holdfast/report/palette.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace holdfast {
namespace {

struct Known {
  std::string_view state;
  std::string_view color;
};

constexpr std::string_view kBlue = "#0072B2";
constexpr std::string_view kSky = "#56B4E9";
constexpr std::string_view kGreen = "#009E73";
constexpr std::string_view kYellow = "#F0E442";
constexpr std::string_view kOrange = "#E69F00";
constexpr std::string_view kVermillion = "#D55E00";
constexpr std::string_view kPurple = "#CC79A7";
constexpr std::string_view kGrey = "#BBBBBB";

constexpr Known kKnown[] = {{"kept", kBlue},         {"work", kBlue},
                            {"compute", kBlue},      {"start", kBlue},
                            {"checkpoint", kOrange}, {"local checkpoint", kSky},
                            {"recovery", kYellow},   {"local recovery", kGreen},
                            {"lost", kVermillion},   {"failure", "#000000"},
                            {"downtime", "#000000"}, {"idle", kGrey},
                            {"wait", kGrey},         {"io", kGreen},
                            {"data", kGreen},        {"input", kGreen},
                            {"output", kPurple},     {"program", kSky},
                            {"running", kSky},       {"completion", kGreen}};
constexpr std::string_view kFree[] = {kBlue, kOrange,     kGreen,  kPurple,
                                      kSky,  kVermillion, kYellow, kGrey};

// Returns the relative luminance as the Web Content Accessibility Guidelines define it.
double luminance(std::string_view color) {
  constexpr double kShares[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t i = 0; i < std::size(kShares); ++i) {
    int byte = 0;
    std::from_chars(color.data() + 1 + 2 * i, color.data() + 3 + 2 * i, byte, 16);
    const double part = byte / 255.0;
    sum += kShares[i] *
           (part <= 0.04045 ? part / 12.92 : elementary::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

}  // namespace

std::string_view ink_on(std::string_view color) {
  constexpr double kEqual = 0.179;  // black and white have the same contrast here
  return luminance(color) > kEqual ? "#000000" : "#ffffff";
}

std::string_view hatching_of(std::string_view state) {
  return state == "reclaimed" ? "url(#paused)" : "url(#gone)";
}

std::string_view hatchings() {
  return R"svg(<defs>
<pattern id="gone" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="6" height="6" fill="#E6E6E6"/><path d="M3 0v6" stroke="#A0A0A0"/></pattern>
<pattern id="paused" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="6" height="6" fill="#F2F2F2"/><circle cx="3" cy="3" r="1" fill="#A0A0A0"/></pattern>
</defs>
)svg";
}

bool is_crossed_out(std::string_view state) {
  return state == "lost";
}

std::string_view Palette::color(std::string_view state) {
  const auto seen = std::find(states_.begin(), states_.end(), state);
  if (seen != states_.end()) return colors_[static_cast<std::size_t>(seen - states_.begin())];
  const auto* known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                   [state](const Known& row) { return row.state == state; });
  states_.emplace_back(state);
  colors_.push_back(known != std::end(kKnown) ? known->color
                                              : kFree[next_free_++ % std::size(kFree)]);
  return colors_.back();
}

}  // namespace holdfast
