#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

/// The way into a domain for everybody outside it. Documents that hold an instance may begin with a header,
/// `"holdfast": {"kind": "io-instance", "version": 1}`, which says what they are. It is checked, taken off and written
/// here; domains see documents without it.
namespace holdfast {

/// A point of a document, header allowed: Domain::open with the header checked and taken off.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Domain& domain, const Value& document,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

/// The answer of a verb to a request, whose instance may have a header; the document of a verb that writes an instance
/// gets one, unless it says of itself what it is.
[[nodiscard]] Result<Answer> ask(const Domain& domain, const Verb& verb, const Request& request);

/// Takes the header off a document that has one. @returns bad_value for the header of something else than this domain's
/// instance; the document then is as it was
[[nodiscard]] Status take_off_header(const Domain& domain, Value& document);

/// A document of this domain's kind, the header first. @pre body is an object
[[nodiscard]] Value with_header(std::string_view domain, Value body);

}  // namespace holdfast
