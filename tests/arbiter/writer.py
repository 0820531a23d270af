#!/usr/bin/env python3
"""Moves VOLUME bytes in one operation: writer.py LIBRARY SOCKET LABEL VOLUME. Says when it has begun and ended."""

import sys

from client import Client


def main():
    library, path, label, volume = sys.argv[1:]
    client = Client(library, path, label)
    client.begin(int(volume))
    print("begun", flush=True)
    client.move(int(volume))
    client.end()
    print("ended", flush=True)
    client.close()


if __name__ == "__main__":
    main()
