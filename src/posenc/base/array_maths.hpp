#pragma once

#include <span>

namespace posenc {

// The functions of vector_maths.hpp over arrays, in place, for sources that see no vectors: there are their contracts.
// T is float or double. The bits of a value do not depend on where in the array it is.

template <class T>
void exponentials(std::span<T> x);
template <class T>
void logarithms(std::span<T> x);
template <class T>
void logarithms_1p(std::span<T> x);
template <class T>
void sigmoids(std::span<T> x);
template <class T>
void hyperbolic_tangents(std::span<T> x);

}  // namespace posenc
