! A program with a loop of its own, in Fortran.
program loop_test
  use holdfast
  implicit none
  type(c_ptr) :: advisor
  type(hf_advice) :: advice
  character(kind=c_char) :: message(256)
  integer(c_int) :: code
  integer :: step, saved
  integer, parameter :: steps = 2000000

  saved = 0
  if (hf_advisor_create('{"first": "1ms", "max_interval": "20ms"}' // c_null_char, advisor, message, 256_c_size_t) /= hf_ok) stop 3
  if (hf_advisor_ready(advisor) /= hf_ok) stop 1
  do step = 1, steps
    code = hf_advisor_progress(advisor, real(step, c_double), real(steps, c_double))
    if (hf_advisor_need_checkpoint(advisor) /= 0) then
      code = hf_advisor_checkpoint_begin(advisor, 1_c_int)
      saved = saved + 1
      code = hf_advisor_checkpoint_end(advisor, 1_c_int)
    end if
    if (hf_advisor_should_stop(advisor) /= 0) exit
  end do
  advice%size = c_sizeof(advice)
  if (hf_advisor_advice(advisor, advice) /= hf_ok) stop 1
  print *, step - 1, saved, advice%checkpoint
  call hf_advisor_destroy(advisor)
  if (step /= steps + 1 .or. saved == 0 .or. advice%checkpoints /= saved) stop 1
end program
