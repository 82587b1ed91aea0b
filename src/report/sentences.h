// The sentences of the main finding and of the next step.
#ifndef POPRT_REPORT_SENTENCES_H_
#define POPRT_REPORT_SENTENCES_H_

#include <span>

#include "model/situation.h"
#include "report/sentence.h"

namespace poprt {

// Those of one part are one finding, in their order.  kBars: what the bars show
// of the loss; kNext: the command that tells more, without the run file.
enum class Part { kUseful, kLoss, kGain, kRegion, kBars, kNext };

std::span<const Sentence<Situation>> sentences(Part part);

}  // namespace poprt

#endif  // POPRT_REPORT_SENTENCES_H_
