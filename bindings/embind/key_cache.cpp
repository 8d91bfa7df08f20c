#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error_code.hpp"
#include "posenc/key_cache/edited_keys.hpp"

namespace posenc::embind {
namespace {

/// Holds the rotation of keys, and its kind: "rotary", "xpos", "mrope" or "grid".
struct Rotated {
  KeyRotation rotation;
  std::string kind;
};

/// Edits that have been read, and whether positions are M-RoPE's, whose axes come first.
struct KeptEdits {
  EditedKeys edited;
  bool is_mrope;
};

KeyRotation rotation_of(const calls::RotationFields& in) {
  if (in.kind == "xpos") return from_handle<Xpos>(in.of);
  if (in.kind == "rotary") return from_handle<KeptRotary>(in.of);
  return from_handle<KeptPointRotary>(in.of).rotary;
}

Rotated rotated_of(const calls::RotationFields& in) { return {rotation_of(in), std::string(in.kind)}; }

/// Where tokens are, in a list for each token and list of its own memory; and how many lists there are.
struct KeyPositions {
  AlignedArray<double> values;
  std::size_t lists = 1;
};

std::unexpected<Error> wrong_positions(std::size_t axes, std::string_view expected) {
  return std::unexpected(Error("positions.shape", static_cast<double>(axes), expected::other, {expected}));
}

/// From [axes, lists, tokens] of M-RoPE, else [lists, tokens, axes]; of one number a token, from an offset on.
Expected<KeyPositions> positions_of(const Tensor& given, std::optional<double> offset, const Rotated& rotated,
                                    std::size_t count) {
  const std::string_view kind = rotated.kind;
  const std::size_t axes = rotated.rotation.axes(), rank = given.shape.size();
  const bool is_one = kind == "rotary" || kind == "xpos", is_mrope = kind == "mrope";
  if (!given.is_given() && !is_one)
    return std::unexpected(Error("positions", "none", expected::other,
                                 {"a list of points, unless keys are rotated by one position each"}));
  const std::size_t size = given.is_given() ? given.size : count;
  POSENC_TRY_LET(values, AlignedArray<double>::make_unfilled(size));
  const Positions consecutive = Positions::range(count, offset.value_or(0));
  if (!given.is_given()) {
    for (std::size_t i = 0; i < size; ++i) values[i] = consecutive[i];
    return KeyPositions{std::move(values)};
  }
  const auto from = given.as<const double>();
  if (is_one && rank > 2) return wrong_positions(rank, "[sequence] or [batch, sequence]");
  std::size_t lists = 1;
  if (is_one && rank == 2) lists = given.extent(2);
  if (!is_one && rank == 3) lists = is_mrope ? given.extent(2) : given.extent(3);
  const bool fits =
      is_one || rank == 1 || (is_mrope ? given.shape[0] : given.shape.back()) == static_cast<double>(axes);
  if (!fits || size % axes != 0)
    return wrong_positions(
        rank, is_mrope ? "[axes, sequence] or [axes, batch, sequence]" : "[sequence, axes] or [batch, sequence, axes]");
  const std::size_t tokens = size / axes;
  for (std::size_t i = 0; i < size; ++i) values[i] = from[is_mrope ? i % axes * tokens + i / axes : i];
  return KeyPositions{std::move(values), lists};
}

Expected<ConstKeys> keys_of(const Stored& keys, const SequenceShape& shape) {
  POSENC_TRY_LET(type, from_name<KeyType>(keys.dtype));
  const std::size_t bytes = type == KeyType::q8_0 ? keys.size : bytes_of(type, keys.size);
  return ConstKeys{type, {reinterpret_cast<const std::byte*>(keys.address), bytes}, shape};
}

TokenRange range_of(const calls::KeyEditFields& in) { return {in.from, in.to}; }

/// Makes the edit that inserts keys of `rotated`, at the positions in `positions`.
Expected<edit::Insert> insert_of(const calls::KeyEditFields& in, const Rotated& rotated, KeyPositions& positions) {
  edit::Insert insert;
  insert.at = in.at.value_or(0);
  insert.count = in.count;
  insert.keep_positions = in.keep_positions.value_or(false);
  if (!in.keys.is_given()) return insert;
  POSENC_TRY_LET(shape,
                 SequenceShape::make(in.shape, {.sequence = in.seq_axis, .dim = in.dim_axis, .batch = in.batch_axis}));
  POSENC_TRY_LET(keys, keys_of(in.keys, shape));
  POSENC_TRY_LET(made, positions_of(in.positions, in.offset, rotated, shape.sequence()));
  positions = std::move(made);
  insert.keys = keys;
  insert.rotation = rotated.rotation;
  insert.positions = positions.values.span();
  return insert;
}

/// An edit of keys that are `now` rotated so; of those that it inserts, `positions` holds them.
Expected<KeyEdit> edit_of(const calls::KeyEditFields& in, Rotated& now, KeyPositions& positions) {
  POSENC_TRY_LET(type, from_name<KeyEditType>(in.type));
  const auto by = in.by.is_given() ? in.by.as<const double>() : std::span<const double>();
  const bool keeps = in.keep_positions.value_or(false);
  switch (type) {
    case KeyEditType::shift:
      return KeyEdit{edit::Shift{range_of(in), {by.begin(), by.end()}}, in.list};
    case KeyEditType::move:
      return KeyEdit{edit::Move{range_of(in), in.at.value_or(0), keeps}, in.list};
    case KeyEditType::drop:
      return KeyEdit{edit::Drop{range_of(in), keeps}, in.list};
    case KeyEditType::divide:
      return KeyEdit{edit::Divide{range_of(in), by[0], in.plus.value_or(0)}, in.list};
    case KeyEditType::rotate:
      now = rotated_of(*in.rotary);
      return KeyEdit{edit::Rotate{now.rotation}};
    case KeyEditType::convert: {
      POSENC_TRY_LET(to, from_name<KeyType>(in.dtype.value_or("")));
      return KeyEdit{edit::Convert{to}};
    }
    case KeyEditType::insert: {
      POSENC_TRY_LET(insert, insert_of(in, in.rotary ? rotated_of(*in.rotary) : now, positions));
      return KeyEdit{std::move(insert), in.list};
    }
  }
  std::unreachable();
}

}  // namespace

Expected<void> run(const calls::KeyEdits& in) {
  const Rotated rotated = rotated_of(in.rotary);
  POSENC_TRY_LET(shape, sequence_shape(in));
  POSENC_TRY_LET(keys, keys_of(in.keys, shape));
  POSENC_TRY_LET(where, positions_of(in.positions, in.offset, rotated, shape.sequence()));
  Rotated now = rotated;
  std::vector<KeyPositions> positions(in.edits.size());
  std::vector<KeyEdit> edits;
  for (std::size_t i = 0; i < in.edits.size(); ++i) {
    auto edit = edit_of(in.edits[i], now, positions[i]);
    if (!edit) {
      Error& error = edit.error();
      if (error.argument != "memory") error.argument = "edits[" + std::to_string(i) + "]." + error.argument;
      return error_of(edit);
    }
    edits.push_back(std::move(*edit));
  }
  POSENC_TRY_LET(made,
                 EditedKeys::make({rotated.rotation, in.first_dim, where.values.span(), where.lists}, keys, edits));
  std::size_t numbers = 0;
  for (std::size_t list = 0; list < made.lists(); ++list) numbers += made.positions(list).size();
  in.answer.tokens = static_cast<double>(made.tokens());
  in.answer.dtype = static_cast<double>(made.type());
  in.answer.numbers = static_cast<double>(numbers);
  in.answer.lists = static_cast<double>(made.lists());
  in.answer.handle = to_handle(KeptEdits{std::move(made), now.kind == "mrope"});
  return {};
}

Expected<void> run(const calls::EditedKeys& in) {
  const auto& [edited, is_mrope] = from_handle<KeptEdits>(in.edits);
  POSENC_TRY_LET(shape, sequence_shape(in));
  POSENC_TRY_LET(keys, keys_of(in.keys, shape));
  const auto written = [&](Address address, std::size_t size, const SequenceShape& of) {
    const std::size_t bytes = edited.type() == KeyType::q8_0 ? size : bytes_of(edited.type(), size);
    return edited.write(keys.bytes, {edited.type(), {reinterpret_cast<std::byte*>(address), bytes}, of});
  };
  Expected<KeyBound> bound;
  if (in.new_shape.empty()) {
    bound = written(in.keys.address, in.keys.size, shape);
  } else {
    POSENC_TRY_LET(new_shape, sequence_shape(in, in.new_shape));
    bound = written(in.out.out.address, in.out.out.size, new_shape);
  }
  if (!bound) return error_of(bound);
  in.answer.dimension = bound->dimension;
  in.answer.ulps = bound->ulps;

  double* positions = in.out.positions.as<double>().data();
  const auto lengths = in.out.lengths.as<double>();
  for (std::size_t list = 0; list < lengths.size(); ++list) {
    const auto of_list = edited.positions(list);
    const std::size_t axes = edited.axes(), tokens = of_list.size() / axes;
    for (std::size_t i = 0; i < of_list.size(); ++i)
      positions[is_mrope ? i % axes * tokens + i / axes : i] = of_list[i];
    positions += of_list.size();
    lengths[list] = static_cast<double>(tokens);
  }
  return {};
}

}  // namespace posenc::embind
