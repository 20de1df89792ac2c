// Animals whose build no stranger's character has: short legs beside a long body, wings on an upright one, a joint for
// the belly, a hard tail, a head that is the only part with a name.

#include "support/found_flesh.h"
#include "support/strangers.h"
#include "support/tube_animal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/// What is found on a body of these tubes, which is gone when this returns.
typedef struct supSeen
{
    supBodyKind kind;
    supVec3 front, up;
    int32_t counts[sup_regionCount];
    bool paunch; ///< a joint of that name carries flesh
} supSeen;

static supSeen supLookAt( const supTubeJoint* joints, int32_t count )
{
    supCharacter* animal = supMakeTubeAnimal( joints, count );
    supFound found = supFindFleshOn( animal, sup_presetNatural );
    const supProposal* proposal = found.proposal;
    supSeen seen = { .kind = proposal->body.kind, .front = proposal->body.front, .up = proposal->body.up };
    supCountRegions( &found, seen.counts );
    print_message( "%s, front %.2f %.2f %.2f, up %.2f %.2f %.2f\n", supWordFor( sup_wordsBodyKind, seen.kind ),
        (double)seen.front.x, (double)seen.front.y, (double)seen.front.z, (double)seen.up.x, (double)seen.up.y,
        (double)seen.up.z );
    for ( int32_t e = 0; e < proposal->elementCount; ++e )
    {
        print_message( "  %s\n", proposal->elements[e].name );
    }
    int32_t paunch = supCharacter_FindJoint( animal, "paunch" );
    seen.paunch = paunch >= 0 && proposal->carriers[paunch] >= 0;
    supDropFound( &found );
    supDestroyCharacter( animal );
    return seen;
}

/// A crocodile's legs reach a fifteenth of its size. It is no snake, and does not lie on its back.
static void supTestShortLegs( void** state )
{
    (void)state;
    const supTubeJoint joints[] = {
        { "hips", NULL, { 0, 0.34f, 0 }, 0.22f, { 1, 1, 1 } },
        { "spine", "hips", { 0, 0.36f, 0.5f }, 0.3f, { 1, 1, 1 } },
        { "chest", "spine", { 0, 0.36f, 1 }, 0.24f, { 1, 1, 1 } },
        { "neck", "chest", { 0, 0.34f, 1.35f }, 0.18f, { 1, 1, 1 } },
        { "head", "neck", { 0, 0.32f, 1.6f }, 0.18f, { 1, 1, 1 } },
        { "snout", "head", { 0, 0.28f, 2.2f }, 0.07f, { 1, 1, 1 } },
        { "tail1", "hips", { 0, 0.32f, -0.6f }, 0.14f, { 1, 1, 1 } },
        { "tail2", "tail1", { 0, 0.3f, -1.4f }, 0.08f, { 1, 1, 1 } },
        { "tail3", "tail2", { 0, 0.28f, -2.3f }, 0.03f, { 1, 1, 1 } },
        { "arm.L", "chest", { 0.2f, 0.24f, 1 }, 0.09f, { 1, 1, 1 } },
        { "elbow.L", "arm.L", { 0.32f, 0.18f, 1 }, 0.08f, { 1, 1, 1 } },
        { "paw.L", "elbow.L", { 0.34f, 0.05f, 1 }, 0.06f, { 1, 1, 1 } },
        { "fingers.L", "paw.L", { 0.34f, 0.03f, 1.1f }, 0.05f, { 1, 1, 1 } },
        { "leg.L", "hips", { 0.18f, 0.24f, 0 }, 0.1f, { 1, 1, 1 } },
        { "knee.L", "leg.L", { 0.32f, 0.18f, 0 }, 0.09f, { 1, 1, 1 } },
        { "foot.L", "knee.L", { 0.34f, 0.05f, 0 }, 0.06f, { 1, 1, 1 } },
        { "toes.L", "foot.L", { 0.34f, 0.03f, 0.12f }, 0.05f, { 1, 1, 1 } },
    };
    supSeen seen = supLookAt( joints, sizeof( joints ) / sizeof( joints[0] ) );
    assert_int_equal( seen.kind, sup_bodyQuadruped );
    assert_true( seen.up.y > 0.99f );
    assert_true( seen.front.z > 0.99f );
    assert_int_equal( seen.counts[sup_regionBelly], 1 );
    assert_int_equal( seen.counts[sup_regionThigh], 2 );
}

/// A hen holds head and tail up, so the way from its hips to its head is as steep as a person's.
static void supTestUprightBird( void** state )
{
    (void)state;
    const supTubeJoint joints[] = {
        { "body", NULL, { 0, 0.5f, 0 }, 0.24f, { 1, 1, 1 } },
        { "breast", "body", { 0, 0.6f, 0.24f }, 0.18f, { 1, 1, 1 } },
        { "neck1", "breast", { 0, 0.85f, 0.3f }, 0.1f, { 1, 1, 1 } },
        { "neck2", "neck1", { 0, 1.1f, 0.3f }, 0.08f, { 1, 1, 1 } },
        { "head", "neck2", { 0, 1.25f, 0.34f }, 0.09f, { 1, 1, 1 } },
        { "beak", "head", { 0, 1.23f, 0.48f }, 0.02f, { 1, 1, 1 } },
        { "rear", "body", { 0, 0.65f, -0.3f }, 0.16f, { 1, 1, 1 } },
        { "tail", "rear", { 0, 1, -0.5f }, 0.14f, { 0.4f, 1, 1 } },
        { "wing.L", "body", { 0.24f, 0.62f, 0.12f }, 0.12f, { 0.15f, 1, 1 } },
        { "wingTip.L", "wing.L", { 0.26f, 0.5f, -0.28f }, 0.06f, { 0.15f, 1, 1 } },
        { "leg.L", "body", { 0.1f, 0.3f, 0.03f }, 0.06f, { 1, 1, 1 } },
        { "shin.L", "leg.L", { 0.1f, 0.16f, 0 }, 0.03f, { 1, 1, 1 } },
        { "foot.L", "shin.L", { 0.1f, 0.02f, 0.02f }, 0.03f, { 1, 1, 1 } },
        { "toe.L", "foot.L", { 0.1f, 0.01f, 0.12f }, 0.03f, { 1, 1, 1 } },
    };
    supSeen seen = supLookAt( joints, sizeof( joints ) / sizeof( joints[0] ) );
    assert_int_equal( seen.kind, sup_bodyBiped );
    assert_true( seen.up.y > 0.99f );
    assert_true( seen.front.z > 0.99f );
    assert_int_equal( seen.counts[sup_regionBelly], 1 );
    assert_int_equal( seen.counts[sup_regionBottom], 0 );
}

/// A belly's own joint hangs on the spine, and the way from the head to its skin is the longest. It is no tail.
static void supTestBellyJoint( void** state )
{
    (void)state;
    const supTubeJoint joints[] = {
        { "hips", NULL, { 0, 1, 0 }, 0.3f, { 1, 1, 1 } },
        { "spine", "hips", { 0, 1, 0.5f }, 0.3f, { 1, 1, 1 } },
        { "chest", "spine", { 0, 1, 1 }, 0.3f, { 1, 1, 1 } },
        { "neck", "chest", { 0, 1, 1.4f }, 0.25f, { 1, 1, 1 } },
        { "head", "neck", { 0, 1, 1.8f }, 0.22f, { 1, 1, 1 } },
        { "pit", "hips", { 0, 0.6f, 0.3f }, 0.2f, { 1, 1, 1 } },
        { "paunch", "pit", { 0, 0.58f, 0.75f }, 0.25f, { 1, 1, 1 } },
        { "arm.L", "chest", { 0.2f, 0.8f, 1.05f }, 0.12f, { 1, 1, 1 } },
        { "elbow.L", "arm.L", { 0.22f, 0.4f, 1 }, 0.1f, { 1, 1, 1 } },
        { "paw.L", "elbow.L", { 0.22f, 0.05f, 1 }, 0.08f, { 1, 1, 1 } },
        { "fingers.L", "paw.L", { 0.22f, 0.03f, 1.15f }, 0.08f, { 1, 1, 1 } },
        { "leg.L", "hips", { 0.2f, 0.8f, -0.05f }, 0.14f, { 1, 1, 1 } },
        { "knee.L", "leg.L", { 0.22f, 0.45f, 0 }, 0.1f, { 1, 1, 1 } },
        { "foot.L", "knee.L", { 0.22f, 0.05f, -0.05f }, 0.08f, { 1, 1, 1 } },
        { "toes.L", "foot.L", { 0.22f, 0.03f, 0.1f }, 0.08f, { 1, 1, 1 } },
    };
    supSeen seen = supLookAt( joints, sizeof( joints ) / sizeof( joints[0] ) );
    assert_int_equal( seen.kind, sup_bodyQuadruped );
    assert_true( seen.front.z > 0.99f );
    assert_int_equal( seen.counts[sup_regionBelly], 1 );
    assert_true( seen.paunch );
}

/// A turtle's neck is thinner than its hind end, so it looks like a tail. But the head on it is called so, and lies
/// before the middle of the skin; nothing else has a telling name.
static void supTestNamedHead( void** state )
{
    (void)state;
    const supTubeJoint joints[] = {
        { "body", NULL, { 0, 0.3f, -0.3f }, 0.35f, { 1, 0.6f, 1 } },
        { "shell", "body", { 0, 0.33f, 0.3f }, 0.4f, { 1, 0.6f, 1 } },
        { "neck", "shell", { 0, 0.32f, 0.65f }, 0.1f, { 1, 1, 1 } },
        { "head", "neck", { 0, 0.36f, 0.95f }, 0.11f, { 1, 1, 1 } },
        { "t", "body", { 0, 0.22f, -0.75f }, 0.04f, { 1, 1, 1 } },
        { "a1.L", "body", { 0.38f, 0.2f, -0.35f }, 0.09f, { 1, 1, 1 } },
        { "a2.L", "a1.L", { 0.5f, 0.08f, -0.45f }, 0.08f, { 1, 1, 1 } },
        { "a3.L", "a2.L", { 0.54f, 0.03f, -0.5f }, 0.07f, { 1, 1, 1 } },
        { "b1.L", "shell", { 0.38f, 0.2f, 0.4f }, 0.09f, { 1, 1, 1 } },
        { "b2.L", "b1.L", { 0.52f, 0.08f, 0.5f }, 0.08f, { 1, 1, 1 } },
        { "b3.L", "b2.L", { 0.56f, 0.03f, 0.56f }, 0.07f, { 1, 1, 1 } },
    };
    supSeen seen = supLookAt( joints, sizeof( joints ) / sizeof( joints[0] ) );
    assert_true( seen.up.y > 0.99f );
    assert_true( seen.front.z > 0.99f );
}

/// A tail that is a hard piece of its own, in the middle of a body whose joints have no names, is not its eyes.
static void supTestHardTail( void** state )
{
    (void)state;
    const supTubeJoint joints[] = {
        { "a", NULL, { 0, 0.7f, 0 }, 0.28f, { 1, 1, 1 } },
        { "b", "a", { 0, 0.7f, 0.5f }, 0.3f, { 1, 1, 1 } },
        { "c", "b", { 0, 0.7f, 1 }, 0.28f, { 1, 1, 1 } },
        { "d", "c", { 0, 0.72f, 1.25f }, 0.22f, { 1, 1, 1 } },
        { "e", "d", { 0, 0.68f, 1.55f }, 0.12f, { 1, 1, 1 } },
        { "f", "a", { 0, 0.7f, -0.25f }, 0.2f, { 1, 1, 1 } },
        { "g", "f", { 0, 0.85f, -0.5f }, -0.03f, { 1, 1, 1 } },
        { "h.L", "c", { 0.2f, 0.55f, 1 }, 0.11f, { 1, 1, 1 } },
        { "i.L", "h.L", { 0.22f, 0.3f, 1 }, 0.08f, { 1, 1, 1 } },
        { "j.L", "i.L", { 0.22f, 0.04f, 1 }, 0.06f, { 1, 1, 1 } },
        { "k.L", "a", { 0.2f, 0.55f, 0 }, 0.11f, { 1, 1, 1 } },
        { "l.L", "k.L", { 0.22f, 0.3f, 0 }, 0.08f, { 1, 1, 1 } },
        { "m.L", "l.L", { 0.22f, 0.04f, 0 }, 0.06f, { 1, 1, 1 } },
    };
    supSeen seen = supLookAt( joints, sizeof( joints ) / sizeof( joints[0] ) );
    assert_int_equal( seen.kind, sup_bodyQuadruped );
    assert_true( seen.front.z > 0.99f );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestShortLegs ),
        cmocka_unit_test( supTestUprightBird ),
        cmocka_unit_test( supTestBellyJoint ),
        cmocka_unit_test( supTestHardTail ),
        cmocka_unit_test( supTestNamedHead ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
