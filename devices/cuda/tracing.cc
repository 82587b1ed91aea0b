#include "devices/cuda/tracing.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/mutex.h"
#include "devices/clock_offset.h"
#include "devices/cuda/buffers.h"
#include "devices/cuda/host_api.h"
#include "devices/cuda/launch_table.h"
#include "devices/cuda/records.h"
#include "devices/host_calls.h"
#include "measure/events.h"

namespace poprt::cuda {
namespace {

// The name of this layer's calls among a thread's calls to devices.
constexpr char kOwnCalls = 0;

// CUPTI's clock is the host's, as this layer gives it, from this on: so that no
// time is 0, which is that of an operation without times.
constexpr int64_t kOrigin = 1'000'000'000'000'000;

// As many complete buffers wait for an event of the program at most.
constexpr int kMostWaiting = 16;

// A device takes about a thousand kernels that have not begun.  If so many are
// pending a launch that takes longer waits for one of them.
constexpr int kFullQueue = 1000;
constexpr int64_t kLongLaunchNs = 100'000;

constexpr int64_t kPauseNs = 1'000'000;

constexpr int kMostDevices = 64;
constexpr int kMostContexts = 64;

// What an entry remembers for the exit of the same call, beside the time.
constexpr uint64_t kOutermost = 1;
constexpr uint64_t kAnnounced = 2;
constexpr int kFlags = 2;

uint64_t stamp() { return static_cast<uint64_t>(now_ns() + kOrigin); }

void sleep_for(int64_t ns) {
  const timespec time = {static_cast<time_t>(ns / 1'000'000'000),
                         static_cast<long>(ns % 1'000'000'000)};
  nanosleep(&time, nullptr);
}

// Where records go for which there is no memory, and where nobody reads them.
// Of several buffers: CUPTI only writes there.
alignas(64) uint8_t g_scrap[ActivityBuffers::kBytes];

void on_callback(void*, int domain, uint32_t id, const void* data);

class Tracing {
 public:
  Tracing(const LoadedCupti& loaded, OperationSink& sink,
          void (*pause)(int64_t))
      : cupti_(loaded.functions),
        version_(loaded.version),
        sink_(sink),
        pause_(pause != nullptr ? pause : sleep_for) {
    devices_.fill(kNotAsked);
  }

  bool has_memory() const { return launches_.has_memory(); }
  int subscribe(std::string* other) {
    return cuda::subscribe(cupti_, on_callback, &subscriber_, other);
  }
  int enable();
  void unsubscribe() { cupti_.unsubscribe(subscriber_); }

  void on_function(int domain, uint32_t id, const CallbackData& data);
  void on_synchronized();
  void on_context_end(void* context);
  void on_buffer_requested(uint8_t** buffer, size_t* size);
  void on_buffer_completed(uint8_t* buffer, size_t valid);

  void harvest();
  void catch_up();
  void finish();
  TraceGaps gaps() const;

 private:
  static constexpr int kMostIds = 2048;  // of functions of a domain
  static constexpr int kNotAsked = -2;

  struct Function {
    HostApi api = HostApi::kNone;
    bool third_argument_is_size = false;
  };
  struct Context {
    void* handle;
    uint32_t id;
    int device;  // the sink's number
  };

  void learn_functions();
  Function function(int domain, uint32_t id) const {
    const auto in = static_cast<size_t>(domain - 1);
    return id < kMostIds ? functions_[in][id] : Function();
  }
  void enter(Function function, const CallbackData& data);
  void leave(Function function, const CallbackData& data);
  bool announce(HostApi api, const CallbackData& data, bool in_mpi,
                int64_t now_ns);
  void withdraw(uint64_t launch);
  bool is_queue_full();

  int device(uint32_t number_in_cuda);
  int device_of(void* context, uint32_t id);

  void read(uint8_t* bytes, size_t valid, int64_t now_ns);
  void book(const Record& record, int64_t now_ns);
  int64_t to_host(uint64_t time);
  void follow_clock();
  bool waits_for_records();

  const Cupti cupti_;
  const uint32_t version_;
  OperationSink& sink_;
  void (*const pause_)(int64_t ns);

  // Constant when callbacks are enabled.
  void* subscriber_ = nullptr;
  bool has_own_clock_ = false;
  std::array<std::array<Function, kMostIds>, 2> functions_ = {};

  ActivityBuffers buffers_;
  std::atomic<bool> has_launched_{false};
  std::atomic<bool> is_over_{false};
  std::atomic<int> captures_{0};
  std::atomic<int64_t> scrapped_{0};
  std::atomic<int64_t> unreadable_{0};
  std::atomic<int64_t> no_device_{0};
  std::atomic<int64_t> dropped_{0};

  Mutex mutex_;  // protects the rest; the sink is not called with it
  LaunchTable launches_;
  std::array<int, kMostDevices> devices_;  // the sink's numbers
  std::array<Context, kMostContexts> contexts_ = {};
  int context_count_ = 0;

  // Used by the thread that harvests.
  ClockOffset offset_;
};

// Null: CUDA is not traced, or this is the child of a fork().
constinit std::atomic<Tracing*> g_tracing{nullptr};

Tracing* tracing() { return g_tracing.load(std::memory_order_acquire); }

// --- what CUPTI calls --------------------------------------------------------

void on_callback(void*, int domain, uint32_t id, const void* data) {
  Tracing* const known = tracing();
  if (known == nullptr) return;
  switch (domain) {
    case kDriverDomain:
    case kRuntimeDomain:
      return known->on_function(domain, id,
                                *static_cast<const CallbackData*>(data));
    case kSynchronizeDomain:
      return known->on_synchronized();
    case kResourceDomain:
      if (id != kContextDestroyStarting) return;
      return known->on_context_end(
          static_cast<const ResourceData*>(data)->context);
    default:
      return;
  }
}

void on_buffer_requested(uint8_t** buffer, size_t* size, size_t* most_records) {
  *most_records = 0;  // as many as there is room for
  if (Tracing* const known = tracing()) {
    return known->on_buffer_requested(buffer, size);
  }
  *buffer = g_scrap;
  *size = sizeof g_scrap;
}

void on_buffer_completed(void*, uint32_t, uint8_t* buffer, size_t,
                         size_t valid) {
  Tracing* const known = tracing();
  if (known != nullptr && buffer != nullptr) {
    known->on_buffer_completed(buffer, valid);
  }
}

// --- start -------------------------------------------------------------------

void Tracing::learn_functions() {
  for (const int domain : {kDriverDomain, kRuntimeDomain}) {
    for (uint32_t id = 1; id < kMostIds; ++id) {
      const char* name = nullptr;
      if (cupti_.get_callback_name(domain, id, &name) != kSuccess) break;
      if (name == nullptr) continue;
      functions_[static_cast<size_t>(domain - 1)][id] = {
          host_api(name), third_argument_is_size(name)};
    }
  }
}

int Tracing::enable() {
  // One buffer for all threads: those of threads that launch little would be
  // full long after the operations.
  uint8_t per_thread = 0;
  size_t size = sizeof per_thread;
  if (cupti_.set_attribute != nullptr) {
    cupti_.set_attribute(kBuffersPerThread, &size, &per_thread);
  }
  // Once in a process, and before any kind is enabled: otherwise times are of
  // both clocks.
  has_own_clock_ = cupti_.register_timestamp != nullptr &&
                   cupti_.register_timestamp(stamp) == kSuccess;
  follow_clock();
  int result = cupti_.register_buffers(poprt::cuda::on_buffer_requested,
                                       poprt::cuda::on_buffer_completed);
  for (const RecordKind kind : kKindsAsked) {
    if (result != kSuccess) return result;
    result = cupti_.enable_activity(static_cast<int>(kind));
  }
  if (result != kSuccess) return result;

  learn_functions();
  for (const int domain : {kDriverDomain, kRuntimeDomain}) {
    for (uint32_t id = 1; id < kMostIds; ++id) {
      if (function(domain, id).api == HostApi::kNone) continue;
      // One that this driver does not have is not called.
      cupti_.enable_callback(1, subscriber_, domain, id);
    }
  }
  for (const uint32_t id : {kStreamSynchronized, kContextSynchronized}) {
    cupti_.enable_callback(1, subscriber_, kSynchronizeDomain, id);
  }
  return cupti_.enable_callback(1, subscriber_, kResourceDomain,
                                kContextDestroyStarting);
}

// --- calls of the program ----------------------------------------------------

void Tracing::on_function(int domain, uint32_t id, const CallbackData& data) {
  const Function called = function(domain, id);
  if (called.api == HostApi::kNone || data.of_call == nullptr) return;
  if (data.is_exit != 0) return leave(called, data);
  *data.of_call = 0;
  if (measuring()) enter(called, data);
}

// The innermost call to a device in which the thread is, if it is this layer's.
DeviceThread::Call* own_call(const Thread& thread) {
  DeviceThread* const device = device_thread(thread);
  if (device == nullptr || device->depth == 0) return nullptr;
  DeviceThread::Call& innermost = device->calls[device->depth - 1];
  return innermost.name == &kOwnCalls ? &innermost : nullptr;
}

void Tracing::enter(Function called, const CallbackData& data) {
  Thread& thread =
      t_thread != nullptr ? *t_thread : register_thread(ThreadKind::kForeign);
  if (own_call(thread) != nullptr) return;
  const int64_t begin_ns =
      thread.state() == State::kUseful ? leave_ns() : now_ns();
  host_call_begin(thread, HostCall::kOperation, activity_in(called.api),
                  &kOwnCalls, begin_ns);
  uint64_t flags = kOutermost;
  uint64_t bytes = 1;
  if (called.third_argument_is_size && data.arguments != nullptr) {
    std::memcpy(&bytes, static_cast<const uint64_t*>(data.arguments) + 2,
                sizeof bytes);
  }
  if (!launches(called.api) || bytes == 0 ||
      announce(called.api, data, thread.mpi_depth > 0, begin_ns)) {
    flags |= kAnnounced;
  }
  *data.of_call = static_cast<uint64_t>(begin_ns) << kFlags | flags;
}

void Tracing::leave(Function called, const CallbackData& data) {
  const uint64_t of_call = *data.of_call;
  Thread* const thread = measured_thread();
  if ((of_call & kOutermost) == 0 || thread == nullptr) return;
  const auto begin_ns = static_cast<int64_t>(of_call >> kFlags);
  int result = 0;
  if (data.return_value != nullptr) {
    std::memcpy(&result, data.return_value, sizeof result);
  }
  if (launches(called.api)) {
    if (result != 0) {
      withdraw(data.correlation_id);
    } else if ((of_call & kAnnounced) == 0) {
      // Its context was made in the call.
      announce(called.api, data, thread->mpi_depth > 0, begin_ns);
    }
  } else if (called.api == HostApi::kBeginCapture && result == 0) {
    captures_.fetch_add(1, std::memory_order_relaxed);
  } else if (called.api == HostApi::kEndCapture) {
    int captures = captures_.load(std::memory_order_relaxed);
    while (captures > 0 &&
           !captures_.compare_exchange_weak(captures, captures - 1)) {
    }
  }
  const int64_t end_ns = now_ns();
  if (called.api == HostApi::kLaunch && end_ns - begin_ns > kLongLaunchNs &&
      is_queue_full()) {
    host_call_goes_on(*thread, HostActivity::kWaiting);
  }
  host_call_end(*thread, HostCall::kOperation, &kOwnCalls, end_ns);
  if (called.api == HostApi::kSynchronize) harvest();
}

// A call that launches, allocates or frees has waited for what was launched
// before.
void Tracing::on_synchronized() {
  Thread* const thread = measured_thread();
  if (thread == nullptr) return;
  const DeviceThread::Call* const call = own_call(*thread);
  if (call != nullptr && call->activity == HostActivity::kLaunching) {
    host_call_goes_on(*thread, HostActivity::kWaiting);
  }
}

// False: it is not known yet for which device.
bool Tracing::announce(HostApi api, const CallbackData& data, bool in_mpi,
                       int64_t now_ns) {
  if (data.context == nullptr) return false;
  has_launched_.store(true, std::memory_order_relaxed);
  // A graph gets it then, and of what no graph gets there are records, anyway.
  if (captures_.load(std::memory_order_relaxed) > 0) return true;
  const int device = device_of(data.context, data.context_id);
  if (device == OperationSink::kNoDevice) return true;

  LaunchTable::Entry entry;
  entry.id = data.correlation_id;
  entry.context = data.context_id;
  entry.device = static_cast<int16_t>(device);
  entry.has_many = api == HostApi::kLaunchMany;
  entry.moves_data = in_mpi || (data.symbol_name != nullptr &&
                                is_of_communication_library(data.symbol_name));
  LaunchTable::Entry given_up;
  bool gives_up = false;
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return true;
    gives_up = launches_.add(entry, &given_up);
  }
  if (gives_up) sink_.end_launch(given_up.device, given_up.id, true);
  Launch launch;
  launch.id = entry.id;
  launch.stream = entry.context;
  launch.time_ns = now_ns;
  launch.has_many_records = entry.has_many;
  sink_.launch(device, launch);
  return true;
}

// The call has failed.
void Tracing::withdraw(uint64_t launch) {
  int device = OperationSink::kNoDevice;
  {
    const MutexLock lock(mutex_);
    LaunchTable::Entry* const entry =
        lock.held() ? launches_.find(launch) : nullptr;
    if (entry == nullptr || !entry->is_pending) return;
    device = entry->device;
    launches_.end(*entry);
  }
  sink_.end_launch(device, launch, false);
}

bool Tracing::is_queue_full() {
  const MutexLock lock(mutex_);
  return lock.held() && launches_.waited_for() >= kFullQueue;
}

// --- devices and contexts ----------------------------------------------------

int Tracing::device(uint32_t number) {
  if (number >= kMostDevices) return OperationSink::kNoDevice;
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return OperationSink::kNoDevice;
    if (devices_[number] != kNotAsked) return devices_[number];
  }
  // The sink gives the same answer to whoever asks at the same time.
  const int known = sink_.device(static_cast<int>(number));
  const MutexLock lock(mutex_);
  if (lock.held()) devices_[number] = known;
  return known;
}

// Contexts that were there before tracing began are asked for as well.
int Tracing::device_of(void* context, uint32_t id) {
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return OperationSink::kNoDevice;
    for (int i = 0; i < context_count_; ++i) {
      const Context& known = contexts_[static_cast<size_t>(i)];
      if (known.handle == context && known.id == id) return known.device;
    }
  }
  uint32_t number = kMostDevices;
  if (cupti_.get_device(context, &number) != kSuccess) {
    return OperationSink::kNoDevice;
  }
  const int found = device(number);
  const MutexLock lock(mutex_);
  if (lock.held()) {
    // Of more contexts the last one changes; it is asked for each time.
    const int place = std::min(context_count_, kMostContexts - 1);
    contexts_[static_cast<size_t>(place)] = {context, id, found};
    context_count_ = std::max(context_count_, place + 1);
  }
  return found;
}

// With a context go the records that were not given out, and nothing more is
// heard of what is pending in it.
void Tracing::on_context_end(void* context) {
  if (!measuring() || !has_launched_.load(std::memory_order_relaxed)) return;
  uint32_t id = 0;
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return;
    const auto end = contexts_.begin() + context_count_;
    const auto known = std::find_if(
        contexts_.begin(), end,
        [context](const Context& each) { return each.handle == context; });
    if (known == end) return;  // nothing was launched in it
    id = known->id;
    // The handle may be that of another context soon.
    *known = contexts_[static_cast<size_t>(--context_count_)];
  }
  catch_up();
  std::array<LaunchTable::Entry, 32> ended;
  size_t count = 0;
  do {
    count = 0;
    {
      const MutexLock lock(mutex_);
      if (!lock.held()) return;
      launches_.for_pending([&](LaunchTable::Entry& entry) {
        if (entry.context != id || count == ended.size()) return;
        ended[count++] = entry;
        launches_.end(entry);
      });
    }
    for (size_t i = 0; i < count; ++i) {
      sink_.end_launch(ended[i].device, ended[i].id, true);
    }
  } while (count == ended.size());
}

// --- records -----------------------------------------------------------------

void Tracing::on_buffer_requested(uint8_t** buffer, size_t* size) {
  *size = ActivityBuffers::kBytes;
  *buffer = buffers_.take();
  if (*buffer == nullptr && version_ < kTakesNoBuffer) *buffer = g_scrap;
}

void Tracing::on_buffer_completed(uint8_t* buffer, size_t valid) {
  if (buffer == g_scrap) {
    uint8_t* record = nullptr;
    while (cupti_.get_next_record(buffer, valid, &record) == kSuccess) {
      scrapped_.fetch_add(1, std::memory_order_relaxed);
    }
    return;
  }
  buffers_.complete(buffer, valid);
  if (is_over_.load(std::memory_order_relaxed)) {
    buffers_.harvest([](uint8_t*, size_t) {});
  } else if (buffers_.waiting() > kMostWaiting) {
    harvest();
  }
}

void Tracing::harvest() {
  if (buffers_.waiting() == 0) return;
  buffers_.harvest([this](uint8_t* bytes, size_t valid) {
    follow_clock();
    read(bytes, valid, now_ns());
  });
}

void Tracing::read(uint8_t* bytes, size_t valid, int64_t now_ns) {
  uint8_t* at = nullptr;
  uint8_t* next = nullptr;
  while (valid > 0 && cupti_.get_next_record(bytes, valid, &next) == kSuccess) {
    if (next < bytes || next >= bytes + valid ||
        (at != nullptr && next <= at)) {
      unreadable_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    at = next;
    Record record;
    if (read_record(at, &record)) book(record, now_ns);
  }
}

void Tracing::book(const Record& record, int64_t now_ns) {
  Operation operation;
  operation.launch = record.correlation;
  operation.kind = record.kind;
  operation.begin_ns = to_host(record.begin);
  operation.end_ns = to_host(record.end);
  int launched_on = OperationSink::kNoDevice;
  {
    const MutexLock lock(mutex_);
    LaunchTable::Entry* const entry =
        lock.held() ? launches_.find(operation.launch) : nullptr;
    if (entry != nullptr) {
      if (entry->is_pending) launched_on = entry->device;
      operation.moves_data = entry->moves_data;
      launches_.add_record(*entry);
    }
  }
  const int used = device(record.device);
  if (used != launched_on && launched_on != OperationSink::kNoDevice) {
    sink_.end_launch(launched_on, operation.launch, false);
  }
  if (used == OperationSink::kNoDevice) {
    no_device_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  sink_.operation(used, operation, now_ns);
}

int64_t Tracing::to_host(uint64_t time) {
  if (time == 0) return 0;
  const auto known = static_cast<int64_t>(time);
  if (has_own_clock_) return std::max<int64_t>(0, known - kOrigin);
  return offset_.is_known() ? std::max<int64_t>(0, offset_.to_host(known)) : 0;
}

// Without a clock of its own CUPTI has the system's, which may be set.
void Tracing::follow_clock() {
  if (has_own_clock_) return;
  uint64_t time = 0;
  const int64_t begin_ns = now_ns();
  if (cupti_.get_timestamp(&time) != kSuccess) return;
  offset_.learn(static_cast<int64_t>(time), begin_ns, now_ns());
  sink_.clock_error(offset_.error_ns());
}

// --- end ---------------------------------------------------------------------

bool Tracing::waits_for_records() {
  const MutexLock lock(mutex_);
  return lock.held() && launches_.waited_for() > 0;
}

void Tracing::catch_up() {
  if (is_over_.load(std::memory_order_relaxed) ||
      !has_launched_.load(std::memory_order_relaxed)) {
    return;
  }
  cupti_.flush(0);
  harvest();
}

void Tracing::finish() {
  if (is_over_.load(std::memory_order_relaxed)) return;
  if (has_launched_.load(std::memory_order_relaxed)) {
    catch_up();
    int64_t waited_ns = 0;
    while (waits_for_records() && waited_ns < kEndPatienceNs) {
      pause_(kPauseNs);
      waited_ns += kPauseNs;
      catch_up();
    }
    cupti_.flush(kForced);
    harvest();
    size_t dropped = 0;
    if (cupti_.get_dropped(nullptr, 0, &dropped) == kSuccess) {
      dropped_.store(static_cast<int64_t>(dropped));
    }
  }
  is_over_.store(true);
  unsubscribe();
}

TraceGaps Tracing::gaps() const {
  return {dropped_.load() + scrapped_.load(), unreadable_.load(),
          no_device_.load(), offset_.jumps()};
}

// --- the process -------------------------------------------------------------

// What a child has of its parent's, for which it has no use.
std::atomic<Tracing*> g_of_parent{nullptr};

void in_child() { g_of_parent.store(g_tracing.exchange(nullptr)); }

TraceStart outcome(TraceStart::Outcome is, std::string why, std::string cupti) {
  return {is, std::move(why), std::move(cupti)};
}

TraceStart start(const TraceOptions& options, OperationSink& sink) {
  using Outcome = TraceStart::Outcome;
  if (!options.injected_tool.empty()) {
    return outcome(Outcome::kOtherTool, options.injected_tool, "");
  }
  const LoadedCupti loaded = load_cupti(options.places);
  if (!loaded.why_not.empty()) {
    return outcome(Outcome::kNotThere, loaded.why_not, "");
  }
  const std::string cupti =
      "CUPTI " + version_text(loaded.version) + " (" + loaded.path + ")";
  Tracing* const made = new Tracing(loaded, sink, options.pause);
  if (!made->has_memory()) {
    delete made;
    return outcome(Outcome::kNotThere, "there is no memory", cupti);
  }
  // Callbacks may come as soon as they are enabled.
  g_tracing.store(made);
  std::string other;
  int result = made->subscribe(&other);
  if (result == kSuccess) {
    result = made->enable();
    if (result != kSuccess) made->unsubscribe();
  }
  if (result == kSuccess) {
    pthread_atfork(nullptr, nullptr, in_child);
    return outcome(Outcome::kTracing, "", cupti);
  }
  // Not freed: a callback may be under way.
  g_tracing.store(nullptr);
  if (result == kOtherSubscriber) {
    return outcome(Outcome::kOtherTool,
                   other.empty() ? "one that does not say its name" : other,
                   cupti);
  }
  std::string why = cupti + " says " + loaded.functions.error(result);
  if (result == kNotInitialized) {
    why += ": it may be newer than the driver (" + loaded.driver + ")";
  }
  return outcome(Outcome::kNotThere, why, cupti);
}

}  // namespace

const TraceStart& start_tracing(const TraceOptions& options,
                                OperationSink& sink) {
  static constinit std::atomic<const TraceStart*> known{nullptr};
  static constinit Mutex mutex;
  const MutexLock lock(mutex);
  if (known.load() == nullptr) {
    known.store(new TraceStart(start(options, sink)));
  }
  return *known.load();
}

bool is_tracing() { return tracing() != nullptr; }

void harvest() {
  if (Tracing* const known = tracing()) known->harvest();
}

void catch_up() {
  if (Tracing* const known = tracing()) known->catch_up();
}

void finish_tracing() {
  if (Tracing* const known = tracing()) known->finish();
}

TraceGaps trace_gaps() {
  Tracing* const known = tracing();
  return known != nullptr ? known->gaps() : TraceGaps();
}

}  // namespace poprt::cuda
