#!/usr/bin/env bash
# The program for Windows under wine, beside the one of this machine: the same bytes and words, whatever the paths are.
#     check_windows_program.sh SUPPLE.exe SUPPLE [ASSETS]
set -euo pipefail
exe=$(realpath "$1") native=$(realpath "$2") assets=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "check_windows_program: $*" >&2; exit 1; }
windows() { timeout 300 /usr/lib/wine/wine64 "$exe" "$@" 2>"$work/words"; }

mkdir native
"$native" bake cat native/cat.glb >/dev/null
windows bake cat cat.glb >/dev/null || fail "bake: $(cat words)"
cmp native/cat.glb cat.glb || fail "it bakes other bytes"
windows bake cat more.glb --jobs 4 >/dev/null && cmp native/cat.glb more.glb || fail "four threads bake other bytes"

# names that are no ASCII, with blanks; backslashes; a path of more than 260 characters
name='кошка и 猫 é'
long=$(printf 'a folder with a long name, %.0s' 1 2 3 4)end
mkdir -p "$name" "$long/$long/$long"
"$native" rig cat rig.json >/dev/null
windows rig cat "$name/$name.json" >/dev/null || fail "a UTF-8 path: $(cat words)"
cmp rig.json "$name/$name.json" || fail "it writes another rig"
cp cat.glb "$name/$name.glb"
"$native" inspect "$name/$name.glb" --json >native/inspect.json
windows inspect "$name\\$name.glb" --json >inspect.json || fail "backslashes: $(cat words)"
diff <(sed 's#\\\\#/#g' inspect.json) native/inspect.json || fail "it finds something else"
deep="$long/$long/$long/cat.glb"
[ "${#deep}" -gt 300 ] || fail "no long path"
windows bake cat "$deep" >/dev/null || fail "a long path: $(cat words)"
cmp native/cat.glb "$deep" || fail "other bytes at a long path"
windows inspect "$deep" >/dev/null || fail "a long path cannot be read: $(cat words)"

# a rig and a .gltf whose lines end in CR LF
sed 's/$/\r/' rig.json >crlf.json
"$native" bake cat native/rig.glb --rig rig.json >/dev/null
windows bake cat rigged.glb --rig crlf.json >/dev/null || fail "CR LF: $(cat words)"
cmp native/rig.glb rigged.glb || fail "a rig with CR LF gives other bytes"
windows bake cat text.gltf >/dev/null || fail "a .gltf: $(cat words)"
"$native" bake cat native/text.gltf >/dev/null
cmp native/text.gltf text.gltf || fail "a .gltf has other bytes"
sed -i 's/$/\r/' text.gltf
windows inspect text.gltf >/dev/null || fail "a .gltf with CR LF: $(cat words)"

# an old file's place is taken; what is wrong is said, in the same words
windows bake cat cat.glb >/dev/null || fail "a file that is there: $(cat words)"
[ -z "$(find . -name '*.tmp')" ] || fail "a temporary file is left"
for wrong in "bake nosuch.glb out.glb" "bake cat no/folder/out.glb" "bake cat native" "rig --check crlf.glb" "nonsense"; do
    # shellcheck disable=SC2086 # words
    windows $wrong >/dev/null && fail "no error: $wrong"
    # shellcheck disable=SC2086 # words
    "$native" $wrong >/dev/null 2>native/words || true
    diff words native/words || fail "other words: $wrong"
done
if [ -d "$assets" ]; then
    for file in khronos_fox/glTF-Binary/Fox.glb mh_human/mh_heavy.glb; do
        "$native" bake "$assets/$file" native/real.glb >/dev/null
        windows bake "$(/usr/lib/wine/wine64 winepath -w "$assets/$file" 2>/dev/null | tr -d '\r')" real.glb >/dev/null ||
            fail "$file: $(cat words)"
        cmp native/real.glb real.glb || fail "$file: other bytes"
    done
fi
echo "check_windows_program: bakes, rigs and reports are the native program's, at any path"
