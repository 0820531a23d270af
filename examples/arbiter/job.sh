#!/bin/sh
# Programs that know nothing of the arbiter, in a batch job or from a shell: job.sh INPUT SCRATCH packs the folder INPUT into
# SCRATCH/input.tar and copies that to SCRATCH/copy.tar. What they write below SCRATCH is written at the granted rate; the
# checksum is not paced. In a Slurm job the arbiter knows the job's number; elsewhere both steps are one application if
# HOLDFAST_IO_LABEL names it, and otherwise one application each.
#SBATCH --job-name=pack
#SBATCH --ntasks=1
set -eu
if [ $# -ne 2 ]; then
  echo "usage: job.sh INPUT SCRATCH" >&2
  exit 2
fi
input=$1
scratch=$2

holdfast io run --paths "$scratch" -- tar -C "$input" -cf "$scratch/input.tar" .
holdfast io run --paths "$scratch" -- dd "if=$scratch/input.tar" "of=$scratch/copy.tar" bs=1M status=none
cksum <"$scratch/copy.tar"
