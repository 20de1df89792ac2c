// Supple io: meshes compressed with Draco. The one file that sees libdraco; no exception leaves it.
// SPDX-License-Identifier: MIT
//
// A stream states its counts before its data, and libdraco makes memory by them. Two decoders of its own are taken
// here, with a look before each step:
//
//     counts of faces, points and  before connectivity, and again after it, against what the glTF's accessors say
//     tables of seams
//     corners of faces             after connectivity: sequential streams may hold any number
//     bytes of a point             before attributes: a stream may hold more of them than the file asks for
//     texture coordinates          before attributes: their prediction keeps a bit for each of as many turns as it says,
//                                  up to 256 MB and some seconds an attribute, which nothing outside of libdraco sees
//
// glTF allows version 2.2 of the bitstream alone, so the ways that libdraco has for older ones are not entered.
#include "io/draco_decode.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <draco/compression/decode.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <exception>
#include <memory>
#include <new>

struct supDracoMesh
{
    draco::Mesh mesh;
};

namespace
{

enum
{
    sup_dracoMajor = 2,
    sup_dracoMinor = 2,
    sup_dracoHeader = 11,  // "DRACO", two bytes of version, type, method, two bytes of flags
    sup_dracoMostPairs = 4 // texture coordinates
};

/// Words for why something failed, the first of them.
struct supWhy
{
    char* text;
    size_t size;

    bool Say( const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) )
    {
        if ( text[0] == '\0' )
        {
            va_list arguments;
            va_start( arguments, format );
            vsnprintf( text, size, format, arguments );
            va_end( arguments );
        }
        return false;
    }
};

/// The two whole numbers that connectivity starts with, seven bits a byte, and the byte that follows.
bool supPeekCounts( const draco::DecoderBuffer& buffer, uint32_t counts[2], uint8_t* next )
{
    const uint8_t* bytes = reinterpret_cast<const uint8_t*>( buffer.data_head() );
    int64_t left = buffer.remaining_size();
    for ( int i = 0; i < 2; ++i )
    {
        uint64_t value = 0;
        for ( int shift = 0;; shift += 7 )
        {
            if ( left <= 0 || shift > 28 )
            {
                return false;
            }
            uint8_t byte = *bytes++;
            left -= 1;
            value |= static_cast<uint64_t>( byte & 0x7f ) << shift;
            if ( ( byte & 0x80 ) == 0 )
            {
                break;
            }
        }
        if ( value > UINT32_MAX )
        {
            return false;
        }
        counts[i] = static_cast<uint32_t>( value );
    }
    *next = left > 0 ? *bytes : 0;
    return left > 0;
}

/// A decoder of libdraco with a look before each step. `facesAt`: which of the two counts is that of faces.
template <class Decoder, int facesAt> class supWatchedDecoder : public Decoder
{
  public:
    supWatchedDecoder( const supDracoDef& def, supWhy& why ) : m_def( def ), m_why( why )
    {
    }

  protected:
    bool DecodeConnectivity() override
    {
        uint32_t counts[2];
        uint8_t next; // of edgebreaker streams: tables of seams, each as large as that of the triangles
        if ( supPeekCounts( *this->buffer(), counts, &next ) == false )
        {
            return m_why.Say( "its connectivity is cut off" );
        }
        // of edgebreaker streams the other count is of places, which are no more than corners
        const uint64_t most = facesAt == 0 ? m_def.pointCount : 3 * static_cast<uint64_t>( m_def.faceCount );
        if ( counts[facesAt] != m_def.faceCount || counts[1 - facesAt] > most )
        {
            return m_why.Say( "has %u triangles and %u vertices, its accessors say %u and %u", counts[facesAt],
                counts[1 - facesAt], m_def.faceCount, m_def.pointCount );
        }
        if ( facesAt == 1 && next > m_def.mostAttributes )
        {
            return m_why.Say(
                "has seams of %u attributes, its accessors ask for less than %u", next, m_def.mostAttributes );
        }
        return Decoder::DecodeConnectivity() && CheckConnectivity();
    }

    bool DecodeAllAttributes() override
    {
        uint64_t bytes = 0;
        uint32_t count = static_cast<uint32_t>( this->point_cloud()->num_attributes() ), pairs = 0;
        for ( int32_t i = 0; i < this->point_cloud()->num_attributes(); ++i )
        {
            const draco::PointAttribute* attribute = this->point_cloud()->attribute( i );
            bytes += static_cast<uint64_t>( attribute->byte_stride() );
            pairs += attribute->num_components() == 2 ? 1 : 0;
        }
        if ( count > m_def.mostAttributes || pairs > sup_dracoMostPairs )
        {
            return m_why.Say( "has %u attributes, %u of them texture coordinates; at most %u and %d are read", count,
                pairs, m_def.mostAttributes, sup_dracoMostPairs );
        }
        if ( bytes > m_def.mostPointBytes )
        {
            return m_why.Say( "has %llu bytes a vertex, its accessors ask for less than %u",
                static_cast<unsigned long long>( bytes ), m_def.mostPointBytes );
        }
        return Decoder::DecodeAllAttributes();
    }

  private:
    bool CheckConnectivity()
    {
        const draco::Mesh* mesh = this->mesh();
        uint32_t points = mesh->num_points(), faces = mesh->num_faces();
        if ( points != m_def.pointCount || faces != m_def.faceCount )
        {
            return m_why.Say( "has %u triangles and %u vertices, its accessors say %u and %u", faces, points,
                m_def.faceCount, m_def.pointCount );
        }
        for ( draco::FaceIndex f( 0 ); f < faces; ++f )
        {
            for ( const draco::PointIndex& corner : mesh->face( f ) )
            {
                if ( corner.value() >= points )
                {
                    return m_why.Say(
                        "names vertex %u in triangle %u of %u vertices", corner.value(), f.value(), points );
                }
            }
        }
        return true;
    }

    const supDracoDef& m_def;
    supWhy& m_why;
};

using supSequentialDecoder = supWatchedDecoder<draco::MeshSequentialDecoder, 0>;
using supEdgebreakerDecoder = supWatchedDecoder<draco::MeshEdgebreakerDecoder, 1>;

bool supDecode( const supDracoDef& def, draco::Mesh& mesh, supWhy& why )
{
    if ( def.size < sup_dracoHeader || memcmp( def.data, "DRACO", 5 ) != 0 )
    {
        return why.Say( "is no Draco stream" );
    }
    if ( def.data[5] != sup_dracoMajor || def.data[6] != sup_dracoMinor )
    {
        return why.Say(
            "is of version %d.%d, glTF allows %d.%d", def.data[5], def.data[6], sup_dracoMajor, sup_dracoMinor );
    }
    if ( def.data[7] != draco::TRIANGULAR_MESH )
    {
        return why.Say( "holds no triangles" );
    }
    std::unique_ptr<draco::MeshDecoder> decoder;
    if ( def.data[8] == draco::MESH_SEQUENTIAL_ENCODING )
    {
        decoder.reset( new supSequentialDecoder( def, why ) );
    }
    else if ( def.data[8] == draco::MESH_EDGEBREAKER_ENCODING )
    {
        decoder.reset( new supEdgebreakerDecoder( def, why ) );
    }
    else
    {
        return why.Say( "is encoded in a way (%d) that is not known", def.data[8] );
    }
    draco::DecoderBuffer buffer;
    buffer.Init( reinterpret_cast<const char*>( def.data ), def.size );
    const draco::DecoderOptions options;
    const draco::Status status = decoder->Decode( options, &buffer, &mesh );
    return status.ok() || why.Say( "is broken (%s)", status.error_msg() );
}

template <class Number>
bool supCopyValues( const draco::PointAttribute& attribute, uint32_t pointCount, int8_t rows, void* out )
{
    Number* to = static_cast<Number*>( out );
    for ( draco::PointIndex p( 0 ); p < pointCount; ++p, to += rows )
    {
        if ( attribute.is_mapping_identity() == false && p.value() >= attribute.indices_map_size() )
        {
            return false;
        }
        const draco::AttributeValueIndex at = attribute.mapped_index( p );
        if ( at.value() >= attribute.size() || attribute.ConvertValue<Number>( at, rows, to ) == false )
        {
            return false;
        }
    }
    return true;
}

bool supCopyAs(
    const draco::PointAttribute& attribute, uint32_t pointCount, int32_t componentType, int8_t rows, void* out )
{
    switch ( componentType )
    {
        case 5120:
            return supCopyValues<int8_t>( attribute, pointCount, rows, out );
        case 5121:
            return supCopyValues<uint8_t>( attribute, pointCount, rows, out );
        case 5122:
            return supCopyValues<int16_t>( attribute, pointCount, rows, out );
        case 5123:
            return supCopyValues<uint16_t>( attribute, pointCount, rows, out );
        case 5125:
            return supCopyValues<uint32_t>( attribute, pointCount, rows, out );
        case 5126:
            return supCopyValues<float>( attribute, pointCount, rows, out );
        default:
            return false;
    }
}

bool supReadAttribute(
    const draco::Mesh& mesh, uint32_t uniqueId, int32_t componentType, int32_t rows, void* out, supWhy& why )
{
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId( uniqueId );
    if ( attribute == nullptr )
    {
        return why.Say( "has no attribute of the id %u", uniqueId );
    }
    if ( attribute->num_components() != rows )
    {
        return why.Say( "has %d numbers a vertex in the attribute of the id %u, its accessor says %d",
            static_cast<int>( attribute->num_components() ), uniqueId, rows );
    }
    return supCopyAs( *attribute, mesh.num_points(), componentType, static_cast<int8_t>( rows ), out ) ||
           why.Say( "has numbers in the attribute of the id %u that its accessor cannot hold", uniqueId );
}

/// libdraco's own failures come as a status; what it throws is the library's: no memory, a size beyond all. In a build
/// without exceptions (WebAssembly) that ends the module instead, and its host lets another take its place.
template <typename Work> bool supGuard( supWhy& why, Work work )
{
#ifdef __cpp_exceptions
    try
    {
        return work();
    }
    catch ( const std::bad_alloc& )
    {
        return why.Say( "needs more memory than there is" );
    }
    catch ( const std::exception& thrown )
    {
        return why.Say( "is broken (%s)", thrown.what() );
    }
    catch ( ... )
    {
        return why.Say( "is broken" );
    }
#else
    (void)why;
    return work();
#endif
}

} // namespace

supDracoMesh* supDecodeDraco( const supDracoDef* def, char* whyText, size_t whySize )
{
    supWhy why = { whyText, whySize };
    std::unique_ptr<supDracoMesh> made;
    whyText[0] = '\0';
    bool decoded = supGuard( why,
        [&]
        {
            made.reset( new supDracoMesh );
            return supDecode( *def, made->mesh, why );
        } );
    return decoded ? made.release() : nullptr;
}

void supDestroyDracoMesh( supDracoMesh* mesh )
{
    delete mesh;
}

void supDracoMesh_Corners( const supDracoMesh* mesh, uint32_t* corners )
{
    for ( draco::FaceIndex f( 0 ); f < mesh->mesh.num_faces(); ++f )
    {
        for ( const draco::PointIndex& corner : mesh->mesh.face( f ) )
        {
            *corners++ = corner.value();
        }
    }
}

bool supDracoMesh_Attribute( const supDracoMesh* mesh, uint32_t uniqueId, int32_t componentType, int32_t rows,
    void* out, char* whyText, size_t whySize )
{
    supWhy why = { whyText, whySize };
    whyText[0] = '\0';
    return supGuard( why, [&] { return supReadAttribute( mesh->mesh, uniqueId, componentType, rows, out, why ); } );
}
