! Writes and reads a file of 8000 bytes with Fortran's own statements.
program io_shapes
  use mpi
  implicit none
  double precision :: numbers(1000), again(1000)
  integer :: ierr, rank, unit
  character(len=20) :: name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  write (name, '(a,i0,a)') 'fortran-', rank, '.data'
  numbers = 1.5d0
  open (newunit=unit, file=name, access='stream', form='unformatted', status='replace')
  write (unit) numbers
  rewind (unit)
  read (unit) again
  close (unit, status='delete')
  if (sum(abs(again - numbers)) > 0) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program io_shapes
