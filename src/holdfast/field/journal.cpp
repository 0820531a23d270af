#include "holdfast/field/journal.hpp"

#include "holdfast/base/crc32.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/regular_file.hpp"
#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kMostWaiting = std::size_t{1} << 20;
constexpr std::size_t kMostBytes = std::size_t{1} << 31;
constexpr std::string_view kMark = ",\"crc\":\"";
constexpr int kCompacted = 2;  // the version of a journal with a summary
constexpr std::int64_t kMostWhole = std::int64_t{1} << 53;
constexpr std::size_t kDigits = 8;
constexpr std::size_t kTail = kMark.size() + kDigits + 2;  // "} after the digits

/// The parts of a line with a checksum.
struct Seal {
  std::string_view body;     ///< the object without its last member and its closing brace
  std::string_view written;  ///< the checksum in the line
};

std::optional<Seal> seal_of(std::string_view line) {
  if (line.size() <= kTail || !line.ends_with("\"}")) return std::nullopt;
  const std::string_view tail = line.substr(line.size() - kTail);
  if (!tail.starts_with(kMark)) return std::nullopt;
  return Seal{.body = line.substr(0, line.size() - kTail),
              .written = tail.substr(kMark.size(), kDigits)};
}

/// Returns why a line is invalid; empty if it is valid.
std::string damage_of(std::string_view line) {
  if (line.size() > kLongestLine) {
    return fmt::format("found a line of {} bytes, expected at most 1 MiB", line.size());
  }
  const auto seal = seal_of(line);
  if (!seal) {
    return fmt::format("found {}, expected an object that ends with its checksum", in_quotes(line));
  }
  const std::string expected = fmt::format("{:08x}", crc32_of(seal->body));
  if (expected == seal->written) return {};
  return fmt::format("checksum: found {}, expected {}: the line was changed",
                     printable(seal->written), expected);
}

Error at_line(std::string_view name, std::size_t number, std::string message) {
  return {ErrorCode::bad_format, fmt::format("{}:{}", name, number), std::move(message)};
}

/// Checks that the kind of an entry is a short, printable name, because it comes from a file and is printed later.
Status check_kind(const Value& entry) {
  constexpr std::size_t kLongestName = 255;
  const Value* kind = entry.find("kind");
  const std::string* text = kind == nullptr ? nullptr : kind->string();
  if (text == nullptr || text->empty() || text->size() > kLongestName ||
      printable(*text) != *text) {
    return fail(ErrorCode::bad_format, "/kind",
                fmt::format("found {}, expected a printable name of at most 255 bytes",
                            kind == nullptr ? "nothing" : kind->described()));
  }
  return {};
}

Status check_entry(const Value& entry, std::int64_t number) {
  ObjectReader read(entry, "");
  const std::int64_t n = read.integer("n", non_negative());
  if (read.ok() && n != number) {
    read.refuse(
        "n", fmt::format("found {}, expected {}: a line is missing, or stands twice", n, number));
  }
  static_cast<void>(read.number("time"));
  static_cast<void>(read.number("clock"));
  static_cast<void>(read.text("boot"));
  static_cast<void>(read.integer("run", non_negative()));
  // The other members of a kind are checked where they are used.
  if (!read.ok()) return read.finish();
  return check_kind(entry);
}

/// A reader of the lines of a journal, which are given in pieces.
class LineReader {
 public:
  using Visit = std::function<void(const Value&)>;
  LineReader(std::string_view name, const Visit* visit) : name_(name), visit_(visit) {}

  /// Takes the lines of a text, except one at its end, about which only what follows decides.
  /// @param is_end  true: nothing follows
  /// @returns the number of bytes that were taken
  Result<std::size_t> take(std::string_view text, bool is_end) {
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = text.find('\n', at);
      const bool is_last = end == std::string_view::npos || end + 1 == text.size();
      if (is_last && !is_end) break;
      const std::string_view line = text.substr(at, end - at);
      const std::string damage =
          end == std::string_view::npos ? "found no end of the line" : damage_of(line);
      if (!damage.empty()) {
        if (!is_last) return fail(at_line(name_, journal_.lines + 1, damage));
        journal_.cut = text.size() - at;
        break;
      }
      HOLDFAST_CHECK(take_line(line));
      at = end + 1;
    }
    return at;
  }
  Result<Journal> journal() && {
    // It is written as a whole.
    if (journal_.lines < lines_of_summary_ + 1 && lines_of_summary_ > 0) {
      return fail(at_line(
          name_, journal_.lines + 1,
          fmt::format("found no end of the summary, which has {} lines", lines_of_summary_)));
    }
    return std::move(journal_);
  }

 private:
  Status take_line(std::string_view line) {
    auto entry = parse_json(fmt::format("{}}}", seal_of(line)->body));
    const std::size_t number = journal_.lines + 1;
    if (!entry) return fail(at_line(name_, number, entry.error().message));
    const bool is_head = number == 1;
    const bool is_summary = number <= lines_of_summary_ + 1;
    const auto n = is_summary ? static_cast<std::int64_t>(journal_.lines) : journal_.next;
    if (const Status good = is_head ? take_head(*entry) : check_entry(*entry, n); !good) {
      return fail(at_line(name_, number, good.error().text()));
    }
    ++journal_.lines;
    journal_.size += line.size() + 1;
    if (is_summary) {
      journal_.begin = journal_.size;
    } else {
      journal_.next = n + 1;
    }
    if (is_head) {
      journal_.head = std::move(*entry);
    } else if (visit_ != nullptr) {
      (*visit_)(*entry);
    } else {
      journal_.entries.push_back(std::move(*entry));
    }
    return {};
  }

  Status take_head(const Value& head) {
    ObjectReader read(head, "");
    const std::int64_t n = read.integer("n", between(0, 0));
    const std::int64_t lines = read.integer_or("summary", 0, non_negative());
    const std::int64_t after = read.integer_or("after", n, between(0, kMostWhole));
    if (!read.ok()) return read.finish();
    if (head.find("holdfast") == nullptr)
      return fail(ErrorCode::bad_format, "", "found no header, expected that of a journal");
    lines_of_summary_ = static_cast<std::size_t>(lines);
    journal_.first = journal_.next = after + 1;
    Value header = head;
    if (lines > 0 && header.at("/holdfast/version") != nullptr &&
        *header.at("/holdfast/version") == Value(kCompacted))
      header.set_at("/holdfast/version", 1);
    return check_header(header, "journal");
  }

  std::string_view name_;
  const Visit* visit_;
  Journal journal_;
  std::size_t lines_of_summary_ = 0;
};

/// Reads a file piece by piece, without decompression, because a journal is not compressed.
Result<Journal> read_lines(const std::filesystem::path& path, const LineReader::Visit* visit) {
  const std::string name = path.string();
  LineReader reader(name, visit);
  const Descriptor file(open_regular(path, O_RDONLY | O_NOFOLLOW));
  if (file.get() < 0 && errno == ENOENT) return Journal{};
  if (file.get() < 0) return fail(ErrorCode::io_failure, name, why_not_opened(errno));
  std::string text;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::vector<char> piece(kPiece);
  for (std::size_t read = 0; read < kMostBytes;) {
    const auto count = ::read(file.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return fail(ErrorCode::io_failure, name,
                  fmt::format("cannot read: {}", std::generic_category().message(errno)));
    }
    if (count == 0) break;
    read += static_cast<std::size_t>(count);
    text.append(piece.data(), static_cast<std::size_t>(count));
    HOLDFAST_TRY(taken, reader.take(text, false));
    text.erase(0, taken);
    if (text.size() > 2 * kLongestLine) {
      return fail(ErrorCode::bad_format, name, "found a line of more than 1 MiB");
    }
  }
  HOLDFAST_CHECK(reader.take(text, true));
  return std::move(reader).journal();
}

}  // namespace

Result<Journal> read_journal_text(std::string_view text, std::string_view name) {
  LineReader reader(name, nullptr);
  HOLDFAST_CHECK(reader.take(text, true));
  return std::move(reader).journal();
}

Result<Journal> read_journal(const std::filesystem::path& file) {
  return read_lines(file, nullptr);
}

Result<Journal> read_journal(const std::filesystem::path& file,
                             const std::function<void(const Value&)>& visit) {
  return read_lines(file, &visit);
}

std::string sealed(const Value& entry) {
  std::string line = to_compact_json(entry);
  assert(line.size() > 2 && line.ends_with('}'));
  line.pop_back();
  return line + fmt::format("{}{:08x}\"}}", kMark, crc32_of(line));
}

JournalWriter::~JournalWriter() {
  if (file_.get() >= 0) flush();
}

tl::unexpected<Error> JournalWriter::failure(int code) const {
  return fail(ErrorCode::io_failure, path_.string(),
              fmt::format("cannot write: {}", std::generic_category().message(code)));
}

Result<JournalWriter> JournalWriter::open(const std::filesystem::path& file, const Journal& read) {
  JournalWriter out(open_regular(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0600), file);
  if (out.file_.get() < 0) return out.failure(errno);
  if (::ftruncate(out.file_.get(), static_cast<off_t>(read.size)) != 0) return out.failure(errno);
  out.head_ = read.head;
  out.size_ = read.size;
  out.begin_ = read.begin;
  out.long_at_ = read.begin + kLong;
  out.first_ = read.first;
  out.next_ = read.next;
  return out;
}

Status JournalWriter::append(Value entry, Durable durable) {
  Value numbered = Value::object();
  if (next_ > 0) numbered.set("n", next_);
  for (auto& [name, value] : *entry.members()) numbered.set(name, std::move(value));
  if (next_ == 0) numbered.set("n", next_);  // after the header, by which the file is recognised
  const std::string line = sealed(numbered) + '\n';
  if (waiting_.size() + line.size() > kMostWaiting) {
    // A dropped entry takes no number, so that later entries can be read as if it had never existed.
    has_lost_ = true;
  } else {
    waiting_ += line;
    if (next_++ == 0) {
      head_ = std::move(numbered);
      begin_ = line.size();
    }
  }
  HOLDFAST_CHECK(write_waiting());
  if (durable == Durable::now && ::fdatasync(file_.get()) != 0) return failure(errno);
  return {};
}

Status JournalWriter::write_waiting() {
  const std::size_t done = write_at(file_.get(), waiting_, static_cast<off_t>(size_));
  const int code = done == waiting_.size() ? 0 : errno;
  // Only complete lines count as written. The next attempt writes the others again, over their partial bytes.
  const std::size_t whole = code == 0 ? done : waiting_.rfind('\n', done == 0 ? 0 : done - 1) + 1;
  if (done > 0 && whole <= done) {
    size_ += whole;
    waiting_.erase(0, whole);
  }
  if (code == 0) return {};
  [[maybe_unused]] const int cut = ::ftruncate(file_.get(), static_cast<off_t>(size_));
  return failure(code);
}

Status JournalWriter::move_to(const std::filesystem::path& file) {
  if (::rename(path_.c_str(), file.c_str()) != 0) return failure(errno);
  path_ = file;
  return {};
}

// Writes the lines that a summary will stand for into a file of their own. It is named by the first one: an attempt that was cut short is
// made again.
Status JournalWriter::set_lines_aside() const {
  const std::filesystem::path folder = path_.parent_path() / kPastFolder;
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return failure(errno);
  HOLDFAST_TRY(out,
               NewFile::create(folder / fmt::format("{:09}.ndjson", first_), Links::refused, 0600));
  std::vector<char> piece(std::size_t{1} << 16);
  for (std::size_t at = begin_; at < size_;) {
    const std::span<char> part = std::span(piece).first(std::min(piece.size(), size_ - at));
    if (read_at(file_.get(), part, static_cast<off_t>(at)) < part.size())
      return failure(errno != 0 ? errno : EIO);
    HOLDFAST_CHECK(out.write({part.data(), part.size()}));
    at += part.size();
  }
  return out.finish();
}

Status JournalWriter::compact(std::vector<Value> summary) {
  long_at_ = size_ + kLong;
  HOLDFAST_CHECK(write_waiting());
  HOLDFAST_CHECK(set_lines_aside());
  Value head = head_;
  head.set_at("/holdfast/version", kCompacted);
  head.set("summary", static_cast<std::int64_t>(summary.size()));
  head.set("after", next_ - 1);
  HOLDFAST_TRY(out, NewFile::create(path_, Links::refused, 0600));
  std::size_t size = 0;
  const auto write = [&](const Value& line) {
    const std::string text = sealed(line) + '\n';
    size += text.size();
    return out.write(text);
  };
  HOLDFAST_CHECK(write(head));
  for (std::size_t i = 0; i < summary.size(); ++i) {
    summary[i].set("n", static_cast<std::int64_t>(i + 1));
    HOLDFAST_CHECK(write(summary[i]));
  }
  Descriptor file(open_regular(out.unfinished(), O_RDWR | O_NOFOLLOW));
  if (file.get() < 0) return failure(errno);
  const Status done = out.finish();
  if (!out.unfinished().empty()) return done;  // it is not there
  file_ = std::move(file);
  head_ = std::move(head);
  first_ = next_;
  size_ = begin_ = size;
  long_at_ = size + kLong;
  return done;
}

bool JournalWriter::flush() {
  return waiting_.empty() || write_waiting().has_value();
}

}  // namespace holdfast::field
