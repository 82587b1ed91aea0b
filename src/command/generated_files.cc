// poprt completion, poprt man: print what is made from the description of the
// command line.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "command/arguments.h"
#include "command/command.h"
#include "command/one_of.h"
#include "document/format.h"
#include "manual/description.h"

namespace poprt {
namespace {

int run_man(const CLI::App& app, const std::string& folder) {
  for (const ManPage& page : man_pages(describe(app))) {
    const std::string path = folder + "/" + page.name;
    std::ofstream file(path);
    file << page.text;
    file.close();
    if (!file) {
      complain(fmt::format("cannot write {}: {}.", printable(path),
                           std::strerror(errno)));
      return kBadInput;
    }
  }
  return kGood;
}

}  // namespace

void add_completion(CLI::App* app, Run* run) {
  auto shell = std::make_shared<std::string>();
  CLI::App* const command = app->add_subcommand(
      "completion", "Print a script that completes poprt's command line");
  command->add_option("SHELL", *shell, "The shell that is to read it")
      ->check(one_of({"bash", "zsh", "fish"}))
      ->required();
  command->callback([=] {
    *run = [=] {
      const CommandDescription program = describe(*app);
      write_out(*shell == "bash"  ? to_bash(program)
                : *shell == "zsh" ? to_zsh(program)
                                  : to_fish(program));
      return kGood;
    };
  });
}

void add_man(CLI::App* app, Run* run) {
  auto folder = std::make_shared<std::string>();
  // For the build only: not listed in --help.
  CLI::App* const command =
      app->add_subcommand("man", "Write the man pages")->group("");
  command->add_option("FOLDER", *folder, "Where they go")->required();
  command->callback([=] { *run = [=] { return run_man(*app, *folder); }; });
}

}  // namespace poprt
