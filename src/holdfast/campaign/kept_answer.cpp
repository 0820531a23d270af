#include "holdfast/campaign/kept_answer.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/base/word_hash.hpp"

#include <fmt/format.h>

#include <system_error>

namespace holdfast {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kSumBytes = 17;  // a line of 16 digits, before the document

std::string sum_line(std::string_view body) {
  return fmt::format("{:016x}\n", word_hash(body));
}

Value document_of(const KeptAnswer& answer) {
  return Value::object({{"state", answer.state},
                        {"made_by", answer.made_by},
                        {"page", answer.page},
                        {"is_complete", answer.is_complete},
                        {"headline", answer.headline},
                        {"verdict", Value::list(answer.verdict)},
                        {"lines", Value::list(answer.lines)}});
}

std::string text_of(const Value& document, std::string_view name) {
  const Value* member = document.find(name);
  return member != nullptr && member->string() != nullptr ? *member->string() : std::string();
}

std::uint64_t number_of(const Value& document, std::string_view name) {
  const Value* member = document.find(name);
  std::uint64_t out = 0;
  return member != nullptr && member->get_unsigned(out) ? out : 0;
}

std::vector<std::string> texts_of(const Value& document, std::string_view name) {
  std::vector<std::string> out;
  const Value* member = document.find(name);
  if (member == nullptr || member->array_items() == nullptr) return out;
  for (const Value& text : *member->array_items()) {
    if (text.string() != nullptr) out.push_back(*text.string());
  }
  return out;
}

}  // namespace

std::optional<KeptAnswer> read_kept(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / KeptAnswer::kFile;
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return std::nullopt;
  const auto text = read_file(file, kMostBytes);
  if (!text || text->size() < kSumBytes) return std::nullopt;
  const std::string_view body = std::string_view(*text).substr(kSumBytes);
  if (text->substr(0, kSumBytes) != sum_line(body)) return std::nullopt;
  const auto document = parse_json(body);
  if (!document) return std::nullopt;
  const Value* is_complete = document->find("is_complete");
  return KeptAnswer{.state = number_of(*document, "state"),
                    .made_by = number_of(*document, "made_by"),
                    .page = number_of(*document, "page"),
                    .is_complete = is_complete != nullptr && is_complete->boolean() != nullptr &&
                                   *is_complete->boolean(),
                    .headline = text_of(*document, "headline"),
                    .verdict = texts_of(*document, "verdict"),
                    .lines = texts_of(*document, "lines")};
}

void keep(const std::filesystem::path& directory, const KeptAnswer& answer) {
  const std::string body = to_compact_json(document_of(answer));
  // Without it the same is computed again: a full disk is no reason to fail.
  static_cast<void>(write_own_file(directory / KeptAnswer::kFile, sum_line(body) + body));
}

}  // namespace holdfast
