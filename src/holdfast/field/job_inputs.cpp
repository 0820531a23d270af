#include "holdfast/field/job_inputs.hpp"

#include "holdfast/base/digest.hpp"
#include "holdfast/field/checkpoint_disk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostDigested = 1'000'000'000;

/// Returns the SHA-256 of a file, or of all files in a folder with their names; nothing if one cannot be read.
std::optional<std::string> digest_of(const fs::path& input) {
  std::vector<fs::path> files = {input};
  std::error_code code;
  for (fs::recursive_directory_iterator it(input, code), end; !code && it != end;
       it.increment(code)) {
    if (it->is_regular_file(code)) files.push_back(it->path());
  }
  std::ranges::sort(files);
  if (files.size() > 1 || fs::is_directory(input, code)) std::erase(files, input);
  Sha256 digest;
  std::array<char, 65536> buffer;
  for (const fs::path& file : files) {
    digest.update(file.lexically_relative(input).string());
    std::ifstream in(file, std::ios::binary);
    while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0) {
      digest.update({buffer.data(), static_cast<std::size_t>(in.gcount())});
    }
    if (!in.eof()) return std::nullopt;
  }
  std::string out;
  for (const std::uint8_t byte : digest.finish()) out += fmt::format("{:02x}", byte);
  return out;
}

}  // namespace

Result<Value> look_at_inputs(std::span<const std::string> paths) {
  Value out = Value::array();
  for (const std::string& path : paths) {
    const auto file = look_at(path);
    if (!file) {
      return fail(ErrorCode::bad_value, "/input",
                  fmt::format("found no file {}, expected one that the job reads", path));
    }
    out.push(to_value(*file));
  }
  return out;
}

void add_digests(Value& inputs) {
  Value out = Value::array();
  for (Value input : *inputs.array_items()) {
    const auto file = seen_file(input);
    if (file && file->size <= kMostDigested && input.find("digest") == nullptr) {
      if (auto digest = digest_of(file->path)) input.set("digest", std::move(*digest));
    }
    out.push(std::move(input));
  }
  inputs = std::move(out);
}

bool are_same_inputs(const Value& before, Value& now) {
  const auto are_same = [&] {
    return std::ranges::equal(
        *before.array_items(), *now.array_items(), [](const Value& a, const Value& b) {
          const auto one = seen_file(a);
          const auto other = seen_file(b);
          if (!one || !other || one->path != other->path || one->size != other->size) return false;
          const Value* digest = a.find("digest");
          const Value* again = b.find("digest");
          return same(*one, *other) || (digest != nullptr && again != nullptr && *digest == *again);
        });
  };
  if (before.array_items() == nullptr || are_same()) return before.array_items() != nullptr;
  add_digests(now);
  return are_same();
}

bool have_digests(const Value& inputs) {
  return !inputs.is_null() && std::ranges::any_of(*inputs.array_items(), [](const Value& input) {
    return input.find("digest") != nullptr;
  });
}

}  // namespace holdfast::field
