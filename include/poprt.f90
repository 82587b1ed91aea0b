! poprt: mark the parts of a program that efficiencies are reported for.
!
!   use poprt
!   call pop_region_start('solve')
!   call pop_region_stop('solve')
!
! The same functions as in poprt.h, for Fortran 2003 and later, in free and
! fixed form.  Compile this file with the program (gfortran -c poprt.f90): a
! module belongs to one compiler, so that it cannot be installed compiled.
!
! Conventions, for every subroutine here:
!  - Without the preloaded library it does nothing and takes a few
!    nanoseconds; there is nothing to link (glibc before 2.34: -ldl).
!  - It may be called from any thread, at any time.
!  - It never fails as far as the program can see: misuse (a stop without a
!    start) is counted and named in the report.
!  - Names are copied; trailing blanks do not count, and at most 127 bytes
!    are kept.
module poprt
  use, intrinsic :: iso_c_binding, only: c_char, c_funptr, c_intptr_t, &
      c_null_char, c_null_funptr, c_null_ptr, c_ptr, c_f_procpointer
  implicit none
  private
  public :: poprt_api_version, pop_region_start, pop_region_stop

  ! Hexadecimal MMmmpp, the same as the C header's.
  integer, parameter :: poprt_api_version = int(z'010000')

  ! One byte more than is kept: the library sees, and says, that it cuts.
  integer, parameter :: longest_name = 128

  ! Addresses of the library's functions: as integers, which threads can read
  ! and write at once.  `nothing`: there is no library to call.
  integer(c_intptr_t), parameter :: unknown = 0, nothing = -1
  integer(c_intptr_t), save :: known_start = unknown, known_stop = unknown

  ! An OpenMP runtime may load the library later than the first call
  ! (OMP_TOOL_LIBRARIES), so that a miss is not final at once.
  integer, parameter :: most_misses = 64
  integer, save :: misses_of_start = 0, misses_of_stop = 0

  abstract interface
    subroutine pop_function(name) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
  end interface

  interface
    function dlsym(handle, symbol) bind(c, name='dlsym')
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: symbol(*)
      type(c_funptr) :: dlsym
    end function
  end interface

contains

  ! Opens the region `name` on this process, for all its threads.  Regions
  ! nest, overlap, repeat and recurse.
  subroutine pop_region_start(name)
    character(len=*), intent(in) :: name
    call pop_call(known_start, misses_of_start, &
        'pop_region_start' // c_null_char, name)
  end subroutine

  ! Closes the region `name` on this process.
  subroutine pop_region_stop(name)
    character(len=*), intent(in) :: name
    call pop_call(known_stop, misses_of_stop, &
        'pop_region_stop' // c_null_char, name)
  end subroutine

  ! Recursive, so that no compiler keeps the text where threads share it.
  recursive subroutine pop_call(known, misses, function_name, name)
    integer(c_intptr_t), intent(inout) :: known
    integer, intent(inout) :: misses
    character(len=*), intent(in) :: function_name, name
    integer(c_intptr_t) :: address
    procedure(pop_function), pointer :: call_it
    character(len=longest_name + 1, kind=c_char) :: text
    integer :: length

    !$omp atomic read
    address = known
    if (address == nothing) return
    if (address == unknown) then
      address = found(function_name)
      if (address == unknown) then
        call count_miss(known, misses)
        return
      end if
      !$omp atomic write
      known = address
    end if
    length = min(len_trim(name), longest_name)
    text(1:length) = name(1:length)
    text(length+1:length+1) = c_null_char
    call c_f_procpointer(transfer(address, c_null_funptr), call_it)
    call call_it(text)
  end subroutine

  ! Looked up at run time: a program that has to find the name when it is
  ! linked, or starts, would need the library.
  function found(function_name) result(address)
    character(len=*), intent(in) :: function_name
    integer(c_intptr_t) :: address
    ! The null handle is RTLD_DEFAULT.
    address = transfer(dlsym(c_null_ptr, function_name), unknown)
  end function

  subroutine count_miss(known, misses)
    integer(c_intptr_t), intent(inout) :: known
    integer, intent(inout) :: misses
    integer :: so_far
    !$omp atomic capture
    misses = misses + 1
    so_far = misses
    !$omp end atomic
    if (so_far > most_misses) then
      !$omp atomic write
      known = nothing
    end if
  end subroutine

end module
