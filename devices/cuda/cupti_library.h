// CUPTI's functions, from a library that is loaded only where the user asks for
// CUDA.  The declarations are the few that are needed, so that no header of
// CUDA is: poprt is built without it, and runs with CUPTI 11 to 13.
#ifndef POPRT_DEVICES_CUDA_CUPTI_LIBRARY_H_
#define POPRT_DEVICES_CUDA_CUPTI_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace poprt::cuda {

// Results that mean more than a failure.
inline constexpr int kSuccess = 0;
inline constexpr int kNotInitialized = 15;
inline constexpr int kOtherSubscriber = 39;

// Domains of callbacks, and the ids of those that are no function of CUDA.
inline constexpr int kDriverDomain = 1;
inline constexpr int kRuntimeDomain = 2;
inline constexpr int kResourceDomain = 3;
inline constexpr int kSynchronizeDomain = 4;
inline constexpr uint32_t kContextDestroyStarting = 2;
inline constexpr uint32_t kStreamSynchronized = 1;
inline constexpr uint32_t kContextSynchronized = 2;

inline constexpr int kBuffersPerThread = 9;  // an attribute of activities
inline constexpr uint32_t kForced = 1;       // a flush
// From this version on there may be no memory for a buffer.
inline constexpr uint32_t kTakesNoBuffer = 27;

// What comes with the callback of a function of CUDA, at its entry and exit.
struct CallbackData {
  int is_exit;
  const char* function_name;
  const void* arguments;     // one after the other, each aligned
  const void* return_value;  // an int, at the exit; 0 is success
  const char* symbol_name;   // the kernel's, if it launches one
  void* context;             // null: the thread has none yet
  uint32_t context_id;
  uint64_t* of_call;        // for the subscriber, the same at entry and exit
  uint32_t correlation_id;  // the same in records of what it launched
};

// The begin of what comes with a callback of a context.
struct ResourceData {
  void* context;
};

using Callback = void(void* user, int domain, uint32_t id, const void* data);
using BufferRequested = void(uint8_t** buffer, size_t* size,
                             size_t* most_records);
using BufferCompleted = void(void* context, uint32_t stream, uint8_t* buffer,
                             size_t size, size_t valid);

struct SubscriberParams {
  size_t size;
  const char* name;
  char* other_name;  // whose callbacks are there already
  size_t other_size;
};

struct Cupti {
  int (*get_version)(uint32_t*);
  int (*get_result_string)(int, const char**);
  int (*get_callback_name)(int domain, uint32_t id, const char**);
  int (*subscribe)(void** subscriber, Callback*, void* user);
  int (*unsubscribe)(void* subscriber);
  int (*enable_callback)(uint32_t on, void* subscriber, int domain,
                         uint32_t id);
  int (*get_device)(void* context, uint32_t* device);
  int (*enable_activity)(int kind);
  int (*register_buffers)(BufferRequested*, BufferCompleted*);
  int (*get_next_record)(uint8_t* buffer, size_t valid, uint8_t** record);
  int (*flush)(uint32_t how);
  int (*get_dropped)(void* context, uint32_t stream, size_t*);
  int (*get_timestamp)(uint64_t*);

  // Null if the version does not have it.
  int (*subscribe_v2)(void** subscriber, Callback*, void* user,
                      SubscriberParams*);
  int (*register_timestamp)(uint64_t (*)());
  int (*set_attribute)(int attribute, size_t* size, void* value);

  std::string error(int result) const;  // its name
};

// Where it is looked for.
struct CuptiPlaces {
  std::string named;  // POPRT_CUPTI: here and nowhere else
  std::string home;   // CUDA_HOME
};

struct LoadedCupti {
  Cupti functions = {};
  uint32_t version = 0;
  std::string path;
  std::string driver;   // the path of libcuda
  std::string why_not;  // not empty: it cannot be used
};

// Loads the driver's library and CUPTI.  Neither is unloaded again.
LoadedCupti load_cupti(const CuptiPlaces& places);

// kSuccess, or what CUPTI says.  `*other`: the tool that has its place, if the
// version tells its name.
int subscribe(const Cupti& cupti, Callback* callback, void** subscriber,
              std::string* other);

// "13.0.1", or "API 27" for the versions that have no other number.
std::string version_text(uint32_t version);

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_CUPTI_LIBRARY_H_
