#include "holdfast/domains/taskgraph/verbs.hpp"

#include "holdfast/domains/taskgraph/instance_io.hpp"

namespace holdfast::taskgraph {

std::vector<Verb> verbs() {
  return {plan_verb(), optimum_verb(), graph_verb(), generate_verb()};
}

Result<Instance> instance_of(const Request& request) {
  if (!describes_generator(request.parameters)) return read_instance(request.parameters);
  HOLDFAST_TRY(parameters, read_generator(request.parameters, request.directory));
  Instance instance = generate(parameters, request.seed);
  HOLDFAST_CHECK(check(instance));
  return instance;
}

}  // namespace holdfast::taskgraph
