#include "posenc/learned/reformer_axial.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "learned/learned_testing.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::AxialCombination;
using posenc::ReformerAxial;
using posenc::TableRows;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::Shape;
using testing::value_of;

namespace {

using Values = std::vector<float>;
using Ids = std::vector<std::int32_t>;

struct Case {
  Shape shape, dims;
  AxialCombination combination = AxialCombination::concatenate;

  [[nodiscard]] ReformerAxial made() const { return value_of(ReformerAxial::make(shape, dims, combination)); }
};

const Case two_axes{{3, 4}, {2, 5}};
const Case three_axes{{2, 3, 4}, {1, 2, 3}};
const Case one_axis{{7}, {3}};
const Case summed{{3, 4}, {5, 5}, AxialCombination::sum};
const Case summed_thrice{{4, 2, 3}, {6, 6, 6}, AxialCombination::sum};

Values looked_up(const Case& chosen, const Values& tables, const TableRows& rows) {
  const auto axial = chosen.made();
  Values out(rows.count() * axial.dim(), testing::untouched);
  value_of(axial.lookup(tables, rows, out));
  return out;
}

/// The rows of one position, by peeling coordinates off from the last axis; one for each axis.
std::vector<Values> rows_at(const Case& chosen, const Values& tables, std::size_t position) {
  std::vector<Values> rows(chosen.shape.size());
  std::size_t end = tables.size();
  for (std::size_t a = chosen.shape.size(); a-- > 0;) {
    const auto extent = static_cast<std::size_t>(chosen.shape[a]), dim = static_cast<std::size_t>(chosen.dims[a]);
    const auto from = tables.begin() + static_cast<std::ptrdiff_t>(end - extent * dim + position % extent * dim);
    rows[a].assign(from, from + static_cast<std::ptrdiff_t>(dim));
    position /= extent;
    end -= extent * dim;
  }
  return rows;
}

}  // namespace

TEST_CASE("reformer axial: rows side by side, by row-major index", "[axial]") {
  // R = 2, C = 3: position 4 is row 1, column 1.
  const Case small{{2, 3}, {1, 2}};
  const Values tables{100, 200, /**/ 1, 2, 3, 4, 5, 6};
  CHECK(looked_up(small, tables, TableRows::range(6)) ==
        Values{100, 1, 2, 100, 3, 4, 100, 5, 6, 200, 1, 2, 200, 3, 4, 200, 5, 6});
  CHECK(looked_up(small, tables, TableRows::list(Ids{4, 0})) == Values{200, 3, 4, 100, 1, 2});
  CHECK(looked_up(small, tables, TableRows::range(2, 4)) == Values{200, 3, 4, 200, 5, 6});
  const auto axial = small.made();
  CHECK(axial.rows() == 6);
  CHECK(axial.dim() == 3);
  CHECK(axial.parameters() == 8);
}

TEST_CASE("reformer axial: every position of two, three and one axes", "[axial]") {
  for (const Case* const chosen : {&two_axes, &three_axes, &one_axis}) {
    const auto axial = chosen->made();
    const auto tables = fractions(axial.parameters(), 680);
    const auto all = looked_up(*chosen, tables, TableRows::range(axial.rows()));
    for (std::size_t position = 0; position < axial.rows(); ++position) {
      Values expected;
      for (const Values& row : rows_at(*chosen, tables, position))
        expected.insert(expected.end(), row.begin(), row.end());
      CHECK(same_bits(std::span(all).subspan(position * axial.dim(), axial.dim()), expected));
    }
  }
}

TEST_CASE("reformer axial: rows added up", "[axial]") {
  for (const Case* const chosen : {&summed, &summed_thrice}) {
    const auto axial = chosen->made();
    CHECK(axial.dim() == static_cast<std::size_t>(chosen->dims[0]));
    const auto tables = fractions(axial.parameters(), 681);
    const auto all = looked_up(*chosen, tables, TableRows::range(axial.rows()));
    for (std::size_t position = 0; position < axial.rows(); ++position)
      for (std::size_t dimension = 0; dimension < axial.dim(); ++dimension) {
        Quad sum = 0;
        for (const Values& row : rows_at(*chosen, tables, position)) sum += row[dimension];
        CHECK(testing::ulp_beyond(all[position * axial.dim() + dimension], sum, static_cast<Quad>(1e-15)) <= 0.501);
      }
  }
}

TEST_CASE("reformer axial: the gradient is that of finite differences", "[axial]") {
  for (const Case* const chosen : {&two_axes, &three_axes, &one_axis, &summed, &summed_thrice}) {
    const auto axial = chosen->made();
    const Ids ids{1, 0, 3, 3, 6, 5, 3};
    const auto tables = fractions(axial.parameters(), 682);
    const auto slopes = fractions(2 * ids.size() * axial.dim(), 683);
    const bool sum = chosen->combination == AxialCombination::sum;
    // Linear in every parameter: a difference of 1 is exact but for rounding at 113 bits.
    const auto loss = [&](const Values& at) {
      Quad total = 0;
      for (std::size_t token = 0; token < 2 * ids.size(); ++token) {
        std::size_t dimension = 0;
        for (const Values& row : rows_at(*chosen, at, static_cast<std::size_t>(ids[token % ids.size()]))) {
          if (sum) dimension = 0;
          for (const float value : row) total += static_cast<Quad>(slopes[token * axial.dim() + dimension++]) * value;
        }
      }
      return total;
    };
    Values gradient(axial.parameters(), testing::untouched);
    value_of(axial.gradient(slopes, TableRows::list(ids), gradient));
    for (std::size_t i = 0; i < tables.size(); ++i) {
      Values moved = tables;
      moved[i] = 1;
      const Quad above = loss(moved);
      moved[i] = -1;
      const Quad slope = (above - loss(moved)) / 2;
      CHECK(testing::ulp_beyond(gradient[i], slope, static_cast<Quad>(1e-14)) <= 0.501);
    }
  }
}

TEST_CASE("reformer axial: the positions of a published model", "[axial]") {
  // The shape and dims of the published model for enwik8: 65536 = 128 * 512 positions, 1024 dimensions.
  const Case enwik8{{128, 512}, {256, 768}};
  const auto axial = enwik8.made();
  CHECK(axial.rows() == 65536);
  CHECK(axial.dim() == 1024);
  CHECK(axial.parameters() == 128 * 256 + 512 * 768);
  const auto tables = fractions(axial.parameters(), 684);
  const auto row = looked_up(enwik8, tables, TableRows::list(Ids{65535}));
  CHECK(same_bits(std::span(row).first(256), std::span(tables).subspan(127 * 256, 256)));
  CHECK(same_bits(std::span(row).subspan(256), std::span(tables).last(768)));
}

TEST_CASE("reformer axial: wrong shapes, dims and ids are Errors", "[axial]") {
  const auto make = [](const Shape& shape, const Shape& dims,
                       AxialCombination combination = AxialCombination::concatenate) {
    return ReformerAxial::make(shape, dims, combination);
  };
  require_error(make({}, {}), "shape", "0");
  require_error(make(Shape(9, 1), Shape(9, 1)), "shape", "9");
  require_error(make({3, 0}, {1, 1}), "shape", "0");
  require_error(make({-3, 4}, {1, 1}), "shape", "-3");
  require_error(make({1 << 15, 1 << 15}, {1, 1}), "shape", "32768");
  require_error(make({std::numeric_limits<std::int64_t>::max(), 2}, {1, 1}), "shape", "9");
  require_error(make({3, 4}, {1}), "dims", "1");
  require_error(make({3, 4}, {1, 0}), "dims", "0");
  require_error(make({3, 4}, {1 << 24, 1}), "dims", "1");
  require_error(make({3, 4}, {2, 3}, AxialCombination::sum), "dims", "3");
  require_error(posenc::from_name<posenc::AxialCombination>("concat"), "combination", "concat");
  CHECK(posenc::from_name<posenc::AxialCombination>("concatenate") == AxialCombination::concatenate);
  CHECK(posenc::from_name<posenc::AxialCombination>("sum") == AxialCombination::sum);

  const auto axial = two_axes.made();
  const auto tables = fractions(axial.parameters(), 685);
  Values out(axial.parameters(), testing::untouched);
  const auto two_rows = std::span(out).first(14);
  require_error(axial.lookup(std::span(tables).first(25), TableRows::range(2), two_rows), "tables", "25");
  require_error(axial.lookup(tables, TableRows::list(Ids{0, 12}), two_rows), "ids[1]", "12");
  require_error(axial.lookup(tables, TableRows::range(2, 11), two_rows), "length", "2");
  require_error(axial.lookup(tables, TableRows::range(3), two_rows), "out", "14");
  require_error(axial.gradient(fractions(15, 1), TableRows::range(2), out), "gradient", "15");
  require_error(axial.gradient(fractions(14, 1), TableRows::list(Ids{0, -1}), out), "ids[1]", "-1");
  require_error(axial.gradient(fractions(14, 1), TableRows::range(2), two_rows), "out", "14");
  CHECK(testing::is_untouched(out));
}
