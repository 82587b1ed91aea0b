// Writes the results of a measurement: the text on stderr and the run file.
#ifndef POPRT_SESSION_OUTPUT_H_
#define POPRT_SESSION_OUTPUT_H_

#include "model/job.h"
#include "session/settings.h"

namespace poprt {

// Writes what the settings ask for.  The command line and program name are
// those of this process.  What cannot be written is reported in one line; the
// program is never affected.
void write_report(const Settings& settings, RunContext context,
                  JobTotals totals);

// Adds what this process knows of its program: the name, the command line, the
// environment.
void describe_program(RunContext* context);
// Its name alone.
std::string program_of_process();
// Adds the checkout that the program's file is in, which takes a few files to
// read.
void describe_sources(RunContext* context);

std::string host_name();

}  // namespace poprt

#endif  // POPRT_SESSION_OUTPUT_H_
