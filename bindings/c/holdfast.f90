! When should this program write its next checkpoint? Holdfast's advisor for Fortran: holdfast.h by iso_c_binding.
!
!   use holdfast
!   type(c_ptr) :: advisor
!   character(kind=c_char) :: message(256)
!   if (hf_advisor_create('{}' // c_null_char, advisor, message, 256_c_size_t) /= hf_ok) stop 3
!   if (hf_advisor_ready(advisor) /= hf_ok) stop 1
!   do step = 1, steps
!     call advance()
!     code = hf_advisor_progress(advisor, real(step, c_double), real(steps, c_double))
!     if (hf_advisor_need_checkpoint(advisor) /= 0) then
!       code = hf_advisor_checkpoint_begin(advisor, 1_c_int)
!       code = hf_advisor_checkpoint_end(advisor, merge(1_c_int, 0_c_int, saved()))
!     end if
!     if (hf_advisor_should_stop(advisor) /= 0) exit
!   end do
!   call hf_advisor_destroy(advisor)
module holdfast
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: hf_ok = 0, hf_state = 1, hf_usage = 2, hf_input = 3, hf_output = 4

  ! Set size to c_sizeof of the variable.
  type, bind(c) :: hf_advice
    integer(c_size_t) :: size
    real(c_double) :: due, interval, checkpoint, recovery, rate, theta, share_before_failure, young_daly
    integer(c_long) :: checkpoints, failures, level
  end type

  interface
    ! document: JSON text that ends with c_null_char
    function hf_advisor_create(document, advisor, message, size) bind(c)
      import
      character(kind=c_char), intent(in) :: document(*)
      type(c_ptr), intent(out) :: advisor
      character(kind=c_char), intent(out) :: message(*)
      integer(c_size_t), value :: size
      integer(c_int) :: hf_advisor_create
    end function
    ! file: a name that ends with c_null_char, by c_loc; c_null_ptr: the one that HOLDFAST_ADVISOR names
    function hf_advisor_open(file, advisor, message, size) bind(c)
      import
      type(c_ptr), value :: file
      type(c_ptr), intent(out) :: advisor
      character(kind=c_char), intent(out) :: message(*)
      integer(c_size_t), value :: size
      integer(c_int) :: hf_advisor_open
    end function
    subroutine hf_advisor_destroy(advisor) bind(c)
      import
      type(c_ptr), value :: advisor
    end subroutine
    function hf_advisor_ready(advisor) bind(c)
      import
      type(c_ptr), value :: advisor
      integer(c_int) :: hf_advisor_ready
    end function
    function hf_advisor_need_checkpoint(advisor) bind(c)
      import
      type(c_ptr), value :: advisor
      integer(c_int) :: hf_advisor_need_checkpoint
    end function
    function hf_advisor_should_stop(advisor) bind(c)
      import
      type(c_ptr), value :: advisor
      integer(c_int) :: hf_advisor_should_stop
    end function
    function hf_advisor_checkpoint_begin(advisor, level) bind(c)
      import
      type(c_ptr), value :: advisor
      integer(c_int), value :: level
      integer(c_int) :: hf_advisor_checkpoint_begin
    end function
    function hf_advisor_checkpoint_begin_async(advisor, level) bind(c)
      import
      type(c_ptr), value :: advisor
      integer(c_int), value :: level
      integer(c_int) :: hf_advisor_checkpoint_begin_async
    end function
    function hf_advisor_checkpoint_end(advisor, ok) bind(c)
      import
      type(c_ptr), value :: advisor
      integer(c_int), value :: ok
      integer(c_int) :: hf_advisor_checkpoint_end
    end function
    function hf_advisor_checkpoint_durable(advisor) bind(c)
      import
      type(c_ptr), value :: advisor
      integer(c_int) :: hf_advisor_checkpoint_durable
    end function
    function hf_advisor_progress(advisor, done, total) bind(c)
      import
      type(c_ptr), value :: advisor
      real(c_double), value :: done, total
      integer(c_int) :: hf_advisor_progress
    end function
    ! node: a name that ends with c_null_char, by c_loc; c_null_ptr: unknown
    function hf_advisor_failure(advisor, node) bind(c)
      import
      type(c_ptr), value :: advisor, node
      integer(c_int) :: hf_advisor_failure
    end function
    ! node, by: the same; age: time for which the new node has been up, seconds
    function hf_advisor_replaced(advisor, node, by, age) bind(c)
      import
      type(c_ptr), value :: advisor, node, by
      real(c_double), value :: age
      integer(c_int) :: hf_advisor_replaced
    end function
    function hf_advisor_time_left(advisor, seconds) bind(c)
      import
      type(c_ptr), value :: advisor
      real(c_double), value :: seconds
      integer(c_int) :: hf_advisor_time_left
    end function
    function hf_advisor_check_after(advisor) bind(c)
      import
      type(c_ptr), value :: advisor
      integer(c_long) :: hf_advisor_check_after
    end function
    function hf_advisor_advice(advisor, advice) bind(c)
      import
      type(c_ptr), value :: advisor
      type(hf_advice), intent(inout) :: advice
      integer(c_int) :: hf_advisor_advice
    end function
  end interface
end module
