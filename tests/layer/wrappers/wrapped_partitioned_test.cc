// Which clocks belong to which partitioned message.
#include "wrapped_program.h"
#include "wrappers/calls/partitioned_handlers.h"
#include "wrappers/state.h"

namespace {

using poprt::mpi::partitioned_tag;

using WrappedPartitioned = WrappedProgram;

TEST_F(WrappedPartitioned, EachStreamHasATagOfItsOwn) {
  const poprt::mpi::CommScope scope(MPI_COMM_WORLD);
  ASSERT_NE(nullptr, scope.comm());
  poprt::mpi::CommInfo& comm = *scope.comm();
  const int first = partitioned_tag(comm, 1, 4, true);
  const int other_tag = partitioned_tag(comm, 1, 5, true);
  const int second = partitioned_tag(comm, 1, 4, true);
  EXPECT_NE(first, other_tag);
  EXPECT_NE(first, second);
  EXPECT_NE(second, other_tag);
  // The receiver counts the same messages.
  EXPECT_EQ(first, partitioned_tag(comm, 1, 4, false));
  EXPECT_EQ(second, partitioned_tag(comm, 1, 4, false));
}

}  // namespace
