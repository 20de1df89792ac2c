// What becomes of muscles over takes.
// SPDX-License-Identifier: MIT

#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"

enum
{
    supMuscleMoments = 33 ///< of a take
};

static void supNoteMuscle( const supMuscleView* view, supMuscleReport* out )
{
    float ratio = view->restLength > 0.0f ? view->length / view->restLength : 1.0f;
    float change = view->restVolume > 0.0f ? supAbsF( view->volume / view->restVolume - 1.0f ) : 0.0f;
    out->name = view->name;
    out->restVolume = view->restVolume;
    out->shortest = supMinF( out->shortest, ratio );
    out->longest = supMaxF( out->longest, ratio );
    out->volumeChange = supMaxF( out->volumeChange, change );
    out->contraction = supMaxF( out->contraction, view->contraction );
    out->cuts = view->cuts > out->cuts ? view->cuts : out->cuts;
    out->deepest = supMaxF( out->deepest, view->deepest );
}

static void supLookAtMuscles( const supTake* take, double time, supPose* pose, supBody* body, supMuscleView* views,
    int32_t count, supMuscleReport* out )
{
    supPose_Sample( pose, take->clip, time );
    supTake_Show( take, time, supPose_Joints( pose ), body );
    supBody_Muscles( body, views );
    for ( int32_t m = 0; m < count; ++m )
    {
        supNoteMuscle( views + m, out + m );
    }
}

supResult supMeasureMuscles(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supMuscleReport* out, supError* error )
{
    supBody* body = NULL;
    supPose* pose = NULL;
    supResult result = supCreateBody( model, &body, error );
    int32_t count = result == sup_success ? supBody_Muscles( body, NULL ) : 0;
    supMuscleView* views =
        supAllocZeroed( &model->allocator, (size_t)count + 1, sizeof( supMuscleView ), _Alignof( supMuscleView ) );
    result = result == sup_success && views == NULL
                 ? supFail( error, sup_errorMemory, "no memory for %d muscles", count )
                 : result;
    result = result == sup_success ? supCreatePose( model->character, &model->allocator, &pose, error ) : result;
    for ( int32_t m = 0; m < count; ++m )
    {
        out[m] = ( supMuscleReport ){ .shortest = 1.0f, .longest = 1.0f };
    }
    for ( int32_t i = 0; i < takeCount * supMuscleMoments && result == sup_success && count > 0; ++i )
    {
        const supTake* take = takes[i / supMuscleMoments];
        double share = (double)( i % supMuscleMoments ) / ( supMuscleMoments - 1 );
        supLookAtMuscles(
            take, take->info.start + ( take->info.end - take->info.start ) * share, pose, body, views, count, out );
    }
    supFree( &model->allocator, views, ( (size_t)count + 1 ) * sizeof( supMuscleView ) );
    supDestroyPose( pose );
    supDestroyBody( body );
    return result;
}
