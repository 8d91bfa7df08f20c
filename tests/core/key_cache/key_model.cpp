#include "key_cache/key_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <variant>

namespace key_model {
namespace {

using posenc::KeyType;
namespace edit = posenc::edit;

/// Dimension of a pair in a head.
std::pair<std::size_t, std::size_t> dims_of(const Rotation& rotation, std::size_t pair) {
  const auto blocks = rotation.blocks.empty() ? std::vector{rotation.pairs} : rotation.blocks;
  std::size_t first = rotation.first_dim;
  for (const std::size_t block : blocks) {
    if (pair < block) {
      if (rotation.layout == posenc::Layout::interleaved) return {first + 2 * pair, first + 2 * pair + 1};
      return {first + pair, first + pair + block};
    }
    pair -= block;
    first += 2 * block;
  }
  FAIL("a pair that there is not");
  return {};
}

double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

template <class T>
T read(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The nearest of the doubles that have so many digits, ties to even; no subnormal ones.
double rounded(double x, int digits) {
  if (x == 0) return x;
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(x, digits - exponent)), exponent - digits);
}

std::uint16_t half_bits(double x) {
  const double size = std::fabs(x);
  std::uint16_t bits = 0;
  if (size >= 0x1p-14) {
    int exponent = 0;
    const double fraction = std::frexp(rounded(size, 11), &exponent);
    bits = static_cast<std::uint16_t>((exponent + 14) << 10 | (static_cast<int>(fraction * 2048) - 1024));
  } else {
    bits = static_cast<std::uint16_t>(std::nearbyint(std::ldexp(size, 24)));
  }
  return static_cast<std::uint16_t>(bits | (std::signbit(x) ? 0x8000 : 0));
}

double after(const std::vector<Token>& tokens) {
  double most = tokens.front().now.front();
  for (const Token& token : tokens) most = std::max(most, *std::ranges::max_element(token.now));
  return most + 1;
}

/// Tokens from `from` on moved by sign * by.
void shift(std::vector<Token>& tokens, std::size_t from, std::size_t to, const std::vector<double>& by, double sign) {
  for (std::size_t i = from; i < to; ++i)
    for (std::size_t axis = 0; axis < tokens[i].now.size(); ++axis)
      tokens[i].now[axis] += sign * by[by.size() == 1 ? 0 : axis];
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> made(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) made[i] = a[i] - b[i];
  return made;
}

struct Taken {
  std::vector<Token> tokens;
  std::vector<double> extent;
};

/// A range taken out, and how much room it took.
Taken take(std::vector<Token>& tokens, std::size_t from, std::size_t to) {
  const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(from);
  const auto last = tokens.begin() + static_cast<std::ptrdiff_t>(to);
  Taken taken{{first, last}, {}};
  const auto end =
      to < tokens.size() ? tokens[to].now : std::vector<double>(taken.tokens.front().now.size(), after(taken.tokens));
  taken.extent = minus(end, taken.tokens.front().now);
  tokens.erase(first, last);
  return taken;
}

void put(std::vector<Token>& tokens, std::size_t at, Taken taken, bool keeps) {
  auto place = taken.tokens.front().now;
  if (at < tokens.size())
    place = tokens[at].now;
  else if (!tokens.empty())
    place.assign(place.size(), after(tokens));
  if (!keeps) {
    shift(taken.tokens, 0, taken.tokens.size(), minus(place, taken.tokens.front().now), 1);
    shift(tokens, at, tokens.size(), taken.extent, 1);
  }
  tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), taken.tokens.begin(), taken.tokens.end());
}

}  // namespace

void Model::add(std::span<const double> dims, std::span<const double> positions) {
  const std::size_t size = heads * dim;
  for (std::size_t i = 0; i < positions.size() / axes; ++i) {
    const auto key = dims.subspan(i * size, size);
    const auto at = positions.subspan(i * axes, axes);
    tokens.push_back({{key.begin(), key.end()}, rotation, {at.begin(), at.end()}, {at.begin(), at.end()}});
  }
}

void Model::apply(const posenc::KeyEdit& of, const Incoming& incoming, std::size_t to_rotation) {
  const auto range = [this](const posenc::TokenRange& given) {
    return std::pair{static_cast<std::size_t>(given.from.value_or(0)),
                     static_cast<std::size_t>(given.to.value_or(std::ssize(tokens)))};
  };
  if (const auto* const to = std::get_if<edit::Shift>(&of.what)) {
    const auto [from, end] = range(to->tokens);
    shift(tokens, from, end, to->by, 1);
  } else if (const auto* const divide = std::get_if<edit::Divide>(&of.what)) {
    const auto [from, end] = range(divide->tokens);
    for (std::size_t i = from; i < end; ++i)
      for (double& position : tokens[i].now) position = std::floor(position / divide->by) + divide->plus;
  } else if (const auto* const drop = std::get_if<edit::Drop>(&of.what)) {
    const auto [from, end] = range(drop->tokens);
    if (from == end) return;
    const Taken taken = take(tokens, from, end);
    if (!drop->keep_positions) shift(tokens, from, tokens.size(), taken.extent, -1);
  } else if (const auto* const move = std::get_if<edit::Move>(&of.what)) {
    const auto [from, end] = range(move->tokens);
    if (from == end) return;
    Taken taken = take(tokens, from, end);
    if (!move->keep_positions) shift(tokens, from, tokens.size(), taken.extent, -1);
    put(tokens, static_cast<std::size_t>(move->at), std::move(taken), move->keep_positions);
  } else if (const auto* const insert = std::get_if<edit::Insert>(&of.what)) {
    Model others{heads, dim, axes, rotations, incoming.rotation, {}};
    others.add(incoming.dims, incoming.positions);
    for (std::int64_t i = 0; i < insert->count.value_or(0); ++i) {
      const std::vector<double> place(axes, static_cast<double>(i));
      others.tokens.push_back({std::vector<double>(heads * dim), rotation, place, place});
    }
    if (others.tokens.empty()) return;
    Taken taken = take(others.tokens, 0, others.tokens.size());
    put(tokens, static_cast<std::size_t>(insert->at), std::move(taken), insert->keep_positions);
  } else if (std::holds_alternative<edit::Rotate>(of.what)) {
    rotation = to_rotation;
  }
}

std::vector<Model::Dim> Model::exact(const Token& token) const {
  const Rotation &from = rotations[token.rotation], &to = rotations[rotation];
  std::vector<Dim> made(heads * dim);
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = {token.dims[i], 0, false};
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t pair = 0; pair < to.pairs; ++pair) {
      const auto [a_at, b_at] = dims_of(from, pair);
      const auto [to_a, to_b] = dims_of(to, pair);
      const Quad a = token.dims[head * dim + a_at], b = token.dims[head * dim + b_at];
      const Quad by =
          to.factor / from.factor * to.scale(pair, token.now.front()) / from.scale(pair, token.then.front());
      const reference::Phase phase =
          reference::phase(to.angle(head, pair, token.now) - from.angle(head, pair, token.then));
      const Quad sum = by * (reference::magnitude(a) + reference::magnitude(b));
      made[head * dim + to_a] = {by * (a * phase.cosine - b * phase.sine), sum, true};
      made[head * dim + to_b] = {by * (a * phase.sine + b * phase.cosine), sum, true};
    }
  return made;
}

Quad Model::largest(std::span<const Dim> head) const {
  Quad most = 0;
  for (std::size_t i = 0; i < head.size(); ++i)
    if (!head[i].is_rotated) most = std::max(most, reference::magnitude(head[i].exact));
  for (std::size_t pair = 0; pair < rotations[rotation].pairs; ++pair) {
    const auto [a, b] = dims_of(rotations[rotation], pair);
    most = std::max(most, reference::square_root(head[a].exact * head[a].exact + head[b].exact * head[b].exact));
  }
  return most;
}

std::vector<double> decoded(KeyType type, std::span<const std::byte> bytes) {
  std::vector<double> values;
  if (type == KeyType::q8_0)
    for (std::size_t block = 0; block < bytes.size(); block += 34)
      for (std::size_t i = 0; i < 32; ++i)
        values.push_back(half_value(read<std::uint16_t>(bytes, block)) * read<std::int8_t>(bytes, block + 2 + i));
  else if (type == KeyType::float32)
    for (std::size_t at = 0; at < bytes.size(); at += 4) values.push_back(read<float>(bytes, at));
  else
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
      const auto bits = read<std::uint16_t>(bytes, at);
      values.push_back(type == KeyType::float16 ? half_value(bits) : std::bit_cast<float>(std::uint32_t{bits} << 16));
    }
  return values;
}

std::vector<std::byte> encoded(KeyType type, std::span<const float> values) {
  std::vector<std::byte> bytes;
  const auto add = [&](auto value) {
    const auto* const first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
  };
  if (type == KeyType::q8_0)
    for (std::size_t block = 0; block < values.size(); block += 32) {
      float most = 0;
      for (std::size_t i = 0; i < 32; ++i) most = std::max(most, std::fabs(values[block + i]));
      const float d = most / 127;
      add(half_bits(d));
      for (std::size_t i = 0; i < 32; ++i)
        add(static_cast<std::int8_t>(d == 0 ? 0 : std::round(values[block + i] * (1 / d))));
    }
  else
    for (const float value : values) {
      if (type == KeyType::float32) add(value);
      if (type == KeyType::float16) add(half_bits(value));
      if (type == KeyType::bfloat16)
        add(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(rounded(value, 8))) >> 16));
    }
  return bytes;
}

std::vector<std::byte> random_keys(KeyType type, std::size_t values, std::uint32_t seed) {
  return encoded(type, testing::fractions(values, seed));
}

posenc::Keys Cache::keys() { return {type, bytes, testing::sequence_first(shape)}; }

Cache random_cache(KeyType type, std::size_t tokens, std::size_t heads, std::size_t dim, std::uint32_t seed) {
  const auto extent = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  return {type, random_keys(type, tokens * heads * dim, seed), {extent(tokens), extent(heads), extent(dim)}};
}

Edited edited(Cache cache, const posenc::CachedKeys& of, std::span<const posenc::KeyEdit> edits) {
  const auto plan = testing::value_of(posenc::EditedKeys::make(of, cache.keys(), edits));
  const auto at = plan.positions(0);
  Edited made{cache, {at.begin(), at.end()}};
  if (plan.type() == cache.type && plan.tokens() <= static_cast<std::size_t>(cache.shape[0])) {
    made.bound = testing::value_of(plan.write(made.cache.bytes, made.cache.keys())).dimension;
    return made;
  }
  const auto heads = static_cast<std::size_t>(cache.shape[1]), dim = static_cast<std::size_t>(cache.shape[2]);
  made.cache = random_cache(plan.type(), plan.tokens(), heads, dim, 99);
  made.bound = testing::value_of(plan.write(cache.bytes, made.cache.keys())).dimension;
  return made;
}

Worst worst_of(const Model& model, const Cache& cache, double bound) {
  Worst worst;
  const auto values = cache.values();
  const auto more = [](double& most, Quad error, Quad allowed) {
    if (allowed == 0 && error == 0) return;
    most = std::max(most, allowed == 0 ? 1e300 : static_cast<double>(error / allowed));
  };
  constexpr double digits[]{0, 0x1p-11, 0x1p-8, 0};
  const double rounding = digits[static_cast<std::size_t>(cache.type)];
  for (std::size_t i = 0; i < model.tokens.size(); ++i) {
    const auto dims = model.exact(model.tokens[i]);
    for (std::size_t head = 0; head < model.heads; ++head) {
      const auto of_head = std::span(dims).subspan(head * model.dim, model.dim);
      const Quad largest = model.largest(of_head);
      for (std::size_t dimension = 0; dimension < model.dim; ++dimension) {
        const auto& [exact, sum, is_rotated] = of_head[dimension];
        const Quad error = reference::magnitude(values[(i * model.heads + head) * model.dim + dimension] - exact);
        Quad allowed = Quad(3 * 0x1p-24) * sum;
        if (is_rotated)
          allowed += Quad(rounding * (1 + 1e-6)) * reference::magnitude(exact) +
                     Quad(cache.type == KeyType::float16 ? 0x1p-25 : 0);
        if (cache.type == KeyType::q8_0) {
          const auto block = of_head.subspan(dimension / 32 * 32, 32);
          Quad most = 0;
          for (const Model::Dim& other : block) most = std::max(most, reference::magnitude(other.exact));
          allowed += Quad(0.5622 / 127 * (1 + 1e-5)) * most;
        }
        more(worst.promised, error, allowed);
        more(worst.bound, error, Quad(bound) * largest);
      }
    }
  }
  return worst;
}

}  // namespace key_model
