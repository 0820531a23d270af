#include "holdfast/traces/text/strangers.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/sniff.hpp"
#include "holdfast/traces/text/words.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace holdfast {
namespace {

/// A file that people have and that is no trace. All words of `signs` are among those of its first lines.
struct Stranger {
  std::string_view signs;
  std::string_view message;
};

constexpr std::string_view kSacct =
    "Slurm's queue (squeue), whose jobs have not ended, expected jobs of the past: sacct -X -P -S "
    "START "
    "--format=JobID,Submit,Start,End,Elapsed,AllocCPUS,NNodes,State";
constexpr std::string_view kAskSacctmgr =
    "nodes that are out of service now (sinfo -R), expected a log of the past: sacctmgr -P list "
    "event "
    "start=DATE format=Cluster,NodeName,Start,End,State,Reason";
constexpr std::string_view kList =
    "a list of nodes, expected a log: give it with the log, as 'nodes'; failures are in sacctmgr "
    "-P list "
    "event start=DATE format=Cluster,NodeName,Start,End,State,Reason";
constexpr std::string_view kNumbers =
    "numbers without a name, expected a table; if they are ages at failure, in seconds: "
    "(echo low,event; sed 's/$/,1/' FILE) > ages.csv";
constexpr std::string_view kBoots =
    "boots of one machine, expected failures: a table with columns node,down,up, with a row for "
    "each boot "
    "that followed a crash";

constexpr auto kKnownStrangers = std::to_array<Stranger>({
    {"JOBID PARTITION ST TIME", kSacct},
    {"REASON USER TIMESTAMP NODELIST", kAskSacctmgr},
    {"PARTITION AVAIL NODELIST", kList},
    {"NODELIST NODES PARTITION STATE", kList},
    {"reboot system boot", kBoots},
    {"IDX BOOT ID", kBoots},
    {"IOR-4",
     "the output of IOR, expected I/O of programs: a table with columns "
     "run,component,bytes_written,bytes_read,write_time_s,read_time_s"},
    {"IOR-3",
     "the output of IOR, expected I/O of programs: a table with columns "
     "run,component,bytes_written,bytes_read,write_time_s,read_time_s"},
    {"date,serial_number,",
     "daily statistics of drives (Backblaze), expected lifetimes: a table with columns "
     "low (days that a drive was seen) and event (1: it failed)"},
    {"{\"params\":",
     "measurements of Extra-P as JSON, expected its text format (PARAMETER, METRIC, DATA) or "
     "a table of processors and seconds"},
    {"\"parameters\":",
     "an experiment of Extra-P as JSON, expected its text format (PARAMETER, METRIC, DATA) "
     "or a table of processors and seconds"},
    {"Summary of time in seconds spent",
     "a summary of LSF's bhist, without times of day, expected its accounting: the file lsb.acct"},
    {"digraph",
     "a graph in the language DOT, expected a workflow with run times: WfFormat, DAX, or a "
     "table for 'holdfast taskgraph'"},
    {"<html", "a page for browsers, expected the file itself: fetch it again with its own address"},
    {"<!DOCTYPE",
     "a page for browsers, expected the file itself: fetch it again with its own address"},
});

}  // namespace

std::string_view known_stranger(std::string_view head) {
  constexpr std::size_t kLines = 3, kLongest = 4096;
  std::vector<std::string_view> words;
  std::size_t lines = 0;
  for (const std::string_view line : split(head.substr(0, kLongest), '\n')) {
    if (trim(line).empty()) continue;
    const auto more = words_of(line);
    words.insert(words.end(), more.begin(), more.end());
    if (++lines == kLines) break;
  }
  for (const Stranger& one : kKnownStrangers) {
    const auto signs = words_of(one.signs);
    const bool is_this = std::ranges::all_of(signs, [&](std::string_view sign) {
      const bool is_begin = sign.ends_with('=') || sign.ends_with(',') || sign.ends_with(':') ||
                            sign.starts_with('<') || sign.starts_with("IOR");
      return std::ranges::any_of(words, [&](std::string_view word) {
        return is_begin ? word.starts_with(sign) : word == sign;
      });
    });
    if (is_this) return one.message;
  }
  // Numbers alone, one in a line.
  const bool is_column =
      lines > 1 && words.size() == lines && std::ranges::all_of(words, [](std::string_view word) {
        return number_in(word, false).has_value();
      });
  if (is_column) return kNumbers;
  // Names of nodes alone: one in a line, each of which ends in a digit or in brackets.
  const bool is_list = !words.empty() && words.size() == lines &&
                       std::ranges::all_of(words, [](std::string_view word) {
                         const char last = word.back(), first = word.front();
                         const bool is_letter =
                             (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
                         return is_letter && ((last >= '0' && last <= '9') || last == ']') &&
                                word.find_first_of(",;:|=\"") == word.npos;
                       });
  return is_list || (!words.empty() && words[0].starts_with("NodeName=")) ? kList
                                                                          : std::string_view();
}

}  // namespace holdfast
