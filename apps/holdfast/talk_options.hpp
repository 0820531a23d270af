#pragma once

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// The options that every verb has: how much is printed, and in which form.
struct TalkOptions {
  bool json = false;
  bool quiet = false;
  bool verbose = false;

  /// Sets the console accordingly. Verbs call it first.
  void apply(Console& console) const;
};

void add_talk_options(CLI::App& command, TalkOptions& talk);
/// Adds the same options without --json, for verbs whose result is a file of another format.
void add_quiet_options(CLI::App& command, TalkOptions& talk);

}  // namespace holdfast::cli
