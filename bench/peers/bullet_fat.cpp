// Bullet's implicit deformable body of the same nodes as the breast of `supple bench --scene fat`, from no gravity into
// gravity: one second in frames of 1/60 s. Prints a JSON row.
// SPDX-License-Identifier: MIT
//
//     bullet_fat SOLID.txt      as `supple bench --scene fat --solid SOLID.txt` writes it
#include <algorithm>
#include <btBulletDynamicsCommon.h>
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableLinearElasticityForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace
{

struct Solid
{
    float mu, lambda, mass;
    std::vector<btVector3> places;
    std::vector<char> held;
    std::vector<int> tetras; // four corners each
};

double now()
{
    return std::chrono::duration<double, std::nano>( std::chrono::steady_clock::now().time_since_epoch() ).count();
}

// Six tetrahedra around the diagonal of each voxel.
bool readSolid( const char* path, Solid& solid )
{
    static const int around[6][2] = { { 1, 3 }, { 3, 2 }, { 2, 6 }, { 6, 4 }, { 4, 5 }, { 5, 1 } };
    FILE* file = std::fopen( path, "r" );
    int nodes = 0, voxels = 0;
    bool good = file != nullptr && std::fscanf( file, "mu %f lambda %f mass %f nodes %d", &solid.mu, &solid.lambda,
                                       &solid.mass, &nodes ) == 4;
    for ( int i = 0; i < nodes && good; ++i )
    {
        float x, y, z;
        int held;
        good = std::fscanf( file, "%f %f %f %d", &x, &y, &z, &held ) == 4;
        solid.places.push_back( btVector3( x, y, z ) );
        solid.held.push_back( (char)held );
    }
    good = good && std::fscanf( file, " voxels %d", &voxels ) == 1;
    for ( int v = 0; v < voxels && good; ++v )
    {
        int c[8];
        for ( int k = 0; k < 8 && good; ++k )
        {
            good = std::fscanf( file, "%d", c + k ) == 1 && c[k] >= 0 && c[k] < nodes;
        }
        for ( const auto& pair : around )
        {
            solid.tetras.insert( solid.tetras.end(), { c[0], c[pair[0]], c[pair[1]], c[7] } );
        }
    }
    if ( file != nullptr )
    {
        std::fclose( file );
    }
    return good && voxels > 0;
}

// The mass of the solid in equal shares of its tetrahedra; held nodes have none, which holds them in Bullet.
btSoftBody* makeBody( btSoftBodyWorldInfo& info, const Solid& solid )
{
    btSoftBody* body = new btSoftBody( &info, (int)solid.places.size(), solid.places.data(), nullptr );
    std::vector<float> masses( solid.places.size(), 0.0f );
    for ( size_t t = 0; t < solid.tetras.size(); t += 4 )
    {
        const int* c = solid.tetras.data() + t;
        body->appendTetra( c[0], c[1], c[2], c[3] );
        for ( int k = 0; k < 4; ++k )
        {
            masses[(size_t)c[k]] += solid.mass / (float)solid.tetras.size();
        }
    }
    for ( size_t i = 0; i < masses.size(); ++i )
    {
        body->setMass( (int)i, solid.held[i] != 0 ? 0.0f : masses[i] );
    }
    body->initializeDmInverse();
    body->m_tetraScratches.resize( body->m_tetras.size() );
    body->m_tetraScratchesTn.resize( body->m_tetras.size() );
    body->m_cfg.kDP = 0.001f;
    return body;
}

double largestShift( const btSoftBody& body, const Solid& solid )
{
    double largest = 0.0;
    for ( size_t i = 0; i < solid.places.size(); ++i )
    {
        double shift = ( body.m_nodes[(int)i].m_x - solid.places[i] ).length();
        largest = std::isfinite( shift ) ? std::max( largest, shift ) : 1e9;
    }
    return largest;
}

} // namespace

int main( int argc, char** argv )
{
    Solid solid;
    if ( argc != 2 || !readSolid( argv[1], solid ) )
    {
        std::fprintf( stderr, "bullet_fat: no solid in '%s'\n", argc > 1 ? argv[1] : "" );
        return 1;
    }
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    btDbvtBroadphase broadphase;
    btDeformableBodySolver deformable;
    btDeformableMultiBodyConstraintSolver solver;
    solver.setDeformableSolver( &deformable );
    btDeformableMultiBodyDynamicsWorld world( &dispatcher, &broadphase, &solver, &configuration, &deformable );
    world.setGravity( btVector3( 0, -9.81f, 0 ) );
    btSoftBody* body = makeBody( world.getWorldInfo(), solid );
    world.addSoftBody( body );
    btDeformableLinearElasticityForce elasticity( solid.mu, solid.lambda, 0.01f );
    btDeformableGravityForce gravity( btVector3( 0, -9.81f, 0 ) );
    world.addForce( body, &elasticity );
    world.addForce( body, &gravity );
    world.setImplicit( true );
    world.setLineSearch( false );
    world.setUseProjection( true );
    std::vector<double> times;
    for ( int frame = 0; frame < 60; ++frame )
    {
        double start = now();
        world.stepSimulation( 1.0f / 60.0f, 0 );
        times.push_back( now() - start );
    }
    double sag = 1e3 * largestShift( *body, solid );
    if ( !( sag > 0.1 && sag < 1000.0 ) )
    {
        std::fprintf( stderr, "bullet_fat: it has moved %g mm in a second: nothing to measure\n", sag );
        return 1;
    }
    std::sort( times.begin(), times.end() );
    std::printf(
        "[{\"scene\": \"bullet\", \"what\": \"implicit deformable body, the breast's nodes\", \"path\": \"Bullet\", "
        "\"bestNs\": %.1f, \"medianNs\": %.1f, \"per\": \"frame\", \"versus\": null, \"ratio\": 0, "
        "\"nodes\": %d, \"sagMm\": %.3f}]\n",
        times.front(), times[times.size() / 2], (int)solid.places.size(), sag );
    return 0;
}
