// What a script's first line asks for.
#ifndef POPRT_LAUNCH_SCRIPT_H_
#define POPRT_LAUNCH_SCRIPT_H_

#include <string>
#include <string_view>

namespace poprt {

// The program that the first line of a file names ("#!/bin/sh -e": "/bin/sh"),
// behind env the one that env starts ("#!/usr/bin/env -S python3 -u":
// "python3", looked for in PATH); "" where the line is none of a script.
std::string interpreter_of(std::string_view head);

}  // namespace poprt

#endif  // POPRT_LAUNCH_SCRIPT_H_
