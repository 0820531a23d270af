#include "holdfast/base/system.hpp"

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/text.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

extern char** environ;

namespace holdfast {
namespace {

/// Moves bytes with calls that are told how many have been moved, until all are, none is, or a call fails.
/// @param at_none  errno if a call moves none
template <class Call>
std::size_t move_bytes(std::size_t size, int at_none, const Call& call) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = call(done);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = at_none;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

}  // namespace

bool write_whole(int file, std::string_view bytes) {
  const auto call = [&](std::size_t done) {
    return ::write(file, bytes.data() + done, bytes.size() - done);
  };
  return move_bytes(bytes.size(), ENOSPC, call) == bytes.size();
}

std::size_t write_at(int file, std::string_view bytes, off_t at) {
  return move_bytes(bytes.size(), ENOSPC, [&](std::size_t done) {
    return ::pwrite(file, bytes.data() + done, bytes.size() - done, at + static_cast<off_t>(done));
  });
}

std::size_t read_whole(int file, std::span<char> buffer) {
  return move_bytes(buffer.size(), 0, [&](std::size_t done) {
    return ::read(file, buffer.data() + done, buffer.size() - done);
  });
}

std::size_t read_at(int file, std::span<char> buffer, off_t at) {
  return move_bytes(buffer.size(), 0, [&](std::size_t done) {
    return ::pread(file, buffer.data() + done, buffer.size() - done, at + static_cast<off_t>(done));
  });
}

std::string kernel_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string out;
  std::array<char, 4096> buffer;
  for (std::size_t count = 1; file.get() >= 0 && count > 0;) {
    count = read_whole(file.get(), buffer);
    out.append(buffer.data(), count);
  }
  return out;
}

std::string boot_id() {
  return std::string(trim(kernel_file("/proc/sys/kernel/random/boot_id")));
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_without(std::span<const std::string_view> names) {
  std::vector<std::string> out;
  for (char** line = environ; line != nullptr && *line != nullptr; ++line) {
    const std::string_view text = *line;
    const auto name = text.substr(0, text.find('='));
    if (std::ranges::find(names, name) == names.end()) out.emplace_back(text);
  }
  return out;
}

std::string_view value_in(std::span<const std::string> environment, std::string_view name) {
  for (const std::string& line : environment) {
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=') {
      return std::string_view(line).substr(name.size() + 1);
    }
  }
  return {};
}

void set_value_in(std::vector<std::string>& environment, std::string_view name,
                  std::string_view value) {
  const std::string begin = std::string(name) + '=';
  std::erase_if(environment, [&](const std::string& line) { return line.starts_with(begin); });
  environment.push_back(begin + std::string(value));
}

}  // namespace holdfast
