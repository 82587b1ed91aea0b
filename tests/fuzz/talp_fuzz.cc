// Files of TALP: what is accepted can be shown and written.
#include <string>
#include <string_view>

#include "exchange/formats.h"
#include "exchange/talp_import.h"
#include "fuzz/fuzz.h"
#include "unit/as_text.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poprt;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string complaint;
  const auto report = parse_talp(text, "talp.json", &complaint);
  fuzz::require(report.has_value() == complaint.empty(),
                "a file is refused with a reason", complaint);
  fuzz::require(fuzz::is_one_line(complaint), "a reason is one line",
                complaint);
  if (!report) return 0;
  const std::string shown = to_text(*report, {Model::kTalp}, "talp.json");
  fuzz::require(fuzz::is_harmless(shown), "a report is harmless text", shown);
  fuzz::require(!to_talp(*report).empty(), "it can be written");
  return 0;
}
