#include "holdfast/field/node_events.hpp"

#include "holdfast/base/csv_cell.hpp"
#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace holdfast::field {
namespace {

constexpr std::size_t kLongestName = 255;

/// Returns a cell without its quotes. Names of nodes and dates contain no quotes themselves.
std::string_view plain_cell(std::string_view cell) {
  cell = trim(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
    cell = cell.substr(1, cell.size() - 2);
  }
  return from_csv_cell(cell);
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         std::ranges::all_of(name, [](char c) { return c > ' ' && c != 127; });
}

}  // namespace

void NodeRows::read_header(std::string_view line) {
  has_header_ = true;
  const auto cells = split(line, ',');
  const auto column = [&](std::string_view name) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (plain_cell(cells[i]) == name) return i;
    }
    return std::nullopt;
  };
  node_column_ = column("node");
  down_column_ = column("down");
  if (node_column_ && down_column_) return;
  trouble_ =
      fmt::format("found the columns {}, expected node and down among them", in_quotes(line));
}

void NodeRows::take_line(std::string_view line, std::vector<Row>& out) {
  line = trim(line);
  if (line.empty() || line.front() == '#') return;
  if (!has_header_) return read_header(line);
  if (!trouble_.empty()) return;
  ++count_;
  const auto cells = split(line, ',');
  if (cells.size() <= std::max(*node_column_, *down_column_)) return;
  const std::string_view node = plain_cell(cells[*node_column_]);
  // A row without a date states that the node exists, not that it failed.
  if (!is_name(node) || plain_cell(cells[*down_column_]).empty()) return;
  out.push_back({.node = std::string(node), .number = count_});
}

void NodeRows::take(std::string_view bytes, std::vector<Row>& out) {
  lines_.take(bytes, [&](std::string_view line) { take_line(line, out); });
}

void NodeRows::begin_anew() {
  lines_ = Lines(kLongestRow);
  has_header_ = false;
  trouble_.clear();
}

std::vector<NodeEvents::Row> NodeEvents::read() {
  std::vector<Row> out;
  const Descriptor file(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat state {};
  if (file.get() < 0 || ::fstat(file.get(), &state) != 0) return out;
  if (state.st_ino != inode_ || state.st_size < offset_) {
    inode_ = state.st_ino;
    offset_ = 0;
    rows_.begin_anew();
  }
  if (state.st_size == offset_ || ::lseek(file.get(), offset_, SEEK_SET) < 0) return out;
  std::array<char, 65536> buffer;
  for (;;) {
    const auto count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return out;
    offset_ += count;
    rows_.take({buffer.data(), static_cast<std::size_t>(count)}, out);
  }
}

}  // namespace holdfast::field
