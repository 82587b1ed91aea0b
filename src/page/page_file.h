// The way back: the run files that are in a page.
#ifndef POPRT_PAGE_PAGE_FILE_H_
#define POPRT_PAGE_PAGE_FILE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {

inline constexpr char kPageSchema[] = "poprt.page";
// What stands before the data in a page, and in no other place.
inline constexpr std::string_view kPageData =
    R"(<script type="application/json" id="poprt-data">)";

// Whether the text is a page of poprt.
bool is_page(std::string_view text);

struct RunInPage {
  std::string file;  // the name that it had
  std::string text;  // the run file
};

// nullopt if there is an error; then `complaint` is one line that begins with
// `name`.
std::optional<std::vector<RunInPage>> runs_in_page(std::string_view page,
                                                   const std::string& name,
                                                   std::string* complaint);

}  // namespace poprt

#endif  // POPRT_PAGE_PAGE_FILE_H_
