#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::field {

/// The file in a guard's directory that records what happened.
inline constexpr std::string_view kJournalFile = "journal.ndjson";

/// The folder beside it for the lines that a summary stands for, a file for each time that this was done. Nothing reads it.
inline constexpr std::string_view kPastFolder = "journal-past";

/// A journal that was read: one object per line, whose last member is the CRC-32 of the line before that member.
struct Journal {
  Value head;                  ///< the first line; null if the journal is empty
  std::vector<Value> entries;  ///< the other lines; each has a number, dates, a run and a kind
  std::size_t lines = 0;       ///< number of valid lines, the first one included
  std::size_t size = 0;        ///< bytes of the valid lines
  std::size_t cut = 0;         ///< bytes after them: a last line that is torn or damaged
  std::int64_t next = 0;       ///< number of the next line
  /// Number and place of the first line that no summary stands for, nor the head. The head says how many lines are the summary,
  /// and to which number (`after`) it reaches.
  std::int64_t first = 1;
  std::size_t begin = 0;
};

/// Reads the text of a journal. If the last line is incomplete or its checksum is wrong, its writer was killed while writing
/// it, and the line is left out. Damage before the last line is bad_format, placed at NAME:LINE.
[[nodiscard]] Result<Journal> read_journal_text(std::string_view text, std::string_view name);
/// Reads a journal from a file. If the file does not exist, the journal is empty.
[[nodiscard]] Result<Journal> read_journal(const std::filesystem::path& file);
/// Reads a journal from a file, and hands each entry over in place of keeping it.
[[nodiscard]] Result<Journal> read_journal(const std::filesystem::path& file,
                                           const std::function<void(const Value&)>& visit);

/// Returns an object as a line with its checksum, without the line end.
/// @pre the object has members
[[nodiscard]] std::string sealed(const Value& entry);

/// How soon an entry must be on the disk.
enum class Durable : std::uint8_t {
  /// It survives the end of this process at once, and a crash of the machine after some seconds.
  soon,
  now,  ///< before the next step: for a checkpoint, a failure, an end
};

/// A writer that appends to a journal. A full disk does not end the job: lines then wait in memory, up to 1 MiB, and are
/// written as soon as possible. The caller has locked the directory (base/directory_lock).
class JournalWriter {
 public:
  /// Opens a file, which is created if necessary, to write after its valid lines.
  /// @param read  the journal that was read from the file; the rest of an invalid last line is cut off
  [[nodiscard]] static Result<JournalWriter> open(const std::filesystem::path& file,
                                                  const Journal& read);
  JournalWriter(JournalWriter&&) noexcept = default;
  JournalWriter& operator=(JournalWriter&& other) = delete;
  ~JournalWriter();

  /// Appends an entry and numbers it.
  /// @returns the reason if it could not be written yet, which calls for a warning but not for an end of the job
  Status append(Value entry, Durable durable);
  /// Returns true if there are many lines beside the summary. A journal that cannot be compacted is short for a while.
  [[nodiscard]] bool is_long() const { return size_ >= long_at_; }
  /// Replaces all lines but the head by a summary, in a new file that takes the place of the old one when it is complete. The lines go
  /// to a file in kPastFolder first.
  /// @param summary  lines that stand for all lines before
  Status compact(std::vector<Value> summary);
  /// Gives the file another name, in place of what has it.
  Status move_to(const std::filesystem::path& file);
  /// Returns the number of the next entry; the head has number 0.
  [[nodiscard]] std::int64_t next() const { return next_; }
  /// Returns true if lines were dropped because the memory for waiting lines was full too.
  [[nodiscard]] bool has_lost() const { return has_lost_; }
  /// Tries to write the waiting lines, and returns true if none is left.
  bool flush();

 private:
  JournalWriter(int file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}
  Status write_waiting();
  Status set_lines_aside() const;
  [[nodiscard]] tl::unexpected<Error> failure(int code) const;

  Descriptor file_;
  std::filesystem::path path_;
  static constexpr std::size_t kLong = std::size_t{1} << 18;

  Value head_;
  std::size_t size_ = 0;
  std::size_t begin_ = 0;
  std::size_t long_at_ = kLong;
  std::int64_t first_ = 1;
  std::int64_t next_ = 0;
  std::string waiting_;
  bool has_lost_ = false;
};

}  // namespace holdfast::field
