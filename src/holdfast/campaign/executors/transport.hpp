#pragma once

#include <cstddef>
#include <string>

namespace holdfast {

struct Message {
  int from = 0;
  int kind = 0;
  std::string bytes;
};

/// Messages between the processes of one run, all started with the same command. Every function is
/// called from one thread. What MPI is to us: executors/mpi.cpp is the one file that knows more,
/// and tests put a queue in its place.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  /// Ends the session; waits for the others to do the same, unless abandon() was called.
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;  ///< 0 leads
  [[nodiscard]] virtual int size() const = 0;
  /// Returns at once. Messages from one process to another arrive in the order of sending.
  virtual void send(int to, int kind, std::string bytes) = 0;
  /// Returns false if none has arrived.
  [[nodiscard]] virtual bool receive(Message& message) = 0;
  /// Returns the bytes that have not left yet.
  [[nodiscard]] virtual std::size_t unsent() = 0;
  /// Some of the others are gone: do not wait for anybody.
  virtual void abandon() = 0;
};

}  // namespace holdfast
