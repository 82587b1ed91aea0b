// PAPI's functions, from a library that is loaded only when counters are asked
// for: the preloaded library does not need PAPI, and programs without counters
// do not get it into their address space.
#ifndef POPRT_MODULES_PAPI_PAPI_LIBRARY_H_
#define POPRT_MODULES_PAPI_PAPI_LIBRARY_H_

#include <papi.h>

#include <string>

namespace poprt::modules::papi {

struct Library {
  decltype(&PAPI_library_init) library_init;
  decltype(&PAPI_thread_init) thread_init;
  decltype(&PAPI_register_thread) register_thread;
  decltype(&PAPI_unregister_thread) unregister_thread;
  decltype(&PAPI_multiplex_init) multiplex_init;
  decltype(&PAPI_create_eventset) create_eventset;
  decltype(&PAPI_assign_eventset_component) assign_eventset_component;
  decltype(&PAPI_get_event_component) get_event_component;
  decltype(&PAPI_set_multiplex) set_multiplex;
  decltype(&PAPI_event_name_to_code) event_name_to_code;
  decltype(&PAPI_add_event) add_event;
  decltype(&PAPI_start) start;
  decltype(&PAPI_read) read;
  decltype(&PAPI_stop) stop;
  decltype(&PAPI_cleanup_eventset) cleanup_eventset;
  decltype(&PAPI_destroy_eventset) destroy_eventset;
  decltype(&PAPI_strerror) strerror;
  decltype(&PAPI_num_components) num_components;
  decltype(&PAPI_get_component_info) get_component_info;
};

// Loads and initialises PAPI.  Empty: `library` can be used.  Else one line
// that says why not, and what to do.
std::string load(Library* library);

// Why PAPI has no counters of the processor on this machine; empty if it has or
// does not say.
std::string why_no_processor(const Library& library);

}  // namespace poprt::modules::papi

#endif  // POPRT_MODULES_PAPI_PAPI_LIBRARY_H_
