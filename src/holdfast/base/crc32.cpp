#include "holdfast/base/crc32.hpp"

#include <zlib.h>

namespace holdfast {

std::uint32_t crc32_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace holdfast
