#include <cmath>

#include "functions.hpp"
#include "invariants.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/fire.hpp"
#include "posenc/relative/kerple.hpp"
#include "posenc/relative/position_map.hpp"
#include "posenc/relative/relative_position.hpp"
#include "posenc/relative/sandwich.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/swin.hpp"
#include "posenc/relative/t5.hpp"

namespace fuzz {
namespace {

using namespace posenc;

/// Heads, queries and keys that allow outputs of a size that fits.
std::optional<RelativePositions> positions_of(Bytes& bytes) {
  const BiasShape shape{bytes.extent(), bytes.extent(), bytes.extent(),
                        bytes.flag() ? bytes.extent() : -static_cast<std::int64_t>(bytes.below(20))};
  const auto positions = RelativePositions::make(shape);
  const bool fits = check(positions) && volume({shape.heads, shape.queries, shape.keys}) ==
                                            positions->heads() * positions->queries() * positions->keys();
  return fits ? std::optional(*positions) : std::nullopt;
}

std::size_t cells(const RelativePositions& positions) { return positions.queries() * positions.keys(); }

struct Layers {
  std::vector<float> weight1, bias1, weight2, bias2;

  Layers(Bytes& bytes, std::size_t inputs, std::size_t outputs) {
    const std::size_t hidden = bytes.below(9);
    weight1 = bytes.floats(bytes.size_near(hidden * inputs));
    bias1 = bytes.floats(bytes.size_near(hidden));
    weight2 = bytes.floats(bytes.size_near(outputs * hidden));
    bias2 = bytes.floats(bytes.flag() ? bytes.size_near(outputs) : 0);
  }

  [[nodiscard]] Perceptron perceptron() const { return {weight1, bias1, weight2, bias2}; }
};

}  // namespace

void fuzz_relative_ids(Bytes& bytes) {
  const auto positions = positions_of(bytes);
  if (!positions) return;
  Output<std::int32_t> offsets(bytes.size_near(cells(*positions)));
  offsets.check(relative_offsets(*positions, offsets.span()));
  Output<std::int32_t> ids(bytes.size_near(cells(*positions)));
  ids.check(shaw_ids(*positions, bytes.extent(), ids.span()));

  const auto buckets = T5Buckets::make({bytes.extent(), bytes.extent(), bytes.flag()});
  if (check(buckets)) {
    Output<std::int32_t> bucketed(bytes.size_near(cells(*positions)));
    bucketed.check(buckets->ids(*positions, bucketed.span()));
  }
  const std::size_t inner = bytes.below(6);
  const std::vector<float> compact = bytes.floats(bytes.size_near(positions->heads() * positions->distances() * inner));
  Output<float> expanded(bytes.size_near(positions->heads() * cells(*positions) * inner));
  expanded.check(relative_expand(*positions, inner, compact, expanded.span()));

  const auto map =
      PositionMap::make({bytes.one_up_to(PositionMapType::dual_chunk), bytes.maybe_extent(), bytes.maybe_extent(),
                         bytes.maybe_number(), bytes.maybe_extent(), bytes.maybe_extent()});
  if (!check(map)) return;
  Output<double> distances(bytes.size_near(cells(*positions)));
  Output<std::int32_t> regions(bytes.size_near(cells(*positions)));
  Output<double> queries(bytes.size_near(map->regions() * positions->queries()));
  Output<double> keys(bytes.size_near(map->regions() * positions->keys()));
  const auto written = map->write(*positions, {distances.span(), regions.span(), queries.span(), keys.span()});
  distances.check(written);
  regions.check(written);
  queries.check(written);
  keys.check(written);
}

void fuzz_relative_bias(Bytes& bytes) {
  const auto positions = positions_of(bytes);
  if (!positions) return;
  const Future future = bytes.one_up_to(Future::mask);
  Output<float> out(bytes.size_near(positions->heads() * cells(*positions)));
  switch (bytes.below(4)) {
    case 0: {
      const AlibiOptions options{bytes.one_up_to(AlibiSlopes::mpt), bytes.one_up_to(AlibiDistance::linear),
                                 bytes.number()};
      out.check(alibi_bias(options, *positions, future, out.span()));
      Output<float> slopes(bytes.below(20));
      slopes.check(alibi_slopes(options, slopes.span()));
      return;
    }
    case 1: {
      const std::vector<float> r1 = bytes.floats(bytes.size_near(positions->heads()));
      const std::vector<float> r2 = bytes.floats(bytes.size_near(positions->heads()));
      out.check(kerple_bias({bytes.one_up_to(KerpleKernel::weight), r1, r2}, *positions, future, out.span()));
      return;
    }
    case 2:
      out.check(sandwich_bias({bytes.extent(), bytes.number(), bytes.one_up_to(SandwichIndices::sinusoidal)},
                              *positions, future, out.span()));
      return;
    default: {
      const auto sinusoid = Sinusoidal::make({.frequencies = {.dim = bytes.extent(), .base = bytes.number()}});
      if (!check(sinusoid)) return;
      Output<float> table(bytes.size_near(positions->distances() * sinusoid->dim()));
      table.check(
          relative_sinusoidal(*sinusoid, bytes.one_up_to(RelativeSign::query_minus_key), *positions, table.span()));
    }
  }
}

void fuzz_learned_bias(Bytes& bytes) {
  const auto positions = positions_of(bytes);
  if (!positions) return;
  const Future future = bytes.one_up_to(Future::mask);
  const std::size_t heads = positions->heads();
  Output<float> out(bytes.size_near(heads * cells(*positions)));
  switch (bytes.below(3)) {
    case 0: {
      const Layers layers(bytes, 1, heads);
      const FireOptions options{bytes.number(), bytes.number(), bytes.number(), layers.perceptron()};
      out.check(fire_bias(options, *positions, future, out.span()));
      Output<float> compact(bytes.size_near(heads * positions->distances()));
      compact.check(fire_bias_compact(options, *positions, future, compact.span()));
      return;
    }
    case 1: {
      const T5Options options{bytes.extent(), bytes.extent(), bytes.flag()};
      const auto buckets = T5Buckets::make(options);
      if (!check(buckets)) return;
      const std::vector<float> table = bytes.floats(bytes.size_near(heads * static_cast<std::size_t>(options.buckets)));
      out.check(buckets->bias(*positions, future, table, out.span()));
      return;
    }
    default: {
      const std::size_t dim = bytes.below(6);
      const std::vector<float> query = bytes.floats(bytes.size_near(heads * positions->queries() * dim));
      const std::vector<float> logits = bytes.floats(bytes.size_near(heads * cells(*positions)));
      const std::vector<float> embedding = bytes.floats(bytes.size_near(bytes.below(9) * dim));
      Output<float> counts(bytes.size_near(heads * cells(*positions)));
      const auto made = cope_bias(*positions, {dim, future, query, logits, embedding}, out.span(), counts.span());
      out.check(made);
      counts.check(made);
    }
  }
}

void fuzz_swin(Bytes& bytes) {
  const SwinWindow window{bytes.extent(), bytes.extent(), bytes.flag()};
  const auto rows = swin_table_rows(window);
  const auto tokens = swin_tokens(window);
  require(check(rows) == check(tokens), "a window has rows if it has tokens");
  if (!rows || *tokens > 300) return;
  Output<std::int32_t> index(bytes.size_near(*tokens * *tokens));
  index.check(swin_index(window, index.span()));
  const std::size_t heads = bytes.below(5);
  const std::vector<float> table = bytes.floats(bytes.size_near(heads * *rows));
  Output<float> bias(bytes.size_near(heads * *tokens * *tokens));
  bias.check(swin_bias(window, heads, table, bias.span()));

  const Layers layers(bytes, 2, heads);
  const SwinLogCpb cpb{window, bytes.extent(), bytes.extent(), layers.perceptron()};
  Output<float> coordinates(bytes.size_near(2 * *rows));
  coordinates.check(swin_log_coordinates(cpb, coordinates.span()));
  Output<float> continuous(bytes.size_near(heads * *tokens * *tokens));
  continuous.check(swin_log_cpb(cpb, heads, continuous.span()));
}

}  // namespace fuzz
