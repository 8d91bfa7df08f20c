#include "posenc/learning/encodings/parts/path_keys.hpp"

#include <algorithm>

#include "posenc/learning/room.hpp"
#include "posenc/relative/kernels/row_steps.hpp"

namespace posenc::learning {

Expected<void> PathKeys::reserve(std::size_t length, std::size_t dims) {
  room_ = length;
  for (AlignedArray<float>* columns : {&keys_, &d_keys_})
    if (auto made = make_room({dims, length}, *columns); !made) return made;
  for (AlignedArray<float>* row : {&row_, &d_products_})
    if (auto made = make_room({length}, *row); !made) return made;
  return make_room({length, length}, products_);
}

/// The step of a token, for all keys before it.
void PathKeys::take_steps(std::size_t token, std::size_t dims, const PathSteps& steps) {
  float* const products = products_.data() + token * room_;
  std::fill_n(products, token, 0.0f);
  for (std::size_t l = 0; l < dims; ++l)
    add_multiple(*steps.directions.at(token, l), dimension(keys_, l), token, products);
  const float strength = *steps.strengths.at(token, 0);
  for (std::size_t l = 0; l < dims; ++l)
    add_multiple(-strength * *steps.directions.at(token, l), products, token, dimension(keys_, l));
}

void PathKeys::add_key(std::size_t token, std::size_t dims, const Strided<const float>& key) {
  for (std::size_t l = 0; l < dims; ++l) dimension(keys_, l)[token] = *key.at(token, l);
}

void PathKeys::score(std::size_t length, std::size_t dims, float scale, const Strided<const float>& query,
                     const Strided<const float>& key, const PathSteps& steps, const Strided<float>& scores) {
  for (std::size_t i = 0; i < length; ++i) {
    take_steps(i, dims, steps);
    std::fill_n(row_.data(), i, 0.0f);
    for (std::size_t l = 0; l < dims; ++l) add_multiple(*query.at(i, l), dimension(keys_, l), i, row_.data());
    for (std::size_t j = 0; j < i; ++j) *scores.at(i, j) = scale * row_[j];
    add_key(i, dims, key);
  }
}

void PathKeys::gradient(std::size_t length, std::size_t dims, float scale, const Strided<const float>& query,
                        const Strided<const float>& key, const PathSteps& steps, const Strided<float>& d_scores,
                        const Strided<float>& d_query, const Strided<float>& d_key, const PathStepGradients& d_steps) {
  for (std::size_t i = 0; i < length; ++i) {
    take_steps(i, dims, steps);
    add_key(i, dims, key);
  }
  for (std::size_t l = 0; l < dims; ++l) std::fill_n(dimension(d_keys_, l), length, 0.0f);
  // Backwards, keys are as each token left them: what its step took is given back.
  for (std::size_t i = length; i-- > 0;) {
    for (std::size_t j = 0; j < i; ++j) {
      row_[j] = scale * *d_scores.at(i, j);
      *d_scores.at(i, j) = 0;
    }
    std::fill_n(d_products_.data(), i, 0.0f);
    const float strength = *steps.strengths.at(i, 0);
    const float* const products = products_.data() + i * room_;
    for (std::size_t l = 0; l < dims; ++l) {
      float *const keys = dimension(keys_, l), *const d_keys = dimension(d_keys_, l);
      const float direction = *steps.directions.at(i, l);
      *d_query.at(i, l) += product_of_rows(row_.data(), keys, i);
      add_multiple(*query.at(i, l), row_.data(), i, d_keys);
      *d_steps.directions.at(i, l) -= strength * product_of_rows(products, d_keys, i);
      add_multiple(-direction, d_keys, i, d_products_.data());
      add_multiple(strength * direction, products, i, keys);
    }
    *d_steps.strengths.at(i, 0) += product_of_rows(d_products_.data(), products, i);
    for (std::size_t l = 0; l < dims; ++l) {
      *d_steps.directions.at(i, l) += strength * product_of_rows(d_products_.data(), dimension(keys_, l), i);
      add_multiple(strength * *steps.directions.at(i, l), d_products_.data(), i, dimension(d_keys_, l));
    }
  }
  for (std::size_t j = 0; j < length; ++j)
    for (std::size_t l = 0; l < dims; ++l) *d_key.at(j, l) += dimension(d_keys_, l)[j];
}

}  // namespace posenc::learning
