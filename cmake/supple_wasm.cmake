# The core as a reactor module, supple.wasm: no main, all public functions exported; call _initialize() first.
# With the C files of tests/wasm and the built-in characters it is also supple_test.wasm, for the tests in Node.
#
# Linked without -O: with binaryen's wasm-opt on the PATH clang would run it, and it fails on SIMD.
function(supple_add_wasm name)
    set(target ${name}_module)
    add_executable(${target} ${ARGN})
    supple_setup_target(${target})
    target_include_directories(${target} PRIVATE ${SUPPLE_ROOT}/include ${SUPPLE_ROOT}/src)
    target_link_options(${target} PRIVATE -mexec-model=reactor -Wl,--export-dynamic -Wl,--strip-all
        -Wl,--export=malloc -Wl,--export=free)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .wasm LINKER_LANGUAGE C
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

target_compile_options(supple_flags INTERFACE $<$<NOT:$<BOOL:${SUP_SCALAR}>>:-msimd128>)
supple_add_wasm(supple $<TARGET_OBJECTS:supple>)

if(SUPPLE_TESTS)
    file(GLOB sources CONFIGURE_DEPENDS ${SUPPLE_ROOT}/tests/wasm/*.c ${SUPPLE_ROOT}/src/creatures/*.c)
    if(sources)
        supple_add_wasm(supple_test ${sources} $<TARGET_OBJECTS:supple>)
    endif()
endif()
