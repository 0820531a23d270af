#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/parameter.hpp"

#include <span>
#include <string>
#include <vector>

namespace holdfast::arbiter {

struct CalibrateOptions {
  std::string directory = {};                        ///< a folder on the file system
  std::vector<std::int64_t> writers = {1, 2, 4, 8};  ///< numbers of simultaneous writers, each >= 1
  double time = 5;                                   ///< seconds for each number of writers
  double warm_up = 0.5;                              ///< seconds before these that do not count
  double size = 268435456;                           ///< bytes of the file of each writer
  double piece = 1048576;                            ///< bytes of each write
};

/// The bandwidth that a number of simultaneous writers reached together.
struct CalibratedPoint {
  std::int64_t writers = 0;
  double bandwidth = 0;  ///< bytes/s, of all writers
};

/// Returns the bandwidth for `io serve --bandwidth`: slightly below the smallest one from the plateau on, which begins with the
/// first number of writers that reached 0.95 of the largest, so that the file system never queues, for any set of writers.
/// @pre points are not empty, and in order of the number of writers
[[nodiscard]] double advised_bandwidth(std::span<const CalibratedPoint> points);

/// Returns the options of `io calibrate`.
[[nodiscard]] std::span<const Parameter> calibrate_parameters();
/// Reads the values of these options. Errors name the option.
[[nodiscard]] Result<CalibrateOptions> read_calibrate_options(const Value& values);

/// Measures what simultaneous writers reach in a folder, by writing to files there that no other process sees and that are gone
/// when this process ends, however it ends. Takes warm_up + time for each number of writers.
[[nodiscard]] Result<Answer> calibrate(const CalibrateOptions& options);

}  // namespace holdfast::arbiter
