#!/usr/bin/env python3
"""Writes a file at the rate that the I/O arbiter grants, by way of its C library, and says how long it took. Without an arbiter it
writes as fast as it can. The socket and the name of the application come from HOLDFAST_IO_SOCKET and HOLDFAST_IO_LABEL."""

import argparse
import ctypes
import os
import re
import time

WRITE = 1
CHUNK = 1 << 20


class State(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("connected", ctypes.c_int), ("paused", ctypes.c_int), ("orphaned", ctypes.c_int),
                ("rate", ctypes.c_uint64), ("floor", ctypes.c_uint64), ("moved", ctypes.c_uint64), ("stalled_ns", ctypes.c_uint64),
                ("epoch", ctypes.c_uint32)]


def size_of(text):
    found = re.fullmatch(r"(\d+) ?(|kB|MB|GB)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"found '{text}', expected a size, as in 200MB")
    return int(found[1]) * {"": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}[found[2]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", dest="shared", default="libholdfast_io.so.1")
    parser.add_argument("--bytes", type=size_of, default=size_of("100MB"))
    parser.add_argument("--to", default=os.devnull, metavar="FILE")
    given = parser.parse_args()
    library = ctypes.CDLL(given.shared, use_errno=True)
    library.hf_io_begin.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int]
    library.hf_io_write.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
    library.hf_io_write.restype = ctypes.c_ssize_t
    for name in ("hf_io_end", "hf_io_close"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    library.hf_io_get_state.argtypes = [ctypes.c_void_p, ctypes.POINTER(State)]

    io = ctypes.c_void_p()
    if library.hf_io_open(ctypes.byref(io), None) != 0:
        raise SystemExit("hf_io_open failed")
    data = bytes(CHUNK)
    left = given.bytes
    begin = time.monotonic()
    library.hf_io_begin(io, given.bytes, WRITE)
    with open(given.to, "wb", buffering=0) as file:
        while left > 0:
            written = library.hf_io_write(io, file.fileno(), data, min(left, CHUNK))
            if written < 0:
                raise SystemExit(f"{given.to}: cannot be written: {os.strerror(ctypes.get_errno())}")
            left -= written
    library.hf_io_end(io)
    took = time.monotonic() - begin
    state = State(size=ctypes.sizeof(State))
    library.hf_io_get_state(io, ctypes.byref(state))
    library.hf_io_close(io)
    print(f"{given.bytes / 1e6:.0f} MB in {took:.1f} s, {given.bytes / took / 1e6:.1f} MB/s; "
          f"{state.stalled_ns / 1e9:.1f} s of it waiting{'' if state.connected else ', and no arbiter answered'}")


if __name__ == "__main__":
    main()
