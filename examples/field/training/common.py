"""What the training programs of this folder share: options, an advisor, and the digest at the end."""

import argparse
import hashlib
import os
import time
from pathlib import Path

from holdfast.advisor import Advisor


def options(text, steps=300):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--pause", type=float, default=0, help="seconds of sleep in each step, as if it took longer")
    return parser.parse_args()


def pace(given):
    time.sleep(given.pause)


def advisor(**how):
    """The advisor of a guard, if there is one."""
    return Advisor.open(**how) if "HOLDFAST_ADVISOR" in os.environ else Advisor(**how)


def end(weights):
    """Writes the digest of the weights into the file `result`, which says that the program has finished."""
    digest = hashlib.sha256(b"".join(weights)).hexdigest()
    Path("result").write_text(digest + "\n", encoding="utf-8")
    print("finished with", digest[:16], flush=True)
