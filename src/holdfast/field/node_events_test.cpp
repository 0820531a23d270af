#include "holdfast/field/node_events.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace holdfast::field;

namespace {

/// A file that grows.
struct Growing {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / "holdfast_node_events_test.csv";
  Growing() { std::filesystem::remove(path); }
  ~Growing() { std::filesystem::remove(path); }
  void add(const std::string& text) const { std::ofstream(path, std::ios::app) << text; }
};

std::vector<std::string> names_of(const std::vector<NodeEvents::Row>& rows) {
  std::vector<std::string> out;
  for (const auto& row : rows) out.push_back(row.node);
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("node events: rows come as they are written, whole ones only") {
  const Growing file;
  NodeEvents events(file.path);
  CHECK(events.read().empty());  // it is not there yet
  file.add("# observed: 0 to 1\nsystem,node,down,up\nA,n1,10,\nA,n2,1");
  CHECK(names_of(events.read()) == Names{"n1"});
  file.add("1,12\nA,\"n3\",13,14\nA,n4,,\nA\n");
  CHECK(names_of(events.read()) == Names{"n2", "n3"});
  CHECK(events.rows() == 5);
  CHECK(events.read().empty());
  CHECK(events.trouble().empty());
}

TEST_CASE("node events: another file is read from its start, and the count goes on") {
  const Growing file;
  NodeEvents events(file.path);
  file.add("node,down\nn1,10\nn2,20\n");
  CHECK(events.read().size() == 2);
  std::filesystem::remove(file.path);
  file.add("down,node\n30,n3\n");
  const auto rows = events.read();
  CHECK(names_of(rows) == Names{"n3"});
  CHECK(rows.at(0).number == 3);
}

TEST_CASE("node events: a file without the columns says so") {
  const Growing file;
  NodeEvents events(file.path);
  file.add("host,time\nn1,10\n");
  CHECK(events.read().empty());
  CHECK(events.trouble() == "found the columns 'host,time', expected node and down among them");
}
