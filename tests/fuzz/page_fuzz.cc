// Pages, and what is packed into them.
#include <string>
#include <string_view>

#include "fuzz/fuzz.h"
#include "page/pack.h"
#include "page/page_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poprt;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr size_t kMost = 1 << 20;
  const auto content = unpacked(text, kMost);
  fuzz::require(!content || content->size() <= kMost, "no more than asked for");
  fuzz::require(size > kMost || unpacked(packed(text), kMost) == text,
                "what is packed is unpacked the same");
  if (!is_page(text)) return 0;
  std::string complaint;
  const auto runs = runs_in_page(text, "page.html", &complaint);
  fuzz::require(runs.has_value() == complaint.empty(),
                "a page is refused with a reason", complaint);
  fuzz::require(fuzz::is_one_line(complaint), "a reason is one line",
                complaint);
  return 0;
}
