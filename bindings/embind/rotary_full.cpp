#include "dtype.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/rotary/convert_layout.hpp"
#include "posenc/rotary/float32_rotary.hpp"
#include "posenc/rotary/rotary_cache.hpp"
#include "posenc/rotary/rotary_matrix.hpp"
#include "posenc/rotary/rotary_shift.hpp"
#include "posenc/rotary/xpos.hpp"
#include "rotary.hpp"

namespace posenc::embind {
namespace {

Expected<void> rotary_full(const calls::RotaryFull& in) {
  POSENC_TRY_LET(options, rotary_options(in));
  auto precision = RotaryPrecision::exact;
  POSENC_TRY(set(precision, in.precision, rotary_precision_from_name));
  return keep(in, precision == RotaryPrecision::exact ? Rotary::make(options) : make_float32_rotary(options));
}

Expected<void> rotary_full_apply(const calls::RotaryFullApply& in) {
  POSENC_TRY_LET(dtype, dtype_from_name(in.x.dtype));
  if (dtype == DType::float32) return apply_rotary(in, in.x.data.as<float>());
  POSENC_TRY_LET(shape, sequence_shape(in, in.positions));
  return held<KeptRotary>(in.rotary).apply(Span16(dtype, in.x.data.as<std::uint16_t>()), shape,
                                           positions_of(in.positions, in.offset, shape.sequence()),
                                           direction_of(in.inverse));
}

Expected<void> rotary_full_cache(const calls::RotaryFullCache& in) {
  POSENC_TRY_LET(form, cache_form_from_name(in.form));
  const auto positions = positions_of(in.positions, in.offset, static_cast<std::size_t>(in.length.value_or(0)));
  const Rotary& rotary = held<KeptRotary>(in.rotary);
  const Array& cosines = form == CacheForm::ggml ? in.out.cos_sin : in.out.cos;
  return write_as(in.dtype, cosines, [&]<class Out>(const Out& out) {
    if constexpr (std::is_same_v<Out, Span16>)
      return write_rotary_cache(rotary, form, positions, out, Span16(out.dtype(), in.out.sin.as<std::uint16_t>()));
    else
      return write_rotary_cache(rotary, form, positions, out, in.out.sin.as<float>());
  });
}

Expected<void> rotate_with_cache(const calls::RotateWithCache& in) {
  POSENC_TRY_LET(form, cache_form_from_name(in.form));
  POSENC_TRY_LET(layout, layout_from_name(in.layout));
  const Tensor& cosines = form == CacheForm::ggml ? in.cos_sin : in.cos;
  const auto row = static_cast<std::int64_t>(cosines.shape.back());
  const RotaryCache cache{form, form == CacheForm::onnx ? 2 * row : row, cosines.values(), in.sin.values()};

  // A cache of several batches has a row for each token.
  AlignedArray<double> own;
  PositionList positions = in.positions;
  if (cosines.extent(3) != 1) {
    POSENC_TRY_LET(rows, AlignedArray<double>::make_unfilled(cosines.extent(3) * cosines.extent(2)));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<double>(i);
    own = std::move(rows);
    positions = {{reinterpret_cast<Address>(own.data()), own.size()}, static_cast<std::int64_t>(cosines.extent(3))};
  }
  POSENC_TRY_LET(shape, sequence_shape(in, positions));
  return posenc::rotate_with_cache(cache, layout, in.x.as<float>(), shape,
                                   positions_of(positions, in.offset, shape.sequence()), direction_of(in.inverse));
}

Expected<void> shift_rotated(const calls::ShiftRotated& in) {
  // One distance, of no list, is every token's.
  const bool is_one = in.by.lists == -1;
  POSENC_TRY_LET(shape, sequence_shape(in, is_one ? PositionList{} : in.by));
  const auto by = is_one ? Positions::repeat(shape.sequence(), in.by.data.as<const double>()[0])
                         : positions_of(in.by, std::nullopt, shape.sequence());
  return posenc::shift_rotated(held<KeptRotary>(in.rotary), in.x.as<float>(), shape, by);
}

Expected<void> rotate_again(const calls::RotateAgain& in) {
  POSENC_TRY_LET(shape, sequence_shape(in, in.positions));
  return posenc::rotate_again(held<KeptRotary>(in.from), held<KeptRotary>(in.to), in.x.as<float>(), shape,
                              positions_of(in.positions, in.offset, shape.sequence()));
}

Expected<void> rotary_matrix(const calls::RotaryMatrix& in) {
  return posenc::rotary_matrix(held<KeptRotary>(in.rotary), in.position, direction_of(in.inverse), in.out.as<float>());
}

Expected<Layout> layout_of(const char* argument, const std::string& word) {
  auto layout = layout_from_name(word);
  if (!layout) layout.error().argument = argument;
  return layout;
}

Expected<void> convert_layout(const calls::ConvertLayout& in) {
  POSENC_TRY_LET(from, layout_of("from", in.from));
  POSENC_TRY_LET(to, layout_of("to", in.to));
  const auto& extents = in.x.shape;
  const auto axis =
      static_cast<std::size_t>(in.axis < 0 ? in.axis + static_cast<std::int64_t>(extents.size()) : in.axis);
  std::size_t inner = 1;
  for (const double extent : extents.subspan(axis + 1)) inner *= static_cast<std::size_t>(extent);
  return posenc::convert_layout({in.dim, in.rotary_dim, from, to}, std::max<std::size_t>(inner, 1), in.x.values(),
                                in.out.as<float>());
}

Expected<void> xpos_make(const calls::XposMake& in) {
  POSENC_TRY_LET(rotary, rotary_options(in));
  XposOptions options{.rotary = std::move(rotary), .centre = in.centre};
  set(options.scale_base, in.scale_base);
  POSENC_TRY_LET(made, Xpos::make(options));
  in.answer.rotary_dim = static_cast<double>(made.rotary().rotary_dim());
  in.answer.attention_factor = made.rotary().attention_factor();
  in.answer.handle = hold(std::move(made));
  return {};
}

Expected<void> xpos_apply(const calls::XposApply& in) {
  POSENC_TRY_LET(side, xpos_side_from_name(in.side));
  POSENC_TRY_LET(shape, sequence_shape(in, in.positions));
  return held<Xpos>(in.rotary).apply(in.x.as<float>(), shape, positions_of(in.positions, in.offset, shape.sequence()),
                                     side, direction_of(in.inverse));
}

Expected<void> xpos_scales(const calls::XposScales& in) {
  const auto count = static_cast<std::size_t>(in.length.value_or(0));
  return held<Xpos>(in.rotary).scales(positions_of(in.positions, in.offset, count), in.out.as<float>());
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary_full) {
  expose<&rotary_full>();
  expose<&rotary_full_apply>();
  expose<&rotary_full_cache>();
  expose<&rotate_with_cache>();
  expose<&shift_rotated>();
  expose<&rotate_again>();
  expose<&rotary_matrix>();
  expose<&convert_layout>();
  expose<&xpos_make>();
  expose<&xpos_apply>();
  expose<&xpos_scales>();
}

}  // namespace posenc::embind
