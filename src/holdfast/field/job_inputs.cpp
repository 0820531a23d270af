#include "holdfast/field/job_inputs.hpp"

#include "holdfast/base/digest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostDigested = 1'000'000'000;

/// The files of an input, in the order of their names: one, or those of a folder.
std::vector<fs::path> files_of(const fs::path& input) {
  std::error_code code;
  if (!fs::is_directory(input, code)) return {input};
  std::vector<fs::path> out;
  for (fs::recursive_directory_iterator it(input, code), end; !code && it != end;
       it.increment(code)) {
    if (it->is_regular_file(code)) out.push_back(it->path());
  }
  std::ranges::sort(out);
  return out;
}

std::string hexadecimal(const Sha256::Digest& digest) {
  std::string out;
  for (const std::uint8_t byte : digest) out += fmt::format("{:02x}", byte);
  return out;
}

bool add_file(const fs::path& file, Sha256& digest) {
  const int input = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (input < 0) return false;
  std::array<char, 65536> buffer;
  ssize_t count = 0;
  while ((count = ::read(input, buffer.data(), buffer.size())) > 0) {
    digest.update({buffer.data(), static_cast<std::size_t>(count)});
  }
  ::close(input);
  return count == 0;
}

std::string text_in(const Value& input, std::string_view name) {
  const Value* value = input.find(name);
  return value == nullptr || value->string() == nullptr ? std::string() : *value->string();
}

bool is_equal(const Value& a, const Value& b, std::string_view name) {
  const Value* one = a.find(name);
  const Value* other = b.find(name);
  return one != nullptr && other != nullptr && *one == *other;
}

/// Returns a name in a folder that is still free.
fs::path free_name(const fs::path& folder, const std::string& name) {
  fs::path out = folder / name;
  std::error_code code;
  for (int number = 2; fs::exists(fs::symlink_status(out, code)); ++number) {
    out = folder / fmt::format("{}.{}", name, number);
  }
  return out;
}

}  // namespace

Result<Value> look_at_inputs(std::span<const std::string> paths) {
  Value out = Value::array();
  for (const std::string& path : paths) {
    struct stat state {};
    if (::stat(path.c_str(), &state) != 0) {
      return fail(ErrorCode::bad_value, "--input",
                  fmt::format("found no file {}, expected one that the job reads", path));
    }
    std::int64_t size = 0;
    std::int64_t changed = 0;
    for (const fs::path& file : files_of(path)) {
      if (::stat(file.c_str(), &state) != 0) continue;
      size += state.st_size;
      changed = std::max(
          changed, std::int64_t{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec);
    }
    out.push(Value::object({{"path", path}, {"size", size}, {"changed", changed}}));
  }
  return out;
}

void add_digests(Value& inputs) {
  Value out = Value::array();
  for (Value input : *inputs.array_items()) {
    const double size = input.find("size")->number();
    if (text_in(input, "digest").empty() && size <= static_cast<double>(kMostDigested)) {
      const fs::path path = text_in(input, "path");
      Sha256 digest;
      bool is_whole = true;
      for (const fs::path& file : files_of(path)) {
        digest.update(file.lexically_relative(path).string());
        is_whole = add_file(file, digest) && is_whole;
      }
      if (is_whole) input.set("digest", hexadecimal(digest.finish()));
    }
    out.push(std::move(input));
  }
  inputs = std::move(out);
}

bool are_same_inputs(const Value& before, Value& now) {
  const auto* old = before.array_items();
  if (old == nullptr || old->size() != now.array_items()->size()) return false;
  const auto all = [&](auto same) { return std::ranges::equal(*old, *now.array_items(), same); };
  if (!all([](const Value& a, const Value& b) {
        return is_equal(a, b, "path") && is_equal(a, b, "size");
      })) {
    return false;
  }
  if (all([](const Value& a, const Value& b) { return is_equal(a, b, "changed"); })) return true;
  add_digests(now);
  return all([](const Value& a, const Value& b) {
    return is_equal(a, b, "changed") || is_equal(a, b, "digest");
  });
}

bool have_digests(const Value& inputs) {
  return !inputs.is_null() && std::ranges::any_of(*inputs.array_items(), [](const Value& input) {
    return input.find("digest") != nullptr;
  });
}

Result<std::size_t> move_checkpoints(const std::string& pattern, const fs::path& to) {
  if (pattern.empty()) return 0;
  std::vector<fs::path> found;
  std::error_code code;
  const auto find = [&](const std::string& wanted) {
    glob_t matches{};
    if (::glob(wanted.c_str(), GLOB_NOSORT, nullptr, &matches) == 0) {
      for (std::size_t i = 0; i < matches.gl_pathc; ++i) found.emplace_back(matches.gl_pathv[i]);
    }
    ::globfree(&matches);
  };
  const fs::path path = pattern;
  const bool is_one = fs::exists(fs::symlink_status(path, code)) ||
                      pattern.find_first_of("*?[") == std::string::npos;
  if (is_one) {  // itself, and its copies PATH.1, PATH.2
    if (fs::exists(fs::symlink_status(path, code))) found.push_back(path);
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const std::string start = path.filename().string() + ".";
    for (const auto& entry : fs::directory_iterator(folder, code)) {
      const std::string name = entry.path().filename().string();
      const bool is_copy = name.starts_with(start) && name.size() > start.size() &&
                           std::ranges::all_of(name.substr(start.size()), [](unsigned char c) {
                             return std::isdigit(c) != 0;
                           });
      if (is_copy) found.push_back(entry.path());
    }
  } else {
    // Of FOLDER-*/NAME each folder is a checkpoint.
    const bool is_in_folder = path.parent_path().string().find_first_of("*?[") != std::string::npos;
    find(is_in_folder ? path.parent_path().string() : pattern);
  }
  std::size_t moved = 0;
  for (const fs::path& one : found) {
    fs::path from = one;
    if (!from.has_filename()) from = from.parent_path();  // a pattern that ends with a slash
    const std::string name = from.filename().string();
    fs::rename(from, free_name(to, name), code);
    if (code == std::errc::cross_device_link) {
      const fs::path holder = fs::absolute(from).parent_path();
      const fs::path other = holder.parent_path() / ".guard-aside";
      fs::create_directories(other, code);
      fs::rename(from, free_name(other, name), code);
    }
    if (code) {
      return fail(
          ErrorCode::io_failure, from.string(),
          fmt::format("a checkpoint of other inputs cannot be moved aside: {}", code.message()));
    }
    ++moved;
  }
  return moved;
}

}  // namespace holdfast::field
