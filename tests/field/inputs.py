"""Small inputs for the programs of programs_test.py."""

import itertools
import shutil
import subprocess
from pathlib import Path


def run(folder, *words):
    subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)


def water(folder):
    """A box of water for GROMACS, of 2 nm."""
    (folder / "topol.top").write_text('#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spce.itp"\n[ system ]\nwater\n[ molecules ]\n')
    (folder / "md.mdp").write_text("integrator = md\ndt = 0.002\nnsteps = 6000\nnstxout-compressed = 500\ncoulombtype = reaction-field\n"
                                   "rcoulomb = 0.9\nrvdw = 0.9\ntcoupl = v-rescale\ntc-grps = system\ntau-t = 0.1\nref-t = 300\n"
                                   "gen-vel = yes\ngen-seed = 7\nld-seed = 7\n")
    run(folder, "gmx", "solvate", "-cs", "spc216.gro", "-box", "2", "2", "2", "-o", "conf.gro", "-p", "topol.top")
    run(folder, "gmx", "grompp", "-f", "md.mdp", "-maxwarn", "3")


def melt(folder):
    """The example of LAMMPS."""
    shutil.copy(Path(__file__).resolve().parents[2] / "examples/field/lammps/in.melt", folder)


def argon(folder):
    """Liquid argon for CP2K, of 64 atoms."""
    atoms = "\n".join(f"AR {4 * i + 0.1 * (n % 3):.1f} {4 * j} {4 * k + 0.1 * (n % 2):.1f}"
                      for n, (i, j, k) in enumerate(itertools.product(range(4), repeat=3)))
    (folder / "ar.inp").write_text(f"""
&GLOBAL
  PROJECT ar
  RUN_TYPE MD
  PRINT_LEVEL LOW
&END GLOBAL
&MOTION
  &MD
    ENSEMBLE NVE
    STEPS 4000
    MAX_STEPS 4000
    TIMESTEP 2
    TEMPERATURE 90
  &END MD
  &PRINT
    &RESTART
      BACKUP_COPIES 1
      &EACH
        MD 200
      &END EACH
    &END RESTART
    &RESTART_HISTORY OFF
    &END RESTART_HISTORY
    &TRAJECTORY OFF
    &END TRAJECTORY
  &END PRINT
&END MOTION
&FORCE_EVAL
  METHOD FIST
  &MM
    &FORCEFIELD
      &NONBONDED
        &LENNARD-JONES
          ATOMS AR AR
          EPSILON 119.8
          SIGMA 3.405
          RCUT 7.5
        &END LENNARD-JONES
      &END NONBONDED
      &CHARGE
        ATOM AR
        CHARGE 0
      &END CHARGE
    &END FORCEFIELD
    &POISSON
      &EWALD
        EWALD_TYPE NONE
      &END EWALD
    &END POISSON
  &END MM
  &SUBSYS
    &CELL
      ABC 16 16 16
    &END CELL
    &COORD
{atoms}
    &END COORD
  &END SUBSYS
&END FORCE_EVAL
""")


def hydrogen(folder):
    """A molecule of hydrogen for Quantum ESPRESSO, and the script of docs/field.md around pw.x."""
    (folder / "h.in").write_text("""&CONTROL
  calculation = 'md', prefix = 'h', outdir = 'out', pseudo_dir = '/usr/share/espresso/pseudo'
  dt = 15, nstep = STEPS, restart_mode = 'MODE'
/
&SYSTEM
  ibrav = 1, celldm(1) = 8, nat = 2, ntyp = 1, ecutwfc = 12, nosym = .true.
/
&ELECTRONS
  conv_thr = 1d-11
/
&IONS
/
ATOMIC_SPECIES
H 1.0 H.pz-vbc.UPF
ATOMIC_POSITIONS angstrom
H 0 0 0
H 0 0 0.85
K_POINTS gamma
""")
    (folder / "run.sh").write_text("""mode=from_scratch done=0
if [ -n "$HOLDFAST_CHECKPOINT" ]; then mode=restart done=$(awk 'NR == 1 {print $2}' out/h.md); fi
if [ "$done" -ge 400 ]; then exit 0; fi
sed "s/MODE/$mode/; s/STEPS/$((400 - done))/" h.in >now.in
exec pw.x -i now.in
""")


def cavity(folder):
    """Flow in a box whose lid moves, for OpenFOAM, which writes when SIGUSR1 (10) comes."""

    def dictionary(name, text, kind="dictionary"):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"FoamFile {{ version 2.0; format ascii; class {kind}; object {file.name}; }}\n{text}\n")

    dictionary("system/controlDict", """application icoFoam; startFrom latestTime; startTime 0; stopAt endTime; endTime 2; deltaT 0.0005;
writeControl timeStep; writeInterval 4000; purgeWrite 0; writeFormat binary; writePrecision 16; timeFormat general; timePrecision 6;
runTimeModifiable no; OptimisationSwitches { writeNowSignal 10; }""")
    dictionary("system/fvSchemes", """ddtSchemes { default Euler; } gradSchemes { default Gauss linear; }
divSchemes { default none; div(phi,U) Gauss linear; } laplacianSchemes { default Gauss linear orthogonal; }
interpolationSchemes { default linear; } snGradSchemes { default orthogonal; }""")
    dictionary("system/fvSolution", """solvers { p { solver PCG; preconditioner DIC; tolerance 1e-06; relTol 0; }
pFinal { $p; relTol 0; } U { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-05; relTol 0; } }
PISO { nCorrectors 2; nNonOrthogonalCorrectors 0; pRefCell 0; pRefValue 0; }""")
    dictionary("constant/transportProperties", "nu [0 2 -1 0 0 0 0] 0.01;")
    dictionary("system/blockMeshDict", """convertToMeters 0.1;
vertices ((0 0 0) (1 0 0) (1 1 0) (0 1 0) (0 0 0.1) (1 0 0.1) (1 1 0.1) (0 1 0.1));
blocks (hex (0 1 2 3 4 5 6 7) (60 60 1) simpleGrading (1 1 1)); edges ();
boundary (lid { type wall; faces ((3 7 6 2)); } walls { type wall; faces ((0 4 7 3) (2 6 5 1) (1 5 4 0)); }
sides { type empty; faces ((0 3 2 1) (4 5 6 7)); }); mergePatchPairs ();""")
    dictionary("0/U", """dimensions [0 1 -1 0 0 0 0]; internalField uniform (0 0 0); boundaryField { lid { type fixedValue; value uniform (1 0 0); }
walls { type noSlip; } sides { type empty; } }""", "volVectorField")
    dictionary("0/p", """dimensions [0 2 -2 0 0 0 0]; internalField uniform 0; boundaryField { lid { type zeroGradient; }
walls { type zeroGradient; } sides { type empty; } }""", "volScalarField")
    run(folder, "blockMesh")
