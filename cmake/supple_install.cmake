# What `cmake --install` puts down: libraries, headers, the program, a pkg-config file for each library and a CMake
# package with one set of targets for each, so that whoever wants the core alone needs none of the others' dependencies.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/supple)
file(RELATIVE_PATH SUPPLE_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /) # relocatable
# Headers that belong to another library than the core, by library
set(headers_io io.h lab/files.h)
set(headers_picture picture.h pixels.h lab/plot.h)
set(headers_creatures creatures.h)

# With static libraries the user's linker needs our dependencies too, so they are not private then.
# supple_install_pc( name description requires other_requires other_libs )
function(supple_install_pc name description requires other_requires other_libs)
    set(SUPPLE_PC_NAME ${name})
    set(SUPPLE_PC_DESCRIPTION ${description})
    set(lines "")
    if(BUILD_SHARED_LIBS)
        string(APPEND lines "Requires: ${requires}\nRequires.private: ${other_requires}\n"
            "Libs: -L\${libdir} -l${name}\nLibs.private: ${other_libs}\n")
    else()
        string(APPEND lines "Requires: ${requires} ${other_requires}\nLibs: -L\${libdir} -l${name} ${other_libs}\n")
    endif()
    set(SUPPLE_PC_LINES ${lines})
    configure_file(${SUPPLE_ROOT}/cmake/supple.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

supple_install_pc(supple "${PROJECT_DESCRIPTION}" "" "" "-lm -pthread")
if(TARGET supple_io AND SUPPLE_DRACO)
    supple_install_pc(supple_io "Files for Supple: glTF, rigs" supple "jansson draco" "-lmeshoptimizer -l${SUPPLE_CXX_LIBRARY}")
elseif(TARGET supple_io)
    supple_install_pc(supple_io "Files for Supple: glTF, rigs" supple jansson -lmeshoptimizer)
endif()
if(TARGET supple_picture)
    supple_install_pc(supple_picture "Pictures for Supple" "supple_io supple" "libpng libwebp libwebpmux libjpeg" "-lm -ldl")
endif()
if(TARGET supple_creatures)
    supple_install_pc(supple_creatures "Supple's built-in characters" supple "" -lm)
endif()

foreach(library IN LISTS SUPPLE_LIBRARIES)
    install(TARGETS ${library} EXPORT ${library}-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(EXPORT ${library}-targets NAMESPACE supple:: DESTINATION ${package_dir})
endforeach()

set(header_root ${SUPPLE_ROOT}/include/supple)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${header_root} ${header_root}/*.h)
foreach(part io picture creatures)
    if(NOT TARGET supple_${part})
        list(REMOVE_ITEM headers ${headers_${part}})
    endif()
endforeach()
foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header_root}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/supple/${folder})
endforeach()

if(TARGET supple_cli)
    install(TARGETS supple_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${SUPPLE_ROOT}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${SUPPLE_ROOT}/cmake/supple-config.cmake.in ${PROJECT_BINARY_DIR}/supple-config.cmake
    INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/supple-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/supple-config.cmake ${PROJECT_BINARY_DIR}/supple-config-version.cmake
    DESTINATION ${package_dir})
