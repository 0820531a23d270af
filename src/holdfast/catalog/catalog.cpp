#include "holdfast/catalog/catalog.hpp"

#include "holdfast/domains/capacity/domain.hpp"
#include "holdfast/domains/checkpoint/domain.hpp"
#include "holdfast/domains/cosched/domain.hpp"
#include "holdfast/domains/io/domain.hpp"
#include "holdfast/domains/machine/domain.hpp"
#include "holdfast/domains/moldable/domain.hpp"
#include "holdfast/domains/taskgraph/domain.hpp"
#include "holdfast/domains/volatile/domain.hpp"
#include "holdfast/domains/workflow/domain.hpp"

#include <initializer_list>
#include <vector>

namespace holdfast {
namespace {

using Binding = const Domain& (*)();

// One include above and one line here per domain.
// clang-format off
constexpr std::initializer_list<Binding> kBindings = {
    capacity::domain,
    checkpoint::domain,
    cosched::domain,
    io::domain,
    machine::domain,
    moldable::domain,
    taskgraph::domain,
    volatile_workers::domain,
    workflow::domain,
};
// clang-format on

}  // namespace

std::span<const Domain* const> domains() {
  static const std::vector<const Domain*> kDomains = [] {
    std::vector<const Domain*> out;
    for (const Binding binding : kBindings) out.push_back(&binding());
    return out;
  }();
  return kDomains;
}

}  // namespace holdfast
