#include "page/page.h"

#include <string>
#include <string_view>

#include "document/xml_text.h"
#include "page/document_json.h"
#include "page/pack.h"
#include "page/page_data.h"
#include "page/page_file.h"
#include "run_file/json_document.h"
#include "run_file/writer.h"

namespace poprt {
namespace {

// JSON inside of a <script>: no text in it can end that, or begin a comment.
std::string for_script(const std::string& json) {
  std::string result;
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string html_page(const Page& page) {
  Json runs = Json::array();
  for (const PageRun& run : page.runs) {
    runs.push_back({{"file", run.file}, {"run", packed(to_json(*run.report))}});
  }
  const Json data = {{"schema", kPageSchema},
                     {"packing", "zlib, base64"},
                     {"page", packed(page_data(page))},
                     {"runs", std::move(runs)}};
  const std::string_view whole = page_template();
  std::string html;
  size_t from = 0;
  const auto put = [&](std::string_view mark, const std::string& text) {
    const size_t at = whole.find(mark, from);
    html += whole.substr(from, at - from);
    html += text;
    from = at + mark.size();
  };
  const Document& shown = page.assessment.empty() ? page.runs.front().document
                                                  : page.assessment.front();
  put("@POPRT_TITLE@", xml_text(printable(shown.title)));
  put("@POPRT_TEXT@", xml_text(page.plain));
  put("@POPRT_DATA@", for_script(text_of(data)));
  html += whole.substr(from);
  return html;
}

}  // namespace poprt
