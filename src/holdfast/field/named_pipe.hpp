#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <filesystem>

namespace holdfast::field {

/// Makes a named pipe, replacing an existing one. It stays open at both ends, so that it does not end when a reader closes it.
[[nodiscard]] Result<Descriptor> make_pipe(const std::filesystem::path& path);

}  // namespace holdfast::field
