#include "holdfast/kernel/event_queue.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <tuple>
#include <vector>

using namespace holdfast;

TEST_CASE("event queue: time first, then priority, then order of insertion") {
  EventQueue<char> queue;
  queue.push(2, 0, 'd');
  queue.push(1, 5, 'c');
  queue.push(1, -1, 'a');
  queue.push(1, 5, 'C');
  queue.push(1, 0, 'b');
  queue.push(std::numeric_limits<double>::infinity(), 0, 'e');
  std::string order;
  while (!queue.empty()) order += queue.pop().payload;
  CHECK(order == "abcCde");
}

TEST_CASE("event queue: clear starts the numbering again") {
  EventQueue<int> queue;
  queue.push(1, 0, 1);
  queue.clear();
  CHECK(queue.empty());
  queue.push(1, 0, 2);
  CHECK(queue.top().sequence == 0);
}

TEST_CASE("event queue: payloads may be movable only") {
  EventQueue<std::unique_ptr<int>> queue;
  for (int i = 9; i >= 0; --i) queue.push(i, 0, std::make_unique<int>(i));
  for (int i = 0; i <= 9; ++i) CHECK(*queue.pop().payload == i);
}

TEST_CASE("event queue: any mix of pushes and pops agrees with a sorted list") {
  CHECK(rc::check([](const std::vector<std::tuple<unsigned char, unsigned char, bool>>& steps) {
    EventQueue<std::size_t> queue;
    std::vector<std::tuple<double, int, std::size_t>> reference;
    std::size_t pushed = 0;
    for (const auto& [time, priority, is_pop] : steps) {
      if (is_pop && !reference.empty()) {
        const auto least = std::min_element(reference.begin(), reference.end());
        RC_ASSERT(queue.pop().payload == std::get<2>(*least));
        reference.erase(least);
      } else {
        queue.push(time % 8, priority % 4, pushed);
        reference.emplace_back(time % 8, priority % 4, pushed);
        ++pushed;
      }
      RC_ASSERT(queue.size() == reference.size());
    }
  }));
}
