! What the Fortran programs of known shape have in common: shapes.h.
module shapes
  use, intrinsic :: iso_c_binding, only: c_double
  implicit none
  private :: c_double

  interface
    subroutine begin(unit_microseconds) bind(c, name='shapes_begin')
      import :: c_double
      real(c_double), value :: unit_microseconds
    end subroutine

    subroutine c_work(units) bind(c, name='shapes_work')
      import :: c_double
      real(c_double), value :: units
    end subroutine

    subroutine c_abort() bind(c, name='shapes_abort')
    end subroutine
  end interface

contains

  ! The first argument; the second is the unit in microseconds.
  subroutine choose_shape(shape)
    character(len=*), intent(out) :: shape
    character(len=32) :: unit
    real(c_double) :: microseconds
    call get_command_argument(1, shape)
    call get_command_argument(2, unit)
    read (unit, *) microseconds
    call begin(microseconds)
  end subroutine

  subroutine work(units)
    real, intent(in) :: units
    call c_work(real(units, c_double))
  end subroutine

  ! Ends the program loudly: a result that is not the one the shape must give.
  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    write (0, '(2a)') 'not so: ', what
    flush (0)
    call c_abort
  end subroutine

end module
