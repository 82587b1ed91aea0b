! poprt: marks the parts of a program for which efficiencies are reported, and
! adds metadata to the run file.
!
!   use poprt
!   call pop_region_start('solve')
!   call pop_region_stop('solve')
!
! The functions of poprt.h, for Fortran 2003 and later, in free and
! fixed form.  Compile this file with the program (gfortran -c poprt.f90): a
! compiled module works with one compiler only, so none is installed.
!
! For every procedure here:
!  - Without the preloaded library it does nothing and takes a few
!    nanoseconds.  There is nothing to link (glibc before 2.34: -ldl).
!  - It may be called from any thread, at any time.
!  - It never harms the program: misuse (a stop without a start) is counted
!    and named in the report.
!  - Names are copied without trailing blanks.  Of longer ones 127 bytes are
!    kept, with a mark that tells them apart.
module poprt
  use, intrinsic :: iso_c_binding, only: c_char, c_funptr, c_int, c_intptr_t, &
      c_null_char, c_null_funptr, c_null_ptr, c_ptr, c_size_t, &
      c_f_pointer, c_f_procpointer
  implicit none
  private
  public :: poprt_api_version, pop_region_kind
  public :: pop_region_start, pop_region_stop
  public :: pop_region_find, pop_region_enter, pop_region_leave
  public :: pop_metadata, pop_version

  ! Hexadecimal MMmmpp, as in the C header.
  integer, parameter :: poprt_api_version = int(z'010100')

  ! The kind of integer for handles of regions, for loops in which looking up
  ! a name takes too long.
  integer, parameter :: pop_region_kind = c_int

  ! More than is kept: what is cut tells long names apart.
  integer, parameter :: longest_name = 1024, longest_value = 1024

  ! A function of the library.  Its address is an integer, which threads can
  ! read and write atomically.  `nothing`: there is no library to call.  An
  ! OpenMP runtime may load the library after the first call
  ! (OMP_TOOL_LIBRARIES), so the search is given up only after some calls.
  integer(c_intptr_t), parameter :: unknown = 0, nothing = -1
  integer, parameter :: most_misses = 64
  type :: library_function
    integer(c_intptr_t) :: address = unknown
    integer :: misses = 0
  end type
  type(library_function), save :: start_function, stop_function
  type(library_function), save :: find_function, enter_function
  type(library_function), save :: leave_function, metadata_function
  type(library_function), save :: version_function

  abstract interface
    subroutine takes_name(name) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    function finds_region(name) result(region) bind(c)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: region
    end function
    subroutine takes_region(region) bind(c)
      import :: c_int
      integer(c_int), value :: region
    end subroutine
    subroutine takes_key_and_value(key, text) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: key(*), text(*)
    end subroutine
    function gives_text() result(text) bind(c)
      import :: c_ptr
      type(c_ptr) :: text
    end function
  end interface

  interface
    function strlen(text) bind(c, name='strlen')
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: strlen
    end function
    function dlsym(handle, symbol) bind(c, name='dlsym')
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: symbol(*)
      type(c_funptr) :: dlsym
    end function
  end interface

contains

  ! Opens the region `name` on this process, for all its threads.  Regions
  ! may nest, overlap, repeat and recurse.
  subroutine pop_region_start(name)
    character(len=*), intent(in) :: name
    call call_with_name(start_function, 'pop_region_start' // c_null_char, name)
  end subroutine

  ! Closes the region `name` on this process.
  subroutine pop_region_stop(name)
    character(len=*), intent(in) :: name
    call call_with_name(stop_function, 'pop_region_stop' // c_null_char, name)
  end subroutine

  ! The handle of the region `name`, for pop_region_enter and
  ! pop_region_leave, valid on any thread until the program ends.  Does not
  ! open the region.
  recursive function pop_region_find(name) result(region)
    character(len=*), intent(in) :: name
    character(len=longest_name + 1, kind=c_char) :: text
    integer(pop_region_kind) :: region
    procedure(finds_region), pointer :: find
    integer(c_intptr_t) :: address
    region = 0
    address = address_of(find_function, 'pop_region_find' // c_null_char)
    if (address == nothing) return
    call c_f_procpointer(transfer(address, c_null_funptr), find)
    call to_c(name, text)
    region = find(text)
  end function

  ! Like pop_region_start and pop_region_stop, by handle.
  subroutine pop_region_enter(region)
    integer(pop_region_kind), intent(in) :: region
    call call_with_region(enter_function, 'pop_region_enter' // c_null_char, &
        region)
  end subroutine

  subroutine pop_region_leave(region)
    integer(pop_region_kind), intent(in) :: region
    call call_with_region(leave_function, 'pop_region_leave' // c_null_char, &
        region)
  end subroutine

  ! Sets metadata of the run file: for a key, a text of at most 1023 bytes.
  ! The last value counts; a blank one removes the key.  If several processes
  ! set a key, the value of the lowest rank counts.
  recursive subroutine pop_metadata(key, value)
    character(len=*), intent(in) :: key, value
    character(len=longest_name + 1, kind=c_char) :: key_text
    character(len=longest_value + 1, kind=c_char) :: value_text
    procedure(takes_key_and_value), pointer :: call_it
    integer(c_intptr_t) :: address
    address = address_of(metadata_function, 'pop_metadata' // c_null_char)
    if (address == nothing) return
    call c_f_procpointer(transfer(address, c_null_funptr), call_it)
    call to_c(key, key_text)
    call to_c(value, value_text)
    call call_it(key_text, value_text)
  end subroutine

  ! The version of the preloaded library; of length 0 without the library.
  function pop_version() result(version)
    character(len=:), allocatable :: version
    procedure(gives_text), pointer :: call_it
    character(kind=c_char), pointer :: bytes(:)
    integer(c_intptr_t) :: address
    type(c_ptr) :: text
    integer :: i
    version = ''
    address = address_of(version_function, 'pop_version' // c_null_char)
    if (address == nothing) return
    call c_f_procpointer(transfer(address, c_null_funptr), call_it)
    text = call_it()
    call c_f_pointer(text, bytes, [strlen(text)])
    do i = 1, size(bytes)
      version = version // bytes(i)
    end do
  end function

  ! Recursive, like all procedures with local texts, so that no compiler puts
  ! these into memory that threads share.
  recursive subroutine call_with_name(function, function_name, name)
    type(library_function), intent(inout) :: function
    character(len=*), intent(in) :: function_name, name
    character(len=longest_name + 1, kind=c_char) :: text
    procedure(takes_name), pointer :: call_it
    integer(c_intptr_t) :: address
    address = address_of(function, function_name)
    if (address == nothing) return
    call c_f_procpointer(transfer(address, c_null_funptr), call_it)
    call to_c(name, text)
    call call_it(text)
  end subroutine

  recursive subroutine call_with_region(function, function_name, region)
    type(library_function), intent(inout) :: function
    character(len=*), intent(in) :: function_name
    integer(pop_region_kind), intent(in) :: region
    procedure(takes_region), pointer :: call_it
    integer(c_intptr_t) :: address
    if (region < 0) return
    address = address_of(function, function_name)
    if (address == nothing) return
    call c_f_procpointer(transfer(address, c_null_funptr), call_it)
    call call_it(region)
  end subroutine

  ! The text as a C string, without trailing blanks, cut if it is too long.
  subroutine to_c(text, bytes)
    character(len=*), intent(in) :: text
    character(len=*, kind=c_char), intent(out) :: bytes
    integer :: length
    length = min(len_trim(text), len(bytes) - 1)
    bytes(1:length) = text(1:length)
    bytes(length+1:length+1) = c_null_char
  end subroutine

  ! `nothing` if there is no library, or none yet.  It is looked up at run time,
  ! because otherwise the program could not be linked or started without the
  ! library.
  recursive function address_of(function, function_name) result(address)
    type(library_function), intent(inout) :: function
    character(len=*), intent(in) :: function_name
    integer(c_intptr_t) :: address
    !$omp atomic read
    address = function%address
    if (address /= unknown) return
    ! The null handle is RTLD_DEFAULT.
    address = transfer(dlsym(c_null_ptr, function_name), unknown)
    if (address == unknown) then
      address = nothing
      call count_miss(function)
      return
    end if
    !$omp atomic write
    function%address = address
  end function

  recursive subroutine count_miss(function)
    type(library_function), intent(inout) :: function
    integer :: so_far
    !$omp atomic capture
    function%misses = function%misses + 1
    so_far = function%misses
    !$omp end atomic
    if (so_far > most_misses) then
      !$omp atomic write
      function%address = nothing
    end if
  end subroutine

end module
