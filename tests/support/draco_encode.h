#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

    /// What a test compresses. Arrays may be NULL, but for positions and indices.
    typedef struct supDracoInput
    {
        int32_t vertexCount;
        const float* positions; ///< 3 a vertex
        const float* normals;   ///< 3
        const float* texcoords; ///< 2
        const uint16_t* joints; ///< 4
        const float* weights;   ///< 4
        int32_t indexCount;
        const uint32_t* indices;
        bool isSequential; ///< corners and vertices keep their order; otherwise by edgebreaker
        int32_t bits;      ///< of a rounded number; 0: nothing is rounded
    } supDracoInput;

/// Unique ids of the attributes, in no order that anybody would guess.
#define SUP_DRACO_POSITION 7
#define SUP_DRACO_NORMAL 3
#define SUP_DRACO_TEXCOORD 40
#define SUP_DRACO_JOINTS 0
#define SUP_DRACO_WEIGHTS 12

    /// A stream from malloc; NULL: it cannot be done. *pointCount: vertices of what will be decoded.
    uint8_t* supEncodeDraco( const supDracoInput* input, size_t* size, int32_t* pointCount );

#ifdef __cplusplus
}
#endif
