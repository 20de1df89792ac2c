// Supple io: meshes compressed with Draco, behind a C interface. Internal to src/io.
// SPDX-License-Identifier: MIT
//
// libdraco is C++, and trusts what a stream says of its own size. So the caller says first what may come out, and a
// stream that is of anything else is refused before memory is made for it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

    /// A decoded mesh.
    typedef struct supDracoMesh supDracoMesh;

    typedef struct supDracoDef
    {
        const uint8_t* data;
        size_t size;
        uint32_t pointCount, faceCount; ///< what must come out
        uint32_t mostPointBytes;        ///< of all attributes of a point together, at most
        uint32_t mostAttributes;        ///< at most
    } supDracoDef;

    /// NULL: `why` says in words what is wrong.
    supDracoMesh* supDecodeDraco( const supDracoDef* def, char* why, size_t whySize );
    void supDestroyDracoMesh( supDracoMesh* mesh );

    /// Three corners of each face, each less than the number of points.
    void supDracoMesh_Corners( const supDracoMesh* mesh, uint32_t* corners );

    /// The numbers that an attribute has for each point, tight, as glTF's component types have them: 5120 to 5126.
    /// False: `why` says in words what is wrong.
    bool supDracoMesh_Attribute( const supDracoMesh* mesh, uint32_t uniqueId, int32_t componentType, int32_t rows,
        void* out, char* why, size_t whySize );

#ifdef __cplusplus
}
#endif
