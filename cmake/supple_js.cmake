# The modules of the JavaScript package (js/): the core, files and bakes in one, without a file system of their own.
#   supple.wasm         with SIMD: library, files and the commands inspect, rig and bake
#   supple_plain.wasm   without, for hosts that have none; the same bits
#   supple_draco.wasm   meshes compressed with Draco: loaded when a file has some
#
# jansson, meshoptimizer and libdraco are compiled from Debian's source packages, which './run js' puts into
# build/sources. What runs in every frame is compiled for speed, all else for size.
enable_language(CXX)
set(SUPPLE_SOURCES ${SUPPLE_ROOT}/build/sources CACHE PATH "Sources of jansson, meshoptimizer and draco")
foreach(name IN ITEMS jansson meshoptimizer draco)
    if(NOT EXISTS ${SUPPLE_SOURCES}/${name}/src)
        message(FATAL_ERROR "no sources of ${name} in ${SUPPLE_SOURCES}: './run js' fetches them")
    endif()
endforeach()
set(generated ${PROJECT_BINARY_DIR}/generated)
set(third_party_flags -w -ffunction-sections -fdata-sections -fvisibility=hidden)

set(json_inline inline)
set(json_have_long_long 1)
set(json_have_localeconv 0)
set(json_have_atomic_builtins 0)
set(json_have_sync_builtins 0)
configure_file(${SUPPLE_SOURCES}/jansson/src/jansson_config.h.in ${generated}/jansson_config.h @ONLY)
file(WRITE ${generated}/jansson_private_config.h "")
file(GLOB jansson_sources ${SUPPLE_SOURCES}/jansson/src/*.c)
add_library(jansson STATIC ${jansson_sources})
target_include_directories(jansson PUBLIC ${generated} ${SUPPLE_SOURCES}/jansson/src)
target_compile_definitions(jansson PRIVATE HAVE_CONFIG_H HAVE_STDINT_H=1)
target_compile_options(jansson PRIVATE ${third_party_flags})

set(meshoptimizer_sources "")
foreach(name IN ITEMS allocator indexcodec vertexcodec vertexfilter)
    list(APPEND meshoptimizer_sources ${SUPPLE_SOURCES}/meshoptimizer/src/${name}.cpp)
endforeach()
foreach(kind IN ITEMS "" _plain)
    add_library(meshoptimizer${kind} STATIC ${meshoptimizer_sources})
    target_include_directories(meshoptimizer${kind} PUBLIC ${SUPPLE_SOURCES}/meshoptimizer/src)
    target_compile_options(meshoptimizer${kind} PRIVATE ${third_party_flags} -fno-exceptions -fno-rtti)
endforeach()

# What runs in every frame, and what a bake spends its time in.
set(hot_files "/src/base/(arc_functions|exponential|rotations|trigonometry)\\.c$\
|/src/solve/(beam|block_sweeps|cholesky|elastic_explicit|elastic_modes|factor_solve|front|line_|spring|swing|trig|wire)[a-z_0-9]*\\.c$\
|/src/body/(body|body_skin|body_layers|dual_palette|skin_[a-z_0-9]*)\\.c$\
|/src/character/(palette|pose|skin_blend|skin_job|track_sample)\\.c$\
|/src/layers/[a-z]+/[a-z_]*(step|apply|live|show|solve|spring|kernel)[a-z_]*\\.c$\
|/src/bake/(take|take_spring|refit_vertex|refit_frames)\\.c$|/js/src/js_scene\\.c$")

# What an edit of muscles and fat compiles with: in an editor somebody waits for it.
set(edit_files "/src/layers/(muscles/implicit_surface|muscles/ecorche_skin|fat/fat_distance|triangle_tree)\\.c$\
|/src/solve/block_factor\\.c$")

# The program's own commands, run in memory: bakes are its bytes because they are its work.
set(program_sources "")
foreach(name IN ITEMS cmd_bake bake_job bake_form bake_layers bake_report bake_cache bake_ranges cmd_rig rig_keep
        rig_report cmd_inspect inspect_print inspect_report input motions nearest_word options output overlap_words
        propose_options regular_file usage body_words columns wasi/wasi_program wasi/wasi_progress wasi/wasi_draw)
    list(APPEND program_sources ${SUPPLE_ROOT}/tools/cli/${name}.c)
endforeach()

function(supple_setup_js_target target)
    supple_setup_target(${target})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF) # it would cost code, for nothing
    target_include_directories(${target} BEFORE PRIVATE ${SUPPLE_ROOT}/js/wasi)
    target_include_directories(${target} PRIVATE ${SUPPLE_ROOT}/include ${SUPPLE_ROOT}/src)
    target_compile_definitions(${target} PRIVATE _WASI_EMULATED_GETPID SUP_HAS_DRACO=1
        SUP_HAS_SUPPLE=1 SUP_HAS_SUPPLE_IO=1)
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections
        -include ${SUPPLE_ROOT}/js/wasi/wasi_lacks.h)
endfunction()

# Linked with -O0: else clang runs wasm-opt itself, without saying that there is SIMD. The stack stands before all
# data, so that running out of it traps, and is deep enough for the deepest JSON that is read.
set(module_link_options -O0 -mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections -Wl,--stack-first
    -Wl,-z,stack-size=4194304 -Wl,--export=malloc -Wl,--export=free)

# What clang 14 leaves on the table: 5% of the packed module. It changes no result: arithmetic stays in its order. Low
# memory is the far end of the stack, so small numbers that are added to addresses may become part of loads and stores.
find_program(SUPPLE_WASM_OPT wasm-opt REQUIRED)
function(supple_shrink_module target)
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND ${SUPPLE_WASM_OPT} -Os --low-memory-unused --enable-simd
        --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals --strip-target-features
        $<TARGET_FILE:${target}> -o $<TARGET_FILE:${target}>)
endfunction()

get_target_property(core_sources supple SOURCES)
set_target_properties(supple PROPERTIES EXCLUDE_FROM_ALL ON)
file(GLOB module_sources CONFIGURE_DEPENDS ${SUPPLE_ROOT}/src/io/*.c ${SUPPLE_ROOT}/js/src/*.c
    ${SUPPLE_ROOT}/js/wasi/*.c)
list(REMOVE_ITEM module_sources ${SUPPLE_ROOT}/src/io/rig_reference.c) # a page of text; wasi_program.c stands in
foreach(source IN LISTS core_sources module_sources)
    if(source MATCHES "_kernel_[a-z]+\\.c$")
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-O3")
    elseif(source MATCHES ${hot_files} OR source MATCHES ${edit_files})
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-O2")
    endif()
endforeach()
foreach(kind IN ITEMS "" _plain)
    set(target supple_js${kind})
    add_executable(${target} ${core_sources} ${module_sources} ${program_sources})
    supple_setup_js_target(${target})
    target_link_libraries(${target} PRIVATE jansson meshoptimizer${kind})
    target_link_options(${target} PRIVATE ${module_link_options} -Wl,--max-memory=2147483648
        -Wl,--allow-undefined-file=${SUPPLE_ROOT}/js/src/imports.txt)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME supple${kind} SUFFIX .wasm LINKER_LANGUAGE C
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${SUPPLE_ROOT}/js/src/imports.txt)
    supple_shrink_module(${target})
endforeach()
# clang's own vectors stay off: supple_wasm.cmake says why.
target_compile_options(supple_js PRIVATE -msimd128 -fno-vectorize -fno-slp-vectorize)
target_compile_options(meshoptimizer PRIVATE -msimd128 -O2)
target_compile_definitions(supple_js_plain PRIVATE SUP_SCALAR=1)

# Draco: what decodes meshes, and nothing else of it.
file(WRITE ${generated}/draco/draco_features.h "#pragma once
#define DRACO_POINT_CLOUD_COMPRESSION_SUPPORTED
#define DRACO_MESH_COMPRESSION_SUPPORTED
#define DRACO_NORMAL_ENCODING_SUPPORTED
#define DRACO_STANDARD_EDGEBREAKER_SUPPORTED
#define DRACO_PREDICTIVE_EDGEBREAKER_SUPPORTED
#define DRACO_ATTRIBUTE_INDICES_DEDUPLICATION_SUPPORTED
#define DRACO_ATTRIBUTE_VALUES_DEDUPLICATION_SUPPORTED
")
set(draco_sources "")
foreach(folder IN ITEMS attributes compression compression/attributes compression/bit_coders compression/config
        compression/entropy compression/mesh compression/mesh/traverser compression/point_cloud
        compression/point_cloud/algorithms core mesh metadata point_cloud)
    file(GLOB sources ${SUPPLE_SOURCES}/draco/src/draco/${folder}/*.cc)
    list(APPEND draco_sources ${sources})
endforeach()
list(FILTER draco_sources EXCLUDE REGEX "test|encode|/mesh/(corner_table_t|mesh_cleanup|mesh_stripifier|mesh_splitter)")
add_executable(supple_draco ${SUPPLE_ROOT}/src/io/draco_decode.cpp ${draco_sources})
target_include_directories(supple_draco PRIVATE ${SUPPLE_ROOT}/src ${generated} ${SUPPLE_SOURCES}/draco/src)
target_compile_options(supple_draco PRIVATE ${third_party_flags} -fno-exceptions -fno-rtti)
target_link_options(supple_draco PRIVATE ${module_link_options} -Wl,--max-memory=1073741824
    -Wl,--export=supDecodeDraco -Wl,--export=supDestroyDracoMesh -Wl,--export=supDracoMesh_Corners
    -Wl,--export=supDracoMesh_Attribute)
set_target_properties(supple_draco PROPERTIES SUFFIX .wasm CXX_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR})
supple_shrink_module(supple_draco)
