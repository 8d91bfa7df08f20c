#include "functions.hpp"
#include "invariants.hpp"
#include "posenc/base/dtype.hpp"
#include "posenc/frequencies/packed_positions.hpp"
#include "posenc/learned/learned_table.hpp"
#include "posenc/rotary/convert_layout.hpp"

namespace fuzz {
namespace {

using namespace posenc;

std::vector<std::int32_t> ids(Bytes& bytes, std::size_t count) {
  std::vector<std::int32_t> ids(count);
  for (std::int32_t& id : ids) id = static_cast<std::int32_t>(bytes.byte() % 12) - (bytes.byte() > 250 ? 3 : 0);
  return ids;
}

void learned(Bytes& bytes) {
  const std::int64_t dim = bytes.extent();
  const std::vector<float> table = bytes.floats(bytes.size_near(volume({12, dim})));
  const std::vector<std::int32_t> list = ids(bytes, bytes.below(9));
  const std::int64_t offset = bytes.extent();
  const TableRows rows = bytes.flag() ? TableRows::list(list, offset) : TableRows::range(bytes.below(9), offset);
  const std::size_t size = rows.count() * volume({dim});
  Output<float> found(bytes.size_near(size));
  found.check(lookup_rows(table, dim, rows, found.span()));
  const std::vector<float> x = bytes.floats(bytes.size_near(size * bytes.below(3)));
  Output<float> sum(bytes.size_near(x.size()));
  sum.check(add_rows(x, dim, table, rows, sum.span()));
  Output<float> gradient(bytes.size_near(table.size()));
  gradient.check(rows_gradient(x, dim, rows, bytes.maybe_extent(), gradient.span()));
}

void positions(Bytes& bytes) {
  const std::size_t sequence = bytes.below(9);
  const std::vector<std::int32_t> mask = ids(bytes, bytes.size_near(sequence * bytes.below(5)));
  Output<std::int32_t> padded(bytes.size_near(mask.size()));
  padded.check(padded_positions(mask, sequence, bytes.extent(), bytes.extent(), padded.span()));
  Output<std::int32_t> masked(bytes.size_near(mask.size()));
  masked.check(mask_positions(mask, sequence, static_cast<std::int32_t>(bytes.byte()), masked.span()));
  std::vector<std::int64_t> boundaries(bytes.below(6));
  for (std::int64_t& boundary : boundaries) boundary = bytes.extent();
  Output<std::int32_t> packed(bytes.size_near(boundaries.empty() ? 0 : volume({boundaries.back()})));
  packed.check(packed_positions(boundaries, packed.span()));
}

void values(Bytes& bytes) {
  const ConvertLayoutOptions conversion{bytes.extent(), bytes.maybe_extent(), bytes.one_up_to(Layout::deinterleaved),
                                        bytes.one_up_to(Layout::deinterleaved)};
  const std::size_t inner = bytes.below(5);
  const std::vector<float> x = bytes.floats(bytes.size_near(volume({conversion.dim, 3}) * inner));
  Output<float> converted(bytes.size_near(x.size()));
  converted.check(convert_layout(conversion, inner, x, converted.span()));
  Output<std::uint16_t> halves(bytes.size_near(x.size()));
  const DType dtype = bytes.flag() ? DType::float16 : DType::bfloat16;
  halves.check(convert(x, Span16(dtype, halves.span())));
  Output<float> back(bytes.size_near(halves.span().size()));
  back.check(convert(ConstSpan16(dtype, halves.span()), back.span()));
}

}  // namespace

void fuzz_rows(Bytes& bytes) {
  constexpr void (*families[])(Bytes&){learned, positions, values};
  families[bytes.below(std::size(families))](bytes);
}

}  // namespace fuzz
