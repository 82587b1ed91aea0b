// poprt schema: prints the JSON schema of run files, for programs that read
// them.
#include "run_file/schema.h"

#include "command/arguments.h"
#include "command/command.h"

namespace poprt {

void add_schema(CLI::App* app, Run* run) {
  CLI::App* const command =
      app->add_subcommand("schema", "Print the JSON Schema of the run file");
  command->callback([=] {
    *run = [] {
      write_out(run_file_schema());
      return kGood;
    };
  });
}

}  // namespace poprt
