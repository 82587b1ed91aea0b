#include "page/engine/entry.h"

#include <duktape.h>

#include <memory>
#include <string_view>

namespace poprt {
namespace {

struct HeapEnd {
  void operator()(duk_context* heap) const { duk_destroy_heap(heap); }
};
using Heap = std::unique_ptr<duk_context, HeapEnd>;

// Leaves the result on the engine's stack.  It is called by duk_safe_call(),
// which an error leaves by longjmp(): nothing in here has a destructor.
duk_ret_t run(duk_context* heap, void* data) {
  const ScriptCall& call = *static_cast<const ScriptCall*>(data);
  duk_eval_lstring_noresult(heap, call.script.data(), call.script.size());
  duk_get_global_string(heap, call.function);
  duk_push_lstring(heap, call.text.data(), call.text.size());
  duk_call(heap, 1);
  duk_require_string(heap, -1);
  return 1;
}

}  // namespace

extern "C" bool poprt_run_script(const ScriptCall* call, TakeText take,
                                 void* taker) {
  const Heap heap(duk_create_heap_default());
  if (heap == nullptr) {
    constexpr std::string_view kNoMemory = "no memory";
    take(taker, kNoMemory.data(), kNoMemory.size());
    return false;
  }
  ScriptCall copy = *call;
  const bool is_good =
      duk_safe_call(heap.get(), run, &copy, 0, 1) == DUK_EXEC_SUCCESS;
  size_t length = 0;
  const char* const result = duk_safe_to_lstring(heap.get(), -1, &length);
  take(taker, result, length);
  return is_good;
}

}  // namespace poprt
