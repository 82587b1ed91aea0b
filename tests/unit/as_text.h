// Reports as people read them: what is built, rendered.
#ifndef POPRT_TESTS_UNIT_AS_TEXT_H_
#define POPRT_TESTS_UNIT_AS_TEXT_H_

#include <string>
#include <vector>

#include "document/render.h"
#include "report/findings.h"
#include "report/report_document.h"

namespace poprt {

inline std::string to_text(const JobReport& report,
                           const std::vector<Model>& models,
                           const std::string& run_file,
                           const TableOptions& options = {},
                           const TextStyle& style = {}) {
  return render_text(report_document(report, models, run_file, options), style);
}

inline std::string to_markdown(const JobReport& report,
                               const std::vector<Model>& models,
                               const std::string& run_file,
                               const TableOptions& options) {
  return render_markdown(report_document(report, models, run_file, options));
}

// The main finding in lines, with its label.
inline std::string finding_text(const JobReport& report) {
  return block_text(Findings{main_finding(report)});
}

}  // namespace poprt

#endif  // POPRT_TESTS_UNIT_AS_TEXT_H_
