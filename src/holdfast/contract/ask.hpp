#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

/// The only way to reach a domain from outside. A document that holds an instance may begin with a header, `"holdfast":
/// {"kind": "io-instance", "version": 1}`, which identifies it. These functions check, remove and write the header; domains see
/// documents without it.
namespace holdfast {

/// Opens a point of a document that may have a header: checks and removes the header, then calls Domain::open.
/// @param directory  the folder to which relative paths inside the document refer
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Domain& domain, const Value& document,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

/// Runs a verb and returns its answer. Errors about its options are in the words of a command line (Verb::placed()).
[[nodiscard]] Result<Answer> ask(const Verb& verb, const Request& request);
/// Runs a verb of a domain and returns its answer. The instance of the request may have a header. If the verb writes an instance, the
/// document of the answer gets a header, unless it already has one.
/// @returns bad_value if the verb takes a strategy and the request has none
[[nodiscard]] Result<Answer> ask(const Domain& domain, const Verb& verb, const Request& request);

/// Removes the header of a document that has one.
/// @returns bad_value if the header is not that of an instance of this domain; the document then stays unchanged
[[nodiscard]] Status take_off_header(const Domain& domain, Value& document);

/// Returns the body as a document of this domain with the header as its first member.
/// @pre body is an object
[[nodiscard]] Value with_header(std::string_view domain, Value body);

}  // namespace holdfast
