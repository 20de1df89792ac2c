// In place of POSIX's: src/io asks for a signal mask alone, which windows_lacks.h has.
// SPDX-License-Identifier: MIT
#pragma once
