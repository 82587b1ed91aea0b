#include "page/page_file.h"

#include "document/format.h"
#include "page/pack.h"
#include "run_file/json_document.h"

namespace poprt {
namespace {

// As much as a run file may have.
constexpr size_t kLargestRun = size_t{256} << 20;

}  // namespace

bool is_page(std::string_view text) {
  constexpr std::string_view kStart = "<!doctype html>";
  return text.starts_with(kStart) &&
         text.find(kPageData) != std::string_view::npos;
}

std::optional<std::vector<RunInPage>> runs_in_page(std::string_view page,
                                                   const std::string& name,
                                                   std::string* complaint) {
  std::string_view data = page.substr(page.find(kPageData) + kPageData.size());
  data = data.substr(0, data.find("</script>"));
  std::string error;
  const auto json = parse_json(data, &error);
  std::vector<RunInPage> runs;
  if (json) {
    const Cursor file(*json, &error);
    file["schema"].expect(file["schema"].string() == kPageSchema,
                          "is not \"poprt.page\"");
    file["runs"].for_each([&](const Cursor& run) {
      const auto text = unpacked(run["run"].string(), kLargestRun);
      run["run"].expect(text.has_value(), "is not packed as it should be");
      if (text) runs.push_back({run["file"].string(), *text});
    });
  }
  if (error.empty()) return runs;
  *complaint = printable(name) + ": the data of the page: " + error;
  return std::nullopt;
}

}  // namespace poprt
