"""A process that asks a domain for simulations and is interrupted at random times: how long each interrupt took, in seconds.

    python3 interrupted.py DOMAIN [TIMES]
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import holdfast as hf

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
LEAST: dict[str, dict[str, Any]] = {  # where a domain has no problem of its own to offer
    "checkpoint": {"work": "48h", "checkpoint": "10min", "mtbf": "10y", "processors": 10000},
    "machine": {"classes": str(EXAMPLES / "data/machine-cielo.csv"), "mix": "EAP=12,LAP=4,Silverton=1,VPIC=1", "nodes": 17235,
                "bandwidth": "80GB/s", "mtbf": "17784h", "horizon": "40d"}}


def interrupts(name: str, times: int) -> list[float]:
    """From the signal to the exception, once for each of `times` simulations."""
    domain, keywords = hf.domains[name], LEAST.get(name, {})
    luck = random.Random(3)
    sent = [0.0]

    def send(delay: float) -> None:
        time.sleep(delay)
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)
    took = []
    for _ in range(times):
        sender = threading.Thread(target=send, args=(luck.uniform(0.05, 0.4),))
        try:
            sender.start()
            while True:
                domain.simulate(scenarios=100_000, threads=1, **keywords)
        except KeyboardInterrupt:
            took.append(time.perf_counter() - sent[0])
        sender.join()
    domain.simulate(scenarios=1, **keywords)  # and it goes on
    return took


if __name__ == "__main__":
    print(*interrupts(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10))
