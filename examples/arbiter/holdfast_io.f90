! The I/O arbiter's client (holdfast_io.h) for Fortran: the functions for a program that writes with its own statements.
module holdfast_io
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: hf_io_open, hf_io_begin, hf_io_wait, hf_io_moved, hf_io_end, hf_io_close

  integer(c_int), parameter, public :: hf_io_write = 1, hf_io_read = 2
  !> The volume of an operation if it is not known: HF_IO_UNKNOWN, all bits set.
  integer(c_int64_t), parameter, public :: hf_io_unknown = -1_c_int64_t

  interface
    !> Makes a handle; with c_null_ptr the options are those of the environment.
    function hf_io_open(handle, options) bind(c) result(code)
      import :: c_ptr, c_int
      type(c_ptr), intent(out) :: handle
      type(c_ptr), value :: options
      integer(c_int) :: code
    end function
    function hf_io_begin(handle, bytes, direction) bind(c) result(code)
      import :: c_ptr, c_int, c_int64_t
      type(c_ptr), value :: handle
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: direction
      integer(c_int) :: code
    end function
    !> Sleeps until some of the bytes may move, and returns how many; timeout_ms of -1: as long as it takes.
    function hf_io_wait(handle, bytes, timeout_ms) bind(c) result(may)
      import :: c_ptr, c_int, c_int64_t
      type(c_ptr), value :: handle
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: timeout_ms
      integer(c_int64_t) :: may
    end function
    function hf_io_moved(handle, bytes) bind(c) result(code)
      import :: c_ptr, c_int, c_int64_t
      type(c_ptr), value :: handle
      integer(c_int64_t), value :: bytes
      integer(c_int) :: code
    end function
    function hf_io_end(handle) bind(c) result(code)
      import :: c_ptr, c_int
      type(c_ptr), value :: handle
      integer(c_int) :: code
    end function
    subroutine hf_io_close(handle) bind(c)
      import :: c_ptr
      type(c_ptr), value :: handle
    end subroutine
  end interface
end module
