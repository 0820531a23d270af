#pragma once

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// How much is said, and in which form: the options that every verb has.
struct TalkOptions {
  bool json = false;
  bool quiet = false;
  bool verbose = false;

  /// Tells the console. Verbs call it first.
  void apply(Console& console) const;
};

void add_talk_options(CLI::App& command, TalkOptions& talk);
/// The same without --json, for verbs whose result is a file of another format.
void add_quiet_options(CLI::App& command, TalkOptions& talk);

}  // namespace holdfast::cli
