#include "attention/attention_reference.hpp"

#include <algorithm>
#include <cmath>

namespace reference {
namespace {

/// Indices of one query: its row, its first key, the bias of a pair.
struct Query {
  Query(const AttentionProblem& problem, std::size_t row) : shape(problem.bias_shape), at(row) {
    const auto& all = problem.shape;
    i = at % all.queries;
    h = at / all.queries % all.heads;
    b = at / all.queries / all.heads;
    first_key = (b * all.kv_heads + h / (all.heads / all.kv_heads)) * all.keys;
  }

  [[nodiscard]] std::size_t bias(std::size_t j) const {
    const auto own = [](std::size_t index, std::size_t extent) { return extent == 1 ? 0 : index; };
    return ((own(b, shape.batch) * shape.heads + own(h, shape.heads)) * shape.queries + own(i, shape.queries)) *
               shape.keys +
           own(j, shape.keys);
  }

  posenc::PairShape shape;
  std::size_t at, i, h, b, first_key;
};

std::size_t queries_of(const AttentionProblem& problem) {
  return problem.shape.batch * problem.shape.heads * problem.shape.queries;
}

Values weights_of(const AttentionProblem& problem, const AttentionArguments& in, const Query& query) {
  const std::size_t dim = problem.shape.dim;
  Values scores(problem.shape.keys);
  std::vector<bool> seen(scores.size());
  // Far from every score here, and what a float's -infinity is below.
  const Quad lowest = -1e39;
  Quad largest = lowest;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    seen[j] = !problem.visible || problem.visible(query.b, query.h, query.i, j);
    const Quad added = in.bias.empty() ? 0 : in.bias[query.bias(j)];
    seen[j] = seen[j] && added > lowest;
    if (!seen[j]) continue;
    for (std::size_t d = 0; d < dim; ++d)
      scores[j] += in.query[query.at * dim + d] * in.key[(query.first_key + j) * dim + d];
    scores[j] = problem.bias_scaled ? problem.scale * (scores[j] + added) : problem.scale * scores[j] + added;
    largest = std::max(largest, scores[j]);
  }
  Quad sum = 0;
  for (std::size_t j = 0; j < scores.size(); ++j)
    sum += scores[j] = seen[j] ? exponential(scores[j] - largest) : static_cast<Quad>(0);
  if (sum > 0)
    for (Quad& score : scores) score /= sum;
  return scores;
}

Quad factor(const AttentionProblem& problem, std::size_t at) {
  return problem.factors.empty() ? 1 : problem.factors[at];
}

}  // namespace

Values widened(std::span<const float> values) { return {values.begin(), values.end()}; }

Values values_of(const std::vector<Sum>& sums) {
  Values values;
  for (const Sum& sum : sums) values.push_back(sum.value);
  return values;
}

double worst_share(std::span<const float> actual, const std::vector<Sum>& exact, double tolerance) {
  if (actual.size() != exact.size()) return HUGE_VAL;
  double worst = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double error = static_cast<double>(magnitude(actual[i] - exact[i].value));
    const double share = error / (tolerance * static_cast<double>(exact[i].size) + 0x1p-148);
    worst = share <= worst ? worst : share;  // NaN counts as the worst
  }
  return worst;
}

double worst_of_largest(std::span<const float> actual, const Values& exact) {
  if (actual.size() != exact.size()) return HUGE_VAL;
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double error = static_cast<double>(magnitude(actual[i] - exact[i]));
    worst = error <= worst ? worst : error;
    largest = std::max(largest, static_cast<double>(magnitude(exact[i])));
  }
  return worst == 0 ? 0 : worst / largest;
}

Values differences(const std::function<Quad(const Values&)>& loss, Values at) {
  const Quad step = 0x1p-30;
  Values gradient(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Quad middle = at[i];
    at[i] = middle + step;
    const Quad above = loss(at);
    at[i] = middle - step;
    gradient[i] = (above - loss(at)) / (2 * step);
    at[i] = middle;
  }
  return gradient;
}

Attended attend(const AttentionProblem& problem, const AttentionArguments& in) {
  const auto& shape = problem.shape;
  Attended out;
  out.output.resize(queries_of(problem) * shape.value_dim);
  for (std::size_t at = 0; at < queries_of(problem); ++at) {
    const Query query(problem, at);
    const Values weights = weights_of(problem, in, query);
    for (std::size_t j = 0; j < shape.keys; ++j)
      for (std::size_t v = 0; v < shape.value_dim; ++v)
        out.output[at * shape.value_dim + v].add(weights[j] * factor(problem, at * shape.keys + j) *
                                                 in.value[(query.first_key + j) * shape.value_dim + v]);
    out.weights.insert(out.weights.end(), weights.begin(), weights.end());
  }
  return out;
}

AttendedGradients attend_backward(const AttentionProblem& problem, const AttentionArguments& in,
                                  const Values& d_output) {
  const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = problem.shape;
  AttendedGradients out;
  out.query.resize(in.query.size());
  out.key.resize(in.key.size());
  out.value.resize(in.value.size());
  out.bias.resize(in.bias.size());
  for (std::size_t at = 0; at < queries_of(problem); ++at) {
    const Query query(problem, at);
    const Values weights = weights_of(problem, in, query);
    std::vector<Sum> d_weights(keys);
    Sum mean;
    for (std::size_t j = 0; j < keys; ++j) {
      for (std::size_t v = 0; v < value_dim; ++v) {
        const std::size_t value = (query.first_key + j) * value_dim + v;
        const Quad passed = factor(problem, at * keys + j) * d_output[at * value_dim + v];
        d_weights[j].add(passed * in.value[value]);
        out.value[value].add(passed * weights[j]);
      }
      mean.add(weights[j] * d_weights[j].value, weights[j] * d_weights[j].size);
    }
    for (std::size_t j = 0; j < keys; ++j) {
      const Quad d_score = weights[j] * (d_weights[j].value - mean.value);
      const Quad size = weights[j] * (d_weights[j].size + mean.size);
      for (std::size_t d = 0; d < dim; ++d) {
        const std::size_t q = at * dim + d;
        const std::size_t k = (query.first_key + j) * dim + d;
        out.query[q].add(problem.scale * d_score * in.key[k], magnitude(problem.scale * size * in.key[k]));
        out.key[k].add(problem.scale * d_score * in.query[q], magnitude(problem.scale * size * in.query[q]));
      }
      if (in.bias.empty()) continue;
      const Quad outside = problem.bias_scaled ? problem.scale : static_cast<Quad>(1);
      out.bias[query.bias(j)].add(outside * d_score, magnitude(outside * size));
    }
  }
  return out;
}

std::vector<Sum> linear(const Values& x, const Values& weight, const Values& bias, std::size_t in) {
  const std::size_t outputs = weight.size() / in;
  std::vector<Sum> y(x.size() / in * outputs);
  for (std::size_t at = 0; at < y.size(); ++at) {
    for (std::size_t i = 0; i < in; ++i) y[at].add(x[at / outputs * in + i] * weight[at % outputs * in + i]);
    if (!bias.empty()) y[at].add(bias[at % outputs]);
  }
  return y;
}

}  // namespace reference
