// Bullet's implicit deformable body: 900 nodes in 648 hexahedra of 2 cm cut in tetrahedra, mu = 1 kPa, lambda = 200 mu,
// the lowest layers held, one frame of 1/60 s. Prints a JSON row.
// SPDX-License-Identifier: MIT
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
#include <cstdio>
#include <vector>

namespace
{

constexpr int wide = 10, high = 9, held = 2; // nodes: 10 x 9 x 10; the two lowest layers stand on the muscle
constexpr float edge = 0.02f, mu = 1000.0f, lambda = 200.0f * mu;

double now()
{
    return std::chrono::duration<double, std::nano>( std::chrono::steady_clock::now().time_since_epoch() ).count();
}

int at( int x, int y, int z )
{
    return ( z * high + y ) * wide + x;
}

btSoftBody* makeBody( btSoftBodyWorldInfo& info )
{
    std::vector<btVector3> places;
    for ( int i = 0; i < wide * high * wide; ++i )
    {
        places.push_back( btVector3( edge * ( i % wide ), edge * ( i / wide % high ), edge * ( i / wide / high ) ) );
    }
    btSoftBody* body = new btSoftBody( &info, (int)places.size(), places.data(), nullptr );
    // six tetrahedra around the diagonal of each hexahedron
    static const int around[6][2] = { { 1, 3 }, { 3, 2 }, { 2, 6 }, { 6, 4 }, { 4, 5 }, { 5, 1 } };
    for ( int z = 0; z + 1 < wide; ++z )
    {
        for ( int y = 0; y + 1 < high; ++y )
        {
            for ( int x = 0; x + 1 < wide; ++x )
            {
                int c[8];
                for ( int k = 0; k < 8; ++k )
                {
                    c[k] = at( x + ( k & 1 ), y + ( k >> 1 & 1 ), z + ( k >> 2 & 1 ) );
                }
                for ( const auto& pair : around )
                {
                    body->appendTetra( c[0], c[pair[0]], c[pair[1]], c[7] );
                }
            }
        }
    }
    body->setTotalMass( 950.0f * edge * edge * edge * ( wide - 1 ) * ( high - 1 ) * ( wide - 1 ), false );
    for ( int z = 0; z < wide; ++z )
    {
        for ( int x = 0; x < wide; ++x )
        {
            for ( int y = 0; y < held; ++y )
            {
                body->setMass( at( x, y, z ), 0.0f );
            }
        }
    }
    body->initializeDmInverse();
    body->m_tetraScratches.resize( body->m_tetras.size() );
    body->m_tetraScratchesTn.resize( body->m_tetras.size() );
    body->m_cfg.kDP = 0.001f;
    return body;
}

} // namespace

int main()
{
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    btDbvtBroadphase broadphase;
    btDeformableBodySolver deformable;
    btDeformableMultiBodyConstraintSolver solver;
    solver.setDeformableSolver( &deformable );
    btDeformableMultiBodyDynamicsWorld world( &dispatcher, &broadphase, &solver, &configuration, &deformable );
    world.setGravity( btVector3( 0, -9.81f, 0 ) );
    btSoftBody* body = makeBody( world.getWorldInfo() );
    world.addSoftBody( body );
    btDeformableLinearElasticityForce elasticity( mu, lambda, 0.01f );
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
    std::sort( times.begin(), times.end() );
    std::printf( "[{\"scene\": \"bullet\", \"what\": \"implicit deformable body, %d nodes\", \"path\": \"Bullet\", "
                 "\"bestNs\": %.1f, \"medianNs\": %.1f, \"per\": \"frame\", \"versus\": null, \"ratio\": 0}]\n",
        wide * high * wide, times.front(), times[times.size() / 2] );
    return 0;
}
