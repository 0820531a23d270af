#include "holdfast/campaign/database.hpp"

#include "holdfast/base/file_lock.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace holdfast {
namespace {

/// How long to wait for a lock of another program.
constexpr int kPatienceMilliseconds = 5'000;
/// The largest size of a text or of bytes in the file; SQLite's own default is 1 GB.
constexpr int kLongestValue = 64 << 20;
/// A query that reads something from any database.
constexpr const char* kAnyRead = "SELECT count(*) FROM sqlite_schema";

/// Returns what a failure of SQLite means for the user, and what to do about it.
Error explain(int code, std::string_view what, const std::string& where) {
  switch (code) {
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_UNLOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_CHECKRESERVEDLOCK:
    case SQLITE_IOERR_SHMLOCK:
      return no_locks(where, what);
    case SQLITE_CANTOPEN_SYMLINK:
      return {ErrorCode::io_failure, where,
              "found a link, expected a regular file or none; remove the link, or name the "
              "directory of the file itself"};
    case SQLITE_IOERR_SHORT_READ:
      code = SQLITE_CORRUPT;
      break;
    default:
      break;
  }
  const auto say = [&](ErrorCode kind, std::string_view meaning, std::string_view remedy) {
    return Error{kind, where, fmt::format("{} ({}); {}", meaning, what, remedy)};
  };
  switch (code & 0xff) {
    case SQLITE_FULL:
      return say(ErrorCode::io_failure, "the disk is full",
                 "free some space and run the same command again: what was finished is kept");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // no such table or column: the schema is not ours
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
      return say(ErrorCode::bad_format, "not a results file, or a damaged one",
                 "name another directory with --output, or replace this one with --force");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return say(ErrorCode::io_failure, "another program keeps the file locked",
                 "close it and run the same command again");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return say(
          ErrorCode::io_failure, "the file cannot be opened or written",
          "check the permissions of the file and its directory, or name another directory with "
          "--output");
    case SQLITE_IOERR:
      return say(ErrorCode::io_failure, "reading or writing failed",
                 "check the disk (space, quota, connection) and run the same command again: what "
                 "was finished is kept");
    case SQLITE_NOMEM:
      return say(ErrorCode::io_failure, "memory ran out",
                 "run the same command again with more: what was finished is kept");
    default:
      return say(ErrorCode::io_failure, "the results file failed", "please report this");
  }
}

/// Resolves symbolic links in the directory of a path. With the flag that forbids a link as the file, SQLite refuses links
/// anywhere in a path, but the user's directory may contain some.
std::string behind_links(const std::string& path) {
  const std::filesystem::path file = path;
  std::error_code code;
  const auto folder = std::filesystem::canonical(
      file.has_parent_path() ? file.parent_path() : std::filesystem::path("."), code);
  return code ? path : (folder / file.filename()).string();
}

/// Sets the options for a file from an unknown source: nothing in it is run, and no value may be larger than a page or a
/// description needs.
void distrust(sqlite3* db) {
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      // "length" is a column, and never the text 'length'
                                      {SQLITE_DBCONFIG_DQS_DML, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0}}) {
    sqlite3_db_config(db, option, value, nullptr);
  }
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_exec(db, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
}

}  // namespace

Statement::Statement(sqlite3* db, std::string_view sql) {
  code_ = sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()),
                             SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
}

Statement::Statement(Statement&& other) noexcept
    : statement_(std::exchange(other.statement_, nullptr)), code_(other.code_) {}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

void Statement::bind(int place, std::int64_t value) {
  sqlite3_bind_int64(statement_, place, value);
}

void Statement::bind_count(int place, std::uint64_t value) {
  bind(place, std::bit_cast<std::int64_t>(value));
}

void Statement::bind_real(int place, double value) {
  sqlite3_bind_double(statement_, place, value);
}

void Statement::bind_text(int place, std::string_view text) {
  sqlite3_bind_text64(statement_, place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind_bytes(int place, std::span<const std::uint8_t> bytes) {
  sqlite3_bind_blob64(statement_, place, bytes.data(), bytes.size(), SQLITE_STATIC);
}

int Statement::columns() const {
  return sqlite3_column_count(statement_);
}

Statement::Kind Statement::kind(int column) const {
  switch (sqlite3_column_type(statement_, column)) {
    case SQLITE_INTEGER:
      return Kind::integer;
    case SQLITE_FLOAT:
      return Kind::real;
    case SQLITE_TEXT:
      return Kind::text;
    case SQLITE_BLOB:
      return Kind::bytes;
    default:
      return Kind::nothing;
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::uint64_t Statement::count(int column) const {
  return std::bit_cast<std::uint64_t>(integer(column));
}

double Statement::real(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL
             ? std::numeric_limits<double>::quiet_NaN()
             : sqlite3_column_double(statement_, column);
}

std::string_view Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string_view{} : std::string_view{bytes, size};
}

bool Statement::step() {
  code_ = sqlite3_step(statement_);
  return code_ == SQLITE_ROW;
}

void Statement::reset() {
  sqlite3_reset(statement_);
}

bool Statement::failed() const {
  return code_ != SQLITE_OK && code_ != SQLITE_ROW && code_ != SQLITE_DONE;
}

Result<Database> Database::open(const std::string& path, Mode mode) {
  constexpr int kWrite = SQLITE_OPEN_READWRITE;
  std::error_code code;
  if (std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code)) {
    return fail(ErrorCode::bad_format, path,
                "found something else than a file; run the campaign again in another directory "
                "(--output)");
  }
  if (mode == Mode::write) return open_with(path, kWrite | SQLITE_OPEN_CREATE);
  if (mode == Mode::alone) return open_with(path, kWrite, "unix-none");
  HOLDFAST_TRY(db, open_with(path, SQLITE_OPEN_READONLY));
  if (!db.needs_recovery()) return db;
  // A process was killed while it wrote. A connection that only reads cannot undo what it left incomplete.
  {
    HOLDFAST_TRY(writer, open_with(path, kWrite));
    HOLDFAST_CHECK(writer.number(kAnyRead));
  }
  return open_with(path, SQLITE_OPEN_READONLY);
}

Result<Database> Database::open_with(const std::string& path, int flags, const char* system) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(behind_links(path).c_str(), &handle,
                                   flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, system);
  Database db(handle, path);
  if (code != SQLITE_OK) return fail(db.error());
  sqlite3_extended_result_codes(handle, 1);
  distrust(handle);
  sqlite3_busy_timeout(handle, kPatienceMilliseconds);
  return db;
}

bool Database::needs_recovery() const {
  const int code = sqlite3_exec(db_, kAnyRead, nullptr, nullptr, nullptr);
  return code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY;
}

Database::Database(Database&& other) noexcept
    : db_(std::exchange(other.db_, nullptr)), path_(std::move(other.path_)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(db_, other.db_);
  std::swap(path_, other.path_);
  return *this;
}

Database::~Database() {
  sqlite3_close(db_);
}

Error Database::error() const {
  return explain(sqlite3_extended_errcode(db_), sqlite3_errmsg(db_), path_);
}

Status Database::execute(const std::string& sql) const {
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return fail(error());
  return {};
}

Status Database::run(Statement& statement) const {
  statement.step();
  if (statement.failed()) return fail(error());
  statement.reset();
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) const {
  Statement statement(db_, sql);
  if (statement.failed()) return fail(error());
  return statement;
}

Result<std::int64_t> Database::number(std::string_view sql) const {
  std::int64_t out = 0;
  HOLDFAST_CHECK(query(sql, [&](const Statement& row) { out = row.integer(0); }));
  return out;
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(db_);
}

Status Database::sync() const {
  // In write-ahead mode a commit is in the log, so the log's file is flushed to the disk.
  sqlite3_file* log = nullptr;
  const int code = sqlite3_file_control(db_, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (code != SQLITE_OK || log == nullptr || log->pMethods == nullptr) return {};
  const int synced = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
  if (synced == SQLITE_OK) return {};
  return fail(explain(synced, sqlite3_errstr(synced), path_));
}

void Database::roll_back() const {
  sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::fold() const {
  sqlite3_busy_timeout(db_, 0);
  sqlite3_exec(db_, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
}

}  // namespace holdfast
