// Where a frame's time goes, as the body itself reports it.
// SPDX-License-Identifier: MIT
#include "bench_profile.h"

#include "supple/lab/items.h"
#include "supple/lab/profile.h"
#include "supple/rig.h"

#include <stdlib.h>

enum
{
    sup_profileRounds = 60,
    sup_profileFrames = 32, ///< of a round
    sup_profileParts = 2 + SUP_PROFILE_LAYERS,
};

static double supProfileClock( void* user )
{
    (void)user;
    return 1e-9 * supBenchClock();
}

static int supCompareTimes( const void* a, const void* b )
{
    double x = *(const double*)a, y = *(const double*)b;
    return ( x > y ) - ( x < y );
}

/// Nanoseconds a frame of each part: pose, skin, then the layers.
static void supProfileRound( supBenchScene* scene, supProfile* profile, double parts[sup_profileParts] )
{
    *profile = ( supProfile ){ .clock = supProfileClock };
    for ( int f = 0; f < sup_profileFrames; ++f )
    {
        supBenchFrame( scene );
    }
    const double scale = 1e9 / sup_profileFrames;
    parts[0] = scale * profile->pose;
    parts[1] = scale * profile->skin;
    for ( int layer = 0; layer < SUP_PROFILE_LAYERS; ++layer )
    {
        parts[2 + layer] = scale * profile->layers[layer];
    }
}

void supBenchProfile( supBench* bench, supBenchScene* scene )
{
    static const char* const names[2] = { "frame: pose", "frame: skin" };
    static double times[sup_profileParts][sup_profileRounds];
    supProfile profile;
    double parts[sup_profileParts];
    supBody_SetProfile( scene->body, &profile );
    for ( int round = -1; round < sup_profileRounds; ++round ) // the first one is not counted
    {
        supProfileRound( scene, &profile, parts );
        for ( int i = 0; round >= 0 && i < sup_profileParts; ++i )
        {
            times[i][round] = parts[i];
        }
    }
    supBody_SetProfile( scene->body, NULL );
    for ( int i = 0; i < sup_profileParts; ++i )
    {
        char what[64];
        int32_t layer = i - 2;
        qsort( times[i], sup_profileRounds, sizeof( double ), supCompareTimes );
        if ( layer < 0 || ( layer < supLayerCount() && times[i][0] > 0.0 ) )
        {
            snprintf( what, sizeof( what ), layer < 0 ? "%s" : "frame: %s",
                layer < 0 ? names[i] : supGetLayerInfo( layer )->name );
            supAddBenchRow( bench, &( supBenchCase ){ scene->name, what, "profile", "frame", 1.0, NULL, NULL, NULL },
                times[i][0], times[i][sup_profileRounds / 2], 0.0 );
        }
    }
}
