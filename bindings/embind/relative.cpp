#include "relative.hpp"

#include "posenc/relative/alibi.hpp"

namespace posenc::embind {

Expected<Pairs> pairs(std::int64_t heads, std::int64_t queries, std::int64_t keys,
                      std::optional<std::int64_t> query_offset, const std::string& form) {
  POSENC_TRY_LET(positions, RelativePositions::make({heads, queries, keys, query_offset.value_or(0)}));
  return Pairs{positions, form == "compact"};
}

namespace {

template <class Call>
Expected<AlibiOptions> alibi_options(const Call& in) {
  AlibiOptions options;
  POSENC_TRY(set(options.slopes, in.slopes, alibi_slopes_from_name));
  set(options.steepness, in.steepness);
  return options;
}

Expected<void> alibi_slopes(const calls::AlibiSlopes& in) {
  POSENC_TRY_LET(options, alibi_options(in));
  return posenc::alibi_slopes(options, in.out.as<float>());
}

Expected<void> alibi(const calls::Alibi& in) {
  POSENC_TRY_LET(options, alibi_options(in));
  POSENC_TRY(set(options.distance, in.distance, alibi_distance_from_name));
  return write_bias(in, in.heads, [&](const RelativePositions& positions, Future future, std::span<float> out) {
    return alibi_bias(options, positions, future, out);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(relative) {
  add<&alibi>();
  add<&alibi_slopes>();
}

}  // namespace posenc::embind
