#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/diagnosis/engine/sample_view.hpp"
#include "posenc/diagnosis/sinusoid_diagnosis.hpp"

namespace posenc::diagnosis {

/// A table [rows, dim] as one of the arrangements it may have: rotations of (amplitude, 0). An odd number of columns
/// ends with the sine of a pair whose cosine is not there, or with zeros, which are no pair.
class TableView final : public SampleView {
 public:
  TableView(const SampledTensor& table, std::size_t dim, TableOrder order, double amplitude, bool has_padding,
            bool has_zero_column, const Noise& noise)
      : SampleView(table.values.size() / dim, 1, has_zero_column ? dim / 2 : (dim + 1) / 2, noise),
        table_(&table),
        dim_(dim),
        order_(order),
        amplitude_(amplitude),
        has_padding_(has_padding) {}

 private:
  void read(std::size_t token, std::size_t vectors, TokenPairs& to) const override;

  const SampledTensor* table_;
  std::size_t dim_;
  TableOrder order_;
  double amplitude_;
  bool has_padding_;
};

/// Whether there are rows of zeros, all at one position: that of padding tokens.
[[nodiscard]] bool has_zero_row(const SampledTensor& table, std::size_t dim, std::span<const double> positions);

/// Whether the last column is zeros.
[[nodiscard]] bool has_zero_column(const SampledTensor& table, std::size_t dim);

}  // namespace posenc::diagnosis
