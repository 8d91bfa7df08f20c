#include "crossing.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <variant>

namespace posenc::embind {

std::size_t Tensor::extent(std::size_t from_end) const {
  return from_end <= shape.size() ? static_cast<std::size_t>(shape[shape.size() - from_end]) : 1;
}

std::size_t Tensor::batch(std::size_t axes) const {
  double all = 1;
  for (std::size_t axis = 0; axis + axes < shape.size(); ++axis) all *= shape[axis];
  return static_cast<std::size_t>(all);
}

double Block::number() { return *next_++; }

std::int64_t Block::whole() { return static_cast<std::int64_t>(number()); }

bool Block::flag() { return number() != 0; }

std::optional<double> Block::number_if_given() {
  const double value = number();
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

std::optional<std::int64_t> Block::whole_if_given() {
  const auto value = number_if_given();
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

std::optional<bool> Block::flag_if_given() {
  const auto value = number_if_given();
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::span<const double> Block::list() {
  const auto size = static_cast<std::size_t>(number());
  const double* const first = next_;
  next_ += size;
  return {first, size};
}

// Bytes of words and whole extents replace the doubles that stood for them: a block is read once.

std::span<const std::int64_t> Block::extents() {
  auto* const first = reinterpret_cast<std::int64_t*>(next_ + 1);
  const auto doubles = list();
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    const auto extent = static_cast<std::int64_t>(doubles[i]);
    std::memcpy(first + i, &extent, sizeof extent);
  }
  return {first, doubles.size()};
}

std::string_view Block::word() {
  auto* const first = reinterpret_cast<char*>(next_ + 1);
  const auto bytes = list();
  for (std::size_t i = 0; i < bytes.size(); ++i) first[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]));
  return {first, bytes.size()};
}

std::optional<std::string_view> Block::word_if_given() {
  const auto given = word();
  return given.empty() ? std::nullopt : std::optional(given);
}

Array Block::array() {
  const auto address = static_cast<Address>(number());
  return {address, static_cast<std::size_t>(number())};
}

Address Block::handle() { return static_cast<Address>(number()); }

Tensor Block::tensor() {
  const Array values = array();
  return {values, list()};
}

std::vector<Tensor> Block::tensors() {
  std::vector<Tensor> tensors(static_cast<std::size_t>(number()));
  for (Tensor& one : tensors) one = tensor();
  return tensors;
}

Stored Block::stored() {
  const Array values = array();
  return {values, word()};
}

StoredTensor Block::stored_tensor() {
  const Stored values = stored();
  return {{values, list()}, values.dtype};
}

Expected<ConstStored> StoredTensor::values() const {
  POSENC_TRY_LET(type, from_name<DType>(dtype));
  if (type == DType::float32) return as<const float>();
  return ConstSpan16(type, as<const std::uint16_t>());
}

PositionList Block::positions() {
  const Array values = array();
  return {values, whole_if_given()};
}

double& Block::answer() { return *next_++; }

Positions positions_of(const PositionList& list, std::optional<double> offset, std::size_t count) {
  if (!list.is_given()) return Positions::range(count, offset.value_or(0));
  const auto values = list.as<const double>();
  return list.lists ? Positions::lists(values, static_cast<std::size_t>(*list.lists)) : Positions::list(values);
}

namespace {

/// A text, by its address and size, or a number where the address is 0.
struct Cell {
  double number = 0, address = 0, size = 0;
};

/// The last error, which JavaScript reads after the call that made it: argument, value, code with its sentence, and
/// note, then the sentence's parameters.
struct Report {
  std::array<Cell, 7> cells;
  Cell* next = nullptr;
  std::optional<Error> error;

  // Out of line: each of a report's parts would otherwise be written by code of its own.
  [[gnu::noinline]] void add(double number) { *next++ = {.number = number}; }
  [[gnu::noinline]] void add(std::string_view text) {
    *next++ = {.address = static_cast<double>(reinterpret_cast<Address>(text.data())),
               .size = static_cast<double>(text.size())};
  }
};

Report last;

void release(Address handle) {
  if (handle == reinterpret_cast<Address>(&last)) return last.error.reset();
  auto* const owned = reinterpret_cast<Owned*>(handle);
  owned->end(owned);
}

}  // namespace

Address report(Expected<void> result) {
  if (result) return 0;
  const Error& error = last.error.emplace(std::move(result.error()));
  last.next = last.cells.data();
  last.add(error.argument);
  if (const auto* const number = std::get_if<double>(&error.value))
    last.add(*number);
  else
    last.add(std::get<std::string>(error.value));
  last.add(error.code.text);
  last.add(error.note());
#pragma clang loop unroll(disable)
  for (const Error::Parameter& parameter : error.parameters) {
    if (parameter.is_text)
      last.add(error.text_of(parameter));
    else
      last.add(parameter.number);
  }
  return reinterpret_cast<Address>(&last);
}

EMSCRIPTEN_BINDINGS(crossing) { emscripten::function("release", &release); }

}  // namespace posenc::embind
