#include "holdfast/memory_run.hpp"

#include "holdfast/console.hpp"
#include "holdfast/program.hpp"

#include <sstream>

namespace holdfast::cli {

CommandRunner runner_in_memory(Domains domains, const Console& console) {
  return [domains, places = console.places()](const StoredCommand& command) {
    std::ostringstream out, err;
    std::istringstream in(command.input);
    Console inner(out, err, in);
    inner.set_input_directory(command.input_directory);
    inner.set_places(places);
    inner.keep_to_answers(command.only_file);
    const int status = run_program(command.arguments, inner, domains);
    return CommandEnd{.status = status, .out = out.str(), .err = err.str()};
  };
}

}  // namespace holdfast::cli
