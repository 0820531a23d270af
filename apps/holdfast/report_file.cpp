#include "holdfast/report_file.hpp"

#include "holdfast/catalog/catalog.hpp"
#include "holdfast/console.hpp"
#include "holdfast/output_file.hpp"
#include "holdfast/pages/campaign_page.hpp"

#include <fmt/format.h>

namespace holdfast::cli {

Status write_page_file(const Page& page, const std::filesystem::path& file) {
  OutputFile out(file);
  HOLDFAST_CHECK(write_page(page, [&out](std::string_view text) { return out.write(text); }));
  return out.finish();
}

Status write_report(const Results& results, const std::filesystem::path& file, Domains domains,
                    Console& console) {
  const auto domain = find_domain(results.description().domain, domains);
  HOLDFAST_TRY(page, campaign_page(results, domain ? *domain : nullptr, console.command()));
  HOLDFAST_CHECK(write_page_file(page, file));
  console.note(fmt::format("report in {}", file.string()));
  return {};
}

}  // namespace holdfast::cli
