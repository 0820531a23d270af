#include "holdfast/base/metrics_text.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

namespace holdfast {

void MetricsText::family(std::string_view name, std::string_view type, std::string_view help) {
  name_ = fmt::format("{}{}", prefix_, name);
  out_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name_, help, name_, type);
}

void MetricsText::sample(double value, std::string_view labels, std::string_view suffix) {
  out_ += name_;
  out_ += suffix;
  if (!labels.empty()) out_ += fmt::format("{{{}}}", labels);
  out_ += fmt::format(" {}\n", to_text(value));
}

std::string MetricsText::label_value(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out;
}

}  // namespace holdfast
