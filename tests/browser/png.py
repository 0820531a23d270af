"""Reads the PNG files that the browser writes: 8 bits per channel, not interlaced."""

import struct
import zlib


def pixels(data, most=None):
    """Width, height, and the rows, the first `most` if it is given, as bytes of 3 or 4 channels."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, packed = 8, b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    channels = {2: 3, 6: 4}[color]
    raw, stride, rows = zlib.decompress(packed), width * channels, []
    above = bytearray(stride)
    for y in range(min(height, most or height)):
        start = y * (stride + 1)
        row, filtering = bytearray(raw[start + 1:start + 1 + stride]), raw[start]
        for i in range(stride):
            left = row[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            row[i] = (row[i] + predicted(filtering, left, above[i], corner)) & 255
        rows.append(row)
        above = row
    return width, height, channels, rows


def predicted(filtering, left, up, corner):
    if filtering == 0:
        return 0
    if filtering == 1:
        return left
    if filtering == 2:
        return up
    if filtering == 3:
        return (left + up) // 2
    guess = left + up - corner
    distances = abs(guess - left), abs(guess - up), abs(guess - corner)
    return (left, up, corner)[distances.index(min(distances))]


def colors(data):
    """How many different colours there are, each taken to 4 bits per channel."""
    _, _, channels, rows = pixels(data)
    return len({(row[i] >> 4, row[i + 1] >> 4, row[i + 2] >> 4)
                for row in rows for i in range(0, len(row), channels)})
