#include "holdfast/steward/slurm_command.hpp"

#include "holdfast/base/command.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace holdfast::steward {
namespace {

constexpr double kAnswerWithin = 20;
constexpr std::string_view kEnded = "exit status ";  // a command that ran to its end

}  // namespace

Result<std::string> ask_slurm(const std::vector<std::string>& command) {
  const bool is_wrapped = command.front() == "env" || command.front() == "timeout";
  const std::string& program = command[is_wrapped ? 2 : 0];
  auto said = run_command(command, kAnswerWithin);
  if (!said) return fail(ErrorCode::io_failure, program, std::move(said).error().message);
  if (said->status == 0) return std::move(said->out);
  const std::string_view words = trim(said->err.empty() ? said->out : said->err);
  return fail(ErrorCode::io_failure, program,
              fmt::format("{}{}: {}", kEnded, said->status, printable(words)));
}

bool is_silence(const Error& error) {
  constexpr auto kSilent = std::to_array<std::string_view>(
      {"contact slurm controller", "Message send failure", "Message receive failure",
       "Communication connection failure", "Communication shutdown failure", "standby",
       "Socket timed out", "Zero Bytes were transmitted", "Unexpected message received"});
  const std::string& words = error.message;
  return !words.starts_with(kEnded) || std::ranges::any_of(kSilent, [&](std::string_view one) {
    return words.find(one) != std::string::npos;
  });
}

std::vector<std::string> queue_command() {
  return {"env", "SLURM_TIME_FORMAT=%s", "squeue", "--noheader"};
}

Result<std::string> cluster_name() {
  HOLDFAST_TRY(text, ask_slurm({"scontrol", "show", "config"}));
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("ClusterName")) {
      return std::string(trim(line.substr(line.find('=') + 1)));
    }
  }
  return std::string("?");
}

}  // namespace holdfast::steward
