# The flags that every target of the project shares, and the rule by which a library is made of its folders.

set(SUPPLE_ROOT ${CMAKE_CURRENT_LIST_DIR}/..)
get_filename_component(SUPPLE_ROOT ${SUPPLE_ROOT} ABSOLUTE)

# Contraction stays off in every target: a fused multiply-add on one machine and not on the other would change the
# bits of the state (docs: the same bits everywhere).
add_library(supple_flags INTERFACE)
if(MSVC)
    target_compile_options(supple_flags INTERFACE /fp:precise /W3 /utf-8 $<$<BOOL:${SUP_WERROR}>:/WX>)
    target_compile_definitions(supple_flags INTERFACE _CRT_SECURE_NO_WARNINGS=1)
else()
    target_compile_options(supple_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wshadow -Wpointer-arith -Wundef
        $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> -Wvla
        $<$<BOOL:${SUP_WERROR}>:-Werror>)
endif()
if(SUP_SCALAR)
    target_compile_definitions(supple_flags INTERFACE SUP_SCALAR=1)
endif()
if(SUP_SANITIZE)
    target_compile_options(supple_flags INTERFACE -fsanitize=${SUP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(supple_flags INTERFACE -fsanitize=${SUP_SANITIZE})
endif()
if(SUP_FUZZ)
    target_compile_options(supple_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

function(supple_setup_target target)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:supple_flags>)
    set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
        C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    if(APPLE)
        target_compile_definitions(${target} PRIVATE _DARWIN_C_SOURCE=1) # else POSIX hides the number of processors
    endif()
endfunction()

# Kernels for one instruction set stand in files that end with its name; they are entered only after a look at the
# processor, so the rest of the library keeps the base instruction set.
function(supple_set_simd_flags)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64|i[3-6]86")
        return()
    endif()
    if(MSVC)
        set(avx2 /arch:AVX2)
        set(avx512 /arch:AVX512)
    else()
        set(avx2 -mavx2 -mfma)
        set(avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma)
    endif()
    if(MINGW) # Windows aligns the stack to 16 bytes, gcc's moves of wide registers to it may want 32 (gcc's bug 54412)
        list(APPEND avx2 -Wa,-muse-unaligned-vector-move)
        list(APPEND avx512 -Wa,-muse-unaligned-vector-move)
    endif()
    foreach(source IN LISTS ARGN)
        if(source MATCHES "_avx2\\.c$")
            set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${avx2}")
        elseif(source MATCHES "_avx512\\.c$")
            set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${avx512}")
        endif()
    endforeach()
endfunction()

# supple_add_library( name FOLDERS a b c/* ): a library of all C files in these folders of src/. A folder that has
# none yet is passed over; with no file at all there is no target.
function(supple_add_library name)
    cmake_parse_arguments(ARG "" "" "FOLDERS" ${ARGN})
    set(patterns "")
    foreach(folder IN LISTS ARG_FOLDERS)
        list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.c)
    endforeach()
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
    if(NOT sources)
        return()
    endif()
    list(SORT sources)
    add_library(${name} ${sources})
    supple_set_simd_flags(${sources})
    supple_setup_target(${name})
    target_include_directories(${name}
        PUBLIC $<BUILD_INTERFACE:${SUPPLE_ROOT}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${SUPPLE_ROOT}/src)
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    if(BUILD_SHARED_LIBS)
        target_compile_definitions(${name} PRIVATE SUP_BUILDING=1 PUBLIC SUP_SHARED=1)
    endif()
    string(REGEX REPLACE "^supple_" "" short ${name})
    set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
    add_library(supple::${short} ALIAS ${name})
endfunction()
