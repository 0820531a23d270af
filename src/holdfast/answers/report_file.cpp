#include "holdfast/answers/report_file.hpp"

#include "holdfast/answers/output_file.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/pages/campaign_page.hpp"

namespace holdfast {

Status write_page_file(const Page& page, const std::filesystem::path& file, Links links) {
  OutputFile out(file, links);
  HOLDFAST_CHECK(write_page(page, [&out](std::string_view text) { return out.write(text); }));
  return out.finish();
}

Status write_report(const Results& results, const std::filesystem::path& file, Links links,
                    std::span<const Domain* const> known, const std::string& command) {
  const auto domain = find_domain(results.description().domain, known);
  HOLDFAST_TRY(page, campaign_page(results, domain ? *domain : nullptr, command));
  return write_page_file(page, file, links);
}

}  // namespace holdfast
