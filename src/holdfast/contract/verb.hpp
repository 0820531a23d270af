#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/base/voice.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/contract/result_field.hpp"
#include "holdfast/contract/strategy_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct Domain;
struct Host;

/// The parts of an answer that are wanted. A verb may leave out others that take time.
struct WantedParts {
  bool text = true;      ///< what people read
  bool document = true;  ///< the document
  bool data = true;      ///< the table for programs
  bool chart = false;    ///< what --plot draws
  /// True if the text is read on a screen, so that a verb with many tables may print only the answer itself.
  bool is_brief = false;
};

/// The input of a verb.
struct Request {
  /// The instance document, with the options for its fields merged in.
  Value parameters = Value::object();
  Value options = Value::object();  ///< the verb's own options and positional arguments, by name
  std::optional<StrategySpec> strategy;       ///< the strategy that the user named, if any
  std::vector<StrategySpec> strategies = {};  ///< those that a verb compares
  const Domain* domain = nullptr;             ///< the domain of the instance, if there is one
  /// The folder to which relative paths inside the document refer.
  std::filesystem::path directory = ".";
  std::uint64_t seed = 1;  ///< the seed of all random streams
  /// The present date and time in local time ("2026-11-23T18:20:05"), for questions about the present. Empty if it is unknown.
  std::string today = {};
  Stop stop = {};  ///< request to stop; once wanted, long searches end with interrupted
  std::vector<std::string> words = {};  ///< a program and its arguments, after "--"
  /// What was taken for what ("'log.csv' was taken as --log"). The answer begins its warnings with them.
  std::vector<std::string> taken = {};
  /// Opens the data for the file name "-"; if empty, standard input.
  std::function<std::unique_ptr<ByteSource>()> input = {};
  Voice voice = {};  ///< where a verb that runs for a long time speaks
  /// Shows a part of the answer at once, unless the whole is wanted as a document. The answer then lacks it.
  std::function<void(const Answer&)> show = [](const Answer&) {};
  const Host* host = nullptr;  ///< the program around it, for verbs that are about the program
  bool is_verbose = false;     ///< true if the user wants details
  WantedParts wanted = {};
};

/// What a verb hands back.
enum class Gives : std::uint8_t {
  answer,    ///< an answer: text for people, a document for programs
  instance,  ///< an answer whose document is an instance, which other commands can read
  file,      ///< a file in the format of somebody else
  nothing,   ///< nothing: the verb runs a program or a server
};

/// A verb of a domain (`checkpoint plan`, `io examples`), of traces (`trace fit`), of the arbiter (`io serve`) or of the program
/// (`run`, `guard`). The verb `simulate` is the same for all domains and is not in their tables.
struct Verb {
  std::string_view name;     ///< a short name: "plan"
  std::string_view summary;  ///< one line for people
  std::string_view example;  ///< commands that work as they stand, a line each
  /// The word before its name, if it is in no table of a domain: "trace", "io".
  std::string_view family = {};
  /// The domain of its instance, if it is in no table of a domain but takes one.
  std::string_view instance_of = {};
  std::string_view group = {};                  ///< its heading in the list of verbs, if it has one
  std::span<const Parameter> options = {};      ///< options of the form --name value
  std::span<const Parameter> positionals = {};  ///< positional arguments in order, all optional
  /// The members of its document, without those that all documents have.
  std::span<const ResultField> results = {};
  bool takes_instance = true;     ///< true: the verb has --instance and options for the fields
  bool takes_strategy = false;    ///< true: the verb has --strategy NAME
  bool takes_strategies = false;  ///< true: the verb has --strategy A,B,... and compares them
  bool takes_seed = true;         ///< true: the verb has --seed N
  bool has_schedule = false;      ///< true: the verb has --schedule FILE
  bool has_chart = false;         ///< true: the verb has --plot FILE
  bool takes_words = false;       ///< true: a program and its arguments follow "--"
  Gives gives = Gives::answer;    ///< what it hands back
  /// The file that it writes if the user names none, for help; empty: standard output.
  std::string_view file_name = {};
  bool only_answers =
      true;  ///< false: it writes files or runs programs, so no file of vectors may name it
  /// Names of fields of the instance that the verb ignores. They are not options of the verb, but a document may contain them.
  std::span<const std::string_view> unused = {};
  /// The function that answers; never null.
  Result<Answer> (*run)(const Request& request) = nullptr;

  /// Returns the option or the positional argument of that name, or null. Underscores stand for hyphens, and `format` for
  /// `read_as`, which it was called in 0.1.0.
  [[nodiscard]] const Parameter* option(std::string_view option_name) const;
  /// Returns an error about one of them, or about the strategy, in the words of a command line: "--size" for "/size". Others stay
  /// as they are.
  [[nodiscard]] Error placed(Error error) const;
  /// Returns the names of all of them.
  [[nodiscard]] std::vector<std::string_view> option_names() const;
};

/// Returns the words that call a verb: "checkpoint plan", "trace fit", "run".
/// @param domain  the domain that knows it; null if there is none
[[nodiscard]] std::string command_of(const Domain* domain, const Verb& verb);

}  // namespace holdfast
