#include "posenc/diagnosis/sinusoid_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/answers.hpp"
#include "posenc/diagnosis/engine/dim_angles.hpp"
#include "posenc/diagnosis/engine/engine.hpp"
#include "posenc/diagnosis/engine/free_numbers.hpp"
#include "posenc/diagnosis/views/pairing.hpp"
#include "posenc/diagnosis/views/tables.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::size_t most_table_answers = 64;

/// A table of two axes, and what is asked of it.
struct TableTask {
  const SampledTensor& table;
  const Expectation& expected;
  std::size_t dim;
  std::vector<double> positions;
  StoredType type;
  HypothesisLists& lists;
  double rounding;
  bool padding_row = false;  ///< of zeros
  bool zero_column;

  [[nodiscard]] std::size_t pairs() const { return zero_column ? dim / 2 : (dim + 1) / 2; }
  [[nodiscard]] Noise noise() const { return {.type = type, .is_stored = true}; }
  [[nodiscard]] Places places() const { return {.positions = positions}; }
};

/// The expectation of the pairs: an odd dim has a pair whose cosine is missing, or one pair less, and itself in the
/// exponent; of Exponent::half alone it is rounded down.
Expected<RotationContext> context_of(const TableTask& task) {
  RotationContext context = rotation_context(task.expected, 2 * task.pairs(), 2 * task.pairs(), task.rounding);
  const auto own_dim = static_cast<std::int64_t>(task.dim), dims = static_cast<std::int64_t>(2 * task.pairs());
  if (!task.expected.plan) {
    if (own_dim != dims)
      context.head_dim = own_dim,
      context.others.push_back({.dim = dims, .layout = Layout::half, .exponent_dim = own_dim});
    return context;
  }
  RotaryOptions plan = *task.expected.plan;
  if (plan.dim != own_dim)
    return invalid_argument("expected.dim", static_cast<double>(plan.dim), {decimal(task.dim), ", the table's"});
  plan.layout = Layout::half;
  plan.rotary_dim = std::nullopt;
  if (dims != own_dim && !plan.exponent_dim) plan.exponent_dim = own_dim;
  plan.dim = dims;
  POSENC_TRY(expected_rotary(plan));
  context.expected = plan;
  return context;
}

/// How a table departs from what was expected beside its angles.
std::vector<Mistake> form_mistakes(const TableTask& task, TableOrder order, double amplitude) {
  const Expectation& expected = task.expected;
  std::vector<Mistake> made;
  if (!expected.plan) return made;
  if (order != expected.arrangement) made.push_back(Mistake::arrangement);
  if (amplitude != expected.amplitude) made.push_back(Mistake::amplitude);
  if (task.dim % 2 == 1 && task.zero_column != expected.zero_column) made.push_back(Mistake::zero_column);
  if (task.padding_row != expected.padding_row) made.push_back(Mistake::padding_row);
  return made;
}

/// Amplitudes of published code, of which the table may have one; none of them: the one that it has.
struct Amplitude {
  double value;
  bool is_listed;
};
constexpr std::size_t most_amplitudes = 7;
std::vector<Amplitude> amplitudes(const TableTask& task, TableOrder order) {
  const double meant = task.expected.plan ? task.expected.amplitude : 1;
  const TableView view(task.table, task.dim, order, meant, task.padding_row, task.zero_column, task.noise());
  const auto factors_of = [](const TableView& of) {
    return free_factors(measure(of, spread_indices(of.tokens(), 48)), 1);
  };
  const std::vector<double> factors = factors_of(view);
  // Sines of other rows have no one length.
  if (factors.empty() || factors.front() == 1) return {{meant, true}};
  const auto is_of = [&](double amplitude) {
    const std::vector<double> left =
        factors_of({task.table, task.dim, order, amplitude, task.padding_row, task.zero_column, task.noise()});
    return !left.empty() && left.front() == 1;
  };
  const auto d = static_cast<double>(task.dim);
  for (const double usual : {1.0, std::sqrt(2 / d), 1 / std::sqrt(d), std::sqrt(d), std::sqrt(0.5), 0.5, 2.0})
    if (is_of(usual)) return {{usual, true}};
  std::vector<Amplitude> made;
  for (const double factor : std::span(factors).first(std::min(factors.size(), most_amplitudes)))
    made.push_back({factor * meant, false});
  return made;
}

enum class TableStep : std::uint8_t { listed, moved, by_dim, estimated };

FoundSinusoid found_table(const TableTask& task, const Finding& finding, TableOrder order, double amplitude) {
  FoundSinusoid made{.hypothesis = finding.hypothesis,
                     .arrangement = order,
                     .amplitude = amplitude,
                     .padding_row = task.padding_row,
                     .zero_column = task.dim % 2 == 1 && task.zero_column,
                     .positions = finding.positions};
  RotaryOptions& plan = made.hypothesis.plan;
  const auto dim = static_cast<std::int64_t>(task.dim);
  if (plan.dim != dim && !plan.exponent_dim) plan.exponent_dim = plan.dim;
  plan.dim = dim;
  // A table has no factor beside its amplitude.
  made.amplitude *= made.hypothesis.factor;
  made.hypothesis.factor = 1;
  return made;
}

Expected<Diagnosis> diagnose_table(const TableTask& task, TableStep step, std::string_view& open_type) {
  POSENC_TRY_LET(context, context_of(task));
  Diagnosis made;
  std::vector<Answer> answers;
  using enum TableOrder;
  for (const TableOrder order : {interleaved, split, interleaved_cosines_first, cosines_first})
    for (const auto& [amplitude, is_listed] : amplitudes(task, order)) {
      const std::vector<Mistake> own = form_mistakes(task, order, amplitude);
      if (own.size() > 2) continue;
      const TableView view(task.table, task.dim, order, amplitude, task.padding_row, task.zero_column, task.noise());
      const Engine engine({view, task.places(), context, {}, task.lists});
      std::vector<Finding> found;
      if (step == TableStep::listed) found = engine.listed(2 - own.size(), most_table_answers);
      if (step == TableStep::moved) found = engine.moved(2 - own.size(), made.read_to);
      if (step == TableStep::estimated) found = engine.estimated();
      if (step == TableStep::by_dim && context.expected) {
        const RotationHypothesis meant{.plan = *context.expected,
                                       .first_position = context.expected_first,
                                       .position_scale = context.expected_scale};
        for (DimAngles& dims : dim_angles(meant, false)) {
          // A row's first number is the sine.
          std::swap(dims.pairs.first, dims.pairs.second);
          const Comparison residual = compare(view, task.places(), dims.hypothesis,
                                              task.expected.arithmetic.has_value(), {}, nullptr, dims.pairs);
          if (dims.mistake == Mistake::cache_form || !residual.explains) continue;
          found.push_back({.hypothesis = meant, .mistakes = {dims.mistake}, .residual = residual});
          found.back().numbers.rates = {static_cast<double>(found.size())};
        }
      }
      for (Finding& each : found) {
        // Exchanged, it is the other arrangement.
        if (each.hypothesis.exchanged) continue;
        each.is_estimated = each.is_estimated || !is_listed;
        Explanation explanation;
        explanation.units = each.residual.units, explanation.ulps = each.residual.ulps;
        explanation.mistakes = own;
        explanation.mistakes.insert(explanation.mistakes.end(), each.mistakes.begin(), each.mistakes.end());
        if (task.expected.plan) {
          set_hypothesis_remedy(task.expected, each.hypothesis, explanation);
          explanation.factor = task.expected.amplitude / (amplitude * each.hypothesis.factor);
        }
        explanation.found = found_table(task, each, order, amplitude);
        answers.push_back({std::move(each), static_cast<std::size_t>(order), std::move(explanation)});
      }
      // One number of no list is as good as another: the shortest is taken.
      if ((step != TableStep::listed || !is_listed) && !answers.empty()) break;
    }
  conclude(std::move(answers), task.places(), task.expected, task.noise(), false, made,
           step == TableStep::listed ? &open_type : nullptr);
  return made;
}

/// The extents of a table: its axes of more than one value; a single row is [1, dim].
Expected<std::size_t> dim_of_table(const SampledTensor& table) {
  std::vector<std::size_t> extents;
  for (const std::int64_t extent : table.shape)
    if (extent != 1) extents.push_back(static_cast<std::size_t>(extent));
  if (extents.size() == 1 && table.shape.size() >= 2 && table.shape.back() != 1) extents.insert(extents.begin(), 1);
  if (extents.size() == 2) return extents[1];
  return invalid_argument("table.shape", static_cast<double>(table.shape.size()),
                          {"two axes, [positions, dim], dim >= 2"});
}

Expected<Diagnosis> diagnose_rows(const SinusoidSamples& samples, const Expectation& expected) {
  if (!(expected.amplitude > 0) || !std::isfinite(expected.amplitude))
    return invalid_argument("expected.amplitude", expected.amplitude, expected::finite_above, {0});
  POSENC_TRY_LET(types, stored_types_of(samples.table, "table"));
  POSENC_TRY_LET(dim, dim_of_table(samples.table));
  const std::size_t rows = samples.table.values.size() / dim;
  if (!samples.positions.empty()) POSENC_TRY(check_positions(samples.positions, rows));
  HypothesisLists lists;
  Diagnosis made;
  TableTask task{.table = samples.table,
                 .expected = expected,
                 .dim = dim,
                 .positions = given_positions(samples.positions, rows),
                 .type = types.front(),
                 .lists = lists,
                 .rounding = rounding_of_computed(types),
                 .zero_column = dim % 2 == 1 && has_zero_column(samples.table, dim)};
  task.padding_row = has_zero_row(samples.table, dim, task.positions);
  POSENC_TRY(context_of(task));
  made.dtype = types.front().name;
  if (are_zeros(samples.table.values)) {
    set_too_little(made, true);
    return made;
  }
  double read_to = 0;
  std::string_view open_type;
  using enum TableStep;
  for (const TableStep step : {listed, moved, by_dim, estimated})
    for (const StoredType& type : types) {
      if (made.verdict != Verdict::none) break;
      task.type = type;
      POSENC_TRY_LET(found, diagnose_table(task, step, open_type));
      made = std::move(found);
      made.read_to = read_to = std::max(read_to, made.read_to);
      made.dtype = made.verdict == Verdict::none ? types.front().name : type.name;
    }
  conclude_open(open_type, made);
  return made;
}

/// Whether a diagnosis is the worse one of two.
bool is_worse(const Diagnosis& a, const Diagnosis& b) {
  if (a.verdict != b.verdict) return a.verdict > b.verdict;
  return !a.explanations.empty() && !b.explanations.empty() &&
         a.explanations[0].mistakes.size() > b.explanations[0].mistakes.size();
}

}  // namespace

Expected<Diagnosis> diagnose_sinusoid(const SinusoidSamples& samples, const Expectation& expected) {
  const auto& [values, shape, dtype, quantized] = samples.table;
  std::size_t entries = 1;
  for (std::size_t axis = 0; axis + 2 < shape.size(); ++axis)
    entries *= static_cast<std::size_t>(std::max<std::int64_t>(shape[axis], 1));
  if (entries == 1 || values.size() % entries != 0) return diagnose_rows(samples, expected);
  const std::size_t size = values.size() / entries;
  const std::vector<std::int64_t> own(shape.end() - 2, shape.end());
  Diagnosis worst;
  for (std::size_t entry = 0; entry < entries; ++entry) {
    const SampleValues each = values.subspan(entry * size, size);
    std::size_t same = 0;
    while (entry > 0 && same < size && each[same] == values[same]) ++same;
    if (same == size) continue;
    POSENC_TRY_LET(made,
                   diagnose_rows({.table = {each, own, dtype, quantized}, .positions = samples.positions}, expected));
    if (entry == 0 || is_worse(made, worst)) worst = std::move(made);
  }
  return worst;
}

}  // namespace posenc
