// Flesh elements pressed against the capsules of other parts.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/contact/contact.h"

supResult supCompileContacts(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyContacts( void* compiled, const supAllocator* allocator );
int32_t supContactsTouched( const void* compiled, const int32_t** vertices );
void supApplyContacts( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawContacts( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );

/// How much deeper than smooth skin the living one is in any capsule: the largest, and the sum over vertices. Metres
void supContactsAdded( const void* compiled, const supMat34* joints, const supVec3* elongations, const supVec3* smooth,
    const supVec3* living, float* deepest, double* sum );
