#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/learned/learned_table.hpp"

namespace posenc {

/// How the rows of the axes' tables make the row of a position.
enum class AxialCombination : std::uint8_t {
  concatenate,  ///< one after the other: dims add up (the paper; Hugging Face's axial_pos_embds_dim)
  sum,          ///< added: all dims are the same (reformer-pytorch without axial_dims)
};

template <>
inline constexpr auto names_of<AxialCombination> =
    Names("combination", {{"concatenate", AxialCombination::concatenate}, {"sum", AxialCombination::sum}});

/// Axial position embeddings (Kitaev, Kaiser and Levskaya 2020, "Reformer"): the positions 0 ... rows() - 1 are laid
/// out on a grid, row-major, and each axis has a learned table [extent, dim of the axis]. For the shape [R, C] position
/// i has row i / C of the first table and row i mod C of the second.
///
/// `tables` and their gradient are one span: the tables one after the other, parameters() values.
class ReformerAxial {
 public:
  static constexpr std::size_t max_axes = 8;

  /// shape and dims: one number for each axis.
  /// Errors: no axis or more than max_axes; an extent or a dim below 1; more than max_rows positions; dims that add up
  /// to more than max_dim, differ in number from shape, or from each other in a sum.
  [[nodiscard]] static Expected<ReformerAxial> make(std::span<const std::int64_t> shape,
                                                    std::span<const std::int64_t> dims, AxialCombination combination);

  /// out: [rows.count(), dim()]. Concatenated rows are copies; sums are made in double and rounded once.
  /// Errors: those of TableRows::check; sizes that do not fit.
  [[nodiscard]] Expected<void> lookup(std::span<const float> tables, const TableRows& rows, std::span<float> out) const;

  /// The gradient of the tables. gradient: [batch, rows.count(), dim()]; out: parameters() values, overwritten.
  /// In double, in the order of `gradient`, each sum rounded once. Errors: the same; memory.
  [[nodiscard]] Expected<void> gradient(std::span<const float> gradient, const TableRows& rows,
                                        std::span<float> out) const;

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] std::size_t parameters() const { return parameters_; }

 private:
  struct Axis {
    std::size_t extent = 0;
    std::size_t dim = 0;
    std::size_t stride = 0;     ///< positions from one row of its table to the next
    std::size_t table = 0;      ///< where its table begins
    std::size_t dimension = 0;  ///< where its dimensions begin
  };
  [[nodiscard]] std::size_t index_of(const Axis& axis, std::size_t position) const {
    return axis.table + position / axis.stride % axis.extent * axis.dim;
  }
  [[nodiscard]] std::span<const Axis> axes() const { return std::span(axes_).first(axis_count_); }

  std::array<Axis, max_axes> axes_;
  std::size_t axis_count_ = 0, rows_ = 0, dim_ = 0, parameters_ = 0;
  AxialCombination combination_ = AxialCombination::concatenate;
};

}  // namespace posenc
