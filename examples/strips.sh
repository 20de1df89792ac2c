#!/bin/sh
# Bakes the three characters with the rigs beside this script, and draws weights, springs and before-and-after strips.
# usage: examples/strips.sh FOLDER [OUT]     FOLDER: where Fox.glb, mh_heavy.glb and Horse.glb are, at any depth
#                                            $SUPPLE: the program, build/release/supple by default
set -eu
here=$(dirname "$0")
supple=${SUPPLE:-$here/../build/release/supple}
folder=${1:?usage: examples/strips.sh FOLDER [OUT]}
out=${2:-out}
mkdir -p "$out"

strip() # NAME FILE CLIP TIME CAMERA
{
    in=$(find "$folder" -name "$2" | sort | head -n 1)
    [ -n "$in" ] || { echo "strips.sh: no $2 in $folder" >&2; return 1; }
    rig=$here/$1.rig.json
    "$supple" bake "$in" "$out/$1.glb" --rig "$rig"
    "$supple" render "$in" "$out/$1-weights.png" --rig "$rig" --clip none --show skin,weights
    "$supple" render "$in" "$out/$1-springs.png" --rig "$rig" --clip "$3" --time "$4" --camera "$5" --show skin,displacement,springs
    "$supple" render --compare "$in" "$out/$1.glb" "$out/$1-strip.png" --clip "$3" --strip 6 --size 310x300 --camera "$5"
}

strip fox Fox.glb Run 0.4 side
strip heavy_man mh_heavy.glb run 0.5 60,5
strip horse Horse.glb 'AnimalArmature|Gallop' 0.2 side
