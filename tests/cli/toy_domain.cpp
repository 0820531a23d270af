#include "cli/toy_domain.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/kernel/random.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

constexpr auto kModes = std::to_array<std::string_view>({"gentle", "harsh"});

constexpr auto kFields = std::to_array<Parameter>({
    {.name = "work", .summary = "length of the job", .unit = Unit::seconds, .range = positive()},
    {.name = "mtbf",
     .summary = "mean time between failures",
     .unit = Unit::seconds,
     .range = positive(),
     .pointer = "/failures/mtbf"},
    {.name = "processors",
     .summary = "units of the job",
     .kind = Kind::integer,
     .range = at_least(1),
     .fallback = "1"},
    {.name = "mode",
     .summary = "how hard failures strike",
     .kind = Kind::choice,
     .fallback = "gentle",
     .choices = kModes},
    {.name = "attempts",
     .summary = "lengths of the attempts that fail",
     .kind = Kind::numbers,
     .unit = Unit::seconds},
    {.name = "limit",
     .summary = "give up after this time",
     .unit = Unit::seconds,
     .range = positive()},
});
constexpr auto kHasty = std::to_array<Parameter>({
    {.name = "factor",
     .summary = "how much faster it works",
     .range = at_least(1),
     .fallback = "2"},
    {.name = "careful", .summary = "fail half as often", .kind = Kind::flag},
});
constexpr auto kPlanOptions = std::to_array<Parameter>({
    {.name = "at", .summary = "ages to look at", .kind = Kind::numbers, .unit = Unit::seconds},
    {.name = "strict", .summary = "answer no where a failure is likely", .kind = Kind::flag},
});
constexpr auto kGeneratePositionals = std::to_array<Parameter>({
    {.name = "shape", .summary = "what to make", .kind = Kind::text},
});
constexpr auto kColumns = std::to_array<TimelineColumn>({
    {.name = "kind", .unit = Unit::none, .role = Role::state},
    {.name = "start", .unit = Unit::seconds, .role = Role::start},
    {.name = "end", .unit = Unit::seconds, .role = Role::end},
});

struct Job {
  double work = 0;
  double mtbf = 0;
  bool harsh = false;
  std::vector<double> attempts;  // fixes the scenario where it is not empty
  double limit = 0;              // 0: none
};

Result<Job> read_job(const Value& document) {
  Job job;
  ObjectReader read(document, "");
  job.work = read.seconds("work", positive());
  job.harsh = read.choice_or("mode", kModes, 0) == 1;
  read.integer_or("processors", 1, at_least(1));
  if (read.has("attempts")) job.attempts = read.numbers("attempts", Unit::seconds, positive());
  job.limit = read.seconds_or("limit", 0, positive());
  const auto read_failures = [&job](const Value& value, const std::string& where) -> Status {
    ObjectReader failures(value, where);
    job.mtbf = failures.seconds("mtbf", positive());
    return failures.finish();
  };
  if (job.attempts.empty())
    read.required("failures", read_failures);
  else
    read.with("failures", read_failures);
  HOLDFAST_CHECK(read.finish());
  return job;
}

class ToyPoint final : public Point {
 public:
  ToyPoint(Value definition, Job job, std::vector<StrategySpec> strategies)
      : definition_(std::move(definition)),
        job_(std::move(job)),
        strategies_(std::move(strategies)) {
    if (job_.work > 1e9) warnings_.emplace_back("/work: more than 30 years");
  }

  [[nodiscard]] const Value& definition() const override { return definition_; }
  [[nodiscard]] bool is_fixed() const override { return !job_.attempts.empty(); }
  [[nodiscard]] std::span<const std::string> warnings() const override { return warnings_; }

  [[nodiscard]] std::string headline(std::uint64_t seed) const override {
    return job_.attempts.empty()
               ? "a toy of " + format_duration(job_.work) + ", seed " + std::to_string(seed)
               : "";
  }

  [[nodiscard]] Result<Outcome> run(const Draw& draw, std::size_t strategy,
                                    Workspace& /*workspace*/, bool want_timeline) const override {
    const StrategySpec& spec = strategies_[strategy];
    const double speed = spec.has("factor") ? spec.number("factor") : 1;
    const double length = job_.work / speed;
    Stream stream({draw.seed, Purpose::failures, draw.instance, draw.scenario, 0});
    Outcome outcome;
    Timeline timeline{kColumns};
    double now = 0;
    double failures = 0;
    for (std::size_t attempt = 0;; ++attempt) {
      double failure = length + 1;
      if (!job_.attempts.empty()) {
        if (attempt < job_.attempts.size()) failure = job_.attempts[attempt];
      } else {
        failure = -std::log(stream.uniform()) * job_.mtbf / (job_.harsh ? 2 : 1);
      }
      const bool done = failure >= length;
      const double end = now + std::min(failure, length);
      timeline.add({done ? "work" : "lost", now, end});
      now = end;
      if (done) break;
      ++failures;
      if (job_.limit > 0 && now >= job_.limit) {
        now = job_.limit;
        outcome.completed = false;
        break;
      }
    }
    outcome.metrics = {now, failures,
                       outcome.completed ? std::optional(job_.work / now) : std::nullopt};
    if (want_timeline) {
      outcome.timeline = std::move(timeline);
      outcome.details = Value::object({{"finish", Value::list(std::vector<double>{now})}});
    }
    return outcome;
  }

 private:
  Value definition_;
  Job job_;
  std::vector<StrategySpec> strategies_;
  std::vector<std::string> warnings_;
};

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& /*directory*/) {
  HOLDFAST_TRY(job, read_job(parameters));
  return std::make_unique<ToyPoint>(
      parameters, std::move(job), std::vector<StrategySpec>(strategies.begin(), strategies.end()));
}

Result<Answer> plan(const Request& request) {
  HOLDFAST_TRY(job, read_job(request.parameters));
  Answer answer;
  const double attempts = job.mtbf > 0 ? std::exp(job.work / job.mtbf) : 1;
  answer.document = Value::object({{"strategy", request.strategy->text}, {"attempts", attempts}});
  if (const Value* at = request.options.find("at")) answer.document.set("at", *at);
  answer.tables.push_back({.columns = {{"strategy"}, {"attempts"}},
                           .rows = {{Value(request.strategy->text), Value(attempts)}}});
  answer.lines.emplace_back("try until it works");
  answer.is_no = request.options.find("strict") != nullptr && attempts > 2;
  if (job.work > 1e9) answer.warnings.emplace_back("/work: more than 30 years");
  return answer;
}

Result<Answer> generate(const Request& request) {
  const Value* shape = request.options.find("shape");
  if (shape != nullptr && *shape->string() != "long") {
    return fail(ErrorCode::usage, "shape", "found '" + *shape->string() + "', expected long");
  }
  Answer answer;
  answer.document =
      Value::object({{"holdfast", Value::object({{"kind", "toy-instance"}, {"version", 1}})},
                     {"work", shape == nullptr ? 3600 : 360000},
                     {"failures", Value::object({{"mtbf", static_cast<double>(request.seed)}})}});
  return answer;
}

Result<Answer> refuse(const Request& /*request*/) {
  return fail(ErrorCode::infeasible, "", "no schedule can do this");
}

constexpr auto kPlanResults =
    std::to_array<ResultField>({{"strategy", "strategy in canonical form", Holds::text},
                                {"attempts?", "attempts to expect"},
                                {"at?", "the time that was asked about", Holds::anything}});
constexpr auto kDetails =
    std::to_array<ResultField>({{"finish[]", "when it was done", Unit::seconds}});

Domain make() {
  Domain domain;
  domain.name = "toy";
  domain.question = "how often must it be tried";
  domain.example = "holdfast toy simulate --work 1h --mtbf 2h";
  domain.strategies = {
      {.name = "steady", .summary = "at the speed given", .source = "common practice"},
      {.name = "hasty",
       .summary = "FACTOR times faster",
       .source = "nobody",
       .parameters = kHasty}};
  domain.metrics = {{.name = "makespan", .unit = Unit::seconds, .summary = "until it is done"},
                    {.name = "failures", .unit = Unit::none, .summary = "attempts that failed"},
                    {.name = "efficiency",
                     .unit = Unit::none,
                     .better = Better::higher,
                     .summary = "work over makespan"}};
  domain.fields = kFields;
  domain.details = kDetails;
  domain.schedule.assign(kColumns.begin(), kColumns.end());
  domain.recommended = "hasty";
  domain.baseline = "steady";
  domain.verbs = {{.name = "plan",
                   .summary = "how many attempts to expect",
                   .example = "holdfast toy plan --work 1h --mtbf 2h",
                   .options = kPlanOptions,
                   .results = kPlanResults,
                   .takes_strategy = true,
                   .run = plan},
                  {.name = "generate",
                   .summary = "write an instance",
                   .example = "holdfast toy generate",
                   .positionals = kGeneratePositionals,
                   .takes_instance = false,
                   .gives = Gives::instance,
                   .run = generate},
                  {.name = "refuse",
                   .summary = "answer no",
                   .example = "holdfast toy refuse",
                   .takes_instance = false,
                   .run = refuse}};
  domain.open = open_point;
  return domain;
}

}  // namespace

const Domain& toy_domain() {
  static const Domain domain = make();
  return domain;
}

}  // namespace holdfast::cli
