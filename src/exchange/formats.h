// Runs in the forms of other tools of POP's users.  Writers return text and
// where each tool looks for it; what makes files of it is the caller.
#ifndef POPRT_EXCHANGE_FORMATS_H_
#define POPRT_EXCHANGE_FORMATS_H_

#include <string>
#include <vector>

#include "compare/scaling.h"
#include "model/job.h"

namespace poprt {

struct ExportedFile {
  std::string path;  // below the folder that the tool is given
  std::string text;
};

// The form in which TALP (DLB 3.5 to 3.7) writes a run and TALP-Pages reads
// it.  Times are integer ns.  Efficiencies follow DLB's program where that
// differs from its documentation (talp_metrics.h).
//
// What poprt does not count: cycles and instructions are 0; numMpiCalls is at
// least the number of those who called MPI, so that it is 0 only without MPI;
// numOmpParallels and numOmpTasks are known of Global and 0 of other regions.
std::string to_talp(const JobReport& report);

// The end of a run as OTF-CPT prints it and CPT-plot reads it: Global, by the
// critical path.  Rows of a layer that the program does not have are what
// OTF-CPT computes: 1, or next to it.
std::string to_otfcpt(const JobReport& report);

// One file for each run: <program>/poprt/talp_8x14.json; <program>-8x14.txt.
std::vector<ExportedFile> talp_files(const std::vector<JobReport>& reports);
std::vector<ExportedFile> otfcpt_files(const std::vector<JobReport>& reports);

// BasicAnalysis's modelfactors.csv, efficiency_table_global.csv,
// efficiency_table_hybrid.csv and other_metrics.csv: Global, runs as columns
// by their cores, the first is the reference.  "Non-Avail" is what the runs do
// not have: counters, a layer, complete clocks, a second run; "NaN" what
// cannot be compared with the reference.  REQUIRES: at least one run.
std::vector<ExportedFile> basic_analysis_files(
    const std::vector<JobReport>& reports, Scaling scaling);

// Every metric of every region and model: metrics.csv.  `names` are those of
// the reports' files.
std::vector<ExportedFile> csv_files(const std::vector<JobReport>& reports,
                                    const std::vector<std::string>& names);

// The run file: <program>-8x14.poprt.json.
ExportedFile run_file_of(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_EXCHANGE_FORMATS_H_
