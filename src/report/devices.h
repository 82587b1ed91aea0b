// What the devices of a job did, beside what its cores did.  Nothing of all
// this is in the report of a run whose devices told of no operation.
#ifndef POPRT_REPORT_DEVICES_H_
#define POPRT_REPORT_DEVICES_H_

#include <cstddef>
#include <span>
#include <string>

#include "document/document.h"
#include "model/job.h"
#include "model/metric_table.h"
#include "model/text.h"
#include "report/sentence.h"
#include "report/table_options.h"

namespace poprt {

// How many devices there is room for in a text.
inline constexpr size_t kListedDevices = 8;

// The time of all devices by what it went into; adds up to 100 %.  Without bars
// if there are no devices, or the run time is not known.
Bars device_time_bars(const JobReport& report);

// The device rows of TALP alone, for reports that do not show that model.
Table device_table(const JobReport& report, const TableOptions& options);

// At most the first `most` devices, those with most kernels first; without rows
// if there are none.
Table device_list(const JobReport& report, size_t most);

// Regions by the kernels that were launched in them, at most `most`; without
// rows if only Global has any.
Table device_launches(const JobReport& report, size_t most);

// The range of a row of devices in a region, in the cell; changes nothing of
// other rows.
void set_device_range(const RegionReport& region, const Metric& metric,
                      TableCell* cell);

// The notes below a table of a model that has rows of devices.
void add_device_notes(const JobReport& report, Model model, Table* table);

// What lost most of the devices' time, for the main finding.  Each sentence is
// true of what is largest alone.
struct DeviceFinding {
  enum class Kind {
    kNone,  // too little for a sentence
    kUnequal,
    kHostComputes,
    kHostInMpi,
    kHostInOpenMp,
    kHostInCalls,
    kCopies,
    kShared,  // hardly idle, and several ranks want it
  };
  Kind kind = Kind::kNone;
  double lost = 0;          // share of the devices' time
  const char* metric = "";  // "additive.device_copy_efficiency"
  std::string device = "";  // of kUnequal and kShared: which one
  int64_t ranks = 0;        // of kShared
  int64_t devices = 0;      // of the job; not of kShared
};
DeviceFinding device_finding(const JobReport& report);
std::span<const Sentence<DeviceFinding>> device_sentences();

}  // namespace poprt

#endif  // POPRT_REPORT_DEVICES_H_
