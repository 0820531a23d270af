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

/// A file that people have and that is no trace. All words of `signs` are among those of its first lines; one of JSON, which begins
/// with a quote, is anywhere near its beginning.
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
    "one column of numbers, expected a table; if they are ages at failure: --read-as lifetimes, "
    "and if not in seconds --column-unit low=h";
constexpr std::string_view kAskSacct =
    "jobs of Slurm in a form without a column for each value, expected those of its accounting: "
    "sacct -X -P -S START --format=JobID,Submit,Start,End,Elapsed,AllocCPUS,NNodes,State";
constexpr std::string_view kAskPbs =
    "jobs of PBS that have not ended (qstat), expected its accounting: "
    "PBS_HOME/server_priv/accounting/DATE";
constexpr std::string_view kLsf =
    "a summary of LSF (bacct, bhist), without times of day, expected its accounting: the file "
    "lsb.acct";
constexpr std::string_view kCondor =
    "jobs of HTCondor in a form for the eye, expected those of its history: condor_history -json";
constexpr std::string_view kOneMoment =
    "values of one moment (Prometheus), expected those over a range of time: curl -G "
    "SERVER/api/v1/query_range -d query=up -d start=FROM -d end=TO -d step=60";
constexpr std::string_view kNoRecords =
    "a text of Darshan without records of POSIX or STDIO (--total, --perf, or nothing was "
    "recorded), expected all records: darshan-parser FILE, without options";
constexpr std::string_view kIor =
    "the output of IOR, expected I/O of programs: a table with columns "
    "run,component,bytes_written,bytes_read,write_time_s,read_time_s";
constexpr std::string_view kExtrap =
    "measurements of Extra-P as JSON, expected its text format (PARAMETER, METRIC, DATA) or a "
    "table of processors and seconds";
constexpr std::string_view kEnergyCharts =
    "a list of times and lists of values (energy-charts.info), expected a row for each time: jq -r "
    "'([\"time\",.production_types[].name],([.unix_seconds,.production_types[].data]|transpose[]))|"
    "@csv' "
    "FILE > power.csv";
constexpr std::string_view kPage =
    "a page for browsers, expected the file itself: fetch it again with its own address";
constexpr std::string_view kNoNames =
    "jobs of sacct without the names of their columns, expected these names: sacct without -n "
    "(--noheader)";
constexpr std::string_view kSyslog =
    "lines of a system log, expected a table of failures: (echo node,down; journalctl -o short-iso "
    "| awk '/WORD OF A FAILURE/{print $2\",\"$1}') > failures.csv";
constexpr std::string_view kBoots =
    "boots of one machine, expected failures: a table with columns node,down,up, with a row for "
    "each boot "
    "that followed a crash";

constexpr auto kKnownStrangers = std::to_array<Stranger>({
    {"JOBID PARTITION ST TIME", kSacct},
    {"JobId= JobName=", kAskSacct},
    {"Job id Name User", kAskPbs},
    {"Req'd Req'd Elap", kAskPbs},
    {"Cluster Utilization",
     "a report of sreport, which names no outage, expected the events: "
     "sacctmgr -P list event start=DATE "
     "format=Cluster,NodeName,Start,End,State,Reason"},
    {"command,mean,stddev,median,user,system,min,max",
     "measurements of hyperfine without a number of processors: measure with hyperfine "
     "--parameter-list processors 1,2,4 'mpirun -n {processors} PROGRAM' --export-csv FILE"},
    {"REASON USER TIMESTAMP NODELIST", kAskSacctmgr},
    {"PARTITION AVAIL NODELIST", kList},
    {"NODELIST NODES PARTITION STATE", kList},
    {"NODELIST STATE", kList},
    {"NODELIST|STATE", kList},
    {"reboot system boot", kBoots},
    {"IDX BOOT ID", kBoots},
    {"IOR-4", kIor},
    {"IOR-3", kIor},
    {"date,serial_number,",
     "daily statistics of drives (Backblaze), expected lifetimes: awk -F, "
     "'!/^date/{d[$2]++;f[$2]+=$5} END{print \"days,event\";for(s in d)print d[s]\",\"f[s]}' "
     "FILES > lives.csv"},
    {"\"params\":", kExtrap},
    {"\"parameters\":[", kExtrap},
    {"\"resultType\":\"vector\"", kOneMoment},
    {"# HELP", kOneMoment},
    {"\"unix_seconds\":", kEnergyCharts},
    {"\"pbs_version\":", kAskPbs},
    {"Job Id: Job_Name =", kAskPbs},
    {"Mom = state", kList},
    {"HOST_NAME STATUS JL/U", kList},
    {"NAME STATUS ROLES AGE", kList},
    {"\"sinfo\":[", kList},
    {"JOBID|PARTITION|", kSacct},
    {"Schedd:", kCondor},
    {"ID OWNER SUBMITTED RUN_TIME", kCondor},
    {"# darshan log version:", kNoRecords},
    {"Accounting information about jobs", kLsf},
    {"Summary of time in seconds spent", kLsf},
    {"JOBID SUBMIT_TIME",
     "jobs as LSF's bjobs prints them, whose times are of a form of its own, expected its "
     "accounting: the file lsb.acct"},
    {"digraph",
     "a graph in the language DOT, expected a workflow with run times: WfFormat, DAX, or a "
     "table for 'holdfast taskgraph'"},
    {"<html", kPage},
    {"<!DOCTYPE", kPage},
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
  std::string json(head.substr(0, kLongest));
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  for (const Stranger& one : kKnownStrangers) {
    const auto signs = words_of(one.signs);
    const bool is_this = std::ranges::all_of(signs, [&](std::string_view sign) {
      if (sign.starts_with('"')) return json.find(sign) != json.npos;
      const bool is_begin = std::string_view("=,:|").find(sign.back()) != sign.npos ||
                            sign.starts_with('<') || sign.starts_with("IOR");
      return std::ranges::any_of(words, [&](std::string_view word) {
        return is_begin ? word.starts_with(sign) : word == sign;
      });
    });
    if (is_this) return one.message;
  }
  constexpr auto kMonths = std::to_array<std::string_view>(
      {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"});
  if (words.size() > 4 && std::ranges::find(kMonths, words[0]) != kMonths.end() &&
      clock_in(words[2])) {
    return kSyslog;
  }
  constexpr auto kStates = std::to_array<std::string_view>(
      {"COMPLETED", "FAILED", "TIMEOUT", "RUNNING", "NODE_FAIL", "CANCELLED"});
  const auto is_state = [&](std::string_view cell) {
    return std::ranges::find(kStates, cell) != kStates.end();
  };
  if (std::ranges::any_of(split(first_row_of(head), '|'), is_state)) return kNoNames;
  // Numbers alone, one in a line, perhaps below a name.
  const bool is_column = lines > 1 && words.size() == lines &&
                         words[0].find(',') == words[0].npos &&
                         std::all_of(words.begin() + 1, words.end(), [](std::string_view word) {
                           return number_in(word, false) || number_in(word, true);
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
