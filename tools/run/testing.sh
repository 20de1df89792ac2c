# shellcheck shell=bash
# For ./run, which reads this: the tests of each build, counted together.

passed=0
failed=0
skipped=0
failures=""

# count NAME PASSED FAILED SKIPPED SECONDS [WHICH...]
count()
{
    local name=$1 p=$2 f=$3 s=$4 seconds=$5
    shift 5
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    printf '%-10s %5d passed %3d failed %3d skipped %5d s\n' "$name" "$p" "$f" "$s" "$seconds"
    local which
    for which in "$@"; do failures="$failures  $name: $which"$'\n'; done
}

# test_preset PRESET [CTEST-ARGS...]: builds it (the targets in $targets, or all), runs its tests, counts them.
test_preset()
{
    local preset=$1 start=$SECONDS log=build/logs/test-$1.log report=$PWD/build/logs/test-$1.xml result
    shift
    # shellcheck disable=SC2086 # the targets are words
    if ! build "$preset" ${targets:-}; then
        count "$preset" 0 1 0 $((SECONDS - start)) "the build"
        return
    fi
    rm -f "$report"
    ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error --test-output-size-passed 1000000 \
        --test-output-size-failed 1000000 --output-junit "$report" "$@" >"$log" 2>&1 || true
    if [ ! -s "$report" ]; then
        tail -n 20 "$log" >&2
        count "$preset" 0 1 0 $((SECONDS - start)) "ctest (no test was run)"
        return
    fi
    mapfile -t result < <(python3 tests/count_results.py "$report")
    # shellcheck disable=SC2086 # three numbers
    count "$preset" ${result[0]} $((SECONDS - start)) "${result[@]:1}"
    if [ -n "${result[1]:-}" ]; then
        grep -v -E '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test +#[0-9]+:.* Passed)' "$log" | head -n 150 >&2
    fi
}

# programs_of PATTERN: the tests' programs, tests/test_NAME.c and tests/fuzz/fuzz_NAME.c, whose name the pattern finds.
programs_of()
{
    local file name
    for file in tests/test_*.c tests/fuzz/fuzz_*.c; do
        name=$(basename "$file" .c)
        if [[ $name =~ $1 ]]; then echo "$name"; fi
    done
}

# test_named PRESET PATTERN: only the tests whose name the pattern finds, and only what they need is built.
test_named()
{
    local preset=$1 names
    names=$(programs_of "$2")
    # shellcheck disable=SC2086 # the names are words
    targets="$names state_hashes" test_preset "$preset" -R "^($(printf '%s|' $names)-)\$"
}

# All of release but the longest sweeps, over every file or every call of the system that may fail: a newcomer does not
# wait for these, and './run test all' has them.
release_quickly()
{
    local long="check_faults|cli_bake_cache|example_edit_costs|test_(bake_gltf_forms|bake_morphs_gltf|strangers_(motion|turned))"
    test_preset release -E "^($long)\$"
}

# What the sanitizers find in minutes: readers of files, seeds and findings of the fuzzers, rigs, and small characters
# compiled, stepped, skinned, baked and written. The longer ones, which release has run, are left to './run test all'.
sanitize_quickly()
{
    local long="^test_(anatomy_look|auto|auto_joints|auto_motion|bake_(gltf|gltf_forms|morphs_gltf|normals)|clothes|contact"
    long="$long|correctives_poses|creatures|curve_(forces|hold|motion|vibration)|ecorche_layer|editor|editor_fields|elastic"
    long="$long|fat.*|gltf_save|layers_off|live_run|loops|modes|morph_bake|overlaps|patches|picture_assets|reach|skin_blocks"
    long="$long|state_hash|turning|version|volume|watch|wrinkles)\$"
    local names
    names=$(programs_of . | grep -v -E "$long")
    # shellcheck disable=SC2086 # the names are words
    targets="$names state_hashes supple_cli" \
        test_preset sanitize -R "^($(printf '%s|' $names)cli_(bake|basics|inspect|options|output|rig))\$"
}

# The state has the same bits in every build: what state_hashes prints in each is compared with the release build's. NEON
# runs in an emulator, Windows in wine, whose lines end in CR LF.
test_hashes()
{
    local start=$SECONDS preset emulator good=0 bad=""
    build/release/tests/state_hashes >build/logs/hashes-release.txt || { bad=release; }
    for preset in "$@"; do
        emulator=""
        case $preset in neon) emulator=qemu-aarch64 ;; mingw) emulator=/usr/lib/wine/wine64 ;; esac
        if build "$preset" state_hashes &&
            $emulator "$(ls "build/$preset"/tests/state_hashes{,.exe} 2>/dev/null)" 2>&1 |
            tr -d '\r' >"build/logs/hashes-$preset.txt" &&
            diff build/logs/hashes-release.txt "build/logs/hashes-$preset.txt" >&2; then
            good=$((good + 1))
        else
            bad="$bad $preset"
        fi
    done
    # shellcheck disable=SC2086 # the names are words
    set -- $bad
    count hashes "$good" $# 0 $((SECONDS - start)) "$@"
}

# The core for Windows, its tests under wine: those that need no files and take seconds. And what the compilers of Windows
# and of Apple would say of the core.
test_windows()
{
    local start=$SECONDS log=build/logs/check-platforms.log long="fat|fat_reference|fat_layer|editor_fields|creatures"
    if tools/fetch_source.sh cmocka build/sources/cmocka >build/logs/cmocka.log 2>&1; then
        # wine makes its folder when it first runs: two tests that start at once would both try, and one would fail
        mkdir -p "$WINEPREFIX"
        timeout 120 /usr/lib/wine/wine64 cmd /c exit >build/logs/wine.log 2>&1 || true
        settings="${settings:-} -DSUPPLE_CMOCKA_SOURCE=$PWD/build/sources/cmocka" test_preset mingw -E "^test_($long)\$"
    else
        tail -n 20 build/logs/cmocka.log >&2
        count mingw 0 1 0 $((SECONDS - start)) "cmocka's sources (build/logs/cmocka.log)"
    fi
    start=$SECONDS
    if build_windows_python &&
        python3 tests/python/check_windows.py build/mingw/python build/release >build/logs/windows-python.log 2>&1; then
        count dll 1 0 0 $((SECONDS - start))
    else
        count dll 0 1 0 $((SECONDS - start)) "supple.dll (build/logs/windows-python.log)"
    fi
    start=$SECONDS
    if build_windows OFF &&
        timeout 120 /usr/lib/wine/wine64 build/windows-static/supple.exe version >build/logs/windows-program.log 2>&1; then
        count supple.exe 1 0 0 $((SECONDS - start))
    else
        count supple.exe 0 1 0 $((SECONDS - start)) "the program for Windows (build/logs/windows-static.log)"
    fi
    start=$SECONDS
    if python3 tests/check_platforms.py clang >"$log" 2>&1; then
        count platforms 1 0 0 $((SECONDS - start))
    else
        tail -n 60 "$log" >&2
        count platforms 0 1 0 $((SECONDS - start)) "see $log"
    fi
}

# The core as two files, with three compilers; what state_hashes prints in release has been written by test_hashes.
test_amalgamation()
{
    local start=$SECONDS folder=build/amalgamation good=0 bad="" name hashes=build/logs/hashes-release.txt
    python3 tools/make_amalgamation.py "$folder" >build/logs/amalgamation.log 2>&1 || bad=script
    for name in gcc clang x86_64-w64-mingw32-gcc; do
        case $name in
            x86*) set -- build/mingw /usr/lib/wine/wine64 ;;
            *) set -- build/release ;;
        esac
        python3 tests/check_amalgamation.py "$folder" "$hashes" "$name" "$@" >"build/logs/amalgamation-$name.log" 2>&1 &
    done
    for name in gcc clang x86_64-w64-mingw32-gcc; do
        if wait -n; then good=$((good + 1)); else bad="$bad $(grep -L 'the same hashes' build/logs/amalgamation-*.log | head -n 1)"; fi
    done
    # shellcheck disable=SC2086 # the names are words
    set -- $bad
    [ $# = 0 ] || cat build/logs/amalgamation-*.log >&2
    count two-files "$good" $# 0 $((SECONDS - start)) "$@"
}

# count_node NAME LOG SECONDS: what Node's runner wrote down.
count_node()
{
    local name=$1 log=$2 seconds=$3 p f s
    p=$(sed -n 's/^# pass //p' "$log") f=$(sed -n 's/^# fail //p' "$log") s=$(sed -n 's/^# skipped //p' "$log")
    if [ "$((${p:-0} + ${f:-0}))" = 0 ]; then f=1; fi
    if [ "${f:-0}" != 0 ]; then
        grep -A 40 '^not ok' "$log" >&2 || tail -n 60 "$log" >&2
        count "$name" "${p:-0}" "$f" "${s:-0}" "$seconds" "see $log"
    else
        count "$name" "$p" 0 "${s:-0}" "$seconds"
    fi
}

# The modules under Node; those without SIMD are left to './run test all'.
test_wasm()
{
    local start=$SECONDS log=build/logs/test-wasm.log
    # shellcheck disable=SC2086 # two words, or none
    if ! build wasm ${SUPPLE_QUICK:+supple_module supple_test_module}; then
        count wasm 0 1 0 $((SECONDS - start)) "the build"
        return
    fi
    SUPPLE_BIN=$PWD/build/release/supple SUPPLE_WASM=$PWD/build/wasm SUPPLE_BUILD=$PWD/build \
        node --test --test-reporter=tap tests/wasm/*.test.mjs >"$log" 2>&1 || true
    count_node wasm "$log" $((SECONDS - start))
}

# What runs in Node of the JavaScript package; the browser is left to the hosts.
test_js()
{
    local start=$SECONDS log=build/logs/test-js.log
    if ! build_js; then
        count js 0 1 0 $((SECONDS - start)) "the build"
        return
    fi
    SUPPLE_BIN=$PWD/build/release/supple SUPPLE_BUILD=$PWD/build/release \
        node --test --test-reporter=tap js/test/*.test.mjs >"$log" 2>&1 || true
    count_node js "$log" $((SECONDS - start))
}

# Ends with one plain line, for people and for machines.
finish()
{
    if [ -n "$failures" ]; then printf '\nfailed:\n%s' "$failures"; fi
    echo
    if [ "$skipped" != 0 ]; then
        echo "$passed passed, $failed failed, $skipped skipped"
    else
        echo "$passed passed, $failed failed"
    fi
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
}

# test_suite [all]: without a word what a person waits for, with it every build, and whole.
test_suite()
{
    local all=${1:-} hashes="sanitize scalar"
    install_for "${all:-test}"
    export settings="-DSUP_WERROR=ON"
    if [ -z "$all" ]; then export SUPPLE_QUICK=1; fi
    say "building and testing with $jobs jobs; logs in build/logs"
    if [ -z "$all" ]; then
        release_quickly
        sanitize_quickly
    else
        test_preset release
        # what measures time, and what other cases of the program try as well, would only take long here. The leak
        # checker itself can crash while the threads of Mesa end (in baked_again it did each time): a failed test is
        # tried once more, and a leak is there the second time too
        test_preset sanitize --repeat until-pass:2 -E '^(example_(edit_costs|layer_costs|mushroom_physics|paper_cat|paper_curves)|cli_(bench|curves|render_living|bake_cache|demo|baked_again)|check_.*)$'
        # what two compilers could do differently; the program, its files and its pictures are the other builds' to try
        test_preset clang -E '^(cli_|example_|check_|test_(clothes|creatures|bake_morphs_gltf|picture_assets)$)'
        # the same bits without SIMD and without optimisation; no races where threads are
        test_named scalar 'hash|wide|skin|version'
        test_named debug 'wide|skin|version'
        test_named tsan 'thread|task|pool|crowd|hash'
        test_windows
        hashes="$hashes clang debug clang-O0 native neon mingw"
    fi
    # shellcheck disable=SC2086 # the names are words
    test_hashes $hashes
    if [ -n "$all" ]; then test_amalgamation; fi
    test_wasm
    test_js
    finish
}

test_some()
{
    install_for test
    settings="-DSUP_WERROR=ON" test_preset release -R "$1"
    finish
}

# tools/farm on a cluster of one node.
test_farm()
{
    local start=$SECONDS log=build/logs/farm.log
    install_for farm
    settings="-DSUP_WERROR=ON" build release supple_cli || fail "the release build failed"
    if SUPPLE_BIN=$PWD/build/release/supple python3 tests/farm/check_farm.py >"$log" 2>&1; then
        count farm "$(grep -c '^ok' "$log")" 0 0 $((SECONDS - start))
    else
        tail -n 60 "$log" >&2
        count farm "$(grep -c '^ok' "$log")" 1 0 $((SECONDS - start)) "see $log"
    fi
    finish
}

# The tests in programs that are large to install: tests/hosts/NAME is a program; exit code 77 means skipped.
test_hosts()
{
    local file start
    install_for hosts
    settings="-DSUP_WERROR=ON" build release || fail "the release build failed"
    build_js || fail "the JavaScript package could not be built"
    build_studio || fail "the studio could not be built"
    for file in tests/hosts/*; do
        if [ ! -x "$file" ] || [ ! -f "$file" ]; then continue; fi
        start=$SECONDS
        if SUPPLE_BIN=$PWD/build/release/supple timeout --kill-after=30 1200 "$file" \
            >"build/logs/host-${file##*/}.log" 2>&1; then
            count "${file##*/}" 1 0 0 $((SECONDS - start))
        elif [ $? = 77 ]; then
            count "${file##*/}" 0 0 1 $((SECONDS - start))
        else
            tail -n 40 "build/logs/host-${file##*/}.log" >&2
            count "${file##*/}" 0 1 0 $((SECONDS - start)) "$file"
        fi
    done
    finish
}
