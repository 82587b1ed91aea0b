// What poprt needs of MPI's standard ABI (MPI 5.0, chapter 20 and annex A.1),
// in place of an MPI library's own mpi.h: the library for programs that are
// linked to libmpi_abi.so is compiled with it, wherever no MPI has this ABI.
#ifndef POPRT_WRAPPERS_ABI_MPI_H_
#define POPRT_WRAPPERS_ABI_MPI_H_

#include <stdint.h>

#define POPRT_STANDARD_ABI 1

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;

typedef struct MPI_ABI_Comm* MPI_Comm;
typedef struct MPI_ABI_Datatype* MPI_Datatype;
typedef struct MPI_ABI_Errhandler* MPI_Errhandler;
typedef struct MPI_ABI_File* MPI_File;
typedef struct MPI_ABI_Group* MPI_Group;
typedef struct MPI_ABI_Info* MPI_Info;
typedef struct MPI_ABI_Message* MPI_Message;
typedef struct MPI_ABI_Op* MPI_Op;
typedef struct MPI_ABI_Request* MPI_Request;
typedef struct MPI_ABI_Session* MPI_Session;
typedef struct MPI_ABI_Win* MPI_Win;

typedef struct {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;

enum {
  MPI_SUCCESS = 0,
  MPI_ERR_COUNT = 2,
  MPI_ERR_REQUEST = 7,
  MPI_ERR_GROUP = 9,
  MPI_ERR_ARG = 13,
  MPI_ERR_TRUNCATE = 15,
  MPI_ERR_OTHER = 16,
  MPI_ERR_PENDING = 18,
  MPI_ERR_IN_STATUS = 19,

  MPI_ANY_SOURCE = -1,
  MPI_ANY_TAG = -2,
  MPI_PROC_NULL = -3,
  MPI_ROOT = -4,
  MPI_UNDEFINED = -32766,

  MPI_CART = 211,
  MPI_GRAPH = 212,
  MPI_DIST_GRAPH = 213,
  MPI_TAG_UB = 501,

  MPI_THREAD_SINGLE = 0,
  MPI_THREAD_FUNNELED = 1024,
  MPI_THREAD_SERIALIZED = 2048,
  MPI_THREAD_MULTIPLE = 4096,

  MPI_MODE_NOPRECEDE = 2048,
  MPI_MAX_INFO_VAL = 1024,
  MPI_MAX_LIBRARY_VERSION_STRING = 8192
};

#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_ARGV_NULL ((char**)0)
#define MPI_ARGVS_NULL ((char***)0)
#define MPI_IN_PLACE ((void*)1)

#define MPI_MIN ((MPI_Op)0x22)
#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)
#define MPI_GROUP_NULL ((MPI_Group)0x108)
#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x143)
#define MPI_REQUEST_NULL ((MPI_Request)0x180)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_BYTE ((MPI_Datatype)0x247)

typedef void(MPI_User_function)(void* invec, void* inoutvec, int* len,
                                MPI_Datatype* datatype);

#ifdef __cplusplus
extern "C" {
#endif

#define POPRT_ABI(name, parameters) \
  int MPI_##name parameters;        \
  int PMPI_##name parameters

// Those of the table of calls, and that all of them are here.
#include "mpi_prototypes.h"

POPRT_ABI(Abort, (MPI_Comm comm, int errorcode));
POPRT_ABI(Cart_get, (MPI_Comm comm, int maxdims, int dims[], int periods[],
                     int coords[]));
POPRT_ABI(Cart_shift, (MPI_Comm comm, int direction, int disp, int* rank_source,
                       int* rank_dest));
POPRT_ABI(Cartdim_get, (MPI_Comm comm, int* ndims));
POPRT_ABI(Comm_get_attr,
          (MPI_Comm comm, int comm_keyval, void* attribute_val, int* flag));
POPRT_ABI(Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler* errhandler));
POPRT_ABI(Comm_group, (MPI_Comm comm, MPI_Group* group));
POPRT_ABI(Comm_rank, (MPI_Comm comm, int* rank));
POPRT_ABI(Comm_remote_group, (MPI_Comm comm, MPI_Group* group));
POPRT_ABI(Comm_remote_size, (MPI_Comm comm, int* size));
POPRT_ABI(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler));
POPRT_ABI(Comm_size, (MPI_Comm comm, int* size));
POPRT_ABI(Comm_test_inter, (MPI_Comm comm, int* flag));
POPRT_ABI(Dist_graph_neighbors,
          (MPI_Comm comm, int maxindegree, int sources[], int* sourceweights,
           int maxoutdegree, int destinations[], int* destweights));
POPRT_ABI(Dist_graph_neighbors_count,
          (MPI_Comm comm, int* indegree, int* outdegree, int* weighted));
POPRT_ABI(Errhandler_free, (MPI_Errhandler * errhandler));
POPRT_ABI(Error_class, (int errorcode, int* errorclass));
POPRT_ABI(Finalize, (void));
POPRT_ABI(Get_elements_x,
          (const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count));
POPRT_ABI(Get_library_version, (char* version, int* resultlen));
POPRT_ABI(Graph_neighbors,
          (MPI_Comm comm, int rank, int maxneighbors, int neighbors[]));
POPRT_ABI(Graph_neighbors_count, (MPI_Comm comm, int rank, int* nneighbors));
POPRT_ABI(Group_free, (MPI_Group * group));
POPRT_ABI(Group_from_session_pset,
          (MPI_Session session, const char* pset_name, MPI_Group* newgroup));
POPRT_ABI(Group_rank, (MPI_Group group, int* rank));
POPRT_ABI(Group_size, (MPI_Group group, int* size));
POPRT_ABI(Group_translate_ranks, (MPI_Group group1, int n, const int ranks1[],
                                  MPI_Group group2, int ranks2[]));
POPRT_ABI(Info_get, (MPI_Info info, const char* key, int valuelen, char* value,
                     int* flag));
POPRT_ABI(Init, (int* argc, char*** argv));
POPRT_ABI(Init_thread, (int* argc, char*** argv, int required, int* provided));
POPRT_ABI(Initialized, (int* flag));
POPRT_ABI(Op_create, (MPI_User_function * user_fn, int commute, MPI_Op* op));
POPRT_ABI(Op_free, (MPI_Op * op));
POPRT_ABI(Pcontrol, (const int level, ...));
POPRT_ABI(Query_thread, (int* provided));
POPRT_ABI(Session_finalize, (MPI_Session * session));
POPRT_ABI(Session_init,
          (MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session));
POPRT_ABI(Test_cancelled, (const MPI_Status* status, int* flag));
POPRT_ABI(Topo_test, (MPI_Comm comm, int* status));
POPRT_ABI(Type_commit, (MPI_Datatype * datatype));
POPRT_ABI(Type_contiguous,
          (int count, MPI_Datatype oldtype, MPI_Datatype* newtype));
POPRT_ABI(Type_free, (MPI_Datatype * datatype));
POPRT_ABI(Type_size, (MPI_Datatype datatype, int* size));
POPRT_ABI(Type_size_x, (MPI_Datatype datatype, MPI_Count* size));

#undef POPRT_ABI

#ifdef __cplusplus
}
#endif

#endif  // POPRT_WRAPPERS_ABI_MPI_H_
