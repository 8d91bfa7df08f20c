#include "posenc/diagnosis/cache_diagnosis.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/answers.hpp"
#include "posenc/diagnosis/engine/engine.hpp"
#include "posenc/diagnosis/engine/ordering.hpp"
#include "posenc/diagnosis/views/cache_forms.hpp"
#include "posenc/diagnosis/views/pairing.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::size_t most_cache_answers = 64;

/// A cache, and what is asked of it.
struct CacheTask {
  const CacheSamples& samples;
  const Expectation& expected;
  std::optional<Pairing> meant;
  HypothesisLists& lists;
  double rounding;
  std::string_view* open_type;  ///< what conclude() takes

  /// The pairs of a cache: it has those of the expectation, as many as it shows.
  [[nodiscard]] Pairing pairing_of(const CacheView& view) const {
    Pairing made = meant.value_or(Pairing{});
    made.count = 2 * view.pairs();
    return made;
  }
  [[nodiscard]] std::size_t head_dim_of(const CacheView& view) const {
    return std::max(2 * view.pairs(), expected.plan ? static_cast<std::size_t>(expected.plan->dim) : 0U);
  }
  /// [axes, chosen rows]
  [[nodiscard]] std::vector<double> positions_of(const CacheView& view) const {
    std::vector<double> made;
    for (std::size_t axis = 0; axis < samples.axes; ++axis)
      for (const std::size_t row : view.chosen())
        made.push_back(samples.positions.empty()
                           ? static_cast<double>(row)
                           : samples.positions[axis * (samples.positions.size() / samples.axes) + row]);
    return made;
  }
};

/// The steps of a search, in their order.
enum class CacheStep : std::uint8_t { listed, full_rows, moved, estimated };

Diagnosis diagnose_views(const CacheTask& task, const std::vector<CacheView>& views, CacheStep step, CacheAxes& axes) {
  Diagnosis made;
  std::vector<Answer> answers;
  std::vector<double> positions;
  for (std::size_t form = 0; form < views.size() && answers.size() < most_cache_answers; ++form) {
    const CacheView& view = views[form];
    const Pairing pairing = task.pairing_of(view);
    const bool is_other = task.meant && pairing.count != task.meant->count;
    const std::size_t dims = task.head_dim_of(view);
    std::vector<double> own = task.positions_of(view);
    const Places places{.positions = own, .axes = task.samples.axes};
    const std::size_t before = answers.size();
    for (const RotationContext& context : rotation_contexts(task.expected, pairing.count, dims, task.rounding)) {
      if (task.expected.plan && !context.expected) continue;
      AxisExpectation sections;
      if (!is_other) sections = {task.expected.mrope_section, task.expected.mrope_order};
      const Engine engine({view, places, context, sections, task.lists});
      const std::size_t mistakes = is_other ? 1 : 2;
      std::vector<Finding> found = step == CacheStep::moved       ? engine.moved(mistakes, made.read_to)
                                   : step == CacheStep::estimated ? engine.estimated()
                                                                  : engine.listed(mistakes, most_cache_answers);
      for (Finding& each : found) {
        Explanation explanation = explanation_of(each, pairing, dims, task.expected);
        explanation.dims.clear();
        std::get<FoundRotation>(explanation.found).form = view.form().name;
        add_answer({std::move(each), form, std::move(explanation)}, answers);
      }
    }
    if (before == 0 && !answers.empty()) axes = view.axes(), positions = std::move(own);
    // Numbers of no list have any form: the likeliest is taken.
    if (step != CacheStep::listed && !answers.empty()) break;
  }
  if (answers.empty()) return made;
  conclude(std::move(answers), {.positions = positions, .axes = task.samples.axes}, task.expected,
           views.front().noise(), false, made, step == CacheStep::listed ? task.open_type : nullptr);
  return made;
}

/// The diagnosis of the rows that are not zeros; none where all or none are.
Diagnosis diagnose_full_rows(const CacheTask& task, const std::vector<CacheView>& views, CacheAxes& axes) {
  std::vector<CacheView> full;
  for (const CacheView& view : views) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < view.tokens(); ++row)
      if (!view.is_zero(row)) rows.push_back(row);
    if (rows.empty() || rows.size() == view.tokens()) continue;
    full.emplace_back(task.samples, view.form(), view.axes(), std::move(rows), view.noise());
  }
  if (full.empty()) return {};
  CacheTask rest = task;
  rest.open_type = nullptr;
  Diagnosis made = diagnose_views(rest, full, CacheStep::listed, axes);
  for (Explanation& each : made.explanations) each.mistakes.push_back(Mistake::zero_rows);
  return made;
}

/// The types of both arrays, the coarser where they differ.
Expected<std::vector<StoredType>> types_of(const CacheSamples& samples) {
  const bool one_array = samples.sines.values.empty() && samples.sines.shape.empty();
  auto types = stored_types_of(samples.cosines, one_array ? "cosSin" : "cos");
  if (!types || one_array) return types;
  POSENC_TRY_LET(sines, stored_types_of(samples.sines, "sin"));
  if (samples.sines.shape != samples.cosines.shape)
    return invalid_argument("sin.shape", static_cast<double>(samples.sines.shape.size()), {"the extents of cos"});
  if (sines.front().rounding > types->front().rounding) return sines;
  // Both have to be of the coarser type.
  if (types->size() > 1 && (sines.size() < 2 || sines.back().rounding < types->back().rounding)) {
    types->pop_back();
    if (sines.size() > 1) types->push_back(sines.back());
  }
  return types;
}

}  // namespace

Expected<Diagnosis> diagnose_cache(const CacheSamples& samples, const Expectation& expected) {
  if (samples.axes == 0 || samples.positions.size() % samples.axes != 0 ||
      (samples.axes > 1 && samples.positions.empty()))
    return invalid_argument("positions", static_cast<double>(samples.positions.size()),
                            {"a position a token, of every axis"});
  POSENC_TRY(check_positions(samples.positions, samples.positions.size()));
  POSENC_TRY_LET(meant, expected_pairing(expected));
  POSENC_TRY_LET(types, types_of(samples));
  Diagnosis made;
  made.dtype = types.front().name;
  HypothesisLists lists;
  std::string_view open_type;
  const CacheTask task{samples, expected, meant, lists, rounding_of_computed(types), &open_type};
  CacheAxes axes;
  const auto views_of = [&](const StoredType& type) {
    auto views = cache_views(samples, samples.positions.size() / samples.axes, meant ? meant->pairs() : 0,
                             {.type = type, .is_stored = true});
    // The expected number of pairs first: a cache that is turned around is one of other pairs.
    if (views) sort_by(*views, [&](const CacheView& view) { return meant && view.pairs() != meant->pairs(); });
    return views;
  };
  POSENC_TRY(views_of(types.front()));
  if (are_zeros(samples.cosines.values) && are_zeros(samples.sines.values)) {
    set_too_little(made, true);
    return made;
  }
  using enum CacheStep;
  for (const std::vector<CacheStep>& steps : {std::vector{listed, full_rows}, std::vector{moved, estimated}})
    for (const StoredType& type : types) {
      if (made.verdict != Verdict::none) break;
      POSENC_TRY_LET(views, views_of(type));
      for (const CacheStep step : steps) {
        const double read_to = made.read_to;
        if (made.verdict != Verdict::none) break;
        made = step == full_rows ? diagnose_full_rows(task, views, axes) : diagnose_views(task, views, step, axes);
        made.read_to = std::max(made.read_to, read_to);
      }
      made.dtype = made.verdict == Verdict::none ? types.front().name : type.name;
    }
  conclude_open(open_type, made);
  made.axes = {static_cast<std::int64_t>(axes.sequence), static_cast<std::int64_t>(axes.dims)};
  return made;
}

}  // namespace posenc
