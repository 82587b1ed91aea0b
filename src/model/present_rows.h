// Which models and rows a job has.
#ifndef POPRT_MODEL_PRESENT_ROWS_H_
#define POPRT_MODEL_PRESENT_ROWS_H_

#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// Whether the model is shown beside those that were asked for: of some the run
// tells only on request, those of files and MPI are parts of any model's times,
// and `additive` has rows of accelerators, which the usual model has not.
bool is_shown_unasked(const JobReport& report, Model model);

// Whether the job has rows of this layer.
bool layer_present(const JobReport& report, Layer layer);

// Whether the job has this row: its layer; for a row of nodes, several nodes
// and a run that tells of them.
bool row_present(const JobReport& report, const Metric& metric);

// The rows of a model whose layers this job has.
std::vector<Metric> metrics_of_layers(const JobReport& report, Model model);

// Those of them that a report shows: also those of several hosts only if there
// are any, and those of what rarely happens only if it did.
std::vector<Metric> shown_metrics(const JobReport& report, Model model);

// Whether the job used MPI-IO, or was asked for its POSIX I/O.
bool has_file_io(const JobReport& report);

// The models that are shown if none is asked for.
std::vector<Model> usual_models(const JobReport& report);

// Whether the job spent time in MPI, and its parts were measured.
bool has_mpi_parts(const JobReport& report);

// Whether the job spent time in calls to accelerators.
bool has_accelerator_time(const JobReport& report);

// Whether the run kept the clock of the model `waiting`.
bool has_waiting_path(const JobReport& report);

// Whether much of the time in MPI is in calls whose partner's clock is not
// known.
bool has_unknown_partners(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_MODEL_PRESENT_ROWS_H_
