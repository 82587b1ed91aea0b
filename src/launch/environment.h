// A process's environment as a value.
#ifndef POPRT_LAUNCH_ENVIRONMENT_H_
#define POPRT_LAUNCH_ENVIRONMENT_H_

#include <map>
#include <string>

namespace poprt {

using Environment = std::map<std::string, std::string>;

// "" if the variable is not set.
inline std::string value_of(const Environment& environment,
                            const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

}  // namespace poprt

#endif  // POPRT_LAUNCH_ENVIRONMENT_H_
