#include "holdfast/report/packing.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace holdfast {

TEST_CASE("packing: no resource is given twice, and the most at once is enough") {
  constexpr TimelineColumn kColumns[] = {{"job", Unit::none, Role::label},
                                         {"start", Unit::seconds, Role::start},
                                         {"end", Unit::seconds, Role::end},
                                         {"processors", Unit::none, Role::width}};
  CHECK(rc::check([&] {
    Timeline timeline{kColumns};
    double start = 0;
    const auto rows = *rc::gen::inRange<std::size_t>(1, 60);
    for (std::size_t row = 0; row < rows; ++row) {
      start += *rc::gen::inRange(0, 3);
      const double end = start + *rc::gen::inRange(0, 9);
      timeline.add({timeline.intern("job " + std::to_string(*rc::gen::inRange(0, 8))), start, end,
                    std::int64_t{*rc::gen::inRange(0, 9)}});
    }
    const TimelineRoles roles = find_roles(timeline);
    const std::vector<std::uint32_t> lanes(rows, 0);
    const std::int64_t size = most_at_once(timeline, roles, lanes, 1)[0];
    Packer packer(size);
    std::vector<double> busy_until(static_cast<std::size_t>(size), 0.0);
    for (std::size_t row = 0; row < rows; ++row) {
      const Interval when = interval_of(timeline, roles, row, 0);
      const auto width = std::get<std::int64_t>(timeline.row(row)[3]);
      std::int64_t given = 0;
      for (const ResourceRange range :
           packer.place(when, width, std::get<std::string_view>(timeline.row(row)[0]))) {
        RC_ASSERT(range.from >= 0 && range.to <= size);
        for (std::int64_t at = range.from; at < range.to; ++at, ++given) {
          RC_ASSERT(busy_until[static_cast<std::size_t>(at)] <= when.start);
          busy_until[static_cast<std::size_t>(at)] = when.end;
        }
      }
      RC_ASSERT(given == (when.end > when.start ? width : 0));
    }
  }));
}

}  // namespace holdfast
