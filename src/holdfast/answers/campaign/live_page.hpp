#pragma once

#include "holdfast/answers/host.hpp"
#include "holdfast/campaign/control.hpp"

#include <chrono>
#include <filesystem>

namespace holdfast {

/// The page of a campaign that runs. It is written at most every two seconds, and so rarely that it takes at most a hundredth of
/// the time; the page reloads itself until the run is done.
class LivePage {
 public:
  /// @param directory  the directory of the results
  /// @param host       must outlive the object
  LivePage(std::filesystem::path directory, const Host& host);

  /// Writes the page if it is time to. What cannot be written now is tried again later.
  void show(const Progress& now);
  /// Writes the page as one that does not reload itself, after a run that ended early.
  void finish();

 private:
  void write(const std::string& live);

  std::filesystem::path directory_;
  const Host* host_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace holdfast
