#include "posenc/key_cache/kernels/key_rerotation.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "posenc/base/try.hpp"

namespace posenc {
namespace {

std::size_t padded(std::size_t values) {
  return (values + Frequencies::dim_block - 1) / Frequencies::dim_block * Frequencies::dim_block;
}

/// Whether to - from is a double.
bool is_exact_difference(double from, double to) {
  const double by = to - from;
  const double back = to - by;
  return (from - back) + (to - (by + back)) == 0;
}

}  // namespace

Expected<KeyRerotations> KeyRerotations::make(const KeyRotation& from, const KeyRotation& to) {
  KeyRerotations made(from, to);
  made.same_angles_ = from.has_angles_of(to);
  for (auto& [rotation, rows] : {std::pair{&from, &made.from_rows_}, std::pair{&to, &made.to_rows_}})
    for (std::size_t axis = 0; axis < to.axes(); ++axis) {
      POSENC_TRY_LET(of_axis, AngleRows::make(rotation->frequencies(axis)));
      rows->push_back(std::move(of_axis));
      made.padded_ = std::max(made.padded_, rotation->frequencies(axis).padded_count());
    }
  for (AlignedArray<double>* const array : {&made.old_, &made.now_}) {
    POSENC_TRY_LET(values, AlignedArray<double>::make(2 * made.padded_));
    *array = std::move(values);
  }
  const std::size_t all = std::max(padded(made.count()), made.padded_);
  POSENC_TRY_LET(sum, AlignedArray<double>::make(2 * all));
  POSENC_TRY_LET(rounded, AlignedArray<float>::make(2 * all));
  made.sum_ = std::move(sum);
  made.rounded_ = std::move(rounded);
  made.by_.resize(to.axes());
  return made;
}

bool KeyRerotations::is_same(const double* from, const double* to) const {
  if (!is_difference_) return false;
  for (std::size_t axis = 0; axis < by_.size(); ++axis)
    if (to[axis] - from[axis] != by_[axis] || !is_exact_difference(from[axis], to[axis])) return false;
  return true;
}

AngleRow<double> KeyRerotations::row_of(const KeyRotation& rotation, AngleRows& rows, std::size_t axis,
                                        double coordinate, double* scratch) {
  const std::size_t padded = rotation.frequencies(axis).padded_count();
  if (const AngleSource* const source = rotation.angle_source()) {
    source->write(coordinate, scratch, scratch + padded);
  } else {
    const AngleRow<double> row = rows.at(coordinate);
    std::copy_n(row.sines, padded, scratch);
    std::copy_n(row.cosines, padded, scratch + padded);
  }
  return {scratch, scratch + padded};
}

/// Returns the difference of the angles of an axis.
AngleRow<double> KeyRerotations::difference(std::size_t axis, double from, double to) {
  const Frequencies& frequencies = to_.frequencies(axis);
  const bool is_one_angle = same_angles_ && to_.angle_source() == nullptr && is_exact_difference(from, to) &&
                            has_exact_angles(to - from, frequencies.largest());
  if (is_one_angle) return to_rows_[axis].at(to - from);
  const AngleRow<double> old = row_of(from_, from_rows_[axis], axis, from, old_.data());
  const AngleRow<double> now = row_of(to_, to_rows_[axis], axis, to, now_.data());
  const std::size_t padded = frequencies.padded_count();
  for (std::size_t i = 0; i < padded; ++i) {
    const double sine = now.sines[i], cosine = now.cosines[i];
    now_[i] = sine * old.cosines[i] - cosine * old.sines[i];
    now_[padded + i] = cosine * old.cosines[i] + sine * old.sines[i];
  }
  return now;
}

/// Puts the angles of an axis in their places, or adds them to the sum.
void KeyRerotations::add_axis(std::size_t axis, AngleRow<double> row, double factor) {
  double* const sines = sum_.data();
  double* const cosines = sines + sum_.size() / 2;
  const std::size_t own = to_.frequencies(axis).count();
  if (to_.is_summed() && axis > 0) {
    for (std::size_t i = 0; i < own; ++i) {
      const double sine = sines[i], cosine = cosines[i];
      sines[i] = sine * row.cosines[i] + cosine * row.sines[i];
      cosines[i] = cosine * row.cosines[i] - sine * row.sines[i];
    }
    return;
  }
  const auto pairs = to_.pairs_of(axis);
  for (std::size_t i = 0; i < own; ++i) {
    const std::size_t pair = pairs.empty() ? i : pairs[i];
    if (pairs.empty() || i < pairs.size()) {
      sines[pair] = row.sines[i] * factor;
      cosines[pair] = row.cosines[i] * factor;
    }
  }
}

const KeyRerotation& KeyRerotations::at(const double* from, const double* to) {
  if (is_same(from, to)) return rerotation_;
  bool are_exact = same_angles_ && to_.angle_source() == nullptr;
  bool is_none = same_angles_;
  for (std::size_t axis = 0; axis < by_.size(); ++axis) {
    by_[axis] = to[axis] - from[axis];
    is_none = is_none && by_[axis] == 0;
    are_exact = are_exact && is_exact_difference(from[axis], to[axis]);
  }
  is_difference_ = are_exact;
  rerotation_ = {.is_none = is_none};
  if (is_none) return rerotation_;
  for (std::size_t axis = 0; axis < by_.size(); ++axis) {
    const double factor = to_.frequencies(axis).attention_factor() / from_.frequencies(axis).attention_factor();
    rerotation_.is_scaled = rerotation_.is_scaled || factor != 1;
    add_axis(axis, difference(axis, from[axis], to[axis]), factor);
  }

  double* const sines = sum_.data();
  double* const cosines = sines + sum_.size() / 2;
  const Xpos* const xpos = to_.xpos() != nullptr ? to_.xpos() : from_.xpos();
  if (xpos != nullptr) {
    const double steps = same_angles_ ? -1 * (by_[0] / xpos->scale_base()) : to_.steps(*to) - from_.steps(*from);
    rerotation_.is_scaled = true;
    xpos->multiply_by_scales(steps, sines, cosines);
  }
  for (std::size_t i = 0; i < sum_.size(); ++i) rounded_[i] = static_cast<float>(sum_[i]);
  rerotation_.row = {rounded_.data(), rounded_.data() + sum_.size() / 2};
  return rerotation_;
}

}  // namespace posenc
