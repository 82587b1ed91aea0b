#include "layer/cupti/fake_cupti.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fake_cupti {
namespace {

using Callback = void(void*, int, uint32_t, const void*);
using Requested = void(uint8_t**, size_t*, size_t*);
using Completed = void(void*, uint32_t, uint8_t*, size_t, size_t);

constexpr int kOk = 0;
constexpr int kInvalid = 1;
constexpr int kNotImplemented = 11;
constexpr int kNoMoreRecords = 12;
constexpr int kTaken = 39;
constexpr uint32_t kTakesNoBuffer = 27;

struct Function {
  int domain;
  uint32_t id;
  const char* name;
};
// In the order of ids; those in between are not asked for by a test.
constexpr Function kFunctions[] = {{1, 17, "cuCtxSynchronize"},
                                   {1, 277, "cuMemcpyHtoDAsync_v2"},
                                   {1, 307, "cuLaunchKernel"},
                                   {2, 3, "cudaGetDeviceCount_v3020"},
                                   {2, 20, "cudaMalloc_v3020"},
                                   {2, 22, "cudaFree_v3020"},
                                   {2, 31, "cudaMemcpy_v3020"},
                                   {2, 41, "cudaMemcpyAsync_v3020"},
                                   {2, 51, "cudaMemsetAsync_v3020"},
                                   {2, 131, "cudaStreamSynchronize_v3020"},
                                   {2, 132, "cudaStreamQuery_v3020"},
                                   {2, 164, "cudaDeviceReset_v3020"},
                                   {2, 165, "cudaDeviceSynchronize_v3020"},
                                   {2, 211, "cudaLaunchKernel_v7000"},
                                   {2, 311, "cudaGraphLaunch_v10000"},
                                   {2, 315, "cudaStreamBeginCapture_v10000"},
                                   {2, 319, "cudaStreamEndCapture_v10000"}};
constexpr uint32_t kMostIds = 400;

struct Running {
  Operation operation;
  size_t place;  // in the buffer
};
struct Buffer {
  uint8_t* bytes;
  size_t size;
  size_t used = 0;
  std::vector<Running> running;
  bool is_full = false;
};

struct Fake {
  std::mutex mutex;
  Settings settings;
  Counts counts;
  Callback* callback = nullptr;
  void* user = nullptr;
  Requested* requested = nullptr;
  Completed* completed = nullptr;
  uint64_t (*clock)() = nullptr;
  std::set<std::pair<int, uint32_t>> enabled;
  std::set<int> kinds;
  bool per_thread = false;
  bool has_set_buffers = false;
  uint32_t correlation = 0;
  size_t dropped = 0;
  std::map<std::thread::id, std::deque<Buffer>> buffers;
};

Fake& fake() {
  static Fake* const known = new Fake;
  return *known;
}

uint64_t now() {
  if (fake().clock != nullptr) return fake().clock();
  return static_cast<uint64_t>(fake().settings.clock());
}

bool has_buffers_per_thread() {
  return fake().has_set_buffers ? fake().per_thread
                                : fake().settings.version >= 130000;
}

std::deque<Buffer>& own_buffers() {
  return fake().buffers[has_buffers_per_thread() ? std::this_thread::get_id()
                                                 : std::thread::id()];
}

size_t size_of(uint32_t kind) {
  switch (static_cast<Kind>(kind)) {
    case Kind::kKernel:
      return fake().settings.kernel_bytes;
    case Kind::kCopy:
    case Kind::kPeerCopy:
      return 96;
    case Kind::kSet:
      return 88;
  }
  return 0;
}

template <class T>
void put(uint8_t* record, size_t place, T value) {
  std::memcpy(record + place, &value, sizeof value);
}

void write(uint8_t* record, const Operation& operation) {
  const bool is_over = operation.has_times && operation.end <= now();
  const bool is_kernel = operation.kind == Kind::kKernel;
  std::memset(record, 0xab, size_of(static_cast<uint32_t>(operation.kind)));
  put(record, 0, operation.kind);
  put(record, 16, is_over ? operation.begin : 0);
  put(record, 24, is_over ? operation.end : 0);
  put(record, is_kernel ? 40 : 32, operation.device);
  put(record, is_kernel ? 44 : 36, operation.context);
  put(record,
      is_kernel                           ? 92
      : operation.kind == Kind::kPeerCopy ? 60
                                          : 44,
      operation.correlation);
}

bool is_over(const Buffer& buffer) {
  return std::all_of(
      buffer.running.begin(), buffer.running.end(), [](const Running& each) {
        return !each.operation.has_times || each.operation.end <= now();
      });
}

// Those for which `gives(buffer)`; the callback is called without the lock.
template <class Gives>
void give_back(Gives gives) {
  std::vector<Buffer> given;
  {
    const std::lock_guard lock(fake().mutex);
    for (auto& [thread, buffers] : fake().buffers) {
      std::deque<Buffer> kept;
      for (Buffer& buffer : buffers) {
        (gives(buffer) ? given.push_back(std::move(buffer))
                       : kept.push_back(std::move(buffer)));
      }
      buffers = std::move(kept);
    }
  }
  for (const Buffer& buffer : given) {
    for (const Running& each : buffer.running) {
      write(buffer.bytes + each.place, each.operation);
    }
    fake().completed(nullptr, 0, buffer.bytes, buffer.size, buffer.used);
  }
}

void tell(int domain, uint32_t id, const void* data) {
  if (fake().callback != nullptr && fake().enabled.count({domain, id}) != 0) {
    fake().callback(fake().user, domain, id, data);
  }
}

struct CallbackData {
  int site;
  const char* name;
  const void* arguments;
  const void* result;
  const char* symbol;
  void* context;
  uint32_t context_id;
  uint64_t* of_call;
  uint32_t correlation;
};

void* handle(uint32_t context) {
  return context == 0 ? nullptr
                      : reinterpret_cast<void*>(uintptr_t{context} << 8);
}

void tell_call(Call* call, int site, const int* result) {
  const CallbackData data = {
      site,          call->name,     call->arguments,
      result,        call->symbol,   handle(call->context),
      call->context, &call->of_call, call->correlation};
  tell(call->domain, call->id, &data);
}

}  // namespace

Settings& settings() { return fake().settings; }
const Counts& counts() { return fake().counts; }

void enter(Call* call) {
  call->id = 0;
  for (const Function& each : kFunctions) {
    if (each.domain == call->domain && std::string(call->name) == each.name) {
      call->id = each.id;
    }
  }
  if (call->id == 0)
    __builtin_trap();  // a call of which the table knows nothing
  {
    const std::lock_guard lock(fake().mutex);
    call->correlation = ++fake().correlation;
  }
  tell_call(call, 0, nullptr);
}

void leave(Call* call, int result) { tell_call(call, 1, &result); }

void synchronized() { tell(4, 1, nullptr); }

void destroy_context(uint32_t context) {
  struct {
    void* context;
    void* resource;
    void* descriptor;
  } data = {handle(context), nullptr, nullptr};
  tell(3, 2, &data);
}

void run(const Operation& operation) {
  if (fake().kinds.count(static_cast<int>(operation.kind)) == 0) return;
  const std::lock_guard lock(fake().mutex);
  std::deque<Buffer>& buffers = own_buffers();
  const size_t size = size_of(static_cast<uint32_t>(operation.kind));
  if (!buffers.empty() && buffers.back().used + size > buffers.back().size) {
    buffers.back().is_full = true;
  }
  if (buffers.empty() || buffers.back().is_full) {
    Buffer buffer = {};
    size_t most_records = 0;
    ++fake().counts.buffers;
    fake().requested(&buffer.bytes, &buffer.size, &most_records);
    if (buffer.bytes == nullptr && fake().settings.version >= kTakesNoBuffer) {
      ++fake().dropped;
      return;
    }
    *buffer.bytes = 0;  // as CUPTI does before that, also at null
    buffers.push_back(std::move(buffer));
  }
  Buffer& buffer = buffers.back();
  buffer.running.push_back({operation, buffer.used});
  buffer.used += size;
}

void drop(size_t records) { fake().dropped += records; }

void work() {
  give_back(
      [](const Buffer& buffer) { return buffer.is_full && is_over(buffer); });
}

}  // namespace fake_cupti

// --- CUPTI's functions -------------------------------------------------------

using namespace fake_cupti;

extern "C" {

struct SubscriberParams {
  size_t size;
  const char* name;
  char* other_name;
  size_t other_size;
};

FAKE_CUPTI int cuptiGetVersion(uint32_t* version) {
  *version = fake().settings.version;
  return kOk;
}
FAKE_CUPTI int cuptiGetResultString(int result, const char** text) {
  *text = result == 15    ? "CUPTI_ERROR_NOT_INITIALIZED"
          : result == 999 ? "CUPTI_ERROR_UNKNOWN"
                          : "CUPTI_ERROR_OTHER";
  return kOk;
}
FAKE_CUPTI int cuptiGetCallbackName(int domain, uint32_t id,
                                    const char** name) {
  if (id >= kMostIds) return kInvalid;
  *name = "INVALID";
  for (const Function& each : kFunctions) {
    if (each.domain == domain && each.id == id) *name = each.name;
  }
  return kOk;
}
FAKE_CUPTI int cuptiSubscribe(void** subscriber, Callback* callback,
                              void* user) {
  ++fake().counts.subscribes;
  if (fake().settings.subscribe_result != 0) {
    return fake().settings.subscribe_result;
  }
  if (fake().callback != nullptr) return kTaken;
  fake().callback = callback;
  fake().user = user;
  *subscriber = &fake();
  return kOk;
}
FAKE_CUPTI int cuptiSubscribe_v2(void** subscriber, Callback* callback,
                                 void* user, SubscriberParams* params) {
  const int result = cuptiSubscribe(subscriber, callback, user);
  if (result == kTaken && params->size == 32 && params->other_name != nullptr) {
    std::strncpy(params->other_name, fake().settings.other_tool,
                 params->other_size);
  }
  return result;
}
FAKE_CUPTI int cuptiUnsubscribe(void*) {
  ++fake().counts.unsubscribes;
  fake().callback = nullptr;
  return kOk;
}
FAKE_CUPTI int cuptiFinalize() {
  ++fake().counts.finalizes;
  return kOk;
}
FAKE_CUPTI int cuptiEnableCallback(uint32_t, void*, int domain, uint32_t id) {
  fake().enabled.insert({domain, id});
  return kOk;
}
FAKE_CUPTI int cuptiGetDeviceId(void* context, uint32_t* device) {
  *device =
      static_cast<uint32_t>(reinterpret_cast<uintptr_t>(context) >> 8) - 1;
  return kOk;
}
FAKE_CUPTI int cuptiActivityEnable(int kind) {
  if (fake().settings.enable_result != 0) return fake().settings.enable_result;
  ++fake().counts.enabled_kinds;
  fake().kinds.insert(kind);
  return kOk;
}
FAKE_CUPTI int cuptiActivitySetAttribute(int attribute, size_t* size,
                                         void* value) {
  if (attribute != 9 || *size != 1) return kInvalid;
  fake().has_set_buffers = true;
  std::memcpy(&fake().per_thread, value, 1);
  return kOk;
}
FAKE_CUPTI int cuptiActivityRegisterCallbacks(Requested* requested,
                                              Completed* completed) {
  fake().requested = requested;
  fake().completed = completed;
  return kOk;
}
FAKE_CUPTI int cuptiActivityRegisterTimestampCallback(uint64_t (*clock)()) {
  if (!fake().settings.takes_clock) return kNotImplemented;
  ++fake().counts.clocks;
  fake().counts.clock_after_kinds += fake().counts.enabled_kinds;
  fake().clock = clock;
  return kOk;
}
FAKE_CUPTI int cuptiGetTimestamp(uint64_t* time) {
  *time = now();
  return kOk;
}
FAKE_CUPTI int cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid,
                                          uint8_t** record) {
  if (fake().settings.walks_back && *record != nullptr) return kOk;
  uint8_t* next = buffer;
  if (*record != nullptr) {
    uint32_t kind = 0;
    std::memcpy(&kind, *record, sizeof kind);
    next = *record + size_of(kind);
  }
  if (next >= buffer + valid) return kNoMoreRecords;
  *record = next;
  return kOk;
}
FAKE_CUPTI int cuptiActivityFlushAll(uint32_t forced) {
  ++(forced != 0 ? fake().counts.forced_flushes : fake().counts.flushes);
  give_back([forced](const Buffer& buffer) {
    return forced != 0 || is_over(buffer);
  });
  return kOk;
}
FAKE_CUPTI int cuptiActivityGetNumDroppedRecords(void*, uint32_t,
                                                 size_t* dropped) {
  *dropped = std::exchange(fake().dropped, 0);
  return kOk;
}
}
