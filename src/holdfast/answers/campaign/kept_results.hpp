#pragma once

#include "holdfast/answers/host.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/campaign/kept_answer.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/answer.hpp"

#include <cstdint>
#include <optional>

namespace holdfast {

/// The brief answer and the page that were made from the results of a campaign before. They are as good as new while the cells,
/// their description, the program and the campaign's file are the same.
class KeptResults {
 public:
  /// Checks the cells of the results, and reads what is kept about them. Damaged cells are an error. The results must outlive
  /// this object.
  [[nodiscard]] static Result<KeptResults> read(const Results& results, const Host& host);

  /// Returns the answer; nothing if it is not known.
  [[nodiscard]] std::optional<Answer> answer() const;
  /// Returns true if the page in the directory of the results is known to be right.
  [[nodiscard]] bool has_page() const;

  /// Keeps the page that was written there, and the brief answer.
  /// @param answer       null: it was not made
  /// @param is_complete  all cells of the campaign are there
  void keep(const Answer* answer, bool is_complete);

 private:
  KeptResults(const Results& results, std::optional<std::uint64_t> state, std::uint64_t made_by);

  const Results* results_;
  std::optional<std::uint64_t> state_;  ///< none: nothing can be kept
  KeptAnswer known_;
};

}  // namespace holdfast
