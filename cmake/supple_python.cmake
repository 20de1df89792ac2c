# libsupple.so for Python and Blender: the core, files, creatures and pictures in one shared library, made of the very
# objects that the static libraries hold. It looks for the libraries that it needs beside itself first
# (python/assemble.py puts copies there), so that it can be taken to another machine.
file(WRITE ${PROJECT_BINARY_DIR}/python_nothing.c "extern int supNothing; // a library has one source at least\n")
add_library(supple_python MODULE ${PROJECT_BINARY_DIR}/python_nothing.c)
set_target_properties(supple_python PROPERTIES OUTPUT_NAME supple LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "\$ORIGIN" LINKER_LANGUAGE CXX)
supple_setup_target(supple_python)
set(whole "")
foreach(library IN LISTS SUPPLE_LIBRARIES)
    list(APPEND whole $<TARGET_FILE:${library}>)
endforeach()
add_dependencies(supple_python ${SUPPLE_LIBRARIES})
find_package(Threads REQUIRED)
find_package(meshoptimizer CONFIG REQUIRED)
target_link_libraries(supple_python PRIVATE -Wl,--whole-archive ${whole} -Wl,--no-whole-archive PkgConfig::JANSSON
    PkgConfig::DRACO PkgConfig::SUPPLE_IMAGES meshoptimizer::meshoptimizer Threads::Threads ${CMAKE_DL_LIBS} m)
target_link_options(supple_python PRIVATE -Wl,--no-undefined -Wl,--disable-new-dtags -static-libstdc++ -static-libgcc -s)

# The package itself, in python/supple of the build.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    add_custom_target(supple_python_package ALL DEPENDS supple_python
        COMMAND ${Python3_EXECUTABLE} ${SUPPLE_ROOT}/python/assemble.py $<TARGET_FILE:supple_python> ${PROJECT_BINARY_DIR}/python)
endif()
