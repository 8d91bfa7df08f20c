#pragma once

#include <cstddef>

namespace posenc {

/// Adjacent queries of one head, which attention computes together. Rows of scores, weights and their gradients are
/// `stride` apart, a column a key.
template <class T>
struct QueryBlock {
  std::size_t batch, head;
  std::size_t first, rows;  ///< queries first ... first + rows - 1
  std::size_t end;          ///< keys 0 ... end - 1: no row sees a later one
  std::size_t stride;
  const T* queries;  ///< [rows, dim], times the scale
};

/// The terms of a kind of attention beyond Q K^T and weights V, such as tables of relative positions; T is the type of
/// its sums. Attention calls it for every block of queries, in order: batch, head, query. What it adds to a row must
/// depend on no other row, so that no bit depends on where blocks end.
template <class T>
class AttentionTerm {
 public:
  /// scores [rows, end] += its share, times the scale (as block.queries are): before bias and masks, so entries of
  /// masked pairs may get anything.
  virtual void add_scores(const QueryBlock<T>& block, T* scores) = 0;

  /// outputs [rows, value_dim] += its share, from weights [rows, end] which sum up to anything: outputs are divided by
  /// that sum afterwards. Weights of masked pairs are 0.
  virtual void add_outputs(const QueryBlock<T>& block, const T* weights, T* outputs);

  /// Backward, first: d_weights [rows, end] += its share, from the gradient of the outputs, [rows, value_dim]; here
  /// and below nothing where add_outputs adds nothing.
  virtual void add_weight_gradients(const QueryBlock<T>& block, const float* d_outputs, T* d_weights);

  /// Backward, then: its own gradients, and d_queries [rows, dim] += its share (of scaled queries: the product with the
  /// scale comes afterwards). weights [rows, end] sum up to 1; d_scores is the gradient of the scaled scores.
  virtual void add_gradients(const QueryBlock<T>& block, const T* weights, const T* d_scores, const float* d_outputs,
                             T* d_queries);

 protected:
  ~AttentionTerm() = default;
};

template <class T>
void AttentionTerm<T>::add_outputs(const QueryBlock<T>&, const T*, T*) {}

template <class T>
void AttentionTerm<T>::add_weight_gradients(const QueryBlock<T>&, const float*, T*) {}

template <class T>
void AttentionTerm<T>::add_gradients(const QueryBlock<T>&, const T*, const T*, const float*, T*) {}

}  // namespace posenc
