// Option values that are one of some words.
#ifndef POPRT_COMMAND_ONE_OF_H_
#define POPRT_COMMAND_ONE_OF_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace poprt {

// As CLI::IsMember, and says which word was probably meant.
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace poprt

#endif  // POPRT_COMMAND_ONE_OF_H_
