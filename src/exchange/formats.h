// Writes runs in the forms of other tools that POP's users have.  The functions
// return the text of files and the place where each tool looks for them; the
// caller writes the files.
#ifndef POPRT_EXCHANGE_FORMATS_H_
#define POPRT_EXCHANGE_FORMATS_H_

#include <string>
#include <vector>

#include "compare/scaling.h"
#include "model/job.h"

namespace poprt {

struct ExportedFile {
  std::string path;  // relative to the folder that the tool is given
  std::string text;
};

// The form that TALP (DLB 3.5 to 3.7) writes and TALP-Pages reads.  Times are
// integer ns.  Where DLB's program and its documentation (talp_metrics.h)
// differ, efficiencies follow the program.
//
// poprt does not count all that TALP does: cycles and instructions are 0;
// numMpiCalls is the least possible number, so that it is 0 only for a program
// without MPI; numOmpParallels and numOmpTasks are known for Global and 0 for
// other regions.
std::string to_talp(const JobReport& report);

// The end of a run as OTF-CPT prints it and CPT-plot reads it: the region
// Global by the critical-path model.  Rows of a layer that the program does not
// have are as OTF-CPT computes them: 1, or nearly.
std::string to_otfcpt(const JobReport& report);

// One file for each run: <program>/poprt/talp_8x14.json; <program>-8x14.txt.
std::vector<ExportedFile> talp_files(const std::vector<JobReport>& reports);
std::vector<ExportedFile> otfcpt_files(const std::vector<JobReport>& reports);

// BasicAnalysis's modelfactors.csv, efficiency_table_global.csv,
// efficiency_table_hybrid.csv and other_metrics.csv, for Global.  Columns are
// runs, ordered by cores; the first that may be is the reference. "Non-Avail"
// stands for what the runs do not have: counters, a layer, complete clocks, a
// second run; "NaN" for what cannot be compared with the reference.  REQUIRES:
// at least one run.
std::vector<ExportedFile> basic_analysis_files(
    const std::vector<JobReport>& reports, Scaling scaling,
    const Load& load = {});

// metrics.csv: every metric of every region and model.  `names` are the names
// of the reports' files.
std::vector<ExportedFile> csv_files(const std::vector<JobReport>& reports,
                                    const std::vector<std::string>& names);

// The run file: <program>-8x14.poprt.json.
ExportedFile run_file_of(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_EXCHANGE_FORMATS_H_
