#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Errors that strike attempts of moldable jobs with a probability that depends on their processors.
namespace holdfast {

/// What strikes attempts, and when it is noticed.
enum class ErrorModel : std::uint8_t {
  work,  ///< silent, until the end of the attempt: 1 - exp(-rate t(1)), whatever its processors
  area,  ///< silent; every processor errs while it works: 1 - exp(-rate p t(p))
  fail_stop,  ///< as likely as `area`, but the first error ends the attempt
};
/// The names of these models, in the same order.
inline constexpr auto kErrorModels = std::to_array<std::string_view>({"work", "area", "fail-stop"});

/// How often errors strike.
struct ErrorLaw {
  ErrorModel model = ErrorModel::work;
  double rate = 0;  ///< per second of work on one processor; but for `work`: per processor-second
  double checkpoint = 0;  ///< seconds that a save takes; 0: a job is not saved while it runs
  double recovery = 0;    ///< seconds from an error to the work after the last save

  /// Returns true if some numbers of processors fail more often than others.
  [[nodiscard]] bool counts_area() const { return model != ErrorModel::work && rate > 0; }
  /// Returns true if jobs are saved while they run. Then an error costs what was done since the last save and the recovery; the job
  /// keeps its processors, so that no attempt fails.
  [[nodiscard]] bool saves() const {
    return model == ErrorModel::fail_stop && rate > 0 && checkpoint > 0;
  }
};

/// Returns into how many equal parts the saves divide a job: those of Young and Daly, sqrt(2 checkpoint / (rate processors)) of work
/// each, rounded; 1 without saves. After the last part nothing is saved.
/// @param time  seconds that the job takes on so many processors without errors and saves
[[nodiscard]] std::int64_t parts_of(const ErrorLaw& law, double processors, double time);

/// Returns how many times as long as one attempt without an error all attempts of a job are expected to take: 1 / (1 - q) = exp(x)
/// for `area`, where x is rate times area and q the probability that an attempt fails, and (exp(x) - 1) / x for `fail-stop`, whose
/// attempts end at the first error. All of them take so many times the area, too. If jobs are saved, a job on p processors with n parts
/// of s seconds is expected to take e^(m R) / m ((n - 1) (e^(m (s + C)) - 1) + e^(m s) - 1), where m = rate p, C is the checkpoint and
/// R the recovery.
/// @param processors  matters only for jobs that are saved
/// @pre law.model != ErrorModel::work
[[nodiscard]] double expected_stretch(const ErrorLaw& law, double area, double processors = 1);
/// Returns the area that all attempts of a job are expected to take if each has that area. For `work`, it is the area itself: how many
/// there are then plays no part in comparisons.
[[nodiscard]] inline double expected_area(const ErrorLaw& law, double area, double processors = 1) {
  return law.counts_area() ? area * expected_stretch(law, area, processors) : area;
}

/// Returns the fewest processors on which all attempts of a job together are expected to take the least time (to a relative 1e-12).
/// More of them would only make it fail more often. O(log P), for a table linear. If jobs are saved, rounding their parts makes the
/// least not exact. @pre law.model != ErrorModel::work
[[nodiscard]] std::int64_t fastest_with_errors(const Speedup& speedup, std::int64_t processors,
                                               const ErrorLaw& law);
/// Returns the number of 1..fastest processors with the least expected area on which they are expected to take at most `limit`
/// seconds (the fewest one, but for tables); `fastest` if there are none. @pre fastest == fastest_with_errors(speedup, machine, law)
[[nodiscard]] std::int64_t smallest_within_expected(const Speedup& speedup, std::int64_t fastest,
                                                    const ErrorLaw& law, double limit);

/// The errors of one scenario. An attempt is struck when it has used a certain number of processor-seconds, which is drawn for each
/// attempt of each job, and is the same on any number of processors: so all strategies see the same errors.
class Strikes {
 public:
  /// A run with more failed attempts, of all jobs together, would take minutes; see is_hopeless().
  static constexpr std::int64_t kMostFailed = 10'000'000;

  /// Draws exponential ones of mean 1 / rate. @param key  entity is the job's
  Strikes(const StreamKey& key, const ErrorLaw& law, std::size_t jobs);
  /// Takes those of the 1st, 2nd ... attempt of each job, in processor-seconds; none strikes later attempts.
  Strikes(const ErrorLaw& law, std::vector<std::vector<double>> given);

  [[nodiscard]] const ErrorLaw& law() const { return law_; }
  /// Returns after how many processor-seconds the present attempt of a job is struck; infinity if it never is.
  [[nodiscard]] double next(std::size_t job) const { return next_[job]; }
  /// Returns whether the present attempt fails on so many processors. @param time  seconds that it takes without errors
  [[nodiscard]] bool fails(std::size_t job, std::int64_t processors, double time) const {
    return static_cast<double>(processors) * time > next_[job] && !law_.saves() && !is_hopeless();
  }
  /// Returns how long that attempt lasts, in seconds.
  [[nodiscard]] double duration(std::size_t job, std::int64_t processors, double time) const {
    if (law_.saves()) return saved_duration(job, static_cast<double>(processors), time);
    return law_.model == ErrorModel::fail_stop && fails(job, processors, time)
               ? std::min(time, next_[job] / static_cast<double>(processors))
               : time;
  }
  /// Goes on to the next attempt of a job, because this one has failed.
  void advance(std::size_t job);
  /// Returns true if so many attempts have failed that all others are let pass, so that the run ends: its results mean nothing.
  [[nodiscard]] bool is_hopeless() const { return failed_ >= kMostFailed; }

 private:
  [[nodiscard]] double saved_duration(std::size_t job, double processors, double time) const;

  ErrorLaw law_;
  std::int64_t failed_ = 0;
  std::vector<double> next_;                ///< [jobs] processor-seconds
  std::vector<Stream> streams_;             ///< [jobs] if drawn
  std::vector<std::vector<double>> given_;  ///< [jobs] if given
  std::vector<std::size_t> attempt_;        ///< [jobs] if given
};

/// Returns whether a job that is saved lasts so many seconds, for validators: it follows the errors on a clock of its own.
/// @param time  seconds without errors and saves
[[nodiscard]] bool lasts_with_saves(const Strikes& strikes, std::size_t job, double processors,
                                    double time, double found);

/// The least that one job costs in a scenario, whatever its processors.
struct LeastRun {
  double time = 0;  ///< seconds of all its attempts, one after the other
  double area = 0;  ///< processor-seconds of all its attempts
};
/// Returns it for a job of which no attempt has been made. An attempt can succeed only on processors whose area is at most next().
/// With one job, `time` is the optimum of the scenario. @param strikes  goes on over the attempts of this job
[[nodiscard]] LeastRun least_run(const Speedup& speedup, std::int64_t processors, std::size_t job,
                                 Strikes& strikes);

/// Reads `"strikes": [[processor-seconds, ...], ...]`, one list for each job.
[[nodiscard]] Result<std::vector<std::vector<double>>> read_strikes(const Value& value,
                                                                    const std::string& where);
/// Returns the value that reads back as these.
[[nodiscard]] Value strikes_value(const std::vector<std::vector<double>>& strikes);
/// Checks that jobs are saved only if their errors end attempts, and that a save has a chance.
/// @param processors  of the machine
[[nodiscard]] Status check_saves(const ErrorLaw& law, std::int64_t processors);
/// Checks what fixes the errors of an instance. @param has_counts  true if the document counts failures or gives probabilities,
/// which do not depend on processors
[[nodiscard]] Status check_strikes(const ErrorLaw& law,
                                   const std::vector<std::vector<double>>& strikes,
                                   std::size_t jobs, bool has_counts);

/// Returns the error of a run that was hopeless.
[[nodiscard]] Error hopeless_run();

/// Returns "a silent error every 115 d 18 h of work", "... of each busy processor", "an error that ends the attempt every ...", or "no
/// silent errors".
[[nodiscard]] std::string errors_text(const ErrorLaw& law);

}  // namespace holdfast
