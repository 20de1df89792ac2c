// Bullet's soft body: 1,000 nodes and 3,000 links, one frame of 1/60 s. Prints a JSON row for each setting.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <btBulletDynamicsCommon.h>
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{

constexpr int side = 10;

double now()
{
    return std::chrono::duration<double, std::nano>( std::chrono::steady_clock::now().time_since_epoch() ).count();
}

int at( int x, int y, int z )
{
    return ( z * side + y ) * side + x;
}

struct Stage
{
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld world{ &dispatcher, &broadphase, &solver, &configuration };
    btSoftBody* body = nullptr;

    explicit Stage( int iterations )
    {
        world.setGravity( btVector3( 0, -9.81f, 0 ) );
        std::vector<btVector3> places;
        for ( int i = 0; i < side * side * side; ++i )
        {
            places.push_back(
                btVector3( 0.02f * ( i % side ), 0.02f * ( i / side % side ), 0.02f * ( i / side / side ) ) );
        }
        std::vector<btScalar> masses( places.size(), 0.004f );
        body = new btSoftBody( &world.getWorldInfo(), (int)places.size(), places.data(), masses.data() );
        int diagonals = 0;
        for ( int z = 0; z < side; ++z )
        {
            for ( int y = 0; y < side; ++y )
            {
                for ( int x = 0; x < side; ++x )
                {
                    if ( x + 1 < side )
                        body->appendLink( at( x, y, z ), at( x + 1, y, z ) );
                    if ( y + 1 < side )
                        body->appendLink( at( x, y, z ), at( x, y + 1, z ) );
                    if ( z + 1 < side )
                        body->appendLink( at( x, y, z ), at( x, y, z + 1 ) );
                    if ( x + 1 < side && y + 1 < side && diagonals < 300 )
                    {
                        body->appendLink( at( x, y, z ), at( x + 1, y + 1, z ) );
                        ++diagonals;
                    }
                }
            }
        }
        body->m_materials[0]->m_kLST = 0.5f;
        body->m_cfg.piterations = iterations;
        for ( int i = 0; i < side * side; ++i )
        {
            body->setMass( at( i % side, 0, i / side ), 0 ); // the lowest layer hangs on the bone
        }
        world.addSoftBody( body );
    }

    ~Stage()
    {
        world.removeSoftBody( body );
        delete body;
    }

    // The held layer moves, as a bone would move it.
    void frame( int number, int substeps )
    {
        float shift = 0.002f * ( number % 30 < 15 ? 1.0f : -1.0f );
        for ( int i = 0; i < side * side; ++i )
        {
            btSoftBody::Node& node = body->m_nodes[at( i % side, 0, i / side )];
            node.m_x += btVector3( shift, 0, 0 );
            node.m_q = node.m_x;
        }
        world.stepSimulation( 1.0f / 60.0f, substeps, 1.0f / ( 60.0f * substeps ) );
    }
};

} // namespace

int main()
{
    const struct
    {
        const char* what;
        int iterations, substeps;
    } settings[3] = { { "default", 1, 1 }, { "10 iterations", 10, 1 }, { "10 substeps", 1, 10 } };
    std::printf( "[\n" );
    for ( int s = 0; s < 3; ++s )
    {
        Stage stage( settings[s].iterations );
        btVector3 before = stage.body->m_nodes[side * side * side - 1].m_x;
        if ( stage.body->m_nodes.size() != 1000 || stage.body->m_links.size() != 3000 )
        {
            std::fprintf( stderr, "%d nodes, %d links\n", stage.body->m_nodes.size(), stage.body->m_links.size() );
            return 1;
        }
        std::vector<double> samples;
        for ( int i = 0; i < 600; ++i )
        {
            double start = now();
            stage.frame( i, settings[s].substeps );
            samples.push_back( now() - start );
        }
        btVector3 moved = stage.body->m_nodes[side * side * side - 1].m_x - before;
        if ( !( moved.length() > 1e-3f && moved.length() < 10.0f ) )
        {
            std::fprintf( stderr, "the soft body did not move, or flew away: %g m\n", moved.length() );
            return 1;
        }
        samples.erase( samples.begin() );
        std::sort( samples.begin(), samples.end() );
        std::printf(
            "  { \"scene\": \"bullet\", \"what\": \"soft body, 1,000 nodes, 3,000 links, %s\", \"path\": \"Bullet\", \"bestNs\": %.1f, "
            "\"medianNs\": %.1f, \"per\": \"frame\", \"versus\": null, \"ratio\": null }%s\n",
            settings[s].what, samples[0], samples[samples.size() / 2], s < 2 ? "," : "" );
    }
    std::printf( "]\n" );
    return 0;
}
