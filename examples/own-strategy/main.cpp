// A strategy of one's own for the file system's bandwidth, beside the built-in ones.
//
//   own-strategy                          compares it with two of them
//   own-strategy CAMPAIGN.toml RESULTS    runs a campaign that names it "custom:by-slowdown"
#include <holdfast/answers/simulate_answer.hpp>
#include <holdfast/campaign/own_rules.hpp>
#include <holdfast/campaign/run.hpp>
#include <holdfast/campaign/simulate.hpp>
#include <holdfast/contract/own_rule.hpp>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <utility>
#include <vector>

namespace {

// Bandwidth in proportion to how far an application is behind: what it can use, times its slowdown so far. What one
// cannot use goes to the others. `holdfast describe io` lists what is told and what is asked.
void by_slowdown(const holdfast::Told& told, std::vector<double>& rates) {
  const auto bandwidth = told["bandwidth"], age = told["age"], progress = told["progress"];
  std::vector<double> weight(told.items);
  for (std::size_t i = 0; i < told.items; ++i) {
    weight[i] = bandwidth[i] * (progress[i] > 0 ? age[i] / progress[i] : 1);
  }
  std::ranges::fill(rates, 0.0);
  double left = told.once("bandwidth_total");
  for (bool is_changing = true; is_changing;) {
    is_changing = false;
    const double per_weight = left / std::accumulate(weight.begin(), weight.end(), 0.0);
    for (std::size_t i = 0; i < told.items; ++i) {
      if (weight[i] == 0) continue;
      rates[i] = std::min(per_weight * weight[i], bandwidth[i]);
      if (rates[i] < bandwidth[i]) continue;
      left = std::max(0.0, left - rates[i]);  // it has all it can use: the rest is shared again
      weight[i] = 0;
      is_changing = true;
    }
  }
}

int refuse(const holdfast::Error& error) {
  std::cerr << "own-strategy: " << error.text() << '\n';
  return holdfast::exit_code(error.code);
}

int compare(const std::vector<holdfast::OwnRule>& rules) {
  const holdfast::Domain& io = *holdfast::find_domain("io").value();
  const auto strategies =
      holdfast::parse_strategies("fair-share,fcfs,custom:by-slowdown", io.strategies, {}, rules);
  if (!strategies) return refuse(strategies.error());
  holdfast::SimulateRequest request;
  request.parameters = holdfast::parse_toml("load = 0.9\nlength = '20000s'").value();
  request.strategies = *strategies;
  request.baseline = 0;
  request.scenarios = 20;
  request.check = true;  // every run is checked against the model, apart from the simulator
  auto found = holdfast::simulate(io, request);
  if (!found) return refuse(found.error());

  const auto checked = found->checked;
  const holdfast::Answer answer = holdfast::answer_of(io, std::move(*found), request.baseline);
  std::cout << holdfast::text_of(answer, holdfast::AnswerFormat::table) << '\n'
            << checked << " runs obey the model\n";
  return 0;
}

int run(const char* file, const char* results, const std::vector<holdfast::OwnRule>& rules) {
  const auto campaign = holdfast::read_campaign(file, rules);
  if (!campaign) return refuse(campaign.error());
  const auto ran = holdfast::run_campaign(*campaign, results);
  if (!ran) return refuse(ran.error());
  std::cout << ran->progress.done << " cells, " << ran->progress.found << " of them found in "
            << results << '\n';
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<holdfast::OwnRule> rules{holdfast::own_rule("by-slowdown", by_slowdown)};
  if (count == 1) return compare(rules);
  if (count == 3) return run(arguments[1], arguments[2], rules);
  std::cerr << "usage: own-strategy [CAMPAIGN.toml RESULTS]\n";
  return 2;
}
