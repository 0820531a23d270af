! Writes a file of zeros at the rate that the I/O arbiter grants: writer_fortran BYTES FILE.
program writer
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use holdfast_io
  implicit none

  integer(c_int64_t), parameter :: piece = 1048576
  character(len=1), allocatable :: zeros(:)
  character(len=4096) :: word
  type(c_ptr) :: io
  integer(c_int64_t) :: bytes, left, may
  integer(int64) :: began, ended, per_second
  integer(c_int) :: code
  integer :: file, status
  real(real64) :: took

  bytes = 0
  call get_command_argument(1, word)
  read (word, *, iostat=status) bytes
  call get_command_argument(2, word)
  if (status /= 0 .or. bytes <= 0 .or. word == '') then
    write (error_unit, '(a)') 'usage: writer_fortran BYTES FILE'
    stop 2
  end if
  if (hf_io_open(io, c_null_ptr) /= 0) error stop 'hf_io_open failed'
  allocate (zeros(piece))
  zeros = achar(0)
  open (newunit=file, file=trim(word), access='stream', form='unformatted', status='replace', action='write')

  call system_clock(began, per_second)
  code = hf_io_begin(io, bytes, hf_io_write)
  left = bytes
  do while (left > 0)
    may = hf_io_wait(io, min(left, piece), -1_c_int)
    if (may <= 0) error stop 'hf_io_wait failed'
    write (file) zeros(1:may)
    code = hf_io_moved(io, may)
    left = left - may
  end do
  close (file)
  code = hf_io_end(io)
  call system_clock(ended)
  call hf_io_close(io)
  took = real(ended - began, real64) / real(per_second, real64)
  print '(i0, a, f0.2, a)', bytes, ' bytes in ', took, ' s'
end program
