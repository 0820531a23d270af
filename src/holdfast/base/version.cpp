#include "holdfast/base/version.hpp"

namespace holdfast {

std::string_view version() {
  return HOLDFAST_VERSION;
}

}  // namespace holdfast
