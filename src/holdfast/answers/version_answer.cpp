#include "holdfast/answers/version_answer.hpp"

#include "holdfast/answers/assets.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/campaign/results_schema.hpp"

namespace holdfast {
namespace {

constexpr int kDocumentsSchema = 1;  // the version in the header of every document

}  // namespace

std::string_view built_commit() {
  const std::string_view line = assets::commit();
  return line.substr(0, line.find('\n'));
}

Value version_document() {
  Value out = Value::object(
      {{"holdfast", Value::object({{"kind", "version"}, {"version", 1}})}, {"version", version()}});
  if (!built_commit().empty()) out.set("commit", built_commit());
  out.set("schema", Value::object({{"results", kResultsSchema}, {"documents", kDocumentsSchema}}));
  const Value facts = parse_json(assets::build_facts()).value();
  for (const char* name : {"compiler", "build_type"}) out.set(name, *facts.find(name));
  for (const char* name : {"mpi", "libraries"}) out.set(name, *facts.find(name));
  return out;
}

}  // namespace holdfast
