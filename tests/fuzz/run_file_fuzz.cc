// Run files: what is accepted can be shown, and is written as a file that is
// accepted and written the same.
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.h"
#include "model/metric_table.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "unit/as_text.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poprt;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string complaint;
  const auto report = parse_run_file(text, "run.json", &complaint);
  fuzz::require(report.has_value() == complaint.empty(),
                "a file is refused with a reason", complaint);
  fuzz::require(fuzz::is_one_line(complaint), "a reason is one line",
                complaint);
  if (!report) return 0;
  const std::vector<Model> models(std::begin(kModels), std::end(kModels));
  const std::string shown = to_text(*report, models, "run.json");
  fuzz::require(fuzz::is_harmless(shown), "a report is harmless text", shown);
  const std::string written = to_json(*report);
  const auto again = parse_run_file(written, "written.json", &complaint);
  fuzz::require(again.has_value(), "what is written is accepted", complaint);
  fuzz::require(to_json(*again) == written, "what is read is written the same",
                written);
  return 0;
}
