#include "holdfast/base/xml_scanner.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::string_view kXmlBlanks = " \t\r\n";

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

}  // namespace

tl::unexpected<Error> XmlScanner::refuse(std::string_view expected) const {
  return fail(
      ErrorCode::bad_format, line_and_column(text_, std::min(at_, text_.size())),
      fmt::format("found {}, expected {}",
                  at_ < text_.size() ? in_quotes(text_.substr(at_, 40)) : "the end", expected));
}

Status XmlScanner::skip_to(std::string_view end) {
  const std::size_t found = text_.find(end, at_);
  if (found == text_.npos) return refuse(fmt::format("{} behind it", end));
  at_ = found + end.size();
  return {};
}

Result<XmlScanner::Event> XmlScanner::next() {
  attributes_.clear();
  if (std::exchange(ends_at_once_, false)) {
    open_.pop_back();
    before_ = {};
    return Event::end;
  }
  const std::size_t begin = at_;
  for (;;) {
    at_ = text_.find('<', at_);
    if (at_ == text_.npos) {
      at_ = text_.size();
      return open_.empty() ? Result<Event>(Event::none)
                           : refuse(fmt::format("</{}>", open_.back()));
    }
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) {
      HOLDFAST_CHECK(skip_to("-->"));
    } else if (rest.starts_with("<?")) {
      HOLDFAST_CHECK(skip_to("?>"));
    } else if (rest.starts_with("<![CDATA[")) {
      HOLDFAST_CHECK(skip_to("]]>"));
    } else if (rest.starts_with("<!")) {
      HOLDFAST_CHECK(skip_to(">"));
    } else {
      break;
    }
  }
  before_ = trim(text_.substr(begin, at_ - begin));
  const std::size_t close = text_.find('>', at_);
  if (close == text_.npos) return refuse("> at the end of a tag");
  std::string_view tag = text_.substr(at_ + 1, close - at_ - 1);
  const bool is_end = tag.starts_with('/');
  const bool is_alone = tag.ends_with('/');
  if (is_end) tag.remove_prefix(1);
  if (is_alone) tag.remove_suffix(1);
  const std::string_view whole = tag.substr(0, tag.find_first_of(kXmlBlanks));
  name_ = local_name(whole);
  if (name_.empty()) return refuse("the name of an element");
  if (is_end) {
    if (open_.empty() || open_.back() != name_)
      return refuse(open_.empty() ? "no end of an element" : fmt::format("</{}>", open_.back()));
    open_.pop_back();
    at_ = close + 1;
    return Event::end;
  }
  if (open_.size() >= kDeepest) return refuse("at most 200 elements in each other");
  HOLDFAST_CHECK(read_attributes(tag.substr(whole.size())));
  open_.push_back(name_);
  ends_at_once_ = is_alone;
  at_ = close + 1;
  return Event::begin;
}

Status XmlScanner::read_attributes(std::string_view tag) {
  for (tag = trim(tag); !tag.empty(); tag = trim(tag)) {
    const std::size_t equals = tag.find('=');
    const std::size_t open =
        equals == tag.npos ? tag.npos : tag.find_first_not_of(kXmlBlanks, equals + 1);
    const bool is_quoted = open != tag.npos && (tag[open] == '"' || tag[open] == '\'');
    const std::size_t close = is_quoted ? tag.find(tag[open], open + 1) : tag.npos;
    if (close == tag.npos) return refuse("attributes name=\"value\"");
    attributes_.emplace_back(local_name(trim(tag.substr(0, equals))),
                             tag.substr(open + 1, close - open - 1));
    tag.remove_prefix(close + 1);
  }
  return {};
}

std::optional<std::string> XmlScanner::attribute(std::string_view name) const {
  const auto found =
      std::ranges::find(attributes_, name, &std::pair<std::string_view, std::string_view>::first);
  return found == attributes_.end() ? std::nullopt : std::optional(decoded(found->second));
}

std::string XmlScanner::decoded(std::string_view raw) {
  constexpr auto kEntities = std::to_array<std::pair<std::string_view, char>>(
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}});
  std::string out;
  while (!raw.empty()) {
    const auto found = std::ranges::find_if(
        kEntities, [raw](const auto& entity) { return raw.starts_with(entity.first); });
    out += found == kEntities.end() ? raw.front() : found->second;
    raw.remove_prefix(found == kEntities.end() ? 1 : found->first.size());
  }
  return out;
}

}  // namespace holdfast
