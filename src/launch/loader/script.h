// Reads a script's first line, and the commands that it may start.
#ifndef POPRT_LAUNCH_LOADER_SCRIPT_H_
#define POPRT_LAUNCH_LOADER_SCRIPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "launch/environment.h"

namespace poprt {

// The program that the first line of a file names ("#!/bin/sh -e": "/bin/sh").
// If that is env, the program that env starts ("#!/usr/bin/env -S python3 -u":
// "python3", looked for in PATH).  "" if the line is not that of a script.
std::string interpreter_of(std::string_view head);

// The words of a shell script, or of a command line for a shell (sh -c), in
// their order, without quotes and comments.  Variables are replaced if they are
// in the environment or set to words by the script; so is the script's own
// folder (`path`: the script).  Nothing is executed, so it is not known what a
// word is for and whether the shell reaches it.
std::vector<std::string> words_of_script(std::string_view text,
                                         const std::string& path,
                                         Environment environment);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LOADER_SCRIPT_H_
