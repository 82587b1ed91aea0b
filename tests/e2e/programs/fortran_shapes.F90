! Programs of known shape in Fortran: those of mpi_shapes.c that have the same
! name, and `sentinels`, whose output is compared with and without the library.
! Compiled for each binding: MPIF_H (mpif.h), USE_MPI, USE_MPI_F08.
#if defined(USE_MPI_F08)
#define BINDING use mpi_f08
#define REQUEST type(MPI_Request)
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define MESSAGE type(MPI_Message)
#define OPERATION type(MPI_Op)
#define STATUS type(MPI_Status)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define OF(status, field) status%field
#define OF_NTH(statuses, n, field) statuses(n)%field
#define NTH(statuses, n) statuses(n)
#else
#if defined(USE_MPI)
#define BINDING use mpi
#endif
#define REQUEST integer
#define COMM integer
#define DATATYPE integer
#define MESSAGE integer
#define OPERATION integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define OF(status, field) status(field)
#define OF_NTH(statuses, n, field) statuses(field, n)
#define NTH(statuses, n) statuses(:, n)
#endif

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

  ! With MPI_IN_PLACE wherever there is one.
  subroutine all_to_all_calls
    integer, asynchronous, dimension(0:ranks-1) :: in, out
    integer, dimension(0:ranks-1) :: counts, offsets, byte_offsets
    DATATYPE, dimension(0:ranks-1) :: types
    integer :: phase, i
    counts = 1
    offsets = [(i, i = 0, ranks - 1)]
    byte_offsets = offsets * (storage_size(i) / 8)
    types = MPI_INTEGER
    do phase = 0, 8
      call work(merge(1.0, 0.25, me == mod(phase, ranks)))
      out = 10 * me + offsets
      in = 0
      select case (phase)
      case (0)
        call MPI_Barrier(MPI_COMM_WORLD, ierr)
      case (1)
        in = out
        call MPI_Allreduce(MPI_IN_PLACE, in, ranks, MPI_INTEGER, MPI_SUM, &
                           MPI_COMM_WORLD, ierr)
      case (2)
        in(me) = me
        call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INTEGER, &
                           MPI_COMM_WORLD, ierr)
      case (3)
        in(me) = me
        call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, offsets, &
                            MPI_INTEGER, MPI_COMM_WORLD, ierr)
      case (4)
        call MPI_Alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
      case (5)
        call MPI_Alltoallv(out, counts, offsets, MPI_INTEGER, in, counts, offsets, &
                           MPI_INTEGER, MPI_COMM_WORLD, ierr)
      case (6)
        call MPI_Alltoallw(out, counts, byte_offsets, types, in, counts, byte_offsets, &
                           types, MPI_COMM_WORLD, ierr)
      case (7)
        call MPI_Reduce_scatter(out, in, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                                ierr)
      case (8)
        in = out
        call MPI_Reduce_scatter_block(MPI_IN_PLACE, in, 1, MPI_INTEGER, MPI_SUM, &
                                      MPI_COMM_WORLD, ierr)
        in(1:) = 0
      end select
      if (phase >= 2 .and. phase <= 3) call check(all(in == offsets), 'gathered')
      if (phase >= 4 .and. phase <= 6) call check(all(in == 10 * offsets + me), 'exchanged')
      total = total + sum(in)
    end do
  end subroutine

  ! With MPI_IN_PLACE at the root, and MPI_BOTTOM.
  subroutine rooted_calls
    integer, asynchronous :: all(ranks), mine(1)
    integer, dimension(ranks) :: counts, offsets
    DATATYPE :: absolute
    integer :: phase, root, i
    logical :: to_root
    counts = 1
    offsets = [(i, i = 0, ranks - 1)]
    call make_absolute(all, ranks, absolute)
    do phase = 0, 5
      root = mod(phase, ranks)
      to_root = phase >= 3
      mine = me
      call work(merge(1.5, 0.5, (me == root) .neqv. to_root))
      all = offsets + 1
      if (phase == 0 .and. me /= root) all = 0
      select case (phase)
      case (0)
        call MPI_Bcast(MPI_BOTTOM, 1, absolute, root, MPI_COMM_WORLD, ierr)
        call check(sum(all) == ranks * (ranks + 1) / 2, 'broadcast')
      case (1)
        if (me == root) then
          call MPI_Scatter(all, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, root, &
                           MPI_COMM_WORLD, ierr)
        else
          call MPI_Scatter(all, 1, MPI_INTEGER, mine, 1, MPI_INTEGER, root, &
                           MPI_COMM_WORLD, ierr)
          call check(mine(1) == me + 1, 'scattered')
        end if
      case (2)
        call MPI_Scatterv(all, counts, offsets, MPI_INTEGER, mine, 1, MPI_INTEGER, root, &
                          MPI_COMM_WORLD, ierr)
      case (3)
        if (me == root) then
          all(me+1) = me
          call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, root, &
                          MPI_COMM_WORLD, ierr)
          call check(sum(all) == ranks * (ranks - 1) / 2, 'gathered')
        else
          call MPI_Gather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, root, &
                          MPI_COMM_WORLD, ierr)
        end if
      case (4)
        call MPI_Gatherv(mine, 1, MPI_INTEGER, all, counts, offsets, MPI_INTEGER, root, &
                         MPI_COMM_WORLD, ierr)
      case (5)
        if (me == root) then
          all(1) = me
          call MPI_Reduce(MPI_IN_PLACE, all, 1, MPI_INTEGER, MPI_MAX, root, &
                          MPI_COMM_WORLD, ierr)
          call check(all(1) == ranks - 1, 'reduced')
        else
          call MPI_Reduce(mine, all, 1, MPI_INTEGER, MPI_MAX, root, MPI_COMM_WORLD, ierr)
        end if
      end select
      total = total + mine(1) + sum(all)
    end do
    call MPI_Type_free(absolute, ierr)
  end subroutine

  subroutine nonblocking_collectives
    integer, asynchronous :: all(ranks), out(ranks), mine(1), yours(1)
    REQUEST :: pending
    real :: before
    integer :: phase, i
    do phase = 0, 9
      before = merge(0.2, 0.6, mod(me + phase, 2) == 0)
      mine = me
      yours = me
      all = [(me + i - 1, i = 1, ranks)]
      out = all
      call work(before)
      select case (phase)
      case (0)
        call MPI_Ibarrier(MPI_COMM_WORLD, pending, ierr)
      case (1)
        call MPI_Iallreduce(MPI_IN_PLACE, mine, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                            pending, ierr)
      case (2)
        call MPI_Ibcast(mine, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, pending, ierr)
      case (3)
        call MPI_Ireduce(yours, mine, 1, MPI_INTEGER, MPI_SUM, ranks - 1, MPI_COMM_WORLD, &
                         pending, ierr)
      case (4)
        call MPI_Iallgather(yours, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, &
                            pending, ierr)
      case (5)
        call MPI_Ialltoall(out, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, &
                           pending, ierr)
      case (6)
        call MPI_Igather(yours, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                         pending, ierr)
      case (7)
        call MPI_Iscatter(all, 1, MPI_INTEGER, mine, 1, MPI_INTEGER, ranks - 1, &
                          MPI_COMM_WORLD, pending, ierr)
      case (8)
        call MPI_Iscan(yours, mine, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, pending, ierr)
      case (9)
        call MPI_Iexscan(yours, mine, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, pending, &
                         ierr)
      end select
      call work(0.8 - before)
      call MPI_Wait(pending, MPI_STATUS_IGNORE, ierr)
      total = total + mine(1) + sum(all)
    end do
  end subroutine

  subroutine communicators
    COMM :: half, copy, none
    integer, asynchronous :: values(1), in(1)
    integer :: half_rank
    in = -1
    values = me
    call work(1 + high)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(me, 2), -me, half, ierr)
    call MPI_Comm_rank(half, half_rank, ierr)
    call work(merge(1.0, 2.0, mod(me, 2) == 0))
    call MPI_Barrier(half, ierr)
    if (half_rank == 0) call work(1.0)
    call MPI_Bcast(values, 1, MPI_INTEGER, 0, half, ierr)
    total = total + values(1) + 10 * half_rank
    call work(1.0)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 0, me == 0), 0, none, ierr)
    call check((none == MPI_COMM_NULL) .eqv. (me == 0), 'no communicator for the first')
    call work(merge(1.0, 2.0, mod(me, 2) == 0))
    values = me
    call MPI_Sendrecv(values, 1, MPI_INTEGER, right, 1, in, 1, MPI_INTEGER, left, 1, copy, &
                      MPI_STATUS_IGNORE, ierr)
    total = total + in(1)
    if (none /= MPI_COMM_NULL) call MPI_Comm_free(none, ierr)
    call MPI_Comm_free(half, ierr)
    call MPI_Comm_free(copy, ierr)
  end subroutine

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
    call pop_region_stop(repeat('n', 200) // repeat(' ', 1000))
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

  ! --- what the library might spoil ------------------------------------------

  subroutine say(what, values)
    character(len=*), intent(in) :: what
    integer, intent(in) :: values(:)
    print '(i0, 3a, *(1x, i0))', me, ' ', what, ':', values
  end subroutine

  ! Without MPI_ERROR: in a single status, Open MPI's bindings do not set it.
  subroutine say_status(what, how)
    character(len=*), intent(in) :: what
    STATUS, intent(in) :: how
    integer :: count
    call MPI_Get_count(how, MPI_INTEGER, count, ierr)
    call say(what, [OF(how, MPI_SOURCE), OF(how, MPI_TAG), count])
  end subroutine

  ! A status with known content, which shows what MPI has written of it.
  subroutine make_blank(how)
    STATUS, intent(out) :: how
#if defined(USE_MPI_F08)
    ! This sets the other fields, whose names are the MPI's own and which do not
    ! matter.
    call MPI_Recv(MPI_BOTTOM, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_SELF, how)
#else
    how = -77
#endif
    OF(how, MPI_SOURCE) = -71
    OF(how, MPI_TAG) = -72
    OF(how, MPI_ERROR) = -73
  end subroutine

  ! An operation of the program's own.
#if defined(USE_MPI_F08)
  subroutine larger(invec, inoutvec, length, datatype_of)
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    type(c_ptr), value :: invec, inoutvec
    integer :: length
    DATATYPE :: datatype_of
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [length])
    call c_f_pointer(inoutvec, b, [length])
#else
  subroutine larger(a, b, length, datatype_of)
    integer :: length
    integer :: a(length), b(length)
    DATATYPE :: datatype_of
#endif
    b = max(a, b)
    call check(datatype_of == MPI_INTEGER, 'datatype of an operation')
  end subroutine

  subroutine sentinels
    call blocking_statuses
    call request_statuses
    call graph_sentinels
    call own_operation
    call error_codes
  end subroutine

  subroutine blocking_statuses
    integer, asynchronous :: out(4), in(8)
    STATUS :: how
    MESSAGE :: matched
    REQUEST :: pending
    logical :: there
    out = [10 * me + 1, 10 * me + 2, 10 * me + 3, 10 * me + 4]
    call make_blank(how)
    in = -1
    call MPI_Sendrecv(out, 3, MPI_INTEGER, right, 4, in, 8, MPI_INTEGER, left, 4, &
                      MPI_COMM_WORLD, how, ierr)
    call say_status('sendrecv', how)
    call say('buffer', in)
    call MPI_Isend(out, 2, MPI_INTEGER, right, 5, MPI_COMM_WORLD, pending, ierr)
    call make_blank(how)
    call MPI_Recv(in, 8, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, how, ierr)
    call say_status('recv', how)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, ierr)
    call make_blank(how)
    call MPI_Recv(in, 8, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, how, ierr)
    call say_status('from nobody', how)
    call MPI_Recv(in, 8, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, &
                  ierr)

    call MPI_Isend(out, 4, MPI_INTEGER, right, 6, MPI_COMM_WORLD, pending, ierr)
    call MPI_Probe(left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call make_blank(how)
    call MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, matched, how, ierr)
    call say_status('mprobe', how)
    call make_blank(how)
    call MPI_Mrecv(in, 8, MPI_INTEGER, matched, how, ierr)
    call say_status('mrecv', how)
    call say('message', [merge(1, 0, matched == MPI_MESSAGE_NULL)])
    call MPI_Wait(pending, MPI_STATUS_IGNORE, ierr)

    call MPI_Isend(out, 1, MPI_INTEGER, right, 7, MPI_COMM_WORLD, pending, ierr)
    there = .false.
    do while (.not. there)
      call make_blank(how)
      call MPI_Improbe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, there, matched, how, ierr)
    end do
    call say_status('improbe', how)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, ierr)
    call MPI_Imrecv(in, 8, MPI_INTEGER, matched, pending, ierr)
    call make_blank(how)
    call MPI_Wait(pending, how, ierr)
    call say_status('imrecv', how)
    call MPI_Mprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, matched, MPI_STATUS_IGNORE, ierr)
    call say('message', [merge(1, 0, matched == MPI_MESSAGE_NO_PROC)])
    call MPI_Iprobe(left, 99, MPI_COMM_WORLD, there, MPI_STATUS_IGNORE, ierr)
    call say('iprobe', [merge(1, 0, there)])
  end subroutine

  subroutine request_statuses
    integer, asynchronous :: in(4), out(2)
    REQUEST :: requests(4)
    STATUSES(4) :: how
    integer :: i, position, count, places(4)
    logical :: done
    out = [me, -me]
    do i = 1, 4
      requests(i) = MPI_REQUEST_NULL
      call make_blank(NTH(how, i))
    end do
    call MPI_Waitany(4, requests, position, NTH(how, 1), ierr)
    call say_status('waitany of none', NTH(how, 1))
    call MPI_Testany(4, requests, position, done, MPI_STATUS_IGNORE, ierr)
    call say('testany of none', [position - MPI_UNDEFINED, merge(1, 0, done)])
    call MPI_Waitsome(4, requests, count, places, MPI_STATUSES_IGNORE, ierr)
    call say('waitsome of none', [count - MPI_UNDEFINED])
    call MPI_Testall(4, requests, done, MPI_STATUSES_IGNORE, ierr)
    call say('testall of none', [merge(1, 0, done)])

    ! The second request is null, the fourth is a send; statuses of sends mean
    ! nothing.
    call make_blank(NTH(how, 1))
    call MPI_Irecv(in(1), 1, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Irecv(in(3), 2, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_SELF, requests(3), ierr)
    call MPI_Isend(out, 2, MPI_INTEGER, 0, 9, MPI_COMM_SELF, requests(4), ierr)
    call MPI_Send(out, 1, MPI_INTEGER, right, 8, MPI_COMM_WORLD, ierr)
    call MPI_Waitall(4, requests, how, ierr)
    call say_status('waitall 1', NTH(how, 1))
    call say_status('waitall 2', NTH(how, 2))
    call say_status('waitall 3', NTH(how, 3))
    call say('buffer', [in(1), in(3), in(4)])

    call MPI_Irecv(in(1), 1, MPI_INTEGER, 0, 10, MPI_COMM_SELF, requests(2), ierr)
    call MPI_Send(out, 1, MPI_INTEGER, 0, 10, MPI_COMM_SELF, ierr)
    call make_blank(NTH(how, 1))
    call MPI_Waitsome(4, requests, count, places, how, ierr)
    call say('waitsome', [count, places(1)])
    call say_status('waitsome', NTH(how, 1))
    call MPI_Irecv(in(1), 1, MPI_INTEGER, 0, 11, MPI_COMM_SELF, requests(3), ierr)
    call MPI_Send(out, 1, MPI_INTEGER, 0, 11, MPI_COMM_SELF, ierr)
    call MPI_Waitany(4, requests, position, MPI_STATUS_IGNORE, ierr)
    call say('waitany', [position])

    call MPI_Irecv(in(1), 1, MPI_INTEGER, 0, 12, MPI_COMM_SELF, requests(1), ierr)
    call MPI_Cancel(requests(1), ierr)
    call MPI_Wait(requests(1), NTH(how, 1), ierr)
    call MPI_Test_cancelled(NTH(how, 1), done, ierr)
    call say('cancelled', [merge(1, 0, done)])

    call MPI_Irecv(in(1), 1, MPI_INTEGER, 0, 13, MPI_COMM_SELF, requests(1), ierr)
    call MPI_Send(out, 1, MPI_INTEGER, 0, 13, MPI_COMM_SELF, ierr)
    done = .false.
    do while (.not. done)
      call make_blank(NTH(how, 1))
      call MPI_Request_get_status(requests(1), done, NTH(how, 1), ierr)
    end do
    call say_status('request_get_status', NTH(how, 1))
    call make_blank(NTH(how, 1))
    call MPI_Wait(requests(1), NTH(how, 1), ierr)
    call say_status('wait', NTH(how, 1))
    call say('null', [merge(1, 0, requests(1) == MPI_REQUEST_NULL)])
  end subroutine

  subroutine graph_sentinels
    COMM :: graph
    integer, asynchronous :: out(1), in(2)
    integer :: nodes(1), degrees(1), targets(2), count_in, count_out, neighbours(2)
    integer :: weights(2), more(2)
    logical :: weighted
    nodes = me
    degrees = 2
    targets = [left, right]
    out = 100 + me
    in = -1
    weights = -1
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, targets, MPI_UNWEIGHTED, 2, targets, &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph, ierr)
    call MPI_Dist_graph_neighbors_count(graph, count_in, count_out, weighted, ierr)
    call say('adjacent', [count_in, count_out, merge(1, 0, weighted)])
    call MPI_Dist_graph_neighbors(graph, 2, neighbours, MPI_UNWEIGHTED, 2, targets, more, ierr)
    call say('neighbours', [neighbours, targets])
    call MPI_Neighbor_allgather(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph, ierr)
    call say('neighbour allgather', in)
    call MPI_Comm_free(graph, ierr)

    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, nodes, degrees, targets, [5, 6], &
                               MPI_INFO_NULL, .false., graph, ierr)
    call MPI_Dist_graph_neighbors_count(graph, count_in, count_out, weighted, ierr)
    call say('graph', [count_in, count_out, merge(1, 0, weighted)])
    call MPI_Dist_graph_neighbors(graph, 2, neighbours, weights, 2, targets, more, ierr)
    call say('weights', [sum(weights), more])
    call MPI_Comm_free(graph, ierr)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, targets, MPI_WEIGHTS_EMPTY, 0, &
                                        targets, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., &
                                        graph, ierr)
    call MPI_Neighbor_allgather(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph, ierr)
    call MPI_Comm_free(graph, ierr)
  end subroutine

  subroutine own_operation
    integer, asynchronous :: values(2)
    OPERATION :: operation
    REQUEST :: pending
    call MPI_Op_create(larger, .true., operation, ierr)
    values = [me, -me]
    call MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, operation, MPI_COMM_WORLD, ierr)
    call say('own operation', values)
    values = [2 * me, 3]
    call MPI_Iallreduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, operation, MPI_COMM_WORLD, &
                        pending, ierr)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, ierr)
    call say('own operation', values)
    call MPI_Op_free(operation, ierr)
  end subroutine

  subroutine error_codes
    integer, asynchronous :: values(4)
    integer :: code, class
    REQUEST :: requests(2)
    STATUSES(2) :: how
    values = 0
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
    call MPI_Send(values, 1, MPI_INTEGER, 999, 0, MPI_COMM_WORLD, code)
    call MPI_Error_class(code, class, ierr)
    call say('no such rank', [class - MPI_ERR_RANK])
    call MPI_Irecv(values(3), 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, requests(1), ierr)
    call MPI_Irecv(values(4), 1, MPI_INTEGER, 0, 2, MPI_COMM_SELF, requests(2), ierr)
    call MPI_Send(values, 2, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
    call MPI_Send(values, 1, MPI_INTEGER, 0, 2, MPI_COMM_SELF, ierr)
    call MPI_Waitall(2, requests, how, code)
    call MPI_Error_class(code, class, ierr)
    call say('waitall', [class - MPI_ERR_IN_STATUS])
    call MPI_Error_class(OF_NTH(how, 1, MPI_ERROR), class, ierr)
    call say('truncated', [class - MPI_ERR_TRUNCATE, OF_NTH(how, 2, MPI_ERROR)])
  end subroutine

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
