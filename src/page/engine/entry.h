// The one function of poprt-figures.so, which has Duktape. The command opens it
// when it draws, and starts where Duktape is not installed.
//
// Duktape is a small library that Debian has.  It knows the JavaScript of 2011
// (ES5), so web/build.mjs translates the charts to that.
#ifndef POPRT_PAGE_ENGINE_ENTRY_H_
#define POPRT_PAGE_ENGINE_ENTRY_H_

#include <cstddef>
#include <string_view>

namespace poprt {

struct ScriptCall {
  std::string_view script;
  const char* function;
  std::string_view text;
};
using TakeText = void (*)(void* taker, const char* text, size_t length);

extern "C" {
// Gives `take` what the function returns, or why it failed; then false.
[[gnu::visibility("default")]] bool poprt_run_script(const ScriptCall* call,
                                                     TakeText take,
                                                     void* taker);
}

}  // namespace poprt

#endif  // POPRT_PAGE_ENGINE_ENTRY_H_
