#include "modules/papi/papi_counters.h"

#include <memory>
#include <string>
#include <vector>

#include "model/noted.h"
#include "modules/papi/papi_library.h"

namespace poprt::modules::papi {
namespace {

// Without them there is no IPC.
constexpr const char* kDefault[] = {"PAPI_TOT_INS", "PAPI_TOT_CYC"};

struct Event {
  std::string name;  // in reports
  int code = 0;
};

// The two sides of "NAME=EVENT"; both are the event without a name.  An event
// may have "=" itself, behind a colon: "PAPI_TOT_INS:cpu=0".
std::pair<std::string, std::string> name_and_event(const std::string& word) {
  const size_t equals = word.find('=');
  const bool has_name = equals != std::string::npos && equals > 0 &&
                        word.find(':') > equals && equals + 1 < word.size();
  if (!has_name) return {word, word};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

// The counters of one thread: a set for each component of PAPI, which counts
// for itself.
struct EventSet {
  int component;
  int set;
  std::vector<size_t> places;  // of its counters among all
};

struct ThreadCounters {
  std::vector<EventSet> sets;
};

class PapiCounters final : public CounterSource {
 public:
  PapiCounters(const Library& library, bool multiplexes)
      : library_(library), multiplexes_(multiplexes) {}

  // Adds an event if it can be counted besides those before.  Else a reason.
  std::string add(const std::string& word) {
    if (size() == kMost) {
      return "more than " + std::to_string(kMost) + " counters";
    }
    const auto [name, event_name] = name_and_event(word);
    // The run file has the time of the counters under this name.
    if (name == "useful_ns" || is_taken(name)) {
      return "another counter has this name";
    }
    Event event = {name};
    const int status =
        library_.event_name_to_code(event_name.c_str(), &event.code);
    if (status != PAPI_OK) return reason(status);
    events_.push_back(event);
    const int begun = try_to_count(events_);
    if (begun == PAPI_OK) return "";
    events_.pop_back();
    // The kernel calls a group of more events than there are counters an
    // invalid argument.
    const bool is_full =
        begun == PAPI_ECNFLCT ||
        (begun == PAPI_EINVAL && try_to_count({event}) == PAPI_OK);
    return is_full ? "the processor has no counter left for it (multiplex lets "
                     "them take turns)"
                   : reason(begun);
  }

  int size() const override { return static_cast<int>(events_.size()); }
  const char* name(int i) const override {
    return events_[static_cast<size_t>(i)].name.c_str();
  }

  void* begin() override {
    library_.register_thread();
    auto counters = std::make_unique<ThreadCounters>();
    if (begin(events_, counters.get()) == PAPI_OK) return counters.release();
    end(counters.get());
    return nullptr;
  }

  void end(void* counters) override {
    const std::unique_ptr<ThreadCounters> own(
        static_cast<ThreadCounters*>(counters));
    end(own.get());
    library_.unregister_thread();
  }

  bool read(void* counters, int64_t* values) override {
    for (const EventSet& each : static_cast<ThreadCounters*>(counters)->sets) {
      long long read[kMost];
      if (library_.read(each.set, read) != PAPI_OK) return false;
      for (size_t i = 0; i < each.places.size(); ++i) {
        values[each.places[i]] = read[i];
      }
    }
    return true;
  }

 private:
  bool is_taken(const std::string& name) const {
    for (const Event& event : events_) {
      if (event.name == name) return true;
    }
    return false;
  }

  std::string reason(int status) const { return library_.strerror(status); }

  // Counts these events together for a moment.
  int try_to_count(const std::vector<Event>& events) {
    ThreadCounters probe;
    const int begun = begin(events, &probe);
    end(&probe);
    return begun;
  }

  int begin(const std::vector<Event>& events, ThreadCounters* counters) {
    for (size_t i = 0; i < events.size(); ++i) {
      EventSet* set = nullptr;
      const int component = library_.get_event_component(events[i].code);
      if (component < 0) return component;
      for (EventSet& each : counters->sets) {
        if (each.component == component) set = &each;
      }
      if (set == nullptr) {
        set = &counters->sets.emplace_back(EventSet{component, PAPI_NULL, {}});
        if (const int status = create(set); status != PAPI_OK) return status;
      }
      const int status = library_.add_event(set->set, events[i].code);
      if (status != PAPI_OK) return status;
      set->places.push_back(i);
    }
    for (const EventSet& each : counters->sets) {
      if (const int status = library_.start(each.set); status != PAPI_OK) {
        return status;
      }
    }
    return PAPI_OK;
  }

  int create(EventSet* set) {
    int status = library_.create_eventset(&set->set);
    if (status == PAPI_OK) {
      status = library_.assign_eventset_component(set->set, set->component);
    }
    // Only counters of the processor take turns.
    if (status == PAPI_OK && multiplexes_ && set->component == 0) {
      status = library_.set_multiplex(set->set);
    }
    return status;
  }

  void end(ThreadCounters* counters) {
    for (EventSet& each : counters->sets) {
      if (each.set == PAPI_NULL) continue;
      long long unused[kMost];
      library_.stop(each.set, unused);
      library_.cleanup_eventset(each.set);
      library_.destroy_eventset(&each.set);
    }
    counters->sets.clear();
  }

  const Library library_;
  const bool multiplexes_;
  std::vector<Event> events_;
};

}  // namespace

void start(const Options& options, Started* started) {
  if (options.counters.empty()) return;
  Library library;
  if (const std::string wrong = load(&library); !wrong.empty()) {
    started->notes.push_back(noted<"counters_of_no_library">(wrong));
    return;
  }
  std::vector<std::string> names;
  bool multiplexes = false;
  for (const std::string& word : options.counters) {
    if (word == "multiplex") {
      multiplexes = library.multiplex_init() == PAPI_OK;
      if (!multiplexes) started->notes.push_back(noted<"counters_in_turn">());
    } else if (word == "default") {
      names.insert(names.end(), std::begin(kDefault), std::end(kDefault));
    } else {
      names.push_back(word);
    }
  }
  if (names.empty()) {
    names.assign(std::begin(kDefault), std::end(kDefault));
  }
  // Threads use it until the process ends.
  auto counters = std::make_unique<PapiCounters>(library, multiplexes);
  std::string refused;
  for (const std::string& name : names) {
    if (const std::string why = counters->add(name); !why.empty()) {
      refused += (refused.empty() ? "" : "; ") + name + " (" + why + ")";
    }
  }
  if (!refused.empty()) {
    const std::string processor = why_no_processor(library);
    if (!processor.empty()) refused += "; perf_event is off: " + processor;
    started->notes.push_back(counters->size() == 0
                                 ? noted<"counters_none">(refused)
                                 : noted<"counters_refused">(refused));
  }
  if (counters->size() > 0) started->counters = counters.release();
}

}  // namespace poprt::modules::papi
