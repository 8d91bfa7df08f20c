#pragma once

#include "posenc/base/error.hpp"

/// Evaluates an Expected<void> and returns its error from the enclosing function, if it has one.
#define POSENC_TRY(...)                                             \
  do {                                                              \
    if (auto tried = (__VA_ARGS__); !tried) return error_of(tried); \
  } while (false)

/// Declares `name` as the value of an Expected, or returns its error from the enclosing function.
#define POSENC_TRY_LET(name, ...)             \
  auto name##_or = (__VA_ARGS__);             \
  if (!name##_or) return error_of(name##_or); \
  auto& name = *name##_or
