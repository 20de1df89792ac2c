#pragma once

/// Fails the test unless both are within `within` of each other. In double precision: cmocka's assert_float_equal takes
/// all three for floats.
void supAssertNear( double a, double b, double within );
