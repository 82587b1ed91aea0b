! The procedures of poprt.f90, in shapes of known length.
program region_api
  use, intrinsic :: iso_c_binding, only: c_int
  use mpi
  use poprt
  implicit none
  interface
    function usleep(microseconds) bind(c, name='usleep')
      import :: c_int
      integer(c_int), value :: microseconds
      integer(c_int) :: usleep
    end function
  end interface
  integer(pop_region_kind) :: hot
  integer(c_int) :: unit_us, status
  integer :: i, rank, ierror
  character(len=20) :: text

  unit_us = 50000
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) unit_us
  end if
  hot = pop_region_find('hot  ')
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  do i = 1, 10
    call pop_region_enter(hot)
    status = usleep(unit_us / 2)
    call pop_region_leave(hot)
  end do
  call pop_region_start('solve')
  status = usleep(merge(2, 4, rank == 0) * unit_us)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call pop_region_stop('solve')
  write (text, '(a, i0)') 'first ', rank
  call pop_metadata('rank', text)
  if (rank == 1) call pop_metadata('of rank 1', 'x')
  call pop_metadata('mesh', '64')
  call pop_metadata('mesh', '512')
  print '(a)', 'version "' // pop_version() // '"'
  call MPI_Finalize(ierror)
end program
