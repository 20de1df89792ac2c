# shellcheck shell=bash
# For ./run, which reads this: what has to be installed, and how each build is made.

# ----------------------------------------------------------------------------------------------------------------
# What has to be installed

build_packages="gcc g++ libc6-dev cmake ninja-build pkg-config libjansson-dev libmeshoptimizer-dev libdraco-dev libegl-dev
    libgl-dev libegl1 libegl-mesa0 libgl1-mesa-dri libpng-dev libwebp-dev libjpeg-dev libmicrohttpd-dev"
wasm_packages="clang lld llvm wasi-libc libclang-rt-14-dev-wasm32"
js_packages="$wasm_packages binaryen libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 xz-utils"
test_packages="$build_packages $js_packages libcmocka-dev liblapacke-dev libopenblas-dev python3 python3-numpy
    python3-setuptools python3-wheel valgrind"
windows_packages="gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 wine64"
all_packages="$test_packages $windows_packages libclang-rt-14-dev qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
package_packages="$js_packages $build_packages $windows_packages dpkg-dev python3"
farm_packages="$build_packages python3 slurm-wlm munge"
viewer_packages="libsdl2-dev"
hosts_packages="$test_packages $viewer_packages chromium blender godot3-server python3-numpy xvfb"
format_packages="clang-format python3 git"
lint_packages="$build_packages $format_packages clang-tidy libcmocka-dev"

say() { printf 'run: %s\n' "$*"; }
fail() { printf 'run: %s\n' "$*" >&2; exit 1; }

as_root()
{
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install GROUP-NAME PACKAGE...: only what dpkg does not have; no word and no network when all is there.
install()
{
    local group=$1 missing="" name have
    shift
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system: please have these installed: $*"
        return
    fi
    have=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p') || true
    for name in "$@"; do
        case $'\n'"$have"$'\n' in *$'\n'"$name"$'\n'*) ;; *) missing="$missing $name" ;; esac
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        fail "packages are missing and there is no sudo; as root: apt-get install --no-install-recommends$missing"
    fi
    say "installing for '$group':$missing"
    mkdir -p build/logs
    # shellcheck disable=SC2086 # a list of words
    { as_root apt-get -o DPkg::Lock::Timeout=300 update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            -o DPkg::Lock::Timeout=300 $missing; } >build/logs/apt.log 2>&1 ||
        { tail -n 20 build/logs/apt.log >&2; fail "the packages could not be installed (build/logs/apt.log)"; }
}

# A Node from elsewhere, newer than Debian's, is as good.
install_node()
{
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        install node nodejs npm
    fi
}

# install_npm FOLDER: what the tests in it take from npm, again whenever the lock file changes.
install_npm()
{
    local folder=$1 stamp=$1/node_modules/.lock-used
    if ! cmp -s "$folder/package-lock.json" "$stamp"; then
        say "installing the npm packages of $folder"
        mkdir -p build/logs
        (cd "$folder" && npm ci --no-audit --no-fund) >build/logs/npm.log 2>&1 ||
            { tail -n 20 build/logs/npm.log >&2; fail "npm ci failed (build/logs/npm.log)"; }
        cp "$folder/package-lock.json" "$stamp"
    fi
}

# shellcheck disable=SC2086 # the lists are words
install_for()
{
    case $1 in
        build) install build $build_packages ;;
        wasm) install wasm cmake ninja-build $wasm_packages ;;
        js) install js cmake ninja-build $js_packages ;;
        fuzz) install fuzz $build_packages clang llvm libclang-rt-14-dev libcmocka-dev ;;
        format) install format $format_packages ;;
        lint) install lint $lint_packages ;;
        mingw) install windows cmake ninja-build $windows_packages ;;
        test) install test $test_packages; install_node; install_npm tests; install_npm js ;;
        all) install 'test all' $all_packages; install_node; install_npm tests; install_npm js ;;
        farm) install farm $farm_packages ;;
        hosts) install hosts $hosts_packages; install_node; install_npm tests/hosts; install_npm js ;;
        package) install package $package_packages; install_node ;;
        peers) install peers $build_packages libbullet-dev python3 ;;
    esac
}

# ----------------------------------------------------------------------------------------------------------------
# Building

jobs=${SUPPLE_JOBS:-$(nproc)}
# wine's own files, and no word of what it is not asked
export WINEPREFIX=$PWD/build/wine WINEDEBUG=-all

# build PRESET [TARGET...] with extra CMake settings in $settings; the log is shown when it fails.
build()
{
    local preset=$1 log=build/logs/build-$1.log
    shift
    mkdir -p build/logs
    # shellcheck disable=SC2086 # the settings are words
    { cmake --preset "$preset" ${settings:-} && cmake --build "build/$preset" -j "$jobs" ${1:+--target "$@"}; } \
        >"$log" 2>&1 && return 0
    grep -E -A 12 'error|FAILED|Error' "$log" | head -n 60 >&2 || tail -n 30 "$log" >&2
    say "the build '$preset' failed: $log" >&2
    return 1
}

# The release program alone: what `demo` and `bench` need. Quick when nothing changed.
build_program()
{
    install_for build
    if [ ! -x build/release/supple ]; then say "building Supple (build/release)"; fi
    build release supple_cli
}

# The sources of libraries that are compiled for other systems.
fetch_sources()
{
    local name
    mkdir -p build/logs
    for name in jansson meshoptimizer draco; do
        [ -e "build/sources/$name/.done" ] || say "fetching the sources of $name"
        tools/fetch_source.sh "$name" "build/sources/$name" >"build/logs/source-$name.log" 2>&1 ||
            { tail -n 20 "build/logs/source-$name.log" >&2; return 1; }
    done
}

# The JavaScript package, as it is published.
build_js()
{
    fetch_sources || return 1
    build js || return 1
    rm -rf js/dist
    mkdir -p js/dist
    cp js/lib/* build/js/supple.wasm build/js/supple_plain.wasm build/js/supple_draco.wasm js/dist
}

# The core for Windows, static and as DLLs; with the static one supple_io and the program, on its libraries' sources.
# build_windows [OFF]: what is static alone.
build_windows()
{
    local shared folder program kinds=${1:-ON OFF}
    fetch_sources || return 1
    for shared in $kinds; do
        folder=build/windows program=OFF
        if [ $shared = OFF ]; then folder=build/windows-static program=ON; fi
        { cmake -S . -B $folder -G Ninja --toolchain "$PWD/cmake/x86_64-w64-mingw32.cmake" -DCMAKE_BUILD_TYPE=Release \
            "-DCMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG" -DBUILD_SHARED_LIBS=$shared -DSUPPLE_TESTS=OFF -DSUPPLE_TOOLS=OFF \
            -DSUPPLE_IO=OFF -DSUPPLE_PICTURE=OFF -DSUPPLE_WINDOWS_PROGRAM=$program &&
            cmake --build $folder -j "$jobs"; } >"build/logs/${folder#build/}.log" 2>&1 ||
            { tail -n 20 "build/logs/${folder#build/}.log" >&2; return 1; }
    done
}

# Everything that people download.
package()
{
    install_for package
    mkdir -p build/logs
    build release || fail "the release build failed"
    build_windows || fail "the program for Windows could not be built"
    build_js || fail "the JavaScript package could not be built"
    build_studio || fail "the studio could not be built"
    tools/package/make_packages.sh build/release dist >build/logs/package.log 2>&1 ||
        { tail -n 20 build/logs/package.log >&2; fail "the packages could not be made (build/logs/package.log)"; }
}
