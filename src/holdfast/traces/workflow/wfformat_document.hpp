#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The contents of a WfFormat document, before its related parts are joined (wfformat.cpp).
namespace holdfast::wfformat {

/// A part of one of the reader's arrays.
struct Slice {
  std::size_t begin = 0;
  std::size_t end = 0;

  /// Returns that part of an array.
  template <class T>
  [[nodiscard]] std::span<const T> of(const std::vector<T>& array) const {
    return std::span(array).subspan(begin, end - begin);
  }
};

/// A task as it stands in the file. All texts are views into the document.
struct RawTask {
  std::string_view id;
  std::string_view name;
  double runtime = -1;  ///< seconds; -1: none
  double cores = 0;
  bool has_parents = false;
  bool has_children = false;
  Slice parents;
  Slice children;
  Slice inputs;            ///< names of files
  Slice outputs;           ///< names of files
  double input_bytes = 0;  ///< total size of the files described in the task itself
  double output_bytes = 0;
};

/// A document by its structure. Version 1.5 has `workflow.specification` and `.execution`; earlier versions have
/// `workflow.tasks` or `.jobs`.
struct Document {
  explicit Document(Value parsed) : value{std::move(parsed)} {}

  Value value;  ///< owns all texts
  std::string_view name;
  std::string_view version;
  std::string tasks_at;  ///< pointer to the list of tasks; empty: there is none
  std::vector<RawTask> tasks;
  bool is_split = false;  ///< true for 1.5, which separates structure and measurements
  bool has_execution = false;
  std::vector<RawTask> executions;
  double makespan = -1;
  std::vector<std::string_view> names;  ///< names of the parents, children and files of all tasks
  std::vector<std::pair<std::string_view, double>> files;
};

/// Reads the value. Errors carry a pointer into it.
[[nodiscard]] Status read_document(Document& out);

}  // namespace holdfast::wfformat
