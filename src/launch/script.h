// What a script's first line asks for, and what it may start.
#ifndef POPRT_LAUNCH_SCRIPT_H_
#define POPRT_LAUNCH_SCRIPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "launch/environment.h"

namespace poprt {

// The program that the first line of a file names ("#!/bin/sh -e": "/bin/sh"),
// behind env the one that env starts ("#!/usr/bin/env -S python3 -u":
// "python3", looked for in PATH); "" where the line is none of a script.
std::string interpreter_of(std::string_view head);

// The words of a shell's script, or of a command line for one (sh -c), in their
// order, without quotes and comments.  Of what a shell would put in, variables
// are known that the environment has or the script sets to words, and the
// script's own folder (`path`: the script).  Nothing is executed: what a word
// is for, and whether the shell comes to it, is not known.
std::vector<std::string> words_of_script(std::string_view text,
                                         const std::string& path,
                                         Environment environment);

}  // namespace poprt

#endif  // POPRT_LAUNCH_SCRIPT_H_
