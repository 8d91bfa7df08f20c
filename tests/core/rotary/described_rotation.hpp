#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "posenc/rotary/certificate.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"
#include "testing/reference.hpp"

namespace reference {

/// x as a type has it, to the nearest value, ties to the even one.
[[nodiscard]] double in_type(posenc::Rounding type, double x);

/// Which of the results that are permitted a library function gives: both are within an ulp of the true one.
enum class Library : std::uint8_t { nearest, below, above };

/// A position's rotation as a preset computes it, each step as an operation of its type, beside the true one.
class DescribedRotation {
 public:
  /// Powers, and sines and cosines, of a library within 1 ulp; of `exact` correctly rounded. The dtype is that of
  /// activations.
  DescribedRotation(const posenc::RotaryOptions& plan, posenc::ArithmeticPreset preset, posenc::DType dtype,
                    Library powers, Library sines);

  struct Factors {
    double error = 0;  ///< of the angle
    double cosine = 0, sine = 0;
    double true_cosine = 0, true_sine = 0;
  };

  [[nodiscard]] std::size_t pairs() const { return true_.size(); }
  /// The angle of a pair, and how far it is from the true one.
  [[nodiscard]] double angle(double position, std::size_t pair, double* error) const;
  [[nodiscard]] Factors factors(double position, std::size_t pair) const;

  struct Rotated {
    double a, b, true_a, true_b;
  };
  [[nodiscard]] Rotated rotate(const Factors& factors, double a, double b) const;

 private:
  [[nodiscard]] double interpolated(double product, std::size_t pair) const;

  posenc::RotaryOptions plan_;
  posenc::ArithmeticPreset preset_;
  posenc::Rounding activations_, rotation_;
  Library sines_;
  std::vector<Quad> true_;
  Quad attention_factor_ = 1;
  std::vector<float> frequencies_;  ///< of transformers
  float step_ = 0;                  ///< of ggml
  std::vector<float> kept_;         ///< of YaRN's frequencies, with ggml
};

}  // namespace reference
