#include "posenc/rotary/rotary.hpp"

#include <limits>
#include <vector>

#include "modules.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/rotary/certificate.hpp"
#include "posenc/rotary/convert_layout.hpp"
#include "posenc/rotary/float32_rotary.hpp"
#include "posenc/rotary/fope.hpp"
#include "posenc/rotary/query_temperature.hpp"
#include "posenc/rotary/rotary_cache.hpp"
#include "posenc/rotary/rotary_difference.hpp"
#include "posenc/rotary/rotary_shift.hpp"
#include "posenc/rotary/xpos.hpp"

namespace posenc::embind {
namespace {

/// Keeps what was made, and answers what JavaScript knows of it.
Expected<void> keep(const calls::RotaryAnswers& answer, Expected<Rotary> rotary) {
  POSENC_TRY_LET(made, std::move(rotary));
  answer.rotary_dim = static_cast<double>(made.rotary_dim());
  answer.attention_factor = made.attention_factor();
  answer.handle = to_handle(KeptRotary(std::move(made)));
  return {};
}

Expected<void> apply(const calls::ApplyFields& in, Address rotary, std::span<float> x) {
  POSENC_TRY_LET(shape, sequence_shape(in));
  POSENC_TRY_LET(step, step_of(from_handle<KeptRotary>(rotary)));
  return step->apply(x, shape, positions_of(in, shape.sequence()), direction_of(in.inverse));
}

/// A rotation repeated on one tensor whose address does not change.
struct PreparedStep {
  RotaryStep* step;
  std::span<float> x;
  SequenceShape shape;
  Direction direction;
};

/// Called without Embind, whose crossing takes longer than the rotation of a token. rotaryApply returns the error.
extern "C" bool rotary_step(Address prepared, double position) {
  const auto& [step, x, shape, direction] = from_handle<PreparedStep>(prepared);
  return step->repeat(x, shape, position, direction);
}

Expected<Layout> layout_of(const char* argument, std::string_view word) {
  auto layout = from_name<Layout>(word);
  if (!layout) layout.error().argument = argument;
  return layout;
}

}  // namespace

Expected<RotaryStep*> step_of(KeptRotary& rotary) {
  if (!rotary.step) {
    POSENC_TRY_LET(made, RotaryStep::make(rotary));
    rotary.step = std::move(made);
  }
  return &*rotary.step;
}

Expected<SequenceShape> sequence_shape(const calls::AxesFields& in) { return sequence_shape(in, in.shape); }

Expected<SequenceShape> sequence_shape(const calls::AxesFields& in, std::span<const std::int64_t> shape) {
  return SequenceShape::make(shape, {.sequence = in.seq_axis, .dim = in.dim_axis, .batch = in.batch_axis});
}

Expected<SequenceShape> sequence_shape(const Tensor& x, std::optional<std::int64_t> seq_axis, const char* argument) {
  const std::vector<std::int64_t> extents(x.shape.begin(), x.shape.end());
  auto shape = SequenceShape::make(extents, {.sequence = seq_axis});
  if (!shape && shape.error().argument == "shape") shape.error().argument = argument;
  return shape;
}

Expected<void> run(const calls::RotaryMake& in) {
  POSENC_TRY_LET(options, filled<RotaryOptions>(in));
  return keep(in.answer, Rotary::make(options));
}

Expected<void> run(const calls::RotaryFull& in) {
  POSENC_TRY_LET(options, filled<RotaryOptions, Handled<"precision">>(in));
  auto precision = RotaryPrecision::exact;
  POSENC_TRY(set(precision, in.precision));
  return keep(in.answer, precision == RotaryPrecision::exact ? Rotary::make(options) : make_float32_rotary(options));
}

Expected<void> run(const calls::RotaryCache& in) {
  return from_handle<KeptRotary>(in.rotary).cache(positions_of(in), in.out.cos, in.out.sin);
}

Expected<void> run(const calls::RotaryApply& in) { return apply(in, in.rotary, in.x); }

Expected<void> run(const calls::RotaryStepMake& in) {
  auto& kept = from_handle<KeptRotary>(in.rotary);
  POSENC_TRY_LET(shape, sequence_shape(in));
  POSENC_TRY(kept.check_rotation(in.x.size, shape, Positions::range(shape.sequence())));
  POSENC_TRY_LET(step, step_of(kept));
  in.answer.handle = to_handle(PreparedStep{step, in.x, shape, direction_of(in.inverse)});
  return {};
}

Expected<void> run(const calls::RotaryFullApply& in) {
  POSENC_TRY_LET(dtype, from_name<DType>(in.x.dtype));
  if (dtype == DType::float32 && !in.first_dim) return apply(in, in.rotary, in.x);
  const Rotary& rotary = from_handle<KeptRotary>(in.rotary);
  POSENC_TRY_LET(shape, sequence_shape(in));
  if (in.first_dim) {
    POSENC_TRY_LET(slice, shape.dims(*in.first_dim, rotary.dim()));
    shape = slice;
  }
  const Positions positions = positions_of(in, shape.sequence());
  const Direction direction = direction_of(in.inverse);
  if (dtype == DType::float32) return rotary.apply(in.x.as<float>(), shape, positions, direction);
  return rotary.apply(Span16(dtype, in.x.as<std::uint16_t>()), shape, positions, direction);
}

Expected<void> run(const calls::QueryTemperature& in) {
  POSENC_TRY_LET(temperature, (filled<QueryTemperature, calls::AxesFields, Handled<"x", "offset", "positions">>(in)));
  POSENC_TRY_LET(shape, sequence_shape(in));
  return scale_queries(temperature, in.x, shape, positions_of(in, shape.sequence()));
}

Expected<void> run(const calls::RotaryFullCache& in) {
  POSENC_TRY_LET(form, from_name<CacheForm>(in.form));
  const Rotary& rotary = from_handle<KeptRotary>(in.rotary);
  const Array& cosines = form == CacheForm::ggml ? in.out.cos_sin : in.out.cos;
  return write_as(in.dtype, cosines, [&]<class Out>(const Out& out) {
    if constexpr (std::is_same_v<Out, Span16>)
      return write_rotary_cache(rotary, form, positions_of(in), out,
                                Span16(out.dtype(), in.out.sin.as<std::uint16_t>()));
    else
      return write_rotary_cache(rotary, form, positions_of(in), out, in.out.sin);
  });
}

Expected<void> run(const calls::RotateWithCache& in) {
  POSENC_TRY_LET(form, from_name<CacheForm>(in.form));
  POSENC_TRY_LET(layout, from_name<Layout>(in.layout));
  const Tensor& cosines = form == CacheForm::ggml ? in.cos_sin : in.cos;
  const auto row = static_cast<std::int64_t>(cosines.shape.back());
  const RotaryCache cache{form, form == CacheForm::onnx ? 2 * row : row, cosines, in.sin};

  // A cache of several batches has a row for each token.
  AlignedArray<double> own;
  PositionList positions = in.positions;
  if (cosines.extent(3) != 1) {
    POSENC_TRY_LET(rows, AlignedArray<double>::make_unfilled(cosines.extent(3) * cosines.extent(2)));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<double>(i);
    own = std::move(rows);
    positions = {{reinterpret_cast<Address>(own.data()), own.size()}, static_cast<std::int64_t>(cosines.extent(3))};
  }
  POSENC_TRY_LET(shape, sequence_shape(in));
  return rotate_with_cache(cache, layout, in.x, shape, positions_of(positions, in.offset, shape.sequence()),
                           direction_of(in.inverse));
}

Expected<void> run(const calls::Fope& in) {
  FopeOptions options;
  POSENC_TRY(fill<Handled<"cosines", "sines", "length", "offset", "positions">>(options, in));
  options.cosines = in.cosines;
  options.sines = in.sines;
  options.heads = static_cast<std::int64_t>(in.cosines.extent(3));
  options.kept = static_cast<std::int64_t>(in.cosines.extent(2));
  options.mixed = static_cast<std::int64_t>(in.cosines.extent(1));
  return write_fope(options, positions_of(in), in.out.cos, in.out.sin);
}

Expected<void> run(const calls::ShiftRotated& in) {
  // One distance, of no list, is every token's.
  const bool is_one = in.by.lists == -1;
  POSENC_TRY_LET(shape, sequence_shape(in));
  const auto by = is_one ? Positions::repeat(shape.sequence(), in.by.as<const double>()[0])
                         : positions_of(in.by, std::nullopt, shape.sequence());
  return shift_rotated(from_handle<KeptRotary>(in.rotary), in.x, shape, by);
}

Expected<void> run(const calls::RotateAgain& in) {
  POSENC_TRY_LET(shape, sequence_shape(in));
  return rotate_again(from_handle<KeptRotary>(in.from), from_handle<KeptRotary>(in.to), in.x, shape,
                      positions_of(in, shape.sequence()));
}

Expected<void> run(const calls::RotaryMatrix& in) {
  return rotary_matrix(from_handle<KeptRotary>(in.rotary), in.position, direction_of(in.inverse), in.out);
}

Expected<void> run(const calls::RotaryDifference& in) {
  const auto distances = in.distances.as<const double>();
  const auto difference = [&](std::size_t i) {
    return rotary_difference(from_handle<KeptRotary>(in.a), from_handle<KeptRotary>(in.b), distances[i]);
  };
  for (std::size_t i = 0; i < distances.size(); ++i) POSENC_TRY(difference(i));
  // Without a place for results they have no room: distances are checked alone.
  const auto angle = in.out.angle.as<double>();
  for (std::size_t i = 0; i < angle.size(); ++i) {
    const auto made = difference(i);
    angle[i] = made->angle;
    in.out.cosine.as<double>()[i] = made->cosine;
    in.out.score.as<double>()[i] = made->score;
  }
  return {};
}

Expected<void> run(const calls::Certify& in) {
  POSENC_TRY_LET(plan, filled<RotaryOptions>(in.plan));
  POSENC_TRY_LET(options, filled<CertificateOptions, Handled<"plan", "exceeds">>(in));
  if (in.exceeds) POSENC_TRY(fill(options.exceeds, *in.exceeds));
  POSENC_TRY_LET(made, certify(std::move(plan), options));
  const auto answer = [](const CertifiedBound& of, double& bound, double& pair, double& from) {
    bound = of.bound;
    pair = static_cast<double>(of.pair);
    from = of.from ? static_cast<double>(*of.from) : std::numeric_limits<double>::quiet_NaN();
  };
  answer(made.angle, in.answer.angle, in.answer.angle_pair, in.answer.angle_from);
  answer(made.cosine, in.answer.cosine, in.answer.cosine_pair, in.answer.cosine_from);
  answer(made.dimension, in.answer.dimension, in.answer.dimension_pair, in.answer.dimension_from);
  answer(made.score, in.answer.score, in.answer.score_pair, in.answer.score_from);
  return {};
}

Expected<void> run(const calls::ConvertLayout& in) {
  POSENC_TRY_LET(from, layout_of("from", in.from));
  POSENC_TRY_LET(to, layout_of("to", in.to));
  const auto& extents = in.x.shape;
  const auto axis =
      static_cast<std::size_t>(in.axis < 0 ? in.axis + static_cast<std::int64_t>(extents.size()) : in.axis);
  std::size_t inner = 1;
  for (const double extent : extents.subspan(axis + 1)) inner *= static_cast<std::size_t>(extent);
  return convert_layout({in.dim, in.rotary_dim, from, to}, std::max<std::size_t>(inner, 1), in.x, in.out);
}

Expected<void> run(const calls::XposMake& in) {
  XposOptions options;
  POSENC_TRY(fill<Handled<"centre", "scale_base">>(options.rotary, in));
  POSENC_TRY(fill<calls::RotaryFields>(options, in));
  POSENC_TRY_LET(made, Xpos::make(options));
  in.answer.rotary_dim = static_cast<double>(made.rotary().rotary_dim());
  in.answer.attention_factor = made.rotary().attention_factor();
  in.answer.handle = to_handle(std::move(made));
  return {};
}

Expected<void> run(const calls::XposApply& in) {
  POSENC_TRY_LET(side, from_name<XposSide>(in.side));
  POSENC_TRY_LET(shape, sequence_shape(in));
  return from_handle<Xpos>(in.rotary).apply(in.x, shape, positions_of(in, shape.sequence()), side,
                                            direction_of(in.inverse));
}

Expected<void> run(const calls::XposScales& in) {
  return from_handle<Xpos>(in.rotary).scales(positions_of(in), in.out);
}

}  // namespace posenc::embind
