#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

struct sqlite3;
struct sqlite3_stmt;

namespace holdfast {

/// A prepared statement. Errors are kept until Database::run() or query() reports them. Places count from 1, columns from 0.
class Statement {
 public:
  /// The type of the value in a column of the row. A file may hold any type in any column.
  enum class Kind : std::uint8_t { nothing, integer, real, text, bytes };

  Statement(sqlite3* db, std::string_view sql);
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  void bind(int place, std::int64_t value);
  /// Binds all 64 bits; count() reads them back.
  void bind_count(int place, std::uint64_t value);
  /// Binds a number; NaN is stored as NULL.
  void bind_real(int place, double value);
  /// Binds a text or bytes, which must outlive the step.
  void bind_text(int place, std::string_view text);
  void bind_bytes(int place, std::span<const std::uint8_t> bytes);

  [[nodiscard]] int columns() const;
  [[nodiscard]] Kind kind(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::uint64_t count(int column) const;
  /// Returns a number, or NaN for NULL.
  [[nodiscard]] double real(int column) const;
  /// Returns text or bytes, valid until the next step.
  [[nodiscard]] std::string_view text(int column) const;

  /// Moves to the next row; returns true if there is one.
  bool step();
  void reset();
  [[nodiscard]] bool failed() const;

 private:
  sqlite3_stmt* statement_ = nullptr;
  int code_ = 0;
};

/// A thin wrapper around SQLite; only database.cpp uses SQLite directly. Every error says what the user can do. A file may come
/// from anybody, so its triggers and views are never run.
class Database {
 public:
  enum class Mode : std::uint8_t {
    write,
    read,
    alone,  ///< writes a file that no other process knows yet; it is not locked
  };

  /// Opens a file. If a killed process left it half written, that part is undone first, provided that the file is writable.
  [[nodiscard]] static Result<Database> open(const std::string& path, Mode mode);
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  ~Database();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Returns the last error of SQLite.
  [[nodiscard]] Error error() const;
  /// Executes statements that have neither parameters nor rows.
  [[nodiscard]] Status execute(const std::string& sql) const;
  /// Runs a statement that returns no rows.
  [[nodiscard]] Status run(Statement& statement) const;
  [[nodiscard]] Result<Statement> prepare(std::string_view sql) const;
  /// Returns the single number in a query's result; 0 if it has no row.
  [[nodiscard]] Result<std::int64_t> number(std::string_view sql) const;
  [[nodiscard]] std::int64_t last_insert_id() const;

  /// Calls visit(statement) for each row. If it returns an error, the query ends.
  template <class Visit>
  Status query(Statement& statement, Visit visit) const {
    while (statement.step()) {
      if constexpr (std::is_void_v<std::invoke_result_t<Visit&, const Statement&>>) {
        visit(statement);
      } else {
        HOLDFAST_CHECK(visit(statement));
      }
    }
    if (statement.failed()) return fail(error());
    statement.reset();
    return {};
  }
  template <class Visit>
  Status query(std::string_view sql, Visit visit) const {
    HOLDFAST_TRY(statement, prepare(sql));
    return query(statement, visit);
  }

  /// Runs body() in a transaction, and rolls it back if body() fails.
  template <class Body>
  Status transaction(Body body) const {
    HOLDFAST_CHECK(execute("BEGIN IMMEDIATE"));
    Status status = body();
    if (status) status = execute("COMMIT");
    if (!status) roll_back();
    return status;
  }

  /// Makes sure that everything committed is on the disk and survives a crash of the machine.
  [[nodiscard]] Status sync() const;
  /// Merges the write-ahead log into the file, so that the file can be read from read-only media. If a reader has the log open,
  /// this is impossible now, and the next writer does it.
  void fold() const;

 private:
  Database(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}
  [[nodiscard]] static Result<Database> open_with(const std::string& path, int flags,
                                                  const char* system = nullptr);
  [[nodiscard]] bool needs_recovery() const;
  void roll_back() const;

  sqlite3* db_ = nullptr;
  std::string path_;
};

}  // namespace holdfast
