#include "holdfast/contract/answer.hpp"

#include <utility>

namespace holdfast {

AnswerFile file_of(std::string text) {
  return {
      .write = [text = std::move(text)](const TextSink& sink) -> Result<std::vector<std::string>> {
        HOLDFAST_CHECK(sink(text));
        return std::vector<std::string>();
      }};
}

}  // namespace holdfast
