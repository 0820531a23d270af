#!/usr/bin/env python3
"""A training loop that Holdfast's advisor tells when to save: a small network learns to distinguish two spirals, with the standard library
alone.

    python3 train.py --steps 3000
    holdfast guard --trigger api --mtbf 100d --output run1 -- python3 train.py --steps 3000

It continues from the newest checkpoint whose SHA-256 is correct, and prints the same loss, to the last bit, however often it was interrupted. With
PyTorch the loop is the same: state is {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, and
torch.save writes it."""

import argparse
import math
import pickle
import random
import time

from holdfast.advisor import Advisor, newest_valid, save_atomically

POINTS = 64
HIDDEN = 8


def spirals():
    """Points of two spirals, with 0 or 1."""
    out = []
    for i in range(POINTS):
        angle = 3 * math.pi * (i // 2 + 1) / POINTS + math.pi * (i % 2)
        radius = (i // 2 + 1) / POINTS * 2
        out.append((radius * math.cos(angle), radius * math.sin(angle), i % 2))
    return out


def new_state(seed):
    source = random.Random(seed)
    return {
        "step": 0,
        "hidden": [[source.gauss(0, 1) for _ in range(3)] for _ in range(HIDDEN)],
        "output": [source.gauss(0, 1) for _ in range(HIDDEN + 1)],
        "random": source.getstate(),
    }


def train_one(state, data, rate=0.1):
    """One step of stochastic gradient descent; returns the loss of its point."""
    source = random.Random()
    source.setstate(state["random"])
    x, y, wanted = data[source.randrange(len(data))]
    active = [math.tanh(a * x + b * y + c) for a, b, c in state["hidden"]] + [1.0]
    found = 1 / (1 + math.exp(-sum(w * h for w, h in zip(state["output"], active))))
    slope = found - wanted
    for row, h, w in zip(state["hidden"], active, list(state["output"])):
        step = rate * slope * w * (1 - h * h)
        row[0] -= step * x
        row[1] -= step * y
        row[2] -= step
    state["output"] = [w - rate * slope * h for w, h in zip(state["output"], active)]
    state["random"] = source.getstate()
    state["step"] += 1
    return -math.log(max(found if wanted else 1 - found, 1e-300))


def loss_of(state, data):
    total = 0.0
    for x, y, wanted in data:
        active = [math.tanh(a * x + b * y + c) for a, b, c in state["hidden"]] + [1.0]
        found = 1 / (1 + math.exp(-sum(w * h for w, h in zip(state["output"], active))))
        total -= math.log(max(found if wanted else 1 - found, 1e-300))
    return total / len(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--file", default="train.ckpt")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0, help="seconds of sleep in each step, as if it took longer")
    given = parser.parse_args()
    data = spirals()
    newest = newest_valid(given.file)
    state = new_state(given.seed)
    if newest is not None:
        with newest.open("rb") as file:
            state = pickle.load(file)
    print(f"from step {state['step']}", flush=True)
    with Advisor.open() as advisor:
        advisor.ready()
        while state["step"] < given.steps:
            train_one(state, data)
            time.sleep(given.pause)
            advisor.progress(state["step"], given.steps)
            if advisor.due():
                with advisor.saving():
                    save_atomically(given.file, lambda file: pickle.dump(state, file), keep=2)
                print(f"saved at step {state['step']}", flush=True)
            if advisor.should_stop():
                break
    print(f"step {state['step']} loss {loss_of(state, data).hex()}")


if __name__ == "__main__":
    main()
