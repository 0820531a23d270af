#!/usr/bin/env python3
"""A loop of JAX that saves asynchronously by orbax's CheckpointManager when Holdfast's advisor says so:

    holdfast guard --trigger api --mtbf 100d --output run1 -- python3 orbax_loop.py --steps 3000

orbax renames a whole folder into place, and latest_step() names only such ones. The checkpoint is durable when nothing is in progress."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
from common import advisor, end, options, pace

given = options(__doc__)
data = jax.random.normal(jax.random.key(1), (512, 32))
wanted = (data**2).sum(1)


@jax.jit
def advance(weights, key):
    key, draw = jax.random.split(key)
    at = jax.random.randint(draw, (32,), 0, 512)
    slope = jax.grad(lambda w: ((jnp.tanh(data[at] @ w["a"]) @ w["b"] - wanted[at]) ** 2).mean())(weights)
    return jax.tree.map(lambda w, g: w - 1e-3 * g, weights, slope), key


state = {"weights": {"a": jax.random.normal(jax.random.key(2), (32, 128)) / 6, "b": jnp.zeros(128)},
         "key": jax.random.key_data(jax.random.key(3)), "ballast": np.zeros(1 << 21)}
manager = ocp.CheckpointManager(Path("out").resolve(), options=ocp.CheckpointManagerOptions(max_to_keep=3))
start = manager.latest_step() or 0
if start:
    state = manager.restore(start, args=ocp.args.StandardRestore(state))
weights, key = state["weights"], jax.random.wrap_key_data(jnp.asarray(state["key"]))
print(f"from step {start}", flush=True)
with advisor() as asked:
    asked.ready()
    step, is_flying = start, False
    for step in range(start + 1, given.steps + 1):
        weights, key = advance(weights, key)
        pace(given)
        asked.progress(step, given.steps)
        if is_flying and not manager.is_saving_in_progress():
            is_flying = not asked.durable()
        if asked.due():
            if is_flying:
                manager.wait_until_finished()
                asked.durable()
            state = {"weights": weights, "key": jax.random.key_data(key), "ballast": state["ballast"]}
            with asked.saving(asynchronous=True):
                manager.save(step, args=ocp.args.StandardSave(state), force=True)
            is_flying = True
        if asked.should_stop():
            break
    manager.wait_until_finished()
    if is_flying:
        asked.durable()
manager.close()
if step == given.steps:
    end(np.asarray(value).tobytes() for value in jax.tree.leaves(weights))
