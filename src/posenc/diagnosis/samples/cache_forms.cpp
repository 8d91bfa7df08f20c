#include "posenc/diagnosis/samples/cache_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/samples/pair_lengths.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc::diagnosis {
namespace {

/// So many tokens of a large cache are compared: enough for frequencies of one cycle in a million positions.
constexpr std::size_t most_tokens = 48;

/// Bits for a form that is seldom met: sines in front, tokens behind their pairs.
constexpr double seldom_bits = 2;

/// A form of a cache: the indices in a row of both numbers of a pair, and of their copies.
struct Form {
  std::string_view name;
  bool one_array;
  std::size_t per_pair;  ///< values of a row for a pair
  double bits;
  /// The place of a copy (0 or 1) of the cosine or the sine.
  std::size_t (*place)(std::size_t pairs, std::size_t pair, bool sine, std::size_t copy);
};

constexpr std::array<Form, 7> forms{{
    {"huggingface", false, 2, 0, [](std::size_t n, std::size_t i, bool, std::size_t copy) { return i + copy * n; }},
    {"huggingface-interleaved", false, 2, 0,
     [](std::size_t, std::size_t i, bool, std::size_t copy) { return 2 * i + copy; }},
    {"onnx", false, 1, 0, [](std::size_t, std::size_t i, bool, std::size_t) { return i; }},
    {"ggml", true, 2, 0, [](std::size_t, std::size_t i, bool sine, std::size_t) { return 2 * i + (sine ? 1 : 0); }},
    {"joined", true, 2, 0, [](std::size_t n, std::size_t i, bool sine, std::size_t) { return i + (sine ? n : 0); }},
    {"ggml-sines-first", true, 2, seldom_bits,
     [](std::size_t, std::size_t i, bool sine, std::size_t) { return 2 * i + (sine ? 0 : 1); }},
    {"joined-sines-first", true, 2, seldom_bits,
     [](std::size_t n, std::size_t i, bool sine, std::size_t) { return i + (sine ? 0 : n); }},
}};

/// A row of numbers, wherever the axes are: the dimensions' axis, and behind it one of two values, as of complex
/// numbers.
struct Axes {
  std::size_t sequence, dims;
  bool has_parts;  ///< the last axis, of extent 2, belongs to the dimensions
};

class Viewer {
 public:
  Viewer(const CacheSamples& samples, const StoredType& type)
      : samples_(samples), type_(type), axes_(samples.cosines.shape) {}

  [[nodiscard]] std::size_t extent(std::size_t axis) const { return axes_.extent(axis); }

  [[nodiscard]] CacheView view(const Form& form, const Axes& axes, std::vector<std::size_t> tokens) const {
    CacheView made{.form = form.name,
                   .sequence_axis = axes.sequence,
                   .dims_axis = axes.dims,
                   .has_parts = axes.has_parts,
                   .type = type_,
                   .chosen = std::move(tokens),
                   .rotations = {}};
    made.tokens = extent(axes.sequence);
    made.rotations = {
        .tokens = made.chosen.size(), .pairs = row_of(axes) / form.per_pair, .cosines = {}, .sines = {}, .units = {}};
    const SampleValues& sines = form.one_array ? samples_.cosines.values : samples_.sines.values;
    for (const std::size_t token : made.chosen) {
      read(samples_.cosines.values, form, axes, token, false, made, made.rotations.cosines);
      read(sines, form, axes, token, true, made, made.rotations.sines);
    }
    return made;
  }

  /// Compares with a unit, and counts the bits of what does not fit.
  [[nodiscard]] CacheView judged(const Form& form, const Axes& axes, std::vector<std::size_t> tokens) const {
    CacheView made = view(form, axes, std::move(tokens));
    double largest = std::numeric_limits<double>::min();
    for (const auto* const numbers : {&made.rotations.cosines, &made.rotations.sines})
      for (const double number : *numbers) largest = std::max(largest, std::fabs(number));
    made.rotations.units.assign(made.rotations.cosines.size(), type_.unit(largest));
    made.misfit = made.copies + length_misfit(made.rotations, common_length(made.rotations)) + form.bits;
    return made;
  }

  [[nodiscard]] std::size_t row_of(const Axes& axes) const { return extent(axes.dims) * (axes.has_parts ? 2 : 1); }

 private:
  /// Reads the numbers of a token's pairs; their copies (in the row, and on all other axes) are compared with them.
  void read(const SampleValues& values, const Form& form, const Axes& axes, std::size_t token, bool sine,
            CacheView& view, std::vector<double>& to) const {
    const std::size_t pairs = view.rotations.pairs, copies = form.one_array ? 1 : form.per_pair;
    const std::size_t others = values.size() / extent(axes.sequence) / row_of(axes), first = to.size();
    std::vector<double> row;
    for (std::size_t other = 0; other < others; ++other) {
      read_row(values, axes, token, other, row);
      for (std::size_t copy = 0; copy < copies; ++copy)
        for (std::size_t pair = 0; pair < pairs; ++pair) {
          const double each = row[form.place(pairs, pair, sine, copy)];
          if (other == 0 && copy == 0) to.push_back(each);
          const double difference = std::fabs(each - to[first + pair]);
          if (difference == 0) continue;
          const double unit = type_.unit(std::max(std::fabs(to[first + pair]), std::fabs(each)));
          view.copies += misfit_of(difference, unit);
          view.units = std::max(view.units, difference / unit);
        }
    }
  }

  void read_row(const SampleValues& values, const Axes& axes, std::size_t token, std::size_t other,
                std::vector<double>& row) const {
    const std::size_t parts = axes.has_parts ? 2 : 1, stride = axes_.stride(axes.dims);
    const std::size_t start = axes_.start_of(other, {axes.sequence, axes.dims}, axes_.rank() + 1 - parts) +
                              token * axes_.stride(axes.sequence);
    row.clear();
    if (parts == 1) return values.append_to(row, start, extent(axes.dims), stride);
    for (std::size_t i = 0; i < extent(axes.dims); ++i) values.append_to(row, start + i * stride, parts);
  }

  const CacheSamples& samples_;
  StoredType type_;
  TensorAxes axes_;
};

std::vector<Axes> possible_axes(const CacheSamples& samples, std::size_t tokens) {
  const auto& shape = samples.cosines.shape;
  const std::size_t rank = shape.size();
  std::vector<Axes> made;
  for (std::size_t sequence = 0; sequence < rank; ++sequence) {
    if (tokens != 0 ? shape[sequence] != static_cast<std::int64_t>(tokens) : shape[sequence] < 2) continue;
    for (std::size_t dims = rank; dims-- > 0;) {
      if (dims == sequence) continue;
      made.push_back({.sequence = sequence, .dims = dims, .has_parts = false});
      if (samples.sines.values.empty() && rank >= 3 && shape[rank - 1] == 2 && dims != rank - 1 && sequence != rank - 1)
        made.push_back({.sequence = sequence, .dims = dims, .has_parts = true});
    }
  }
  return made;
}

bool has_copies(const std::vector<CacheView>& views, const CacheView& pairs) {
  return std::ranges::any_of(views, [&](const CacheView& view) {
    return view.sequence_axis == pairs.sequence_axis && view.dims_axis == pairs.dims_axis && view.copies == 0;
  });
}

bool is_one_array(const CacheSamples& samples) { return samples.sines.values.empty() && samples.sines.shape.empty(); }

/// The coarser type of both arrays.
Expected<StoredType> type_of(const CacheSamples& samples) {
  const bool one_array = is_one_array(samples);
  auto type = stored_type_of(samples.cosines, one_array ? "cosSin" : "cos");
  if (!type || one_array) return type;
  POSENC_TRY_LET(sine_type, stored_type_of(samples.sines, "sin"));
  if (samples.sines.shape != samples.cosines.shape)
    return invalid_argument("sin.shape", static_cast<double>(samples.sines.shape.size()), {"the extents of cos"});
  return sine_type.rounding > type->rounding ? sine_type : type;
}

}  // namespace

Expected<std::vector<CacheView>> cache_views(const CacheSamples& samples, std::size_t tokens) {
  const bool one_array = is_one_array(samples);
  POSENC_TRY_LET(type, type_of(samples));
  const std::vector<Axes> axes = possible_axes(samples, tokens);
  if (axes.empty())
    return invalid_argument("positions", static_cast<double>(tokens),
                            {"as many as an axis of the cache has, beside that of pairs"});
  const Viewer viewer(samples, type);
  std::vector<CacheView> views;
  for (const Axes& each : axes)
    for (const Form& form : forms) {
      if (form.one_array != one_array || viewer.row_of(each) % form.per_pair != 0) continue;
      if (each.has_parts && !form.name.starts_with("ggml")) continue;
      CacheView view = viewer.judged(form, each, spread_tokens(viewer.extent(each.sequence), most_tokens));
      if (each.sequence > each.dims) view.misfit += seldom_bits;
      // Forms of copies come first: where a row has them, it is no row of as many pairs.
      if (form.name == "onnx" && has_copies(views, view)) continue;
      views.push_back(std::move(view));
    }
  std::ranges::sort(views, {}, &CacheView::misfit);
  return views;
}

CacheView view_tokens_like(const CacheSamples& samples, const CacheView& like, std::vector<std::size_t> tokens) {
  const auto* const form = std::ranges::find(forms, like.form, &Form::name);
  const Axes axes{.sequence = like.sequence_axis, .dims = like.dims_axis, .has_parts = like.has_parts};
  CacheView made = Viewer(samples, like.type).view(*form, axes, std::move(tokens));
  made.rotations.units.assign(made.rotations.cosines.size(), like.rotations.units.front());
  return made;
}

}  // namespace posenc::diagnosis
