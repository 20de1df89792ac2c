# The core as reactor modules: no main, all public functions exported; call _initialize() first.
#   supple.wasm             with SIMD
#   supple_plain.wasm       without, for hosts that have none; must give the same bits
#   supple_test.wasm, supple_test_plain.wasm   the same with tests/wasm/*.c, the scenes of the hash tests and
#                           the built-in characters, for the tests in Node
#
# Linked with -O0: else clang runs the wasm-opt that it finds, without saying that there is SIMD.
function(supple_add_wasm name)
    set(target ${name}_module)
    add_executable(${target} ${ARGN})
    supple_setup_target(${target})
    target_include_directories(${target} PRIVATE ${SUPPLE_ROOT}/include ${SUPPLE_ROOT}/src
        ${SUPPLE_ROOT}/tests)
    target_link_options(${target} PRIVATE -O0 -mexec-model=reactor -Wl,--export-dynamic -Wl,--strip-all
        -Wl,--export=malloc -Wl,--export=free)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .wasm LINKER_LANGUAGE C
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

get_target_property(core_sources supple SOURCES)
add_library(supple_plain STATIC ${core_sources})
supple_setup_target(supple_plain)
target_include_directories(supple_plain PRIVATE ${SUPPLE_ROOT}/include ${SUPPLE_ROOT}/src)
target_compile_definitions(supple_plain PRIVATE SUP_SCALAR=1)

# The kernels are written wide by hand, and the compiler adds no vectors of its own: clang 14 makes a load and a splat
# into one v128.load64_splat that forgets what it must come before, and sets it behind a store to the same place. (A
# speed that was turned into the model's new axes, v = M v, took its own new v.z.)
set(simd_options -msimd128 -fno-vectorize -fno-slp-vectorize)
target_compile_options(supple PRIVATE ${simd_options})

supple_add_wasm(supple $<TARGET_OBJECTS:supple>)
supple_add_wasm(supple_plain $<TARGET_OBJECTS:supple_plain>)
if(SUPPLE_TESTS)
    file(GLOB test_sources CONFIGURE_DEPENDS ${SUPPLE_ROOT}/tests/wasm/*.c ${SUPPLE_ROOT}/src/creatures/*.c
        ${SUPPLE_ROOT}/tests/support/hash_scenes.c ${SUPPLE_ROOT}/tests/support/scene_*.c
        ${SUPPLE_ROOT}/tests/support/wide_ops_wide.c)
    if(test_sources)
        supple_add_wasm(supple_test ${test_sources} $<TARGET_OBJECTS:supple>)
        supple_add_wasm(supple_test_plain ${test_sources} $<TARGET_OBJECTS:supple_plain>)
        target_compile_options(supple_test_module PRIVATE ${simd_options})
        target_compile_definitions(supple_test_plain_module PRIVATE SUP_SCALAR=1)
    endif()
endif()
