// Which names of MPI functions are measured, or local.
#include "wrappers/calls/unwrapped.h"

#include <gtest/gtest.h>
#include <mpi.h>
#include <mpi_has.h>

namespace {

using poprt::mpi::is_unwrapped;

TEST(Unwrapped, AreNotTheFunctionsOfTheTablesInAnyLanguage) {
  for (const char* const name : {"MPI_Send",
                                 "PMPI_Send",
                                 "mpi_send_",
                                 "mpi_send__",
                                 "mpi_send",
                                 "MPI_SEND",
                                 "pmpi_send_",
                                 "mpi_send_f08_",
                                 "mpi_send_f08ts_",
                                 "MPI_Init",
                                 "mpi_finalize_",
                                 "MPI_Wtime",
                                 "mpi_comm_rank_f08_",
                                 "MPI_Type_size_c",
                                 "MPI_T_init_thread",
                                 "MPI_Comm_c2f",
                                 "MPI_COMM_DUP_FN",
                                 "mpi_info_get_string_",
                                 "MPIX_Query_cuda_support",
                                 "mpi_get_count_f08ts_large_",
                                 "mpi_alloc_mem_cptr_",
                                 "mpi_recv_f",
                                 "mpi_win_allocate_shared_cptr_f08_",
                                 "mpi_f_argv_null_",
                                 "send",
                                 "mpi",
                                 "Prepare",
                                 "ompi_mpi_comm_world",
                                 ""}) {
    EXPECT_FALSE(is_unwrapped(name)) << name;
  }
}

TEST(Unwrapped, AreAllOthers) {
  for (const char* const name :
       {"MPIX_Comm_agree", "PMPIX_Comm_agree", "mpix_comm_agree_", "MPI_New",
        "pmpi_new_f08_", "MPI_Sends", "MPI_", "MPI_Wtimes", "MPI_Comm_size_of",
        "MPIX_Send"}) {
    EXPECT_TRUE(is_unwrapped(name)) << name;
  }
}

TEST(Unwrapped, AreThoseThatMpiDoesNotDeclare) {
#if defined(POPRT_HAS_MPI_Send_c)
  const bool has_large = true;
#else
  const bool has_large = false;
#endif
  EXPECT_NE(has_large, is_unwrapped("MPI_Send_c"));
  EXPECT_NE(has_large, is_unwrapped("mpi_send_f08ts_large_"));
#if defined(POPRT_HAS_MPI_Allreduce_init)
  EXPECT_FALSE(is_unwrapped("mpi_allreduce_init_"));
#else
  EXPECT_TRUE(is_unwrapped("mpi_allreduce_init_"));
#endif
}

}  // namespace
