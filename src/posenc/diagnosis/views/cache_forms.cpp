#include "posenc/diagnosis/views/cache_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/ordering.hpp"

namespace posenc::diagnosis {
namespace {

/// So many rows show which forms are possible.
constexpr std::size_t compared_rows = 24;

/// Copies are the same number: what is farther apart is another.
constexpr double loose_cache = 0x1p-5;

constexpr std::array<CacheForm, 7> forms{{
    {"huggingface", false, 2, [](std::size_t n, std::size_t i, bool, std::size_t copy) { return i + copy * n; }},
    {"huggingface-interleaved", false, 2,
     [](std::size_t, std::size_t i, bool, std::size_t copy) { return 2 * i + copy; }},
    {"onnx", false, 1, [](std::size_t, std::size_t i, bool, std::size_t) { return i; }},
    {"ggml", true, 2, [](std::size_t, std::size_t i, bool sine, std::size_t) { return 2 * i + (sine ? 1 : 0); }},
    {"joined", true, 2, [](std::size_t n, std::size_t i, bool sine, std::size_t) { return i + (sine ? n : 0); }},
    {"ggml-sines-first", true, 2,
     [](std::size_t, std::size_t i, bool sine, std::size_t) { return 2 * i + (sine ? 0 : 1); }},
    {"joined-sines-first", true, 2,
     [](std::size_t n, std::size_t i, bool sine, std::size_t) { return i + (sine ? 0 : n); }},
}};

std::size_t row_of(const TensorAxes& of, const CacheAxes& axes) {
  return of.extent(axes.dims) * (axes.has_parts ? 2 : 1);
}

std::size_t copies_of(const CacheForm& form) { return form.one_array ? 1 : form.per_pair; }

std::size_t vectors_of(const CacheSamples& samples, const CacheForm& form, const CacheAxes& axes) {
  const TensorAxes of(samples.cosines.shape);
  return samples.cosines.values.size() / of.extent(axes.sequence) / row_of(of, axes) * copies_of(form);
}

std::vector<CacheAxes> possible_cache_axes(const CacheSamples& samples, std::size_t tokens) {
  const auto& shape = samples.cosines.shape;
  const std::size_t rank = shape.size();
  std::vector<CacheAxes> made;
  for (std::size_t sequence = 0; sequence < rank; ++sequence) {
    if (tokens != 0 ? shape[sequence] != static_cast<std::int64_t>(tokens) : shape[sequence] < 2) continue;
    for (std::size_t dims = rank; dims-- > 0;) {
      if (dims == sequence) continue;
      made.push_back({.sequence = sequence, .dims = dims});
      if (samples.sines.values.empty() && rank >= 3 && shape[rank - 1] == 2 && dims != rank - 1 && sequence != rank - 1)
        made.push_back({.sequence = sequence, .dims = dims, .has_parts = true});
    }
  }
  // Tokens behind their pairs are seldom met.
  sort_by(made, [](const CacheAxes& each) { return each.sequence > each.dims; });
  return made;
}

}  // namespace

CacheView::CacheView(const CacheSamples& samples, const CacheForm& form, const CacheAxes& axes,
                     std::vector<std::size_t> tokens, const Noise& noise)
    : SampleView(tokens.size(), vectors_of(samples, form, axes),
                 row_of(TensorAxes(samples.cosines.shape), axes) / form.per_pair, noise),
      samples_(&samples),
      form_(&form),
      axes_(axes),
      of_(samples.cosines.shape),
      chosen_(std::move(tokens)) {}

void CacheView::read(std::size_t token, std::size_t /*vectors*/, TokenPairs& to) const {
  const std::size_t copies = copies_of(*form_), parts = axes_.has_parts ? 2 : 1, stride = of_.stride(axes_.dims);
  std::vector<double> row;
  for (const bool is_sine : {false, true}) {
    const SampleValues& values = form_->one_array || !is_sine ? samples_->cosines.values : samples_->sines.values;
    std::vector<double>& numbers = is_sine ? to.v : to.u;
    for (std::size_t other = 0; other < vectors() / copies; ++other) {
      const std::size_t start = of_.start_of(other, {axes_.sequence, axes_.dims}, of_.rank() + 1 - parts) +
                                chosen_[token] * of_.stride(axes_.sequence);
      row.clear();
      if (parts == 1)
        values.append_to(row, start, of_.extent(axes_.dims), stride);
      else
        for (std::size_t i = 0; i < of_.extent(axes_.dims); ++i) values.append_to(row, start + i * stride, parts);
      for (std::size_t copy = 0; copy < copies; ++copy)
        for (std::size_t pair = 0; pair < pairs(); ++pair)
          numbers[(other * copies + copy) * pairs() + pair] = row[form_->place(pairs(), pair, is_sine, copy)];
    }
  }
  std::ranges::fill(to.x, 1.0);
  std::ranges::fill(to.y, 0.0);
}

bool CacheView::may_be_cache() const {
  for (const std::size_t token : spread_indices(tokens(), compared_rows)) {
    const TokenPairs& own = pairs_of(token);
    for (std::size_t at = 0; at < own.u.size(); ++at) {
      const double error = loose_cache * std::hypot(own.u[at], own.v[at]);
      const std::size_t first = at % pairs();
      if (std::fabs(own.u[at] - own.u[first]) > error || std::fabs(own.v[at] - own.v[first]) > error) return false;
    }
  }
  return true;
}

bool CacheView::is_zero(std::size_t row) const {
  const TokenPairs& own = pairs_of(row);
  const auto is_nothing = [](double each) { return each == 0; };
  return std::ranges::all_of(own.u, is_nothing) && std::ranges::all_of(own.v, is_nothing);
}

Expected<std::vector<CacheView>> cache_views(const CacheSamples& samples, std::size_t tokens, std::size_t pairs,
                                             const Noise& noise) {
  const bool one_array = samples.sines.values.empty() && samples.sines.shape.empty();
  const std::vector<CacheAxes> axes = possible_cache_axes(samples, tokens);
  if (axes.empty())
    return invalid_argument("positions", static_cast<double>(tokens),
                            {"as many as an axis of the cache has, beside that of pairs"});
  const TensorAxes of(samples.cosines.shape);
  std::vector<CacheView> views;
  for (const CacheAxes& each : axes) {
    bool has_copies = false;
    for (const CacheForm& form : forms) {
      if (form.one_array != one_array || row_of(of, each) % form.per_pair != 0) continue;
      if (each.has_parts && !form.name.starts_with("ggml")) continue;
      // Forms of copies come first: where a row has them, it is no row of as many pairs, unless these were expected.
      if (form.name == "onnx" && has_copies && row_of(of, each) != pairs) continue;
      std::vector<std::size_t> all(of.extent(each.sequence));
      std::iota(all.begin(), all.end(), std::size_t{0});
      CacheView view(samples, form, each, std::move(all), noise);
      if (!view.may_be_cache()) continue;
      has_copies = has_copies || form.per_pair == 2;
      views.push_back(std::move(view));
    }
  }
  return views;
}

}  // namespace posenc::diagnosis
