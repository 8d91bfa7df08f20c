#include "posenc/storage.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "check.hpp"
#include "nearest.hpp"
#include "stored_words.hpp"

namespace posenc {
namespace {

constexpr Name storage_names[]{
    {"float32", Storage::float32},
    {"float16", Storage::float16},
    {"bfloat16", Storage::bfloat16},
};

// Memory has a word's two values as neighbours, as it has a complex number's two parts.
using Neighbours = xsimd::batch<std::complex<float>>;

void convert_block(const float* from, auto* to) {
  const auto values = Neighbours::load_unaligned(reinterpret_cast<const std::complex<float>*>(from));
  store_words(narrow<std::remove_pointer_t<decltype(to)>>({values.real(), values.imag()}), to);
}

template <class T>
void convert_block(const T* from, float* to) {
  const auto [low, high] = widen<T>(load_words(from));
  Neighbours(low, high).store_unaligned(reinterpret_cast<std::complex<float>*>(to));
}

template <class From, class To>
void convert_blocks(const From* from, To* to, std::size_t blocks) {
  for (std::size_t i = 0; i < blocks * word_values; i += word_values) convert_block(from + i, to + i);
}

template <class From, class To>
Expected<void> convert_all(std::span<const From> from, std::span<To> to) {
  if (auto checked = check_size("to", to.size(), from.size()); !checked) return checked;
  const std::size_t blocks = from.size() / word_values;
  const std::size_t done = blocks * word_values;
  convert_blocks(from.data(), to.data(), blocks);
  From last[word_values]{};
  To last_converted[word_values];
  std::ranges::copy(from.subspan(done), last);
  convert_blocks(last, last_converted, 1);
  std::copy_n(last_converted, from.size() - done, to.data() + done);
  return {};
}

}  // namespace

Expected<Storage> storage_from_name(std::string_view name) { return from_name<Storage>(storage_names, "dtype", name); }

Expected<void> check_holds(double largest, std::string_view argument, double value) {
  if (std::fabs(value) <= largest) return {};
  return wrong(argument, value, {"what the dtype can hold: at most 65504 for float16"});
}

Expected<void> convert(std::span<const Float16> from, std::span<float> to) { return convert_all(from, to); }
Expected<void> convert(std::span<const BFloat16> from, std::span<float> to) { return convert_all(from, to); }
Expected<void> convert(std::span<const float> from, std::span<Float16> to) { return convert_all(from, to); }
Expected<void> convert(std::span<const float> from, std::span<BFloat16> to) { return convert_all(from, to); }

}  // namespace posenc
