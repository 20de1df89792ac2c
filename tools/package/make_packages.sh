#!/usr/bin/env bash
# Packages of a built tree, into dist/: a .deb, a static program for any Linux, program and core for Windows where built,
# the npm package where js/dist is there, with checksums and the licences of what is linked in.
#     make_packages.sh BUILD_FOLDER DIST_FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
dist=$(cd "$2" && pwd)
work=$root/build/package
version=$(sed -n 's/^project(supple VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
architecture=$(dpkg --print-architecture)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
rm -rf "$work" "$dist"/*
mkdir -p "$work"

# licences FILE NAME...: the licences of Debian's packages of these libraries, as Debian gives them.
licences()
{
    local file=$1 package
    shift
    printf 'Supple itself:\n\n' >"$file"
    cat "$root/LICENSE" >>"$file"
    for package in "$@"; do
        printf '\n\n==== %s, as Debian has it ====\n\n' "$package" >>"$file"
        cat "/usr/share/doc/$package/copyright" >>"$file"
    done
}

# The page of `supple studio`, with the licences of what is in it.
copy_studio()
{
    if [ ! -e "$root/studio/dist/index.html" ]; then
        echo "no studio/dist: the page of 'supple studio' is left out ('./run studio --build' builds it)"
        return 0
    fi
    mkdir -p "$1"
    cp -r "$root/studio/dist/." "$1"
    licences "$1/LICENSES" libjansson-dev libmeshoptimizer-dev libdraco-dev
    printf '\n\n==== three.js ====\n\n' >>"$1/LICENSES"
    cat "$root/studio/node_modules/three/LICENSE" >>"$1/LICENSES"
}

# The .deb: program, page of the studio, static libraries, headers, CMake and pkg-config files, man pages, completion.
make_deb()
{
    local stage=$work/deb depends
    cmake --install "$build" --prefix "$stage/usr" >/dev/null
    mkdir -p "$stage/DEBIAN" "$stage/usr/share/doc/supple"
    python3 "$here/make_words.py" "$build/supple" "$version" "$stage/usr/share/man/man1" \
        "$stage/usr/share/bash-completion/completions/supple"
    gzip -9n "$stage"/usr/share/man/man1/*.1
    strip --strip-unneeded "$stage/usr/bin/supple"
    copy_studio "$stage/usr/share/supple/studio"
    mkdir -p "$work/debian"
    printf 'Source: supple\n\nPackage: supple\nArchitecture: any\n' >"$work/debian/control"
    depends=$(cd "$work" && dpkg-shlibdeps -O "$stage/usr/bin/supple" 2>/dev/null | sed 's/^shlibs:Depends=//')
    cp "$root/LICENSE" "$stage/usr/share/doc/supple/copyright"
    {
        printf 'Package: supple\nVersion: %s\nArchitecture: %s\nMaintainer: the authors of Supple <supple@localhost>\n' \
            "$version" "$architecture"
        printf 'Depends: %s\nRecommends: libegl1, libegl-mesa0, libgl1-mesa-dri\nSuggests: ffmpeg, blender\n' "$depends"
        printf 'Section: graphics\nPriority: optional\nInstalled-Size: %s\n' "$(du -sk "$stage/usr" | cut -f1)"
        printf 'Description: living flesh for skinned, animated characters\n'
        printf ' The program supple, its libraries, and what is needed to build on them.\n'
        printf ' Whoever links supple_io needs libjansson-dev, libmeshoptimizer-dev and libdraco-dev too;\n'
        printf ' supple_picture needs libpng-dev, libwebp-dev and libjpeg-dev.\n'
    } >"$stage/DEBIAN/control"
    dpkg-deb --root-owner-group -Zxz --build "$stage" "$dist/supple_${version}_$architecture.deb" >/dev/null
}

# The static program: the same objects, linked with the static libraries. Debian has none of meshoptimizer.
make_static()
{
    local stage=$work/supple-$version-linux-x86_64 source=$root/build/sources/meshoptimizer file objects=()
    mkdir -p "$stage" "$work/meshoptimizer"
    "$root/tools/fetch_source.sh" meshoptimizer "$source"
    for file in "$source"/src/*.cpp; do
        g++ -O2 -c "$file" -o "$work/meshoptimizer/$(basename "$file" .cpp).o"
        objects+=("$work/meshoptimizer/$(basename "$file" .cpp).o")
    done
    ar rcs "$work/libmeshoptimizer.a" "${objects[@]}"
    gcc -O2 -c "$here/no_drivers.c" -o "$work/no_drivers.o"
    # libmicrohttpd wants libraries that Debian has no static form of: compiled without it, the program says so
    gcc -std=gnu17 -O2 -I"$root/include" -I"$root/src" -c "$root/tools/cli/studio_server.c" -o "$work/no_server.o"
    g++ -static -s -o "$stage/supple" "$build/tools/cli/CMakeFiles/supple_cli.dir/main.c.o" "$work/no_drivers.o" \
        "$work/no_server.o" \
        "$build/tools/cli/libsupple_cli_parts.a" "$build/src/libsupple_picture.a" "$build/src/libsupple_io.a" \
        "$build/src/libsupple_creatures.a" "$build/src/libsupple.a" -l:libwebpmux.a -l:libwebp.a -l:libpng16.a \
        -l:libjpeg.a -l:libz.a "$work/libmeshoptimizer.a" -l:libdraco.a -l:libjansson.a -lm
    licences "$stage/LICENSES" libjansson-dev libmeshoptimizer-dev libdraco-dev libpng-dev libwebp-dev libjpeg-dev \
        zlib1g libc6 gcc-12-base
    python3 "$here/make_words.py" "$build/supple" "$version" "$stage/man" "$stage/completion/supple"
    printf '%s\n' 'supple: living flesh for skinned, animated characters.' '' \
        'One file that runs on any Linux for x86-64. It draws no pictures (render, demo), because a static program' \
        'cannot load a graphics driver, and it has no studio; the .deb and a build of your own do both.' >"$stage/README"
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cJf \
        "$dist/supple-$version-linux-x86_64.tar.xz" "$(basename "$stage")"
}

make_npm()
{
    if [ ! -e "$root/js/dist/supple.wasm" ]; then
        echo "no js/dist: the npm package is left out ('./run js' builds it)"
        return 0
    fi
    (cd "$root/js" && npm pack --silent --pack-destination "$dist" >/dev/null)
}

# For Windows: the program, and the core, static and as DLLs with import libraries, as build/windows and
# build/windows-static have it.
make_windows()
{
    local stage=$work/supple-$version-windows-x64 folder
    if [ ! -e "$root/build/windows/build.ninja" ] || [ ! -e "$root/build/windows-static/build.ninja" ]; then
        echo "no build/windows: the Windows zip is left out ('./run package' builds it)"
        return 0
    fi
    for folder in windows windows-static; do
        cmake --install "$root/build/$folder" --prefix "$stage" >/dev/null
    done
    rm -rf "$stage/lib/pkgconfig" "$stage/share"
    x86_64-w64-mingw32-strip --strip-unneeded "$stage"/bin/*.dll
    cp "$root/build/windows-static/supple.exe" "$stage/supple.exe"
    x86_64-w64-mingw32-strip "$stage/supple.exe"
    licences "$stage/LICENSES.txt" libjansson-dev libmeshoptimizer-dev libdraco-dev gcc-mingw-w64-base mingw-w64-x86-64-dev
    printf '%s\r\n' 'Supple for 64-bit Windows.' '' \
        'supple.exe is the program, and needs nothing beside it: inspect, rig, bake, curves and loft. It draws no pictures' \
        '(render, demo), has no studio and no bench, and bakes one file at a time.' '' \
        'For programs in C and C++ there are the core and the built-in characters: lib/libsupple.a is static;' \
        'bin/libsupple.dll has its import library in lib/libsupple.dll.a.' >"$stage/README.txt"
    (cd "$work" && python3 -m zipfile -c "$dist/supple-$version-windows-x64.zip" "$(basename "$stage")/")
}

make_deb
make_static
make_windows
make_npm
(cd "$dist" && sha256sum -- * >SHA256SUMS)
