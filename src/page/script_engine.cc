#include "page/script_engine.h"

#include <duktape.h>

#include <cstddef>
#include <memory>

namespace poprt {
namespace {

struct HeapEnd {
  void operator()(duk_context* heap) const { duk_destroy_heap(heap); }
};
using Heap = std::unique_ptr<duk_context, HeapEnd>;

struct Call {
  std::string_view script;
  const char* function;
  std::string_view text;
};

// Leaves the result on the engine's stack.  It is called by duk_safe_call(),
// which an error leaves by longjmp(): nothing in here has a destructor.
duk_ret_t run(duk_context* heap, void* data) {
  const Call& call = *static_cast<const Call*>(data);
  duk_eval_lstring_noresult(heap, call.script.data(), call.script.size());
  duk_get_global_string(heap, call.function);
  duk_push_lstring(heap, call.text.data(), call.text.size());
  duk_call(heap, 1);
  duk_require_string(heap, -1);
  return 1;
}

}  // namespace

bool has_script_engine() { return true; }

std::optional<std::string> call_script(std::string_view script,
                                       const char* function,
                                       std::string_view text,
                                       std::string* reason) {
  const Heap heap(duk_create_heap_default());
  if (heap == nullptr) {
    *reason = "no memory";
    return std::nullopt;
  }
  Call call = {script, function, text};
  const bool is_good =
      duk_safe_call(heap.get(), run, &call, 0, 1) == DUK_EXEC_SUCCESS;
  size_t length = 0;
  const char* const result = duk_safe_to_lstring(heap.get(), -1, &length);
  if (!is_good) {
    *reason = {result, length};
    return std::nullopt;
  }
  return std::string(result, length);
}

}  // namespace poprt
