#include "holdfast/answers/campaign/campaign_file.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kVariable = "$HOLDFAST_DATA";

Result<std::string> data_folder(const fs::path& file, const fs::path& folder) {
  if (folder.empty()) {
    return fail(ErrorCode::io_failure, file.string(),
                fmt::format("found {}, expected this variable to name the folder of the real data",
                            kVariable));
  }
  std::string text = folder.string();
  if (text.find_first_of("\"'\\\n") != std::string::npos) {
    return fail(
        ErrorCode::bad_value, std::string(kVariable),
        fmt::format("found {}, expected a path without quotes and backslashes", in_quotes(text)));
  }
  return text;
}

}  // namespace

Result<Campaign> read_campaign_file(const fs::path& file, std::span<const Domain* const> known,
                                    const fs::path& data) {
  HOLDFAST_TRY(text, read_file(file));
  for (auto at = text.find(kVariable); at != std::string::npos;) {
    HOLDFAST_TRY(folder, data_folder(file, data));
    text.replace(at, kVariable.size(), folder);
    at = text.find(kVariable, at + folder.size());
  }
  const fs::path parent = file.parent_path();
  return parse_campaign(text, file.string(), parent.empty() ? "." : parent, known);
}

}  // namespace holdfast
