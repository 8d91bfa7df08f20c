#include "functions.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fuzz;
  constexpr void (*families[])(Bytes&){
      fuzz_sinusoid,           fuzz_sinusoidal_grid, fuzz_fourier,      fuzz_frequencies, fuzz_rotary,
      fuzz_relative_ids,       fuzz_relative_bias,   fuzz_learned_bias, fuzz_swin,        fuzz_attention,
      fuzz_relative_attention, fuzz_points,          fuzz_rows};
  Bytes bytes({data, size});
  families[bytes.below(std::size(families))](bytes);
  return 0;
}
