#!/usr/bin/env python3
"""holdfast_mpi.h on three ranks: all get the same answers, and few broadcasts are needed. Exit code 77 (skipped) without MPI."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = r"""
#include <holdfast_mpi.h>
#include <math.h>
#include <stdio.h>

static int broadcasts = 0;
int MPI_Bcast(void* what, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++broadcasts;
  return PMPI_Bcast(what, count, type, root, comm);
}

int main(int argc, char** argv) {
  hf_advisor* advisor = NULL;
  char message[256];
  long sums[2] = {0, 0};
  long all[2] = {0, 0};
  int rank = 0, size = 0, saved = 0, agree = 1;
  long step = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (hf_advisor_create("{\"checkpoint\": 0.001, \"max_interval\": 0.2}", &advisor, message, sizeof message)) MPI_Abort(MPI_COMM_WORLD, 3);
  hf_advisor_ready(advisor);
  if (rank == 0) hf_advisor_time_left(advisor, 6.5);
  for (step = 1; step < 1000000; ++step) {
    double until = MPI_Wtime() + 0.001;
    while (MPI_Wtime() < until) {}
    if (hf_mpi_need_checkpoint(advisor, MPI_COMM_WORLD)) {
      ++saved;
      sums[0] += step;
      hf_advisor_checkpoint_begin(advisor, 1);
      MPI_Barrier(MPI_COMM_WORLD);
      hf_advisor_checkpoint_end(advisor, 1);
    }
    if (hf_mpi_should_stop(advisor, MPI_COMM_WORLD)) break;
  }
  sums[1] = step;
  MPI_Allreduce(sums, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  agree = all[0] == size * sums[0] && all[1] == size * sums[1];
  if (rank == 0) printf("%d ranks, %ld steps, %d checkpoints, %d broadcasts, %s\n", size, step, saved, broadcasts,
                        agree ? "agreed" : "NOT agreed");
  hf_advisor_destroy(advisor);
  MPI_Finalize();
  /* Of a segment of n steps about 2 log2(n): up with what is known of a step's time, and down to the end. */
  return agree && saved >= 2 && broadcasts < (saved + 1) * (3 + 3 * log2(1.0 + (double)step / saved)) ? 0 : 1;
}
"""


def main():
    library = Path(sys.argv[1]).resolve()
    if shutil.which("mpicc") is None or shutil.which("mpirun") is None:
        print("skipped: no mpicc and mpirun (./setup mpi)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ranks.c").write_text(PROGRAM, encoding="utf-8")
        subprocess.run(["mpicc", "-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{HERE}", "ranks.c", library, f"-Wl,-rpath,{library.parent}",
                        "-lm", "-o", "ranks"], cwd=folder, check=True)
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n", "3", "./ranks"],
                              cwd=folder, env=environment, timeout=120, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
