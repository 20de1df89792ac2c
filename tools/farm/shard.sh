#!/usr/bin/env bash
# One task of the array that `farm` hands to Slurm: one shard of the manifest. It may be killed at any moment and run
# twice: what is whole is found again.
set -u
here=$1 manifest=$2 out=$3 cache=$4 shards=$5 retries=$6 pictures=$7
shard=$SLURM_ARRAY_TASK_ID/$shards

"$SUPPLE_BIN" bake --manifest "$manifest" --out-dir "$out" --cache "$cache" --shard "$shard" --retries "$retries" \
    --jobs "${SLURM_CPUS_PER_TASK:-1}"
code=$?
if [ $code -gt 1 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt "$retries" ]; then
    # killed, out of memory, no program on this node: another node may do better; a bake that failed is in its record
    echo "shard $shard: ended with $code; once more" >&2
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
    exit $code
fi
if [ -n "$pictures" ]; then
    python3 "$here/report.py" "$manifest" "$out" --cache "$cache" --pictures "$shard"
fi
exit $code
