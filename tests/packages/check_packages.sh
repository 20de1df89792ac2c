#!/usr/bin/env bash
# Installs every package of dist/ where nothing else is, and uses it. Needs root for a bare root, else says so and fails.
#     check_packages.sh DIST_FOLDER BUILD_FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dist=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "check_packages: $*" >&2; exit 1; }
say() { echo "check_packages: $*"; }

(cd "$dist" && sha256sum --quiet -c SHA256SUMS)
"$build/supple" bake cat "$work/truth.glb" >/dev/null
gcc -O2 -I"$root/include" "$here/use_core.c" -o "$work/use_core" "$build"/src/libsupple_creatures.a \
    "$build"/src/libsupple.a -lm -lpthread
truth=$("$work/use_core")

# A root with the static program and nothing else: no C library, no shell.
bare=$work/bare
mkdir -p "$bare/tmp"
tar -xJf "$dist"/supple-*-linux-x86_64.tar.xz --strip-components=1 -C "$bare"
chroot "$bare" /supple bake cat /tmp/out.glb >/dev/null || fail "the static program does not run in a bare root"
cmp "$work/truth.glb" "$bare/tmp/out.glb" || fail "the static program bakes other bytes"
chroot "$bare" /supple render cat /tmp/out.png 2>"$work/words" && fail "the static program draws"
grep -q 'pictures need EGL' "$work/words" || fail "the static program does not say why it draws nothing"
chroot "$bare" /supple studio --no-open 2>"$work/words" && fail "the static program serves the studio"
grep -q 'without libmicrohttpd' "$work/words" || fail "the static program does not say why it has no studio"
grep -q 'jansson' "$bare/LICENSES" || fail "a licence is missing"
say "static program: bakes the same bytes in a root without any other file"

# A root with the .deb, put there by dpkg, and the files of the packages that it depends on.
debian=$work/debian
mkdir -p "$debian/var/lib/dpkg/updates" "$debian/var/lib/dpkg/info" "$debian/tmp"
: >"$debian/var/lib/dpkg/status"
: >"$debian/var/lib/dpkg/available"
deb=$(ls "$dist"/supple_*.deb)
dpkg --root="$debian" --force-depends --force-not-root -i "$deb" >"$work/dpkg" 2>&1 || fail "$(tail -n 5 "$work/dpkg")"
depends=$(dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed 's/(.*//; s/ //g')
# shellcheck disable=SC2086 # words
packages=$(apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances $depends | grep '^[a-z]' | sort -u)
for package in $packages; do
    { dpkg -L "$package" 2>/dev/null || true; } | while read -r file; do
        case $file in
            /lib*/* | /usr/lib/*) if [ -f "$file" ] || [ -L "$file" ]; then cp -a --parents "$file" "$debian" 2>/dev/null || true; fi ;;
        esac
    done
done
# merged /usr: the old names lead there
for name in lib lib64; do
    if [ -L "/$name" ]; then
        mkdir -p "$debian/usr/$name"
        if [ -d "$debian/$name" ] && [ ! -L "$debian/$name" ]; then
            cp -a "$debian/$name/." "$debian/usr/$name/"
            rm -rf "${debian:?}/$name"
        fi
        ln -sfn "usr/$name" "$debian/$name"
    fi
done
chroot "$debian" /usr/bin/supple bake cat /tmp/out.glb >/dev/null || fail "the .deb's program does not run on its dependencies alone"
cmp "$work/truth.glb" "$debian/tmp/out.glb" || fail "the .deb's program bakes other bytes"
gcc -O2 -I"$debian/usr/include" "$here/use_core.c" -o "$work/use_deb" -L"$debian/usr/lib" -lsupple_creatures -lsupple -lm -lpthread
[ "$("$work/use_deb")" = "$truth" ] || fail "the .deb's library gives other numbers"
zcat "$debian/usr/share/man/man1/supple-bake.1.gz" | grep -q 'dry' || fail "the man page lacks an option"
(
    # shellcheck disable=SC1091
    source "$debian/usr/share/bash-completion/completions/supple"
    COMP_WORDS=(supple bake --as m) COMP_CWORD=3
    _supple
    [ "${COMPREPLY[*]}" = morphs ]
) || fail "completion does not know --as morphs"
# a bare root has no /proc, by which the program finds its page: it is started where it lies, until it says its address
words=$(timeout 3 "$debian/usr/bin/supple" studio --no-open 2>&1 | head -n 1 || true)
case $words in http://127.0.0.1:*) ;; *) fail "the .deb's studio is not served: $words" ;; esac
grep -q 'three.js' "$debian/usr/share/supple/studio/LICENSES" || fail "a licence of the studio is missing"
say ".deb: program, studio, library, man pages and completion work on its dependencies alone"

# Windows: the core as a static library and as a DLL, used under wine.
zip=$(ls "$dist"/supple-*-windows-x64.zip 2>/dev/null || true)
if [ -n "$zip" ]; then
    mkdir "$work/windows"
    (cd "$work/windows" && python3 -m zipfile -e "$zip" . && mv supple-*/* .)
    mkdir -p "$WINEPREFIX"
    for form in dll static; do
        mkdir "$work/windows/$form"
        case $form in
            dll) set -- -L"$work/windows/lib" -lsupple_creatures.dll -lsupple.dll
                cp "$work"/windows/bin/*.dll "$work/windows/$form" ;;
            static) set -- "$work/windows/lib/libsupple_creatures.a" "$work/windows/lib/libsupple.a" ;;
        esac
        x86_64-w64-mingw32-gcc -O2 -I"$work/windows/include" "$here/use_core.c" \
            -o "$work/windows/$form/use_core.exe" "$@" -static-libgcc
        got=$(cd "$work/windows/$form" && timeout 180 /usr/lib/wine/wine64 use_core.exe 2>/dev/null | tr -d '\r')
        [ "$got" = "$truth" ] || fail "Windows, $form: '$got' where Linux has '$truth'"
    done
    say "Windows: DLL and static library give the same bits under wine"
    "$here/check_windows_program.sh" "$work/windows/supple.exe" "$build/supple" "${SUPPLE_ASSETS:-$root/../shared/assets}"
else
    say "no Windows zip"
fi

# npm: an empty project, nothing from the network.
tarball=$(ls "$dist"/*.tgz 2>/dev/null || true)
if [ -n "$tarball" ]; then
    mkdir "$work/project"
    cd "$work/project"
    npm init -y >/dev/null
    npm install --offline --no-audit --no-fund "$tarball" >"$work/npm" 2>&1 || fail "npm: $(tail -n 5 "$work/npm")"
    "$build/supple" demo cat "$work/project/demo" >/dev/null 2>&1 || true
    npx --offline supple bake demo/cat.glb out.glb >/dev/null || fail "npx supple does not bake"
    "$build/supple" bake demo/cat.glb truth.glb >/dev/null
    cmp truth.glb out.glb || fail "npx supple bakes other bytes"
    say "npm: an empty project installs it and bakes the same bytes"
else
    say "no npm package"
fi
