"""The programs of programs_test.py: how each is run, and what it promises."""

import dataclasses
import hashlib
import re
import subprocess
import sys
from typing import Callable

import inputs

ABSENT = {"": "not installed"}


@dataclasses.dataclass(frozen=True)
class Recipe:
    """One program: the options of its guard and its command, in which {venv}, {root} and {python} are replaced."""

    name: str
    title: str
    text: str  # the recipe in words, for the table
    guard: list
    command: list
    version: list  # what prints its version, as the last word of the first line that has a number
    saves: str  # matches the files of its checkpoints, relative to the folder
    result: Callable = None
    prepare: Callable = None
    says_start: bool = False  # it prints a line that begins with "from" when it begins to work
    place: str = ""  # where its trials run, if not in the given folder
    tolerance: float = 0  # of the numbers in its result, if it promises no bits after a restart

    def is_right(self, found, expected):
        if found == expected or not self.tolerance:
            return found == expected
        pairs = list(zip(found.split(), expected.split(), strict=False))
        return len(pairs) == len(found.split()) == len(expected.split()) and all(abs(float(a) - float(b)) <= self.tolerance for a, b in pairs)


def digest_of(name):
    return lambda folder: hashlib.sha256((folder / name).read_bytes()).hexdigest()


def frames_of_water(folder):
    """The last positions, to the last bit, and the number of frames, none of which may be there twice."""
    said = subprocess.run(["gmx", "check", "-f", "traj_comp.xtc"], cwd=folder, capture_output=True, text=True, check=False)
    return digest_of("confout.gro")(folder) + " " + re.search(r"^Step +(\d+)", said.stderr, re.M)[1]


def last_step_of_melt(folder):
    """LAMMPS promises no bits after a restart, because it sorts its atoms anew: the last step, and that the log says it ended."""
    text = (folder / "log.lammps").read_text()
    return re.findall(r"^ +(\d+) ", text, re.M)[-1] + (" ended" if "Total wall time" in text else " not ended")


def last_energies_of_argon(folder):
    """The last row of energies, without its last column, which is a time. A restart file is a text with rounded numbers."""
    return " ".join((folder / "ar-1.ener").read_text().split("\n")[-2].split()[:-1])


def last_of_hydrogen(folder):
    """The number of steps, and the last energy. A clean stop of pw.x changes its digits, because the step is begun again."""
    energy, steps = (folder / "out/h.md").read_text().split()[:2]
    return f"{steps} {energy}"


def trained(name, title, script, *options, processes=1, text="`--trigger api`", saves=r"^(out/|run\.)", module="torch", restarts=0):
    """A program of examples/field/training."""
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes), "--max-restarts", str(restarts)]
    launcher = launcher if processes > 1 else []
    own_store = ["env", "TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1"] if restarts else []
    return Recipe(name, title, text, ["--trigger", "api"],
                  [*own_store, "{venv}/bin/python", *launcher, f"{{root}}/examples/field/training/{script}.py", *options],
                  ["{venv}/bin/python", "-c", f"import importlib.metadata as m; print(m.version('{module}'))"], saves, digest_of("result"), says_start=True)


RECIPES = [
    Recipe("h5py", "h5py, in place", "`signal:USR1`", ["--trigger", "signal:USR1", "--checkpoint-file", "run.h5"],
           ["/usr/bin/python3", "{root}/tests/field/h5_worker.py", "--steps", "400", "--pause", "0.02"],
           ["/usr/bin/python3", "-c", "import h5py; print(h5py.__version__)"], r"^run\.h5$", digest_of("result"), says_start=True),
    Recipe("deleted", "deleted and created, on tmpfs", "`signal:USR1`", ["--trigger", "signal:USR1", "--checkpoint-file", "state.ckpt"],
           ["/usr/bin/python3", "{root}/tests/field/worker.py", "--way", "deleted", "--steps", "400", "--step-seconds", "0.02", "--save-seconds", "0.2"],
           ["/usr/bin/python3", "--version"], r"^state\.ckpt$", digest_of("result"), says_start=True, place="/dev/shm"),
    Recipe("pipe", "in place, while it goes on", "`pipe`, `begin asynchronous`",
           ["--trigger", "pipe", "--ready", "pipe", "--checkpoint-file", "state.ckpt"],
           ["/usr/bin/python3", "{root}/tests/field/worker.py", "--ask", "pipe", "--way", "in-place", "--asynchronous", "--steps", "400",
            "--step-seconds", "0.02", "--save-seconds", "0.3"],
           ["/usr/bin/python3", "--version"], r"^state\.ckpt$", digest_of("result"), says_start=True),
    Recipe("lammps", "LAMMPS", "`file:SAVE`", ["--trigger", "file:SAVE", "--checkpoint-file", "melt.restart"],
           ["lmp", "-in", "in.melt", "-var", "steps", "60000", "-log", "log.lammps"],
           ["sh", "-c", "lmp -h | sed -n 's/.*Simulator - //p'"], r"^melt\.", last_step_of_melt, inputs.melt),
    Recipe("gromacs", "GROMACS", "`none`, `-cpt {minutes}`", ["--trigger", "none", "--checkpoint-file", "state.cpt", "--checkpoint", "0.1s"],
           ["gmx", "mdrun", "-s", "topol.tpr", "-reprod", "-nt", "1", "-cpi", "state.cpt", "-cpt", "{minutes}"],
           ["sh", "-c", "gmx --version | sed -n 's/^GROMACS version: *//p'"], r"^state", frames_of_water, inputs.water),
    Recipe("cp2k", "CP2K", "`none`, `--verify`", ["--trigger", "none", "--checkpoint-file", "ar-1.restart", "--checkpoint", "0.05s", "--verify",
                                                  'tail -n 1 "$HOLDFAST_CHECKPOINT" | grep -q "&END FORCE_EVAL"'],
           ["sh", "-c", "exec cp2k -i ${{HOLDFAST_CHECKPOINT:-ar.inp}}"],
           ["sh", "-c", "cp2k --version | sed -n 's/^ *CP2K version //p'"], r"^ar-1\.restart", last_energies_of_argon, inputs.argon,
           tolerance=1e-8),
    Recipe("espresso", "Quantum ESPRESSO, MD", "`stop-file:h.EXIT`, a folder",
           ["--trigger", "stop-file:h.EXIT", "--checkpoint-file", "out", "--saved-codes", "0,2,255"], ["sh", "run.sh"],
           ["dpkg-query", "-W", "-f", "${{Version}}", "quantum-espresso"], r"^out/h\.(save|restart|md)", last_of_hydrogen, inputs.hydrogen,
           tolerance=1e-4),
    Recipe("openfoam", "OpenFOAM, icoFoam", "`signal:USR1`, folders", ["--trigger", "signal:USR1", "--checkpoint-file", "[0-9]*/"],
           ["icoFoam"], ["sh", "-c", "icoFoam -help | grep -o '([0-9]*)' | tr -d '()'"], r"^[0-9.]+/", digest_of("2/U"), inputs.cavity),
    trained("pytorch", "PyTorch", "torch_loop", "--steps", "300", "--pause", "0.03"),
    trained("trainer", "Trainer of transformers", "transformers_trainer", "--steps", "120", "--pause", "0.05", module="transformers",
            text="`--trigger api`, `TrainerCallback`"),
    trained("trainer2", "Trainer, 2 ranks, torchrun", "transformers_trainer", "--steps", "80", "--pause", "0.05", module="transformers",
            processes=2, text="`--trigger api`, `TrainerCallback`"),
    trained("lightning", "Lightning", "lightning_epochs", "--steps", "200", "--pause", "0.04", module="lightning",
            text="`--trigger api`, `LightningCallback`"),
    trained("dcp", "DCP, asynchronous, 2 ranks", "torch_dcp", "--steps", "100", "--pause", "0.04", processes=2),
    trained("orbax", "orbax, asynchronous", "orbax_loop", "--steps", "200", "--pause", "0.04", module="orbax-checkpoint"),
    trained("accelerate", "accelerate", "accelerate_loop", "--steps", "120", "--pause", "0.04", module="accelerate"),
    trained("deepspeed", "DeepSpeed, ZeRO 1, 2 ranks", "deepspeed_loop", "--steps", "100", "--pause", "0.04", module="deepspeed", processes=2),
    trained("torchrun", "torchrun, `--max-restarts`, 2 ranks", "accelerate_loop", "--steps", "100", "--pause", "0.04", processes=2, restarts=20),
]


def version_of(recipe, given):
    """The version of a program; empty if it is not there."""
    try:
        words = [word.format(venv=given.venv, root=given.root, python=sys.executable) for word in recipe.version]
        said = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return said.stdout.strip().splitlines()[0].strip() if said.returncode == 0 and said.stdout.strip() else ""
