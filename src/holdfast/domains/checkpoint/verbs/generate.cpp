#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/checkpoint/generator.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

namespace holdfast::checkpoint {
namespace {

struct GenerateOptions {
  std::optional<double> duration;
};
constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "duration",
     .summary =
         "period for which failures are drawn; default: to the horizon, or 10 times the work",
     .member = member<&GenerateOptions::duration>,
     .unit = Unit::seconds,
     .range = positive()},
});

Result<double> duration_of(const GenerateOptions& options, const Instance& instance) {
  if (options.duration) return *options.duration;
  if (std::isfinite(instance.horizon)) return instance.deadline();
  if (std::isfinite(instance.work)) return 10 * instance.work;
  return fail(ErrorCode::usage, "/duration",
              "is missing: the job has no end and the platform no horizon");
}

// Failures are drawn from the platform's birth on, and all are kept: with more than this, memory would not suffice.
Status check_count(const Instance& instance, double duration) {
  constexpr double kMost = 1e7;
  const double count = (start_date(instance) + duration) / law_mtbf(instance);
  if (count <= kMost) return {};
  return fail(ErrorCode::usage, "/duration",
              fmt::format("found {:g} s from a platform age of {:g} s on, in which {:.3g} failures "
                          "strike, expected at most {:g} of them",
                          duration, instance.platform_age, count, kMost));
}

Result<Answer> run_generate(const GenerateOptions& options, const Request& request) {
  HOLDFAST_TRY(instance, read_instance(request.parameters, request.directory));
  if (!instance.law || instance.events) {
    return fail(ErrorCode::bad_value, "/failures",
                instance.events ? "found events, expected a law to draw them from"
                                : "found no law, expected one to draw failures from");
  }
  if (instance.platform.has_pool()) {
    return fail(ErrorCode::bad_value, "/spares",
                "found with 'generate', expected without: which failures strike the job depends on "
                "which nodes step in");
  }
  HOLDFAST_TRY(duration, duration_of(options, instance));
  HOLDFAST_CHECK(check_count(instance, duration));
  Answer answer;
  answer.document = to_value(generate(instance, Draw{.seed = request.seed}, duration));
  return answer;
}

}  // namespace

Verb generate_verb() {
  return {
      .name = "generate",
      .summary = "write an instance with drawn failures: ages at the start and events",
      .example =
          "holdfast checkpoint generate --work 48h --checkpoint 10min --processors 1000 --mtbf 10y "
          "--distribution weibull --shape 0.7 --platform-age 100d",
      .options = fields_of<kGenerateOptions>().parameters(),
      .gives = Gives::instance,
      .run = with_options<run_generate, fields_of<kGenerateOptions>>};
}

}  // namespace holdfast::checkpoint
