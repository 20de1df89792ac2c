# The program for Windows, and supple_io: -DSUPPLE_WINDOWS_PROGRAM=ON with the toolchain x86_64-w64-mingw32.cmake.
#
# jansson, meshoptimizer and libdraco are compiled from Debian's source packages, which './run package' puts into
# build/sources. What POSIX has and Windows lacks is in tools/windows, put in front of every file that may ask for it.
enable_language(CXX)
set(SUPPLE_SOURCES ${SUPPLE_ROOT}/build/sources CACHE PATH "Sources of jansson, meshoptimizer and draco")
foreach(name IN ITEMS jansson meshoptimizer draco)
    if(NOT EXISTS ${SUPPLE_SOURCES}/${name}/src)
        message(FATAL_ERROR "no sources of ${name} in ${SUPPLE_SOURCES}: './run package' fetches them")
    endif()
endforeach()
set(generated ${PROJECT_BINARY_DIR}/generated)
set(posix_options -include ${SUPPLE_ROOT}/tools/windows/posix_lacks.h)

set(json_inline inline)
set(json_have_long_long 1)
set(json_have_localeconv 1)
set(json_have_atomic_builtins 1)
set(json_have_sync_builtins 1)
configure_file(${SUPPLE_SOURCES}/jansson/src/jansson_config.h.in ${generated}/jansson_config.h @ONLY)
file(WRITE ${generated}/jansson_private_config.h "")
file(GLOB jansson_sources ${SUPPLE_SOURCES}/jansson/src/*.c)
add_library(jansson STATIC ${jansson_sources})
target_include_directories(jansson PUBLIC ${generated} ${SUPPLE_SOURCES}/jansson/src)
# mingw's own formats: the C library of Windows writes and reads numbers otherwise
target_compile_definitions(jansson PRIVATE HAVE_CONFIG_H HAVE_STDINT_H=1 __USE_MINGW_ANSI_STDIO=1)
target_compile_options(jansson PRIVATE -w)

file(GLOB meshoptimizer_sources ${SUPPLE_SOURCES}/meshoptimizer/src/*.cpp)
add_library(meshoptimizer STATIC ${meshoptimizer_sources})
target_include_directories(meshoptimizer PUBLIC ${SUPPLE_SOURCES}/meshoptimizer/src)
target_compile_options(meshoptimizer PRIVATE -w)

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
add_library(draco STATIC ${draco_sources})
target_include_directories(draco PUBLIC ${generated} ${SUPPLE_SOURCES}/draco/src)
target_compile_options(draco PRIVATE -w)
set_target_properties(draco PROPERTIES CXX_STANDARD 17)

file(GLOB io_sources CONFIGURE_DEPENDS ${SUPPLE_ROOT}/src/io/*.c)
add_library(supple_windows_io STATIC ${io_sources} ${SUPPLE_ROOT}/src/io/draco_decode.cpp
    ${SUPPLE_ROOT}/tools/windows/posix_lacks.c)
set_target_properties(supple_windows_io PROPERTIES OUTPUT_NAME supple_io CXX_STANDARD 17)
target_compile_definitions(supple_windows_io PRIVATE SUP_HAS_DRACO=1)
target_link_libraries(supple_windows_io PUBLIC supple PRIVATE jansson meshoptimizer draco)

# The commands that need no pictures and no processes of their own.
file(GLOB program_sources CONFIGURE_DEPENDS ${SUPPLE_ROOT}/tools/cli/*.c)
list(FILTER program_sources EXCLUDE REGEX "/(bench_|render_|bake_(batch|farm|manifest|many|store)|cmd_(bench|demo|render|studio)|film|studio_server)")
add_executable(supple_windows ${program_sources} ${SUPPLE_ROOT}/tools/windows/windows_main.c)
set_source_files_properties(${SUPPLE_ROOT}/tools/cli/main.c PROPERTIES COMPILE_DEFINITIONS main=supMain)
set_target_properties(supple_windows PROPERTIES OUTPUT_NAME supple RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(supple_windows PRIVATE supple_windows_io supple_creatures supple jansson -lpthread)
target_link_options(supple_windows PRIVATE -static)

foreach(target IN ITEMS supple_windows_io supple_windows)
    supple_setup_target(${target})
    target_include_directories(${target} PRIVATE ${SUPPLE_ROOT}/src ${SUPPLE_ROOT}/include)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:${posix_options}>)
endforeach()
