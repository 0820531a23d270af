#pragma once

#include <cstddef>
#include <string>

namespace holdfast {

struct Message {
  int from = 0;
  int kind = 0;
  std::string bytes;
};

/// Messages between the processes of one run, which were all started with the same command. Every function is called by one
/// thread. This is the interface to MPI: only executors/mpi.cpp implements it with MPI, and tests use a queue instead.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  /// Ends the session. Waits until the other processes do the same, unless abandon() was called.
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;  ///< 0 is the leader
  [[nodiscard]] virtual int size() const = 0;
  /// Sends a message and returns at once. Messages from one process to another arrive in the order of sending.
  virtual void send(int to, int kind, std::string bytes) = 0;
  /// Receives the next message. Returns false if none has arrived.
  [[nodiscard]] virtual bool receive(Message& message) = 0;
  /// Returns the number of bytes that have not been sent yet.
  [[nodiscard]] virtual std::size_t unsent() = 0;
  /// Records that some of the other processes are gone, so that the destructor does not wait for any process.
  virtual void abandon() = 0;
};

}  // namespace holdfast
