#!/usr/bin/env bash
# Runs `supple bench`, then builds and runs the peers, each a program of its own, and our own module in Node; writes one CSV with all rows and the ratios
# between them.    usage: bench/peers/run.sh MACHINE-NAME [bench's options]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
machine=${1:?"a name for the machine, such as amd-epyc-2core"}
shift
out=$root/build/peers
mkdir -p "$out" "$root/bench/results"
pin() { if command -v taskset >/dev/null; then taskset -c "$(($(nproc) - 1))" "$@"; else "$@"; fi; }

"$root/build/release/supple" bench --json --solid "$out/breast.txt" "$@" >"$out/supple.json"
(cd "$here" && npm ci --no-audit --no-fund >"$out/npm.log" 2>&1) || { tail -n 20 "$out/npm.log" >&2; exit 1; }
# shellcheck disable=SC2046 # flags are words
g++ -O3 -DNDEBUG "$here/bullet_soft_body.cpp" -o "$out/bullet_soft_body" $(pkg-config --cflags --libs bullet)
pin "$out/bullet_soft_body" >"$out/bullet.json"
# shellcheck disable=SC2046 # flags are words
g++ -O3 -DNDEBUG "$here/bullet_fat.cpp" -o "$out/bullet_fat" $(pkg-config --cflags --libs bullet)
pin "$out/bullet_fat" "$out/breast.txt" >"$out/bullet_fat.json"
pin node "$here/three_skin.mjs" >"$out/three_skin.json"
pin node "$here/three_vrm_springs.mjs" >"$out/three_vrm.json"
pin node "$here/wasm_supple.mjs" "$root/build/wasm/supple_test.wasm" >"$out/wasm.json"
python3 "$here/merge.py" "$out" "$root/bench/results/$machine.csv"
