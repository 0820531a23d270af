#pragma once

#include <span>
#include <string>
#include <string_view>

namespace holdfast {

/// Returns the known option that was probably meant by an unknown one: another word for the same thing (--nodes, --ckpt,
/// --walltime, -n), the start of a name, or a typing error. Empty if no option is near.
/// @param names  the options of the command, without dashes
/// @param typed  the typed option with its dashes, without a value
[[nodiscard]] std::string meant_option(std::span<const std::string> names, std::string_view typed);

/// Returns the option of which an unknown one is only another name: the same word in another spelling (--platform_mtbf, --MTBF), or
/// one that says the same in the same unit (--ckpt for --checkpoint). Empty if it may mean something else.
[[nodiscard]] std::string same_option(std::span<const std::string> names, std::string_view typed);

/// Returns the verb of which an unknown one is only another name ("trend" for "info"); empty if it may mean something else.
[[nodiscard]] std::string same_verb(std::span<const std::string> verbs, std::string_view typed);

/// Returns the verb that was probably meant: the one with the closest name, or another word for it ("trend" for "info"); empty if there is
/// none.
[[nodiscard]] std::string meant_verb(std::span<const std::string> verbs, std::string_view typed);

/// Returns what to give in place of an option that there is not (--gpus); empty for most.
[[nodiscard]] std::string_view given_instead(std::span<const std::string> names,
                                             std::string_view typed);

/// Returns how the refusal of an unknown option goes on: ": " and what to give in its place (--gpus), "; did you mean '--checkpoint'?", or
/// nothing.
/// @param dashes  what stands before the name of an option; empty for keywords of Python
[[nodiscard]] std::string unknown_option_hint(std::span<const std::string> names,
                                              std::string_view typed,
                                              std::string_view dashes = "--");

/// Returns the option beside which an unknown one changes nothing (--gpus beside --processors); empty for most.
/// @param given  the options that are given, with dashes and without values
[[nodiscard]] std::string_view idle_beside(std::span<const std::string> names,
                                           std::string_view typed,
                                           std::span<const std::string> given);

}  // namespace holdfast
