// Draco streams for tests, by libdraco's own encoder.
#include "support/draco_encode.h"

#include <cstdlib>
#include <cstring>
#include <draco/compression/expert_encode.h>
#include <draco/mesh/mesh.h>
#include <memory>

/// Adds an attribute of one value a vertex.
template <class Number>
static void supAddAttribute( draco::Mesh& mesh, draco::GeometryAttribute::Type type, draco::DataType dataType,
    int8_t rows, const Number* values, uint32_t uniqueId )
{
    if ( values == nullptr )
    {
        return;
    }
    draco::GeometryAttribute attribute;
    attribute.Init( type, nullptr, rows, dataType, false, static_cast<int64_t>( sizeof( Number ) ) * rows, 0 );
    const int id = mesh.AddAttribute( attribute, true, mesh.num_points() );
    for ( draco::AttributeValueIndex i( 0 ); i < mesh.num_points(); ++i )
    {
        mesh.attribute( id )->SetAttributeValue( i, values + static_cast<size_t>( rows ) * i.value() );
    }
    mesh.attribute( id )->set_unique_id( uniqueId );
}

extern "C" uint8_t* supEncodeDraco( const supDracoInput* input, size_t* size, int32_t* pointCount )
{
    draco::Mesh mesh;
    mesh.set_num_points( static_cast<uint32_t>( input->vertexCount ) );
    mesh.SetNumFaces( static_cast<size_t>( input->indexCount ) / 3 );
    for ( draco::FaceIndex f( 0 ); f < mesh.num_faces(); ++f )
    {
        draco::Mesh::Face face;
        for ( size_t k = 0; k < 3; ++k )
        {
            face[k] = draco::PointIndex( input->indices[3 * f.value() + k] );
        }
        mesh.SetFace( f, face );
    }
    using Kind = draco::GeometryAttribute;
    supAddAttribute( mesh, Kind::POSITION, draco::DT_FLOAT32, 3, input->positions, SUP_DRACO_POSITION );
    supAddAttribute( mesh, Kind::NORMAL, draco::DT_FLOAT32, 3, input->normals, SUP_DRACO_NORMAL );
    supAddAttribute( mesh, Kind::TEX_COORD, draco::DT_FLOAT32, 2, input->texcoords, SUP_DRACO_TEXCOORD );
    supAddAttribute( mesh, Kind::GENERIC, draco::DT_UINT16, 4, input->joints, SUP_DRACO_JOINTS );
    supAddAttribute( mesh, Kind::GENERIC, draco::DT_FLOAT32, 4, input->weights, SUP_DRACO_WEIGHTS );
    if ( input->isSequential == false )
    {
        mesh.DeduplicateAttributeValues(); // edgebreaker goes by places
    }
    draco::ExpertEncoder encoder( mesh );
    encoder.SetEncodingMethod(
        input->isSequential ? draco::MESH_SEQUENTIAL_ENCODING : draco::MESH_EDGEBREAKER_ENCODING );
    for ( int32_t i = 0; input->bits > 0 && i < mesh.num_attributes(); ++i )
    {
        if ( mesh.attribute( i )->data_type() == draco::DT_FLOAT32 )
        {
            encoder.SetAttributeQuantization( i, input->bits );
        }
    }
    encoder.SetTrackEncodedProperties( true );
    draco::EncoderBuffer buffer;
    if ( encoder.EncodeToBuffer( &buffer ).ok() == false )
    {
        return nullptr;
    }
    *size = buffer.size();
    *pointCount = static_cast<int32_t>( encoder.num_encoded_points() );
    uint8_t* stream = static_cast<uint8_t*>( malloc( buffer.size() + 1 ) );
    if ( stream != nullptr )
    {
        memcpy( stream, buffer.data(), buffer.size() );
    }
    return stream;
}
