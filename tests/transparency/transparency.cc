// Runs cases and collects what they say.
//
// usage: transparency --list
//        transparency FOLDER CASE...
//        transparency --child FOLDER NAME    (by MPI_Comm_spawn)
//
// A case is GROUP.NAME.  Its text is in FOLDER/CASE.<rank>, and ends with a
// line "end" where it came to its end.
#include "transparency.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

namespace transparency {

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

namespace {

std::map<std::string, Child>& children() {
  static std::map<std::string, Child> all;
  return all;
}

int g_file = -1;
std::mutex g_mutex;
std::string g_folder;
std::string g_program;

// The launcher's variable, because a case may not have initialised MPI.
int rank_of_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    if (const char* text = std::getenv(name)) return std::atoi(text);
  }
  return 0;
}

void open_text(const std::string& name, int own_rank) {
  const std::string path =
      g_folder + "/" + name + "." + std::to_string(own_rank);
  g_file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (g_file < 0) {
    std::perror(path.c_str());
    std::exit(2);
  }
}

void close_text() {
  line("end");
  close(g_file);
  g_file = -1;
}

const Case* find(const std::string& name) {
  for (const Case& c : cases()) {
    if (name == std::string(c.group) + "." + c.name) return &c;
  }
  return nullptr;
}

int list_cases() {
  constexpr const char* kKinds[] = {"together", "threaded", "alone"};
  for (const Case& c : cases()) {
    std::printf("%s.%s %s %d %s\n", c.group, c.name,
                kKinds[static_cast<int>(c.kind)], c.ranks, c.why);
  }
  return 0;
}

}  // namespace

int rank() {
  int value = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}

int size() {
  int value = -1;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

void line(const char* format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text, sizeof text - 1, format, arguments);
  va_end(arguments);
  size_t bytes = std::min(static_cast<size_t>(length), sizeof text - 2);
  text[bytes++] = '\n';
  // Written at once, and in one piece: the process may die, and has several
  // threads.
  const std::lock_guard<std::mutex> lock(g_mutex);
  if (write(g_file, text, bytes) < 0) std::abort();
}

std::string name_of_error(int code) {
  static const std::map<int, const char*> kNames = {
      {MPI_SUCCESS, "SUCCESS"},
      {MPI_ERR_BUFFER, "BUFFER"},
      {MPI_ERR_COUNT, "COUNT"},
      {MPI_ERR_TYPE, "TYPE"},
      {MPI_ERR_TAG, "TAG"},
      {MPI_ERR_COMM, "COMM"},
      {MPI_ERR_RANK, "RANK"},
      {MPI_ERR_REQUEST, "REQUEST"},
      {MPI_ERR_ROOT, "ROOT"},
      {MPI_ERR_GROUP, "GROUP"},
      {MPI_ERR_OP, "OP"},
      {MPI_ERR_TOPOLOGY, "TOPOLOGY"},
      {MPI_ERR_DIMS, "DIMS"},
      {MPI_ERR_ARG, "ARG"},
      {MPI_ERR_UNKNOWN, "UNKNOWN"},
      {MPI_ERR_TRUNCATE, "TRUNCATE"},
      {MPI_ERR_OTHER, "OTHER"},
      {MPI_ERR_INTERN, "INTERN"},
      {MPI_ERR_PENDING, "PENDING"},
      {MPI_ERR_IN_STATUS, "IN_STATUS"},
      {MPI_ERR_ACCESS, "ACCESS"},
      {MPI_ERR_AMODE, "AMODE"},
      {MPI_ERR_ASSERT, "ASSERT"},
      {MPI_ERR_BAD_FILE, "BAD_FILE"},
      {MPI_ERR_BASE, "BASE"},
      {MPI_ERR_DISP, "DISP"},
      {MPI_ERR_FILE, "FILE"},
      {MPI_ERR_FILE_EXISTS, "FILE_EXISTS"},
      {MPI_ERR_INFO, "INFO"},
      {MPI_ERR_INFO_KEY, "INFO_KEY"},
      {MPI_ERR_INFO_NOKEY, "INFO_NOKEY"},
      {MPI_ERR_INFO_VALUE, "INFO_VALUE"},
      {MPI_ERR_IO, "IO"},
      {MPI_ERR_KEYVAL, "KEYVAL"},
      {MPI_ERR_LOCKTYPE, "LOCKTYPE"},
      {MPI_ERR_NAME, "NAME"},
      {MPI_ERR_NO_SUCH_FILE, "NO_SUCH_FILE"},
      {MPI_ERR_PORT, "PORT"},
      {MPI_ERR_RMA_CONFLICT, "RMA_CONFLICT"},
      {MPI_ERR_RMA_SYNC, "RMA_SYNC"},
      {MPI_ERR_RMA_RANGE, "RMA_RANGE"},
      {MPI_ERR_RMA_ATTACH, "RMA_ATTACH"},
      {MPI_ERR_SERVICE, "SERVICE"},
      {MPI_ERR_SIZE, "SIZE"},
      {MPI_ERR_SPAWN, "SPAWN"},
      {MPI_ERR_UNSUPPORTED_OPERATION, "UNSUPPORTED_OPERATION"},
      {MPI_ERR_WIN, "WIN"},
  };
  int error_class = -1;
  MPI_Error_class(code, &error_class);
  const auto place = kNames.find(error_class);
  return place == kNames.end() ? "class " + std::to_string(error_class)
                               : place->second;
}

void show(const char* what, int code) {
  line("%s: %s", what, name_of_error(code).c_str());
}

void show(const char* what, const MPI_Status& status, MPI_Datatype type) {
  int count = -1;
  int elements = -1;
  int cancelled = -1;
  MPI_Get_count(&status, type, &count);
  MPI_Get_elements(&status, type, &elements);
  MPI_Test_cancelled(&status, &cancelled);
  line("%s: source %d, tag %d, count %s, elements %s%s", what,
       status.MPI_SOURCE, status.MPI_TAG, text_of_index(count).c_str(),
       text_of_index(elements).c_str(), cancelled != 0 ? ", cancelled" : "");
}

void show_with_error(const char* what, const MPI_Status& status,
                     MPI_Datatype type) {
  show(what, status, type);
  line("%s: error %s", what, name_of_error(status.MPI_ERROR).c_str());
}

void show(const char* what, const Ints& values) {
  line("%s: %s", what, text_of(values).c_str());
}

std::string text_of(const Ints& values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == 40)
      return text + " ... checksum " + std::to_string(checksum(values));
    text += (i == 0 ? "" : " ") + text_of_index(values[i]);
  }
  return text;
}

const char* yes(bool value) { return value ? "yes" : "no"; }

std::string text_of_index(int index) {
  return index == MPI_UNDEFINED ? "undefined" : std::to_string(index);
}

Ints numbers(int count, int first) {
  Ints values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

unsigned checksum(const Ints& values) {
  unsigned sum = 0;
  for (const int v : values) sum = sum * 31 + static_cast<unsigned>(v);
  return sum;
}

ErrorsReturn::ErrorsReturn(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_get_errhandler(comm_, &before_);
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

ErrorsReturn::~ErrorsReturn() {
  MPI_Comm_set_errhandler(comm_, before_);
  if (before_ != MPI_ERRORS_ARE_FATAL && before_ != MPI_ERRORS_RETURN) {
    MPI_Errhandler_free(&before_);
  }
}

void use(const char* what, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) {
    line("%s: null", what);
    return;
  }
  int own = -1;
  int all = -1;
  int sum = -1;
  int got = -1;
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &all);
  const int value = own + 1;
  const int a = MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  Status status;
  const int b = MPI_Sendrecv(&value, 1, MPI_INT, (own + 1) % all, 77, &got, 1,
                             MPI_INT, (own + all - 1) % all, 77, comm, &status);
  line("%s: rank %d of %d, sum %d, from the left %d (%s, %s)", what, own, all,
       sum, got, name_of_error(a).c_str(), name_of_error(b).c_str());
}

void use_inter(const char* what, MPI_Comm comm) {
  int own = -1;
  int local = -1;
  int remote = -1;
  int sum = -1;
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &local);
  MPI_Comm_remote_size(comm, &remote);
  const int value = own + 1;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  int got = -1;
  Status status;
  // Only processes with a partner of the same rank in the other group.
  const int peer = own < remote ? own : MPI_PROC_NULL;
  MPI_Sendrecv(&value, 1, MPI_INT, peer, 78, &got, 1, MPI_INT, peer, 78, comm,
               &status);
  line("%s: rank %d of %d, %d others, their sum %d, from the partner %d", what,
       own, local, remote, sum, got);
}

Halves::Halves() {
  const int middle = transparency::size() / 2;
  low = transparency::rank() < middle;
  MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, transparency::rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? middle : 0, 5, &inter);
  MPI_Comm_rank(half, &rank);
  MPI_Comm_size(half, &local);
  MPI_Comm_remote_size(inter, &remote);
}

Halves::~Halves() {
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

void meet_outside_mpi(int processes) {
  const auto sign = [](int of_rank) {
    return g_folder + "/met" + std::to_string(of_rank);
  };
  close(creat(sign(rank_of_launcher()).c_str(), 0644));
  constexpr int kMostLooks = 20'000;
  int looks = 0;
  for (int other = 0; other < processes; ++other) {
    while (access(sign(other).c_str(), F_OK) != 0 && ++looks < kMostLooks) {
      usleep(1000);
    }
  }
}

const char* program() { return g_program.c_str(); }
std::string folder() { return g_folder; }

ChildRegistration::ChildRegistration(const char* name, Child child) {
  children()[name] = child;
}

namespace {

int run_child(const std::string& name) {
  open_text(name + ".child", rank_of_launcher());
  children().at(name)();
  line("end");
  return 0;
}

int run_cases(const std::vector<std::string>& names, int* argc, char*** argv) {
  std::vector<const Case*> chosen;
  for (const std::string& name : names) {
    chosen.push_back(find(name));
    if (chosen.back() == nullptr) {
      std::fprintf(stderr, "no such case: %s\n", name.c_str());
      return 2;
    }
  }
  if (chosen.size() == 1 && chosen[0]->kind == Kind::kAlone) {
    open_text(names[0], rank_of_launcher());
    chosen[0]->function();
    close_text();
    return 0;
  }
  if (chosen[0]->kind == Kind::kThreaded) {
    int provided = -1;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  } else {
    MPI_Init(argc, argv);
  }
  for (size_t i = 0; i < chosen.size(); ++i) {
    open_text(names[i], rank());
    if (size() >= chosen[i]->ranks) {
      chosen[i]->function();
    } else {
      line("needs %d processes", chosen[i]->ranks);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    close_text();
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace transparency

int main(int argc, char** argv) {
  using namespace transparency;
  g_program = argv[0];
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "--list") return list_cases();
  if (words.size() == 3 && words[0] == "--child") {
    g_folder = words[1];
    return run_child(words[2]);
  }
  if (words.size() < 2) {
    std::fprintf(stderr, "usage: transparency --list | FOLDER CASE...\n");
    return 2;
  }
  g_folder = words[0];
  words.erase(words.begin());
  return run_cases(words, &argc, &argv);
}
