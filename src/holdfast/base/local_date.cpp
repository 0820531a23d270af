#include "holdfast/base/local_date.hpp"

#include <array>
#include <ctime>

namespace holdfast {

std::string local_date() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &local)};
}

}  // namespace holdfast
