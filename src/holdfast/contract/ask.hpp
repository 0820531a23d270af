#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

/// Everybody outside a domain reaches it through these functions. Documents that hold an instance may begin with a
/// header, `"holdfast": {"kind": "io-instance", "version": 1}`, which identifies them. These functions check, remove and
/// write it; domains see documents without it.
namespace holdfast {

/// Opens a point of a document that may have a header: checks and removes the header, then calls Domain::open.
/// @param directory  the folder in which relative paths inside the document start
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Domain& domain, const Value& document,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

/// Runs a verb and returns its answer. The instance of the request may have a header; if the verb writes an instance, the
/// document of the answer gets one, unless it has one already.
[[nodiscard]] Result<Answer> ask(const Domain& domain, const Verb& verb, const Request& request);

/// Removes the header of a document that has one.
/// @returns bad_value, and leaves the document unchanged, if the header is not that of an instance of this domain
[[nodiscard]] Status take_off_header(const Domain& domain, Value& document);

/// Returns the body as a document of this domain with the header as its first member.
/// @pre body is an object
[[nodiscard]] Value with_header(std::string_view domain, Value body);

}  // namespace holdfast
