#include <array>
#include <span>

#include "json.hpp"
#include "modules.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "posenc/diagnosis/cache_diagnosis.hpp"
#include "posenc/diagnosis/frequency_diagnosis.hpp"
#include "posenc/diagnosis/grid_diagnosis.hpp"
#include "posenc/diagnosis/id_diagnosis.hpp"
#include "posenc/diagnosis/mistake.hpp"
#include "posenc/diagnosis/output_diagnosis.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/sinusoid_diagnosis.hpp"
#include "posenc/grid/mrope.hpp"

namespace posenc::embind {
namespace {

/// The one of these words that means the value.
template <class Enum>
std::string_view word_of(Enum value, std::span<const std::string_view> words) {
  for (const std::string_view word : words)
    if (const auto meaning = from_name<Enum>(word); meaning && *meaning == value) return word;
  return "";
}

/// What was found, and what was meant where that is known.
template <class Found, class Meant>
struct Told {
  const Found& found;
  Meant meant;
  bool is_meant;
};

class DiagnosisWriter : public Writer<DiagnosisWriter> {
 public:
  using Writer::write;
  static constexpr bool writes_whole_plans = true;

  /// Writes what the plan of a hypothesis cannot say.
  void members(const diagnosis::RotationHypothesis& hypothesis) {
    member("plan", hypothesis.plan);
    member("offset", hypothesis.first_position);
    member("positionScale", hypothesis.position_scale);
    member("arithmetic", name_of(hypothesis.arithmetic));
    member("inverse", hypothesis.negative);
    member("reciprocal", hypothesis.reciprocal);
    if (hypothesis.frequencies != DType::float32) member("frequencies", name_of(hypothesis.frequencies));
    if (hypothesis.cosines != DType::float32) member("cosines", name_of(hypothesis.cosines));
    if (hypothesis.sine_rows != 0) member("sineRows", static_cast<std::int64_t>(hypothesis.sine_rows));
  }

  void write(const FoundPositions& positions) {
    write(Kind::object);
    member("values", positions.values);
    member("tokens", positions.tokens);
    member("amount", positions.amount);
    write(Kind::end);
  }

  void members(const FoundRotation& found) {
    member("type", std::string_view("rotary"));
    members(found.hypothesis);
    member("factor", found.hypothesis.factor);
    member("exchanged", found.hypothesis.exchanged);
    member("firstDim", found.first_dim);
    // A cache says nothing of the layout.
    if (found.form.empty()) {
      member("reads", name_of(found.reads));
      member("writes", name_of(found.writes));
    }
    if (!found.mrope_section.empty()) {
      write(std::string_view("mrope"));
      write_mrope(found.mrope_section, found.mrope_order);
    }
    if (!found.axis_of_pair.empty()) member("axisOfPair", found.axis_of_pair);
    if (!found.form.empty()) member("form", found.form);
    if (!found.positions.values.empty()) member("positions", found.positions);
  }

  void members(const FoundSinusoid& found) {
    member("type", std::string_view("sinusoidal"));
    members(found.hypothesis);
    member("amplitude", found.amplitude);
    member("arrangement", name_of(found.arrangement));
    member("paddingRow", found.padding_row);
    member("zeroColumn", found.zero_column);
    if (!found.positions.values.empty()) member("positions", found.positions);
  }

  void members(const FoundFrequencies& found) {
    member("type", std::string_view("frequencies"));
    member("plan", found.hypothesis.plan);
    member("inverse", found.hypothesis.negative);
    if (found.hypothesis.frequencies != DType::float32) member("frequencies", name_of(found.hypothesis.frequencies));
    member("unit", found.unit);
  }

  void members(const FoundBias& found) {
    member("type", std::string_view("bias"));
    member("bias", found.type);
    member("causal", found.causal);
    member("upToRows", found.up_to_rows);
    member("firstQuery", found.first_query);
    member("negative", found.negative);
    if (!found.slopes.empty()) member("slopes", found.slopes);
    if (!found.distance.empty()) member("distance", found.distance);
    if (!found.parameters.empty()) member("parameters", found.parameters);
    if (found.type == "t5") member("bidirectional", found.bidirectional);
    if (found.type != "alibi") return;
    member("slopeRule", found.slope_rule);
    member("ruleHeads", found.rule_heads);
    member("ruleFirst", found.rule_first);
    member("rulePeriod", found.rule_period);
    member("steepness", found.steepness);
    member("factor", found.factor);
  }

  void members(const FoundIds& found) {
    static constexpr std::array<std::string_view, 5> times{"index", "seconds", "whole-seconds", "unrounded", "frame"};
    static constexpr std::array<std::string_view, 2> nexts{"past-maximum", "past-extent"};
    member("type", std::string_view("ids"));
    member("preset", std::string_view(found.preset));
    member("time", word_of(found.time, times));
    member("next", word_of(found.next, nexts));
    member("tokensPerSecond", found.tokens_per_second);
    member("offset", found.offset);
    member("axes", found.axes);
    if (!found.positions.values.empty()) member("positions", found.positions);
  }

  void members(const FoundMade& found) {
    member("type", std::string_view("made"));
    member("function", found.function);
    write(std::string_view("options"));
    write(Kind::object);
    for (const MadeOption& option : found.options)
      std::visit([&](const auto& value) { this->member(option.name, value); }, option.value);
    write(Kind::end);
  }

  void write(const Explanation& explanation) {
    write(Kind::object);
    write(std::string_view("found"));
    write(Kind::object);
    std::visit([this](const auto& found) { this->members(found); }, explanation.found);
    write(Kind::end);
    write(std::string_view("mistakes"));
    write(Kind::list);
    for (const Mistake mistake : explanation.mistakes) write(name_of(mistake));
    write(Kind::end);
    member("ulps", explanation.ulps);
    member("units", explanation.units);
    member("dims", explanation.dims);
    member("dimsBefore", explanation.dims_before);
    member("factor", explanation.factor);
    member("shift", explanation.shift);
    member("scale", explanation.scale);
    write(Kind::end);
  }

  void write(const Departure& departure) {
    write(Kind::object);
    member("tokens", departure.tokens);
    member("heads", departure.heads);
    member("pairs", departure.pairs);
    member("ofTokens", departure.of_tokens);
    write(Kind::end);
  }

  void members(const Diagnosis& diagnosis) {
    member("verdict", name_of(diagnosis.verdict));
    member("explanations", diagnosis.explanations);
    member("next", diagnosis.next);
    member("tells", diagnosis.tells);
    member("readTo", diagnosis.read_to);
    member("dtype", diagnosis.dtype);
    member("departure", diagnosis.departure);
    member("seqAxes", diagnosis.sequence_axes);
  }

  void members(const OutputDiagnosis& outputs) {
    member("wrong", name_of(outputs.wrong));
    object("a", outputs.a);
    object("b", outputs.b);
  }

  /// What was expected, in the words of what is found.
  void members(const Expectation& expected) {
    member("plan", *expected.plan);
    member("firstDim", expected.first_dim);
    member("offset", expected.first_position);
    member("positionScale", expected.position_scale);
    member("arrangement", name_of(expected.arrangement));
    member("amplitude", expected.amplitude);
    if (expected.mrope_section.empty()) return;
    write(std::string_view("mrope"));
    write_mrope(expected.mrope_section, expected.mrope_order);
  }

  void members(const BiasExpectation& expected) {
    if (!expected.table.empty()) {
      write(std::string_view("options"));
      write(Kind::object);
      member("buckets", expected.buckets);
      member("maxDistance", expected.max_distance);
      member("bidirectional", expected.bidirectional);
      member("future", std::string_view(expected.causal ? "mask" : "keep"));
      return write(Kind::end);
    }
    member("bias", std::string_view(expected.type));
    member("slopeRule", std::string_view(expected.slopes));
    member("steepness", expected.steepness);
    member("parameters", std::vector<double>{static_cast<double>(expected.buckets),  //
                                             static_cast<double>(expected.max_distance)});
    member("bidirectional", expected.bidirectional);
  }

  void members(const IdExpectation& expected) { member("preset", expected.preset); }

  template <class Found, class Meant>
  void write(const Told<Found, Meant>& told) {
    write(Kind::object);
    members(told.found);
    if (told.is_meant) object("expected", told.meant);
    write(Kind::end);
  }

 private:
  void object(std::string_view key, const auto& value) {
    write(key);
    write(Kind::object);
    members(value);
    write(Kind::end);
  }
};

/// A tensor of any type, which its data names. Errors: another type's name.
Expected<SampledTensor> sampled(const calls::Sampled& in) {
  SampledTensor tensor;
  if (in.data.dtype == "float64") {
    tensor.values = in.data.as<const double>();
  } else {
    POSENC_TRY_LET(values, in.data.values());
    tensor.values = values;
  }
  for (const double extent : in.data.shape) tensor.shape.push_back(static_cast<std::int64_t>(extent));
  if (in.dtype) tensor.dtype = std::string(*in.dtype);
  if (in.quantized) tensor.quantized = std::string(*in.quantized);
  return tensor;
}

using Tensors = std::vector<SampledTensor>;

Expected<Diagnosis> grid_diagnosis(const calls::DiagnoseSamples& in, const Tensors& given) {
  if (in.sinusoidal_grid) {
    SinusoidalGridExpectation expected;
    POSENC_TRY((fill<Handled<"shape", "mask">>(expected.choice, *in.sinusoidal_grid)));
    set(expected.shape, in.sinusoidal_grid->shape);
    if (in.sinusoidal_grid->mask.is_given()) expected.mask = in.sinusoidal_grid->mask;
    return diagnose_grid_table(given[0], expected);
  }
  const calls::ExpectedRotaryGrid& meant = *in.rotary_grid;
  RotaryGridExpectation expected;
  POSENC_TRY(
      (fill<Handled<"merge_size", "grid", "prefix_tokens", "suffix_tokens", "inverse">>(expected.choice, meant)));
  set(expected.choice.merge, meant.merge_size);
  set(expected.grid, meant.grid);
  set(expected.around.before, meant.prefix_tokens);
  set(expected.around.after, meant.suffix_tokens);
  set(expected.inverse, meant.inverse);
  return in.kind == "cache" ? diagnose_grid_cache(given[0], given[1], expected)
                            : diagnose_grid_vectors(given[0], given[1], in.seq_axis, expected);
}

Expected<Diagnosis> plan_diagnosis(const calls::DiagnoseSamples& in, const Tensors& given,
                                   const Expectation& expected) {
  const std::span<const double> positions = in.positions;
  const auto axes = static_cast<std::size_t>(in.axes);
  if (in.kind == "rotation")
    return diagnose_rotation({given[0], given[1], positions, axes, in.seq_axis, in.dim_axis}, expected);
  if (in.kind == "cache") {
    const SampledTensor sines = given.size() > 1 ? given[1] : SampledTensor{};
    return diagnose_cache({given[0], sines, positions, axes}, expected);
  }
  return in.kind == "table" ? diagnose_sinusoid({given[0], positions}, expected)
                            : diagnose_frequencies(given[0], expected);
}

}  // namespace

Expected<Expectation> expectation_of(const calls::Expectation& in) {
  Expectation expected;
  if (in.plan) POSENC_TRY(fill(expected.plan.emplace(), *in.plan));
  for (const calls::ExpectedPlan& other : in.others) POSENC_TRY(fill(expected.others.emplace_back(), other));
  set(expected.first_dim, in.first_dim);
  set(expected.inverse, in.inverse);
  set(expected.mrope_section, in.sections);
  POSENC_TRY(set(expected.mrope_order, in.order));
  if (expected.plan && !expected.mrope_section.empty()) {
    const std::int64_t dims = expected.plan->rotary_dim.value_or(expected.plan->dim);
    POSENC_TRY(mrope_axes(static_cast<std::size_t>(dims) / 2, expected.mrope_section, expected.mrope_order));
  }
  set(expected.amplitude, in.amplitude);
  set(expected.first_position, in.offset);
  set(expected.position_scale, in.position_scale);
  if (in.arithmetic) {
    POSENC_TRY_LET(arithmetic, from_name<diagnosis::AngleArithmetic>(*in.arithmetic));
    expected.arithmetic = arithmetic;
  }
  set(expected.padding_row, in.padding_row);
  set(expected.zero_column, in.zero_column);
  if (in.arrangement == "split") expected.arrangement = TableOrder::split;
  if (in.arrangement == "cosines-first") expected.arrangement = TableOrder::cosines_first;
  return expected;
}

Expected<void> run(const calls::Mistakes& in) {
  const auto names = mistake_names();
  return answer_with<DiagnosisWriter>(in, std::vector<std::string_view>(names.begin(), names.end()));
}

Expected<void> run(const calls::DiagnoseSamples& in) {
  Tensors given;
  for (const calls::Sampled& each : in.samples) {
    POSENC_TRY_LET(tensor, sampled(each));
    given.push_back(std::move(tensor));
  }
  if (in.rotary_grid || in.sinusoidal_grid) {
    POSENC_TRY_LET(found, grid_diagnosis(in, given));
    return answer_with<DiagnosisWriter>(in, Told{found, Expectation{}, false});
  }
  if (in.kind == "bias") {
    BiasExpectation meant;
    if (in.bias) {
      POSENC_TRY((fill<Handled<"window", "class_token">>(meant, *in.bias)));
      set(meant.window.extents, in.bias->window);
      set(meant.window.class_token, in.bias->class_token);
    }
    POSENC_TRY_LET(found, diagnose_bias({.bias = given[0], .first_query = in.first_query}, meant));
    return answer_with<DiagnosisWriter>(in, Told{found, meant, !meant.type.empty() && meant.type != "swin"});
  }
  POSENC_TRY_LET(expected, expectation_of(in.expected));
  const bool is_meant = expected.plan.has_value();
  if (in.kind == "outputs") {
    const auto before = given.size() > 2 ? std::optional(given[2]) : std::nullopt;
    POSENC_TRY_LET(found, diagnose_outputs({given[0], given[1], before, in.positions, static_cast<std::size_t>(in.axes),
                                            in.seq_axis, in.dim_axis},
                                           expected));
    return answer_with<DiagnosisWriter>(in, Told{found, expected, is_meant});
  }
  POSENC_TRY_LET(found, plan_diagnosis(in, given, expected));
  return answer_with<DiagnosisWriter>(in, Told{found, expected, is_meant});
}

Expected<void> run(const calls::DiagnoseWindow& in) {
  WindowExpectation expected;
  set(expected.extents, in.window);
  set(expected.class_token, in.class_token);
  const std::span<const double> ids = in.ids;
  POSENC_TRY_LET(found, diagnose_window_ids({ids, {static_cast<std::int64_t>(ids.size())}}, expected));
  return answer_with<DiagnosisWriter>(in, Told{found, Expectation{}, false});
}

Expected<void> run(const calls::DiagnoseIds& in) {
  const std::vector<MropeSegment> segments = segments_of(in.segments);
  IdExpectation expected{.preset = in.preset.value_or("")};
  if (in.time) {
    POSENC_TRY_LET(time, from_name<MropeTime>(*in.time));
    expected.time = time;
  }
  if (in.next) {
    POSENC_TRY_LET(next, from_name<MropeNext>(*in.next));
    expected.next = next;
  }
  POSENC_TRY_LET(found, diagnose_ids({.ids = in.ids,
                                      .axes = static_cast<std::size_t>(in.axes),
                                      .segments = segments,
                                      .merge = in.merge_size,
                                      .tokens_per_second = in.tokens_per_second},
                                     expected));
  return answer_with<DiagnosisWriter>(in, Told{found, expected, !expected.preset.empty()});
}

}  // namespace posenc::embind
