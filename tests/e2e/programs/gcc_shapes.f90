! The shapes of gcc_shapes.h in Fortran.
module gcc_shapes
  use, intrinsic :: iso_c_binding, only: c_double, c_long
  use omp_lib
  implicit none
  private
  public :: schedules, sections, singles, critical_shape, ordered_shape, &
            dependences, taskloop, reductions

  interface
    subroutine work(units) bind(c, name='shape_work')
      import :: c_double
      real(c_double), value :: units
    end subroutine
  end interface

contains

  ! 0 on the first thread of a team to 1 on the last.
  real(c_double) function level()
    level = real(omp_get_thread_num(), c_double) / (omp_get_num_threads() - 1)
  end function

  integer(c_long) function schedules() bind(c)
    integer :: i, n
    integer(c_long) :: total
    n = omp_get_max_threads()
    total = 0
    !$omp parallel reduction(+: total)
    call work(1 + 2 * level())
    !$omp barrier
    !$omp do schedule(static)
    do i = 1, n
      call one(i, total)
    end do
    !$omp do schedule(static, 1)
    do i = 1, n
      call one(i, total)
    end do
    !$omp do schedule(dynamic)
    do i = 1, n
      call one(i, total)
    end do
    !$omp do schedule(monotonic: dynamic, 1)
    do i = 1, n
      call one(i, total)
    end do
    !$omp do schedule(guided)
    do i = 1, n
      call one(i, total)
    end do
    !$omp do schedule(auto)
    do i = 1, n
      call one(i, total)
    end do
    !$omp do schedule(runtime)
    do i = 1, n
      call one(i, total)
    end do
    !$omp do schedule(nonmonotonic: dynamic)
    do i = 1, n
      call one(i, total)
    end do
    !$omp end parallel
    !$omp parallel do schedule(static) reduction(+: total)
    do i = 1, n
      call one(i, total)
    end do
    !$omp parallel do schedule(dynamic) reduction(+: total)
    do i = 1, n
      call one(i, total)
    end do
    !$omp parallel do schedule(guided) reduction(+: total)
    do i = 1, n
      call one(i, total)
    end do
    !$omp parallel do schedule(runtime) reduction(+: total)
    do i = 1, n
      call one(i, total)
    end do
    schedules = total
  end function

  ! An iteration.
  subroutine one(i, total)
    integer, intent(in) :: i
    integer(c_long), intent(inout) :: total
    call work(1.0_c_double)
    total = total + i
  end subroutine

  integer(c_long) function sections() bind(c)
    integer(c_long) :: total
    total = 0
    !$omp parallel reduction(+: total)
    !$omp sections
    !$omp section
    call one(1, total)
    !$omp section
    call one(2, total)
    !$omp section
    call one(3, total)
    !$omp section
    call one(4, total)
    !$omp end sections
    !$omp end parallel
    !$omp parallel sections reduction(+: total)
    !$omp section
    call one(10, total)
    call one(10, total)
    !$omp section
    call one(10, total)
    !$omp end parallel sections
    sections = total
  end function

  integer(c_long) function singles() bind(c)
    integer :: value
    integer(c_long) :: total
    total = 0
    !$omp parallel private(value) reduction(+: total)
    call work(1 + 3 * level())
    !$omp single
    call one(1, total)
    call work(1.0_c_double)
    !$omp end single
    call work(1 + 3 * level())
    !$omp single
    call work(2.0_c_double)
    value = 7
    !$omp end single copyprivate(value)
    total = total + value
    call work(1 + 3 * level())
    !$omp single
    call work(1.0_c_double)
    !$omp end single nowait
    call work(1.0_c_double)
    !$omp end parallel
    singles = total
  end function

  integer(c_long) function critical_shape() bind(c, name='critical')
    integer(c_long) :: total
    total = 0
    !$omp parallel
    call work(1.0_c_double)
    !$omp critical (one_at_a_time)
    call work(5.0_c_double / omp_get_num_threads())
    total = total + 3
    !$omp end critical (one_at_a_time)
    !$omp end parallel
    critical_shape = total
  end function

  integer(c_long) function ordered_shape() bind(c, name='ordered')
    integer :: i, n
    integer(c_long) :: total
    n = omp_get_max_threads()
    total = 0
    !$omp parallel do ordered schedule(static, 1)
    do i = 1, n
      call work(1.0_c_double)
      !$omp ordered
      call work(5.0_c_double / n)
      total = 10 * total + i
      !$omp end ordered
    end do
    ordered_shape = total
  end function

  integer(c_long) function dependences() bind(c)
    integer(c_long), allocatable :: first(:), second(:)
    integer(c_long) :: third
    allocate (first(3), second(3))
    first = 0
    second = 0
    third = 0
    !$omp parallel
    !$omp master
    call work(1.0_c_double)
    !$omp task depend(out: first)
    call work(2.0_c_double)
    first = [1, 2, 3]
    !$omp end task
    !$omp task depend(in: first) depend(out: second)
    call work(2.0_c_double)
    second = 10 * first
    !$omp end task
    !$omp task depend(inout: second)
    call work(1.0_c_double)
    third = sum(second)
    !$omp end task
    call work(7.0_c_double)
    !$omp taskwait
    call work(1.0_c_double)
    !$omp end master
    !$omp end parallel
    dependences = third
  end function

  integer(c_long) function taskloop() bind(c)
    integer :: i, n
    integer(c_long) :: total
    total = 0
    n = omp_get_max_threads()
    !$omp parallel
    !$omp master
    call work(1.0_c_double)
    !$omp taskloop num_tasks(2 * n)
    do i = 1, 2 * n
      call work(1.5_c_double)
      !$omp atomic
      total = total + i
    end do
    !$omp end taskloop
    call work(1.0_c_double)
    !$omp end master
    !$omp end parallel
    taskloop = total
  end function

  integer(c_long) function reductions() bind(c)
    integer :: i, n
    integer(c_long) :: total, parts(3), tasks
    n = omp_get_max_threads()
    total = 0
    parts = 0
    tasks = 0
    !$omp parallel reduction(+: total)
    call work(2 + 4 * level())
    total = total + omp_get_thread_num()
    !$omp end parallel
    !$omp parallel do schedule(static) reduction(+: parts)
    do i = 1, n
      call work(2.0_c_double)
      parts = parts + [i, i * i, 1]
    end do
    !$omp parallel reduction(task, +: tasks)
    call work(2.0_c_double)
    !$omp task in_reduction(+: tasks)
    tasks = tasks + 4
    !$omp end task
    !$omp end parallel
    reductions = total + 10 * sum(parts) + 1000 * tasks
  end function

end module
