"""The arbiter's C library (libholdfast_io.so.1) for tests, and its protocol for clients that break it."""

import ctypes
import os
import socket
import struct

WRITE = 1
UNKNOWN = 2**64 - 1


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("socket", ctypes.c_char_p), ("label", ctypes.c_char_p), ("bandwidth", ctypes.c_uint64),
                ("nodes", ctypes.c_uint32), ("ranks", ctypes.c_uint32)]


class State(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("connected", ctypes.c_int), ("paused", ctypes.c_int), ("orphaned", ctypes.c_int),
                ("rate", ctypes.c_uint64), ("floor", ctypes.c_uint64), ("moved", ctypes.c_uint64), ("stalled_ns", ctypes.c_uint64),
                ("epoch", ctypes.c_uint32)]


def load(path):
    library = ctypes.CDLL(path)
    library.hf_io_open.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(Options)]
    library.hf_io_begin.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int]
    library.hf_io_wait.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int]
    library.hf_io_wait.restype = ctypes.c_int64
    library.hf_io_moved.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
    library.hf_io_end.argtypes = [ctypes.c_void_p]
    library.hf_io_write.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
    library.hf_io_write.restype = ctypes.c_ssize_t
    library.hf_io_get_state.argtypes = [ctypes.c_void_p, ctypes.POINTER(State)]
    library.hf_io_close.argtypes = [ctypes.c_void_p]
    return library


class Client:
    """One handle of the library."""

    def __init__(self, library, path, label, bandwidth=0):
        self.shared = load(library) if isinstance(library, str) else library
        self.io = ctypes.c_void_p()
        options = Options(size=ctypes.sizeof(Options), socket=path.encode(), label=label.encode(), bandwidth=bandwidth)
        self.check(self.shared.hf_io_open(ctypes.byref(self.io), ctypes.byref(options)))

    @staticmethod
    def check(code):
        if code < 0:
            raise RuntimeError(f"code {code}")
        return code

    def begin(self, volume=UNKNOWN):
        self.check(self.shared.hf_io_begin(self.io, volume, WRITE))

    def wait(self, size, timeout_ms=-1):
        return self.check(self.shared.hf_io_wait(self.io, size, timeout_ms))

    def moved(self, size):
        self.check(self.shared.hf_io_moved(self.io, size))

    def end(self):
        self.check(self.shared.hf_io_end(self.io))

    def write(self, file, data):
        return self.shared.hf_io_write(self.io, file, data, len(data))

    def move(self, volume):
        """Moves bytes as a program that writes does, without a file."""
        left = volume
        while left > 0:
            size = self.wait(left)
            self.moved(size)
            left -= size

    def state(self):
        out = State(size=ctypes.sizeof(State))
        self.check(self.shared.hf_io_get_state(self.io, ctypes.byref(out)))
        return out

    def close(self):
        self.shared.hf_io_close(self.io)


def frame(kind, body, sequence):
    return b"HFIO" + bytes([1, kind, 0, 0]) + struct.pack("<II", len(body), sequence) + body


def hello(label, kind=1):
    return struct.pack("<QIII", 0, 1, 1, os.getpid()) + bytes([kind, 0, 0, 0]) + label.encode().ljust(64, b"\0") + bytes(16)


class Rude:
    """A connection that sends any bytes, whether they are frames or not."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.said = 0
        self.bytes = b""

    def say(self, kind, body):
        self.said += 1
        self.socket.sendall(frame(kind, body, self.said))

    def hear(self):
        """The next frame: type and body; None at the end."""
        while len(self.bytes) < 16 or len(self.bytes) < 16 + struct.unpack("<I", self.bytes[8:12])[0]:
            try:
                more = self.socket.recv(65536)
            except ConnectionError:
                return None
            if not more:
                return None
            self.bytes += more
        size = struct.unpack("<I", self.bytes[8:12])[0]
        out = self.bytes[5], self.bytes[16:16 + size]
        self.bytes = self.bytes[16 + size:]
        return out

    def error(self):
        """The code and the text of the ERROR that comes before the end."""
        while (heard := self.hear()) is not None:
            if heard[0] == 10:
                return struct.unpack("<I", heard[1][:4])[0], heard[1][8:].rstrip(b"\0").decode()
        return None

    def close(self):
        self.socket.close()
