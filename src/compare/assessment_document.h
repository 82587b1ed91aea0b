// A scaling study as the skeleton of a POP performance assessment.
#ifndef POPRT_COMPARE_ASSESSMENT_DOCUMENT_H_
#define POPRT_COMPARE_ASSESSMENT_DOCUMENT_H_

#include <string>

#include "compare/scaling_document.h"
#include "compare/scaling_table.h"
#include "document/document.h"

namespace poprt {

// The parts of an assessment, from background to recommendations.  Each has the
// tables and first sentences that the runs can give, of the first model of the
// options, and places for the words of the analyst.  Root causes are those of
// the run with the most cores.  `how` tells how strong or weak was decided.
Document assessment_document(const ScalingStudy& study, const std::string& how,
                             const ScalingOptions& options);

}  // namespace poprt

#endif  // POPRT_COMPARE_ASSESSMENT_DOCUMENT_H_
