#include "holdfast/answers/campaign/report_file.hpp"

#include "holdfast/answers/files/output_file.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/pages/campaign_page.hpp"

namespace holdfast {

Status write_page_file(const Page& page, const std::filesystem::path& file, Links links) {
  OutputFile out(file, links);
  HOLDFAST_CHECK(write_page(page, [&out](std::string_view text) { return out.write(text); }));
  return out.finish();
}

Result<std::vector<std::filesystem::path>> write_charts(const Page& page,
                                                        const std::filesystem::path& directory) {
  HOLDFAST_CHECK(make_directory(directory));
  std::vector<std::filesystem::path> files;
  const auto write = [&](const PageChart& chart) -> Status {
    files.push_back(directory / (chart.id + ".svg"));
    OutputFile out(files.back());
    HOLDFAST_CHECK(out.write(chart.draw({})));
    return out.finish();
  };
  if (page.answer_chart) HOLDFAST_CHECK(write(*page.answer_chart));
  for (const PageSection& section : page.sections) {
    for (const PageChart& chart : section.charts) HOLDFAST_CHECK(write(chart));
    for (const PagePicture& picture : section.pictures) {
      files.push_back(directory / (picture.id + ".svg"));
      OutputFile out(files.back());
      HOLDFAST_CHECK(out.write(picture.svg));
      HOLDFAST_CHECK(out.finish());
    }
  }
  return files;
}

Result<Page> report_page(const Results& results, std::span<const Domain* const> known,
                         const std::string& command) {
  const auto domain = find_domain(results.description().domain, known);
  return campaign_page(results, domain ? *domain : nullptr, command);
}

Status write_report(const Results& results, const std::filesystem::path& file, Links links,
                    std::span<const Domain* const> known, const std::string& command) {
  HOLDFAST_TRY(page, report_page(results, known, command));
  return write_page_file(page, file, links);
}

}  // namespace holdfast
