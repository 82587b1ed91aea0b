// By this MPICH is known.  Without mpi.h, which declares it with types that are
// not needed here.
extern "C" {
void MPIR_Dup_fn() {}
}
