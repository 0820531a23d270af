#include "holdfast/arbiter/peer.hpp"

#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace holdfast::arbiter {
namespace {

constexpr std::size_t kMostGroups = 1024;

/// Returns the start time of a process in the kernel's units; empty if there is no such process. The field before it is a name
/// that may contain blanks and brackets.
std::string start_of(std::uint32_t pid) {
  const std::string text = kernel_file(fmt::format("/proc/{}/stat", pid));
  const std::string_view behind = std::string_view(text).substr(text.rfind(')') + 1);
  const auto words = split(trim(behind), ' ');
  constexpr std::size_t kStart = 19;  // field 22; the first field after the name is field 3
  return words.size() > kStart ? std::string(words[kStart]) : std::string();
}

bool is_member(int socket, std::uint32_t group, std::uint32_t primary) {
  if (primary == group) return true;
  std::array<gid_t, kMostGroups> groups;
  socklen_t size = sizeof groups;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) != 0) return false;
  const auto end = groups.begin() + static_cast<std::ptrdiff_t>(size / sizeof(gid_t));
  return std::find(groups.begin(), end, group) != end;
}

}  // namespace

std::string job_in_cgroup(std::string_view text) {
  constexpr std::string_view kMark = "/job_";
  for (auto at = text.rfind(kMark); at != std::string_view::npos && at > 0;
       at = text.rfind(kMark, at - 1)) {
    const std::string_view behind = text.substr(at + kMark.size());
    const std::string_view number = behind.substr(0, behind.find_first_not_of("0123456789"));
    const std::string_view rest = behind.substr(number.size());
    const bool ends_there = rest.empty() || rest.front() == '/' || rest.front() == '\n';
    if (!number.empty() && ends_there) return std::string(number);
  }
  return {};
}

std::optional<Peer> peer_of(int socket, std::optional<std::uint32_t> observers,
                            std::uint32_t owner) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return std::nullopt;
  Peer out{.uid = who.uid, .pid = static_cast<std::uint32_t>(who.pid)};
  // The start time must be the same before and after, because process numbers are reused.
  const std::string start = start_of(out.pid);
  const std::string groups = kernel_file(fmt::format("/proc/{}/cgroup", out.pid));
  if (!start.empty() && start_of(out.pid) == start) out.job = job_in_cgroup(groups);
  out.sees_all =
      out.uid == 0 || out.uid == owner || (observers && is_member(socket, *observers, who.gid));
  return out;
}

}  // namespace holdfast::arbiter
