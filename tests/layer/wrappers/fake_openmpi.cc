// The objects that Open MPI's handles are addresses of.  Without mpi.h, which
// declares them with types that it does not define.
#define OBJECT(name) \
  extern "C" {       \
  char name[64];     \
  }
OBJECT(ompi_mpi_comm_world)
OBJECT(ompi_mpi_comm_self)
OBJECT(ompi_mpi_comm_null)
OBJECT(ompi_request_null)
OBJECT(ompi_mpi_byte)
OBJECT(ompi_mpi_int)
OBJECT(ompi_mpi_datatype_null)
OBJECT(ompi_mpi_op_min)
OBJECT(ompi_mpi_op_sum)
OBJECT(ompi_mpi_errors_return)
OBJECT(ompi_mpi_errors_are_fatal)
OBJECT(ompi_mpi_group_null)
OBJECT(ompi_mpi_info_null)
OBJECT(ompi_message_null)
OBJECT(ompi_message_no_proc)
