#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::field {

/// The file of a guard's directory that says what happened.
inline constexpr std::string_view kJournalFile = "journal.ndjson";

/// A journal as it was read: one object a line, whose last member is the CRC-32 of the line before it.
struct Journal {
  Value head;                  ///< the first line; null of an empty journal
  std::vector<Value> entries;  ///< the others; each has a number, dates, a run and a kind
  std::size_t size = 0;        ///< bytes of the lines that hold
  std::size_t cut = 0;         ///< bytes behind them: the last line, torn or damaged
};

/// Reads the text of a journal. A last line that is torn, or whose checksum does not hold, was being written when its writer
/// was killed: it is left out. Damage before it is bad_format, placed at NAME:LINE.
[[nodiscard]] Result<Journal> read_journal_text(std::string_view text, std::string_view name);
/// Reads a file. Where there is none the journal is empty.
[[nodiscard]] Result<Journal> read_journal(const std::filesystem::path& file);

/// Returns an object as a line with its checksum, without the line's end.
/// @pre the object has members
[[nodiscard]] std::string sealed(const Value& entry);

/// When an entry must have reached the disk.
enum class Durable : std::uint8_t {
  soon,  ///< it survives this process at once, and the machine some seconds later
  now,   ///< before the next step: a checkpoint, a failure, an end
};

/// Appends to a journal. A disk that is full ends no job: lines then wait in memory, up to 1 MiB, and are written as soon as
/// that is possible. The directory is locked by whoever makes this (base/directory_lock).
class JournalWriter {
 public:
  /// Opens a file, made if there is none, behind the lines that hold.
  /// @param read  the journal that was read of it; what its last line left is cut off
  [[nodiscard]] static Result<JournalWriter> open(const std::filesystem::path& file,
                                                  const Journal& read);
  JournalWriter(JournalWriter&& other) noexcept;
  JournalWriter& operator=(JournalWriter&& other) = delete;
  ~JournalWriter();

  /// Appends an entry, numbered.
  /// @returns why it could not be written yet: a reason to warn, not to stop
  Status append(Value entry, Durable durable);
  /// Returns what the next entry's number is; the head is 0.
  [[nodiscard]] std::int64_t next() const { return next_; }
  /// Returns true if lines were dropped because the memory for those that wait was full too.
  [[nodiscard]] bool has_lost() const { return has_lost_; }
  /// Tries to write the lines that wait, and returns true if none is left.
  bool flush();

 private:
  JournalWriter(int file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}
  Status write_waiting();
  [[nodiscard]] tl::unexpected<Error> failure(int code) const;

  int file_ = -1;
  std::filesystem::path path_;
  std::size_t size_ = 0;
  std::int64_t next_ = 0;
  std::string waiting_;
  bool has_lost_ = false;
};

}  // namespace holdfast::field
