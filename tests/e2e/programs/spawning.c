// Starts three processes of itself by MPI_Comm_spawn_multiple; with the
// argument "path", by MPI_Comm_spawn with that info key.
#include <libgen.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void child(MPI_Comm parent, int argc, char** argv) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i < argc; ++i) printf("%d: %s\n", size, argv[i]);
  MPI_Barrier(parent);
  MPI_Comm_disconnect(&parent);
}

static void parent(char* program, int by_path) {
  char* words[] = {"a b", "*", NULL};
  MPI_Comm children;
  if (by_path) {
    MPI_Info info;
    MPI_Info_create(&info);
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", program);
    MPI_Info_set(info, "path", dirname(folder));
    MPI_Comm_spawn(program, words, 3, info, 0, MPI_COMM_SELF, &children,
                   MPI_ERRCODES_IGNORE);
    MPI_Info_free(&info);
  } else {
    char* commands[] = {program, program};
    char** argvs[] = {words, words + 1};
    const int counts[] = {1, 2};
    const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm_spawn_multiple(2, commands, argvs, counts, infos, 0,
                            MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  }
  MPI_Barrier(children);
  MPI_Comm_disconnect(&children);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm from;
  MPI_Comm_get_parent(&from);
  if (from == MPI_COMM_NULL) {
    parent(argv[0], argc > 1 && strcmp(argv[1], "path") == 0);
  } else {
    child(from, argc, argv);
  }
  MPI_Finalize();
  return 0;
}
