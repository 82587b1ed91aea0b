// What is noted while a run is measured, and when its files are read: each
// sentence once, with the condition under which it is true.  Nobody else words
// a note.  Each has a test that makes it appear, and one in which it does not
// (tests/noted.py).  Notes on what a report has to say are in report/notes.h.
#ifndef POPRT_MODEL_NOTED_H_
#define POPRT_MODEL_NOTED_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "model/text.h"

namespace poprt {

struct NoteKind {
  std::string_view key;    // of the tests; in the table once
  std::string_view words;  // {}: the place of a value
  std::string_view when;   // what is so where it is said
};

inline constexpr NoteKind kNoteKinds[] = {
    // --- regions, metadata ---
    {"region_limit",
     "more than 512 regions; further ones are not measured, the first is '{}'",
     "one more was started in a process that had 512"},
    {"region_memory",
     "there is no memory for more regions; further ones are not measured, the "
     "first is '{}'",
     "the process had less than 512, and the system gave no memory for one"},
    {"region_shared",
     "region '{}' was started by several threads; it is open from the first "
     "start to the last stop",
     "a thread started it while it was open by another one"},
    {"region_stray_stop", "region '{}' was stopped without a start; ignored",
     "it was not open, and no start of it was refused for lack of room"},
    {"region_still_open", "region '{}' was still open at the end",
     "it was started and not stopped; said at the end only"},
    {"region_without_name", "a region without a name was started; ignored",
     "the name was null or empty"},
    {"region_name_cut", "region name longer than 127 bytes, cut off: {}",
     "its name has more bytes than are kept"},
    {"region_handles",
     "more than 1024 names of regions; the first without a handle is '{}'",
     "pop_region_find() had given 1024 handles when this name came"},
    {"region_unknown_entered",
     "a region was entered by a handle that pop_region_find() has not "
     "returned; ignored",
     "the handle is none of a region, and not that of one left out"},
    {"region_unknown_left",
     "a region was left by a handle that pop_region_find() has not returned; "
     "ignored",
     "as above"},
    {"region_reserved", "region name 'Global' is reserved; ignored",
     "the program named a region like poprt's own"},
    {"metrics_without_place", "metrics were asked for and given no place",
     "the region is known, and the program's pointer was null"},
    {"metadata_without_key", "metadata without a key were given; ignored",
     "the key was null or empty"},
    {"metadata_too_long",
     "metadata are longer than 127 (key) or 1023 bytes (value), ignored: '{}'",
     "the key or the value was"},
    {"metadata_limit",
     "more than 64 keys of metadata; the first that is ignored is '{}'",
     "another key came to a process that had 64"},
    {"metadata_of_job",
     "more than 1024 keys of metadata in the job; those of the lowest ranks "
     "are kept",
     "the processes together had more"},
    {"region_sets",
     "regions were open in more than 511 combinations: MPI calls and OpenMP "
     "constructs in further ones are in the entries without a name",
     "places in the code were told apart, and a thread needed one more"},
    {"region_clocks",
     "MPI is called inside parallel regions, so messages have room for the "
     "clocks of the first {} regions only",
     "a message of the largest size had no room for a second clock of the next "
     "one"},
    {"no_region_selected",
     "POPRT_REGIONS selects no region that any process started, so the report "
     "has none",
     "it does not select all, and no region but Global was measured"},
    {"no_region_matches",
     "POPRT_REGIONS: patterns that select no region that any process started: "
     "{}",
     "other patterns of it select regions that were measured"},
    {"no_window_region",
     "POPRT_WINDOWS=region:{}: no process opened that region, so there are no "
     "windows",
     "windows were to be visits of it, and there was none"},

    // --- measuring itself ---
    {"calls_left_out",
     "calls that came from a signal's handler while poprt was at work in the "
     "same thread, and of which something was left out: {}",
     "a call of a handler had to give way"},
    {"memory_given_up",
     "there was no memory for what poprt was to keep: given up {} times",
     "neither the system nor the reserve had memory for a piece of work"},
    {"no_checkpoints", "no checkpoints: cannot write in {} ({})",
     "the first checkpoint of the process could not be written"},
    {"report_not_printed", "the report was not printed: {} {}",
     "a report was to be printed, and stderr is not the file that it was"},
    {"run_file_elsewhere", "the run file is not where it should be: {} {}",
     "POPRT_OUTPUT names a descriptor, which is not the file that it was"},
    {"report_cut",
     "the report did not fit on stderr ({}): {} of {} bytes are there; poprt "
     "report shows it again",
     "stderr took less than all, and there is a run file"},
    {"no_locations",
     "code is named by function at most, without lines of sources: "
     "poprt-locations could not be started ({})",
     "places in the code were to be named, and this program did not begin"},

    // --- modules ---
    {"counters_of_no_library", "no counters: {}",
     "counters were asked for, and PAPI cannot be loaded or used"},
    {"counters_not_built",
     "no counters: this poprt was built without PAPI (Debian: libpapi-dev)",
     "counters were asked for, and it was"},
    {"counters_none", "no counters, PAPI refuses: {}",
     "counters were asked for, and none can be counted"},
    {"counters_refused", "counters that PAPI refuses: {}",
     "some of the counters asked for can be counted, and some cannot"},
    {"counters_in_turn", "multiplex: PAPI cannot do it here",
     "counters were to take turns, and PAPI does not let them"},
    {"counters_of_threads",
     "counters did not run on {} threads of a process: their useful time is in "
     "no counter",
     "counting did not begin on that many threads that are in the metrics"},
    {"counters_unread",
     "counters could not be read, or went back, {} times in a process: what "
     "they counted then is left out",
     "that many readings failed, or were less than those before"},
    {"counter_still", "the counter {} has counted nothing in a process",
     "it is 0 on all threads, which counted for 100 ms of useful time"},
    {"energy_of_node", "no energy of {}: {}",
     "its counters could be read at the start, and one could not later, or "
     "went back"},
    {"energy_not_there", "no energy: {} here (poprt doctor says more)",
     "energy was asked for, and no counter of this node can be read"},
    {"threads_at_once",
     "{} threads are not measured: more than 4096 lived at once in a process",
     "all threads were to be measured, and there were more"},
    {"threads_without_end",
     "threads are not measured: the system does not tell of their end "
     "(pthread_key_create)",
     "all threads were to be measured, and the program has all keys"},
    {"threads_of_libraries",
     "threads of {} libraries of a process are not measured: the system does "
     "not let their tables be changed",
     "all threads were to be measured, and so many tables are read-only"},
    {"io_of_libraries",
     "POSIX I/O is not measured in {} libraries of a process: the system does "
     "not let their tables be changed",
     "file I/O was to be measured, and so many tables are read-only"},
    {"io_mapped",
     "files were mapped into memory (mmap), first '{}': what was read and "
     "written there is in no number of file I/O, and counts as useful time",
     "file I/O was measured, and the program mapped a file, not memory"},

    // --- OpenMP, accelerators ---
    {"openmp_no_headers",
     "OpenMP is not seen: poprt was built without omp-tools.h",
     "an OpenMP runtime is loaded, and it was"},
    // Notes are sorted and long lists are cut: a capital letter comes first.
    {"openmp_of_gcc",
     "GCC's OpenMP runtime tells tools nothing; its threads are not seen. To "
     "see them, preload LLVM's in its place: LD_PRELOAD={}",
     "a runtime with GCC's functions and without LLVM's was used"},
    {"openmp_no_tool",
     "OpenMP is not seen: its runtime ({}) was told to have no tool "
     "(OMP_TOOL=disabled)",
     "a runtime with an interface for tools was used, and OMP_TOOL says so"},
    {"openmp_silent",
     "OpenMP is not seen: its runtime ({}) tells tools nothing. Build the "
     "program with a compiler whose runtime does (LLVM's, Intel's, AMD's)",
     "a runtime without an interface for tools was used, and is not GCC's"},
    {"openmp_other_tool",
     "OpenMP is not measured: the program has an OpenMP tool of its own ({}), "
     "and the OpenMP runtime takes only one",
     "the runtime has, or finds first, another tool than poprt"},
    {"openmp_ended",
     "the OpenMP runtime was ended by the program (omp_pause_resource_all) and "
     "told nothing from then on: what threads of OpenMP did is not known, and "
     "left out",
     "that runtime is still loaded, and there is nothing that was kept until "
     "then: the program has MPI, or there was no memory"},
    {"openmp_until_ended",
     "the OpenMP runtime was ended by the program (omp_pause_resource_all) and "
     "told nothing from then on: the report is of the first {} of {} ms",
     "that runtime is still loaded, and the program has no MPI"},
    {"openmp_ended_no_memory",
     "the OpenMP runtime was ended by the program (omp_pause_resource_all); "
     "what it did from then on is not known",
     "the program has no MPI, and what was measured until then could not be "
     "kept"},
    {"openmp_events",
     "the OpenMP runtime does not report all events; what depends on them is "
     "not measured: {}",
     "it refused callbacks"},
    {"openmp_no_callbacks",
     "the OpenMP runtime has no ompt_set_callback; OpenMP is not measured",
     "it started the tool, and does not have the function"},
    {"openmp_helpers",
     "helper threads of the OpenMP runtime executed {} ms of `target nowait`, "
     "which is in no figure here",
     "they were at work for a millisecond"},
    {"openmp_targets",
     "target regions of OpenMP were not seen: {} is not beside this library",
     "LLVM's library of devices needs it to find the tool's callbacks, and it "
     "could not be opened"},
    {"openmp_no_sources",
     "waits in parallel regions whose sources are not known count as "
     "imbalance: {} % of the core time",
     "they are more than 1 %"},
    {"openmp_singles",
     "the program's `single` constructs do not tell where they end (GCC's do "
     "not): up to the next barrier their threads count as in them",
     "a thread that executed one came to a barrier without its end"},
    {"cuda_off",
     "the program uses CUDA, which is not measured: POPRT_DEVICES=cuda "
     "measures "
     "it, if no other tool does",
     "the driver's library is loaded, and CUDA was not asked for"},
    {"cuda_other_tool",
     "CUDA is not measured: CUPTI, which takes one tool, has or gets another "
     "one: {}",
     "CUDA was asked for, and CUPTI refuses a second subscriber, or "
     "CUDA_INJECTION64_PATH names one"},
    {"cuda_not_there", "CUDA is not measured: {}",
     "CUDA was asked for, and CUPTI cannot be loaded or used"},
    {"cuda_unverified", "CUDA: not verified on a GPU",
     "a device of CUDA was used: what this part does was only tested with a "
     "library that stands in for CUPTI"},
    {"cuda_dropped",
     "{} operations of CUDA are in no figure: there was no memory for their "
     "records",
     "CUPTI, or poprt, has dropped so many"},
    {"cuda_unreadable",
     "{} buffers of CUPTI were not read to their end: what they had is not "
     "known",
     "the next record was not behind the one before"},
    {"cuda_clock",
     "the system's clock was set {} times while CUDA was measured: idle times "
     "of devices, and what waited for them, may be wrong there",
     "CUPTI has no clock of poprt's (before 11.6), and its own has jumped"},
    {"accelerators",
     "the program has a runtime of accelerators ({}): what runs on them, and "
     "waits for them, are not measured, and no loss is named",
     "such a library is loaded"},

    // --- MPI ---
    {"jobs_of_one",
     "the launcher started {} processes, but MPI is one process to each of "
     "them, with a report of its own: use the launcher of the program's MPI "
     "(with srun, --mpi=pmix or --mpi=pmi2)",
     "the launcher's variables say more than one, MPI_COMM_WORLD is of one"},
    {"comm_lost",
     "when a communicator or window was made, some of its processes did not "
     "come within 5 s (they were held up, or made it past poprt, by a function "
     "of the MPI library that they looked up): calls on the communicator that "
     "it was made of carry no clocks from then on",
     "this process waited for the others of the new one for so long"},
    {"spawn_measured",
     "processes that MPI_Comm_spawn started are a job of their own, with a "
     "report of their own; waiting for them is time in MPI here",
     "poprt run has put itself in front of all their programs"},
    {"spawn_not_found",
     "processes that MPI_Comm_spawn started are a job of their own, and not "
     "measured (poprt has not found their program); waiting for them is time "
     "in MPI here",
     "it was to do so, and has found none"},
    {"spawn_some",
     "processes that MPI_Comm_spawn started are a job of their own, and some "
     "of them are not measured (poprt has not found their program); waiting "
     "for them is time in MPI here",
     "it was to do so, and has not found all"},
    {"spawn_unasked",
     "processes that MPI_Comm_spawn started are a job of their own, measured "
     "only if this library is preloaded into them, too (poprt run does that); "
     "waiting for them is time in MPI here",
     "the program was not started by poprt run"},
    {"totals_unreadable", "the totals of some processes are missing",
     "what came from a process is not all that it had to send"},
    {"totals_no_room", "the totals of some processes are missing: {}",
     "what came could not be combined here, for this cause"},
    {"totals_of_process", "the totals of a process are missing: {}",
     "a process could not make its own, for this cause"},

    // --- files that are read ---
    {"pieces_unreadable",
     "files of checkpoints that are not whole, or of another version of poprt: "
     "{}",
     "there are so many beside those that the report is made of"},
    {"pieces_of_others", "checkpoints of other jobs in the same folder: {}",
     "there are so many of other jobs than that which the report is of"},
    {"imported",
     "imported from {}: its file has sums over all threads only, so that no "
     "model but talp is known. The rows are computed as for every run and may "
     "differ from TALP's own: workers that idle while their primary thread is "
     "in MPI count as OpenMP, and OpenMP's losses are taken off one after the "
     "other.",
     "the run was read from a file of TALP"},
    {"impossible", "{}: {}: please report this with the run file",
     "these values were, or these metrics are, as no run can have them"},
    {"uncountable",
     "{}: {}: more than can be counted (140 years of core time), so the "
     "metrics of this run are wrong",
     "all of these values are sums that did not fit"},
    {"other_threads",
     "{}: {}: out of range: threads were at work outside the primary thread's "
     "parallel regions, where the model has none",
     "these metrics are out of their range, and are those that such threads "
     "may bring there"},
};

// Not defined: a key that is not in the table does not compile.
const NoteKind& no_note_has_this_key();

consteval const NoteKind& note_kind(std::string_view key) {
  for (const NoteKind& kind : kNoteKinds) {
    if (kind.key == key) return kind;
  }
  return no_note_has_this_key();
}

template <Text kKey>
inline constexpr std::string_view kNoteWords = note_kind(kKey.value).words;

// Text or an integer.
struct NoteValue {
  explicit NoteValue(std::string_view value) : text(value) {}
  template <std::integral Number>
  explicit NoteValue(Number value)
      : number(static_cast<int64_t>(value)), is_number(true) {}
  std::string_view text;
  int64_t number = 0;
  bool is_number = false;
};

constexpr size_t places_in(std::string_view words) {
  size_t places = 0;
  for (size_t at = words.find("{}"); at != words.npos;
       at = words.find("{}", at + 2)) {
    ++places;
  }
  return places;
}

// The words with the values in their places.
std::string filled(std::string_view words,
                   std::initializer_list<NoteValue> values);
// Whether the text consists of these words with any values.
bool is_filled(std::string_view words, std::string_view text);

// The note of this kind with these values.
template <Text kKey, class... Values>
std::string noted(const Values&... values) {
  static_assert(places_in(kNoteWords<kKey>) == sizeof...(Values));
  return filled(kNoteWords<kKey>, {NoteValue(values)...});
}

// Whether the note is of this kind.
template <Text kKey>
bool is_noted(std::string_view note) {
  return is_filled(kNoteWords<kKey>, note);
}

}  // namespace poprt

#endif  // POPRT_MODEL_NOTED_H_
