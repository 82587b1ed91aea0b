! Programs of known shape in Fortran: those of mpi_shapes.c that have the same
! name, and `sentinels`, whose output is compared with and without the library.
! Compiled for each binding: MPIF_H (mpif.h), USE_MPI, USE_MPI_F08.
#include "fortran_bindings.inc"

module fortran_shapes
  use poprt
  use shapes
#if defined(BINDING)
  BINDING
#endif
  implicit none
#if defined(MPIF_H)
  include 'mpif.h'
#endif
  integer :: me, ranks, left, right, ierr
  integer :: total = 0  ! of all that was received
  real :: high          ! 0 on the first rank to 1 on the last

contains

  subroutine barrier
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine

  ! A datatype for MPI_BOTTOM.
  subroutine make_absolute(variable, count, datatype_of)
    integer, intent(in) :: count
    integer, asynchronous, intent(in) :: variable(count)
    DATATYPE, intent(out) :: datatype_of
    integer(MPI_ADDRESS_KIND) :: place(1)
    integer :: counts(1)
    counts = count
    call MPI_Get_address(variable, place(1), ierr)
    call MPI_Type_create_hindexed(1, counts, place, MPI_INTEGER, datatype_of, ierr)
    call MPI_Type_commit(datatype_of, ierr)
  end subroutine

  subroutine send_to(to, tag)
    integer, intent(in) :: to, tag
    integer, asynchronous :: values(1)
    DATATYPE :: absolute
    values = 100 * me + tag
    if (mod(tag, 2) == 0) then
      call MPI_Send(values, 1, MPI_INTEGER, to, tag, MPI_COMM_WORLD, ierr)
    else
      call make_absolute(values, 1, absolute)
      call MPI_Send(MPI_BOTTOM, 1, absolute, to, tag, MPI_COMM_WORLD, ierr)
      call MPI_Type_free(absolute, ierr)
    end if
    call check(values(1) == 100 * me + tag, 'sent values stay')
  end subroutine

  subroutine receive_from(from, tag)
    integer, intent(in) :: from, tag
    integer, asynchronous :: values(1)
    STATUS :: how
    values = -1
    call MPI_Recv(values, 1, MPI_INTEGER, from, tag, MPI_COMM_WORLD, how, ierr)
    call check(values(1) == 100 * OF(how, MPI_SOURCE) + OF(how, MPI_TAG), 'received value')
    total = total + values(1)
  end subroutine

  subroutine chain
    if (me > 0) call receive_from(me - 1, 1)
    call work(8.0 / ranks)
    if (me < ranks - 1) call send_to(me + 1, 1)
  end subroutine

  ! Every second phase ignores the statuses. Whether positions count from 0 is
  ! left to the MPI: by mpi_f08 those of MPICH 4.0 do; by the other bindings,
  ! MPICH returns MPI_UNDEFINED + 1 where there is none.
  subroutine ring(completion)
    character(len=*), intent(in) :: completion
    integer, asynchronous :: in(3), out(3)
    REQUEST :: requests(6)
    STATUSES(6) :: how
    integer :: phase, done, count, position, places(6)
    logical :: all_done
    do phase = 0, 3
      in = -1
      done = 0
      out = [10 * me + 7, 10 * me + 5, 10 * me + 3]
      call MPI_Irecv(in(1), 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(3), ierr)
      call MPI_Irecv(in(2), 1, MPI_INTEGER, left, 7, MPI_COMM_WORLD, requests(2), ierr)
      call MPI_Irecv(in(3), 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD, requests(1), ierr)
      call work(merge(2.0, 1.0, mod(me + phase, 2) == 0))
      call MPI_Isend(out(1), 1, MPI_INTEGER, right, 7, MPI_COMM_WORLD, requests(4), ierr)
      call MPI_Isend(out(2), 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(5), ierr)
      call MPI_Isend(out(3), 1, MPI_INTEGER, left, 3, MPI_COMM_WORLD, requests(6), ierr)
      select case (completion)
      case ('waitall')
        if (mod(phase, 2) == 0) then
          call MPI_Waitall(6, requests, how, ierr)
          call check(OF_NTH(how, 1, MPI_SOURCE) == right, 'source of the first')
          call check(OF_NTH(how, 2, MPI_TAG) == 7, 'tag of the second')
        else
          call MPI_Waitall(6, requests, MPI_STATUSES_IGNORE, ierr)
        end if
      case ('waitany')
        do while (done < 6)
          if (mod(phase, 2) == 0) then
            call MPI_Waitany(6, requests, position, NTH(how, 1), ierr)
          else
            call MPI_Waitany(6, requests, position, MPI_STATUS_IGNORE, ierr)
          end if
          done = done + 1
        end do
      case ('waitsome')
        do while (done < 6)
          if (mod(phase, 2) == 0) then
            call MPI_Waitsome(6, requests, count, places, how, ierr)
          else
            call MPI_Waitsome(6, requests, count, places, MPI_STATUSES_IGNORE, ierr)
          end if
          call check(count > 0, 'some are done')
          done = done + count
        end do
      case ('testall')
        ! See mpi_shapes.c: polling for long would count as useful.
        call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
        call MPI_Wait(requests(2), NTH(how, 2), ierr)
        all_done = .false.
        do while (.not. all_done)
          call MPI_Testall(4, requests(3:6), all_done, MPI_STATUSES_IGNORE, ierr)
        end do
        requests(3:6) = MPI_REQUEST_NULL
      end select
      call check(in(1) == 10 * left + 5 .and. in(2) == 10 * left + 7 .and. &
                 in(3) == 10 * right + 3, 'what was received')
      do position = 1, 6
        call check(requests(position) == MPI_REQUEST_NULL, 'requests are gone')
      end do
      total = total + sum(in)
    end do
  end subroutine

  subroutine wildcard
    integer, asynchronous :: values(1)
    STATUS :: how
    REQUEST :: pending
    integer :: i
    if (me == 0) then
      do i = 1, ranks - 1
        values = -1
        if (mod(i, 2) == 1) then
          call MPI_Recv(values, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, &
                        MPI_COMM_WORLD, how, ierr)
        else
          call MPI_Irecv(values, 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &
                         pending, ierr)
          call MPI_Wait(pending, how, ierr)
        end if
        call check(values(1) == 100 * OF(how, MPI_SOURCE) + 2, 'value of its source')
        total = total + values(1)
        call work(0.25)
      end do
      do i = 1, ranks - 1
        call send_to(i, 3)
      end do
    else
      call work(1 + 4.0 * (me - 1) / ranks)
      call send_to(0, 2)
      call receive_from(0, 3)
    end if
    call work(3.0)
  end subroutine

  subroutine sendrecv
    integer, asynchronous :: out(1), in(1)
    integer :: phase
    do phase = 0, 3
      out = 10 * me + phase
      in = -1
      call work(merge(2.5, 1.0, me == mod(phase, ranks)))
      if (mod(phase, 2) == 0) then
        call MPI_Sendrecv(out, 1, MPI_INTEGER, right, phase, in, 1, MPI_INTEGER, left, &
                          phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      else
        in = out
        call MPI_Sendrecv_replace(in, 1, MPI_INTEGER, right, phase, left, phase, &
                                  MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      end if
      call check(in(1) == 10 * left + phase, 'what was received')
      total = total + in(1)
    end do
  end subroutine

  subroutine persistent
    integer, asynchronous :: in(2), out(1)
    REQUEST :: requests(3), other
    integer :: phase, i
    call MPI_Recv_init(in(1), 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Recv_init(in(2), 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Send_init(out, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(3), ierr)
    do phase = 0, 3
      call MPI_Startall(2, requests, ierr)
      call work(merge(2.0, 1.0, mod(me + phase, 2) == 0))
      out = 10 * me + phase
      call MPI_Start(requests(3), ierr)
      call MPI_Isend(out, 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, other, ierr)
      if (mod(phase, 2) == 0) then
        call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierr)
      else
        do i = 3, 1, -1
          call MPI_Wait(requests(i), MPI_STATUS_IGNORE, ierr)
        end do
      end if
      call MPI_Wait(other, MPI_STATUS_IGNORE, ierr)
      call check(in(1) == 10 * left + phase .and. in(2) == 10 * right + phase, &
                 'what was received')
      total = total + sum(in)
    end do
    do i = 1, 3
      call MPI_Request_free(requests(i), ierr)
    end do
  end subroutine

#include "fortran_collectives.inc"

  subroutine half_region
    character(len=40) :: name
    integer :: half
    half = (ranks + 1) / 2
    name = 'half'
    if (me < half) then
      call pop_region_start(name)  ! trailing blanks do not count
      call work(1.0)
      if (me > 0) call receive_from(me - 1, 1)
      call work(2.0 / half)
      if (me < half - 1) call send_to(me + 1, 1)
      call pop_region_stop('half')
    else
      call work(4.0)
    end if
    call barrier
    call work(1.0)
    if (mod(me, 2) == 1) then
      call pop_region_start('odd')
      call work(2.0)
      call pop_region_stop('odd ')
    end if
  end subroutine

  subroutine nested_regions
    call pop_region_start('outer')
    call work(1.0)
    call pop_region_start('inner')
    call work(1 + high)
    call barrier
    call pop_region_start('innermost')
    call work(1.0)
    call pop_region_stop('innermost')
    call pop_region_stop('inner')
    call pop_region_start('outer')
    call work(1.0)
    call pop_region_stop('outer')
    call work(1.0)
    call pop_region_stop('outer')
    call work(1.0)
  end subroutine

  subroutine region_misuse
    call pop_region_stop('never started')
    call pop_region_start('good')
    call pop_region_start('')
    call pop_region_stop('   ')
    call work(2.0)
    call pop_region_stop('good')
    call pop_region_stop('good')
    call pop_region_start(repeat('n', 299))
    call work(2.0)
    call pop_region_stop(repeat('n', 299) // repeat(' ', 1000))
    call pop_region_start('never stopped')
    call work(2.0)
    call barrier
  end subroutine

  subroutine pcontrol
    call work(1.0)
    call MPI_Pcontrol(1)
    call work(1 + high)
    call barrier
    call MPI_Pcontrol(0)
    call work(1.0)
    call MPI_Pcontrol(1)
    call work(2.0)
    call MPI_Pcontrol(0)
    call barrier
  end subroutine

#include "fortran_sentinels.inc"

end module

program main
  use fortran_shapes
  implicit none
  character(len=32) :: shape
  call choose_shape(shape)
#if defined(USE_MPI_F08)
  call MPI_Init  ! no ierror: it is optional there
#else
  call MPI_Init(ierr)
#endif
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  left = modulo(me - 1, ranks)
  right = modulo(me + 1, ranks)
  high = 1
  if (ranks > 1) high = real(me) / (ranks - 1)
  select case (shape)
  case ('chain')
    call chain
  case ('ring_waitall', 'ring_waitany', 'ring_waitsome', 'ring_testall')
    call ring(shape(6:))
  case ('wildcard')
    call wildcard
  case ('sendrecv')
    call sendrecv
  case ('persistent')
    call persistent
  case ('all_to_all_calls')
    call all_to_all_calls
  case ('rooted_calls')
    call rooted_calls
  case ('nonblocking_collectives')
    call nonblocking_collectives
  case ('communicators')
    call communicators
  case ('half_region')
    call half_region
  case ('nested_regions')
    call nested_regions
  case ('region_misuse')
    call region_misuse
  case ('pcontrol')
    call pcontrol
  case ('sentinels')
    call sentinels
  case default
    call check(.false., 'no such shape')
  end select
  print '(a, i0, a, i0, a, i0)', 'rank ', me, ' of ', ranks, ': ', total
  call MPI_Finalize(ierr)
end program
