#!/bin/sh
# A night of figures on a cluster, in one of three ways:
#
#   sbatch --array=1-64 examples/slurm.sh          64 processes share one store
#   sbatch --array=1-64 examples/slurm.sh shards   64 parts, a store for each,
#                                                  for disks without locks
#   sbatch --ntasks=65 examples/slurm.sh mpi       rank 0 keeps the store
#
# Submit again if the time was not enough: what is done stays. Every process
# on a shared store ends with the page, in a folder of its own; parts are put together afterwards by
#
#   bperc store merge paper.db parts/*.db
#   bperc reproduce all --scale paper --store paper.db --out report
#SBATCH --job-name=bperc
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
set -eu
folder=${SLURM_SUBMIT_DIR:-.}
task=${SLURM_ARRAY_TASK_ID:-1} tasks=${SLURM_ARRAY_TASK_COUNT:-1}
threads=${SLURM_CPUS_PER_TASK:-1}
set -- "${1:-share}" reproduce all --scale paper --quiet
way=$1
shift
case $way in
share)
  exec bperc "$@" --threads "$threads" --store "$folder/paper.db" \
    --out "$folder/report.$task"
  ;;
shards)
  mkdir -p "$folder/parts"
  exec bperc "$@" --threads "$threads" --shard "$task/$tasks" \
    --store "$folder/parts/$task.db"
  ;;
mpi)
  exec mpirun bperc "$@" --store "$folder/paper.db" --out "$folder/report"
  ;;
*)
  echo "usage: slurm.sh [share|shards|mpi]" >&2
  exit 2
  ;;
esac
