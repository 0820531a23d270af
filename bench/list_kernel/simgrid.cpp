#include <simgrid/s4u.hpp>

#include "tasks.hpp"
#include <string>
#include <vector>

namespace bench {

double by_simgrid(std::span<const double> lengths, std::size_t processors) {
  namespace sg = simgrid::s4u;
  int argc = 1;
  std::string name = "list_kernel";
  std::vector<char*> arguments{name.data(), nullptr};
  sg::Engine engine(&argc, arguments.data());

  auto* zone = sg::create_full_zone("machine");
  std::vector<sg::Host*> hosts;
  for (std::size_t p = 0; p < processors; ++p) {
    hosts.push_back(zone->create_host("processor-" + std::to_string(p), 1.0)->seal());
  }
  zone->seal();

  // Actors run one at a time, so the counter needs no lock. A task has as many flops as seconds.
  std::size_t next = 0;
  for (sg::Host* host : hosts) {
    sg::Actor::create(host->get_name(), host, [&next, lengths] {
      while (next < lengths.size()) sg::this_actor::execute(lengths[next++]);
    });
  }
  engine.run();
  return sg::Engine::get_clock();
}

}  // namespace bench
