# supple.dll for Python and Blender on Windows: the core, files and creatures in one library that needs nothing but
# Windows; without pictures, and without files compressed with Draco. jansson and meshoptimizer are compiled from
# Debian's source packages, which './run blender windows' puts into build/sources; src/io as it is, with
# python/windows for what Windows lacks.
enable_language(CXX)
set(SUPPLE_SOURCES ${SUPPLE_ROOT}/build/sources CACHE PATH "Sources of jansson and meshoptimizer")
set(generated ${PROJECT_BINARY_DIR}/generated)
set(json_inline inline)
set(json_have_long_long 1)
set(json_have_localeconv 1)
set(json_have_atomic_builtins 1)
set(json_have_sync_builtins 1)
configure_file(${SUPPLE_SOURCES}/jansson/src/jansson_config.h.in ${generated}/jansson_config.h @ONLY)
file(WRITE ${generated}/jansson_private_config.h "")
file(GLOB jansson_sources ${SUPPLE_SOURCES}/jansson/src/*.c)
set(meshoptimizer_sources "")
foreach(name IN ITEMS allocator indexcodec vertexcodec vertexfilter)
    list(APPEND meshoptimizer_sources ${SUPPLE_SOURCES}/meshoptimizer/src/${name}.cpp)
endforeach()
add_library(supple_borrowed STATIC ${jansson_sources} ${meshoptimizer_sources})
target_include_directories(supple_borrowed PUBLIC ${generated} ${SUPPLE_SOURCES}/jansson/src ${SUPPLE_SOURCES}/meshoptimizer/src)
target_compile_definitions(supple_borrowed PRIVATE HAVE_CONFIG_H HAVE_STDINT_H=1)
target_compile_options(supple_borrowed PRIVATE -w $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)

find_package(Python3 COMPONENTS Interpreter REQUIRED)
file(GLOB io_sources CONFIGURE_DEPENDS ${SUPPLE_ROOT}/src/io/*.c)
set(exports ${PROJECT_BINARY_DIR}/supple_python.def)
file(GLOB headers CONFIGURE_DEPENDS ${SUPPLE_ROOT}/include/supple/*.h)
add_custom_command(OUTPUT ${exports} DEPENDS ${SUPPLE_ROOT}/python/make_binding.py ${headers}
    COMMAND ${Python3_EXECUTABLE} ${SUPPLE_ROOT}/python/make_binding.py --exports ${exports})
add_library(supple_python SHARED ${io_sources} ${SUPPLE_ROOT}/python/windows/windows_lacks.c ${exports})
supple_setup_target(supple_python)
target_include_directories(supple_python BEFORE PRIVATE ${SUPPLE_ROOT}/python/windows)
target_include_directories(supple_python PRIVATE ${SUPPLE_ROOT}/include ${SUPPLE_ROOT}/src)
target_compile_definitions(supple_python PRIVATE SUP_HAS_DRACO=0 __USE_MINGW_ANSI_STDIO=1)
target_compile_options(supple_python PRIVATE -Wno-format -include ${SUPPLE_ROOT}/python/windows/windows_lacks.h)
target_link_libraries(supple_python PRIVATE supple_borrowed -Wl,--whole-archive $<TARGET_FILE:supple>
    $<TARGET_FILE:supple_creatures> -Wl,--no-whole-archive)
add_dependencies(supple_python supple supple_creatures)
target_link_options(supple_python PRIVATE -static -s)
set_target_properties(supple_python PROPERTIES PREFIX "" OUTPUT_NAME supple LINKER_LANGUAGE C
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python)
