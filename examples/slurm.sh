#!/bin/sh
# A night of figures on a cluster: rank 0 keeps the store, the others work.
# Submit again with the same store if the time was not enough.
#SBATCH --job-name=bperc
#SBATCH --ntasks=65
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
set -eu
folder=${SLURM_SUBMIT_DIR:-.}
exec mpirun bperc reproduce all --scale paper \
  --store "$folder/paper.db" --out "$folder/report" --quiet
