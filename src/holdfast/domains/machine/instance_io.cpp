#include "holdfast/domains/machine/instance_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/machine/document_parts.hpp"
#include "holdfast/domains/machine/fields.hpp"
#include "holdfast/domains/machine/logged_jobs.hpp"
#include "holdfast/inputs/failures.hpp"

#include <algorithm>
#include <string>

namespace holdfast::machine {
namespace {

void read_work(ObjectReader& read, const std::filesystem::path& directory, Instance& instance) {
  if (read.has("jobs") && (read.has("classes") || read.has("mix"))) {
    read.refuse("jobs", "found both 'jobs' and 'classes', expected one of them");
  }
  const double cores = read.number_or("cores_per_node", 16, positive());
  read.with("classes", [&](const Value& value, const std::string& where) {
    return read_class_list(value, where, directory, cores, instance);
  });
  if (read.has("mix") && !read.has("classes")) {
    read.refuse("mix", "found a mix without 'classes', expected both");
  }
  read.with("mix", [&](const Value& value, const std::string& where) {
    return read_mix(value, where, instance);
  });
  if (read.ok() && !instance.mix.empty()) make_mix(instance);
  read.with("jobs", [&](const Value& value, const std::string& where) {
    return value.array_items() != nullptr ? read_jobs(value, where, instance)
                                          : read_logged_jobs(value, where, directory, instance);
  });
  if (!read.has("jobs") && !read.has("classes")) {
    read.refuse("classes", "is missing, and so is 'jobs'; one of them says what runs");
  }
}

}  // namespace

Result<Instance> read_instance(const Value& given, const std::filesystem::path& directory) {
  const Value document = without_fractions(given);
  Instance instance;
  ObjectReader read(document, "");
  instance_fields().read(read, instance);
  if (read.ok()) {
    read_work(read, directory, instance);
    read.with("failures", [&](const Value& value, const std::string& where) {
      return read_failures_of_machine(value, where, directory, instance);
    });
  }
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  instance_fields().write(instance, document);
  const Value failures = failures_value(instance, instance.ages);
  if (!failures.members()->empty()) document.set("failures", failures);
  if (instance.draws_jobs()) {
    document.set("classes", classes_value(instance.classes));
  } else {
    document.set("jobs", jobs_value(instance));
  }
  return document;
}

}  // namespace holdfast::machine
