#!/bin/sh
# Programs that know nothing of the arbiter, in a batch job or from a shell: job.sh INPUT SCRATCH packs the folder INPUT into
# SCRATCH/input.tar and copies that to SCRATCH/copy.tar. What they write below SCRATCH goes at the granted rate; the checksum is
# made without it. In a job of Slurm the arbiter knows the job's number; elsewhere both steps go under the name that
# HOLDFAST_IO_LABEL gives them, or as one application each.
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
