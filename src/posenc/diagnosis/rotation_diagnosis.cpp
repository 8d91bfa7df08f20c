#include "posenc/diagnosis/rotation_diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/answers.hpp"
#include "posenc/diagnosis/engine/dim_angles.hpp"
#include "posenc/diagnosis/engine/engine.hpp"
#include "posenc/diagnosis/views/pairing.hpp"
#include "posenc/diagnosis/views/vectors.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

/// Where no plan was expected the first tokens have to show it: of all half at most, and not fewer than tell rates.
constexpr std::size_t most_first = 16, least_first = 4;

/// So many computations that explain all values show that the samples do not tell; of large samples fewer do.
constexpr std::size_t most_answers = 512, most_large_answers = 12, large = std::size_t{1} << 20;

/// In so many values zeros may hide other pairs: of more the search would take long.
constexpr std::size_t hidden = std::size_t{1} << 16;

/// Vectors along some axes, and all that is asked of them.
struct VectorTask {
  const RotationSamples& samples;
  const Expectation& expected;
  std::optional<Pairing> meant;
  RotationAxes axes;
  StoredType type;
  HypothesisLists& lists;
  VectorPart part = {};
  std::vector<double> positions = {};       ///< [axes, tokens of the part]
  std::vector<std::size_t> departing = {};  ///< tokens of the part that depart, where they were looked for
  std::string_view* open_type = nullptr;    ///< what conclude() takes

  [[nodiscard]] Noise noise() const { return {.type = type, .before = samples.before_error}; }
  [[nodiscard]] Places places() const { return {.positions = positions, .axes = samples.axes}; }
  [[nodiscard]] AxisExpectation sections(const Pairing& pairing) const {
    // Sections are those of the expected dimensions.
    if (!meant || meant->count != pairing.count) return {};
    return {expected.mrope_section, expected.mrope_order};
  }
};

void choose_part(VectorTask& task, VectorPart part) {
  const std::size_t all = task.samples.positions.size() / task.samples.axes;
  task.positions.clear();
  for (std::size_t axis = 0; axis < task.samples.axes; ++axis)
    for (const std::size_t token : part.tokens) task.positions.push_back(task.samples.positions[axis * all + token]);
  task.part = std::move(part);
  task.departing.clear();
  task.open_type = nullptr;
}

/// Calls `use` with the engine of each pairing that the vectors allow, and how many mistakes it may add.
template <class Use>
void for_pairings(const VectorTask& task, const VectorRows& rows, const Use& use) {
  const ChangedDims changed = changed_dims(rows);
  std::vector<Pairing> pairings = possible_pairings(rows.dims(), changed, task.meant);
  // Vectors that did not change are the same in any pairs, unless other pairs turn what is zero, as few vectors hide.
  const bool may_hide = changed.has_zeros && task.meant && task.samples.before.values.size() <= hidden;
  if (!changed.any && !may_hide) pairings.resize(std::min<std::size_t>(pairings.size(), 1));
  for (std::size_t form = 0; form < pairings.size(); ++form) {
    const Pairing& pairing = pairings[form];
    const std::size_t wrong = task.meant ? pairing_mistakes(pairing, *task.meant, rows.dims()).size() : 0;
    const VectorView view(rows, pairing);
    // Sines of other rows, which what was expected may have, keep no lengths: of other pairs they are a second mistake.
    const bool keeps_lengths = pairing == task.meant || view.may_be_pairs();
    if (wrong > 2 || !view.leaves_rest() || (!keeps_lengths && (!task.meant || wrong > 1))) continue;
    for (const RotationContext& context :
         rotation_contexts(task.expected, pairing.count, rows.dims(), task.type.rounding)) {
      if (task.expected.plan && !context.expected) continue;
      const Engine engine(
          {view, task.places(), context, task.sections(pairing), task.lists, keeps_lengths, task.departing});
      if (!use(engine, pairing, form, 2 - wrong)) return;
    }
  }
}

/// Marks what departs from the expected rotation; nothing where none was expected or the pairs' axes are not known.
Marks departing(const VectorTask& task, const VectorRows& rows) {
  Marks marks{.tokens = std::vector<bool>(task.part.tokens.size()),
              .vectors = std::vector<bool>(task.part.heads.size()),
              .pairs = std::vector<bool>(task.meant ? task.meant->pairs() : 0)};
  if (!task.meant) return marks;
  std::vector<std::int64_t> axis_of_pair;
  if (task.samples.axes > 1) {
    axis_of_pair = mrope_axes(task.expected.mrope_section, task.expected.mrope_order, task.meant->pairs());
    if (axis_of_pair.empty()) return marks;
  }
  const VectorView view(rows, *task.meant);
  (void)compare(view, task.places(), expected_hypothesis(task.expected, *task.meant),
                task.expected.arithmetic.has_value(), axis_of_pair, &marks);
  (void)view.leaves_rest(&marks);
  return marks;
}

std::vector<std::size_t> marked(const std::vector<bool>& marks) {
  std::vector<std::size_t> made;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i]) made.push_back(i);
  return made;
}

/// Finds the tokens that depart, which whatever is not listed has to explain first.
void note_departing(VectorTask& task) {
  task.departing = marked(departing(task, VectorRows(task.samples, task.axes, task.part, task.noise())).tokens);
}

/// Looks for rotations of the list, at other positions than those given, or with numbers that no list has.
enum class VectorStep : std::uint8_t { listed, moved, estimated };

Diagnosis diagnose_vectors(const VectorTask& task, VectorStep step) {
  const VectorRows rows(task.samples, task.axes, task.part, task.noise());
  Diagnosis made;
  std::vector<Answer> answers;
  bool has_unseen = false;
  const bool is_listed = step == VectorStep::listed, is_moved = step == VectorStep::moved;
  const bool is_large = is_listed && task.samples.before.values.size() > large;
  const std::size_t most = step == VectorStep::estimated ? 1 : is_large ? most_large_answers : most_answers;
  for_pairings(task, rows, [&](const Engine& engine, const Pairing& pairing, std::size_t form, std::size_t mistakes) {
    std::vector<Finding> found = is_listed      ? engine.listed(mistakes, most)
                                 : is_moved     ? engine.moved(mistakes, made.read_to)
                                 : mistakes > 0 ? engine.estimated()
                                                : std::vector<Finding>{};
    has_unseen = has_unseen || (is_listed && !found.empty() && engine.has_unseen_pairs());
    for (Finding& each : found) {
      if (form > 0 && each.turns_nothing()) continue;
      Explanation explanation = explanation_of(each, pairing, rows.dims(), task.expected);
      add_answer({std::move(each), form, std::move(explanation)}, answers);
    }
    return answers.size() < most;
  });
  conclude(std::move(answers), task.places(), task.expected, task.noise(), has_unseen, made,
           step == VectorStep::estimated ? nullptr : task.open_type);
  return made;
}

Diagnosis diagnose_listed(const VectorTask& task) { return diagnose_vectors(task, VectorStep::listed); }
Diagnosis diagnose_moved(const VectorTask& task) { return diagnose_vectors(task, VectorStep::moved); }
Diagnosis diagnose_estimated(const VectorTask& task) { return diagnose_vectors(task, VectorStep::estimated); }

bool is_explained(const Diagnosis& diagnosis) { return diagnosis.verdict != Verdict::none; }

/// Looks for rotations whose two dimensions of a pair have different angles.
Diagnosis diagnose_by_dim(const VectorTask& task) {
  Diagnosis made;
  if (!task.meant || task.samples.axes != 1 || task.meant->reads != task.meant->writes) return made;
  const VectorRows rows(task.samples, task.axes, task.part, task.noise());
  const VectorView view(rows, *task.meant);
  if (!view.leaves_rest()) return made;
  std::vector<Answer> answers;
  const RotationHypothesis hypothesis = expected_hypothesis(task.expected, *task.meant);
  for (const DimAngles& dims : dim_angles(hypothesis, task.meant->reads == Layout::half)) {
    const Comparison residual =
        compare(view, task.places(), dims.hypothesis, task.expected.arithmetic.has_value(), {}, nullptr, dims.pairs);
    if (!residual.explains) continue;
    Finding finding{.hypothesis = hypothesis, .mistakes = {dims.mistake}, .residual = residual};
    finding.numbers.rates = {static_cast<double>(answers.size() + 1)};
    Explanation explanation = explanation_of(finding, *task.meant, rows.dims(), task.expected);
    answers.push_back({std::move(finding), 0, std::move(explanation)});
  }
  conclude(std::move(answers), task.places(), task.expected, task.noise(), false, made);
  return made;
}

/// Where a rotation left some vectors out, diagnoses the rest.
Diagnosis diagnose_rest(const VectorTask& task) {
  const VectorRows rows(task.samples, task.axes, task.part, task.noise());
  auto left = left_out(rows, task.positions);
  if (!left) return {};
  VectorTask rest = task;
  choose_part(rest, std::move(left->rest));
  Diagnosis made = diagnose_listed(rest);
  note_departing(rest);
  if (!is_explained(made)) made = diagnose_moved(rest);
  for (Explanation& each : made.explanations) each.mistakes.push_back(left->mistake);
  return made.verdict == Verdict::too_little ? Diagnosis{} : made;
}

/// Where nothing was expected: takes the rotation that the first tokens show, and reads back the positions of all.
Diagnosis diagnose_by_first(const VectorTask& task) {
  if (task.samples.axes != 1 || task.expected.plan) return {};
  // A pattern may begin early: fewer and fewer tokens.
  for (std::size_t count = std::min(task.part.tokens.size() / 2, most_first); count >= least_first; count /= 2) {
    VectorTask first = task;
    choose_part(first, {{task.part.tokens.begin(), task.part.tokens.begin() + static_cast<std::ptrdiff_t>(count)},
                        task.part.heads});
    const Diagnosis found = diagnose_listed(first);
    const Expectation expected = expectation_of(found);
    if (found.verdict != Verdict::certain || !expected.plan) continue;
    const auto meant = expected_pairing(expected);
    HypothesisLists lists;
    VectorTask all{.samples = task.samples,
                   .expected = expected,
                   .meant = meant ? *meant : std::nullopt,
                   .axes = task.axes,
                   .type = task.type,
                   .lists = lists};
    choose_part(all, task.part);
    note_departing(all);
    Diagnosis moved = diagnose_moved(all);
    if (is_explained(moved)) return moved;
  }
  return {};
}

/// Looks for what the list has not, where it explained nothing.
Diagnosis diagnose_unlisted(VectorTask task) {
  note_departing(task);
  Diagnosis made;
  double read_to = 0;
  for (const auto step : {diagnose_moved, diagnose_by_first, diagnose_rest, diagnose_by_dim, diagnose_estimated}) {
    made = step(task);
    made.read_to = read_to = std::max(read_to, made.read_to);
    if (is_explained(made)) break;
  }
  return made;
}

/// An index from the start, where an axis is named.
Expected<std::optional<std::size_t>> axis_of(std::string_view argument, const std::optional<std::int64_t>& axis,
                                             std::size_t rank) {
  if (!axis) return std::optional<std::size_t>{};
  const auto count = static_cast<std::int64_t>(rank);
  const std::int64_t index = *axis < 0 ? *axis + count : *axis;
  if (index < 0 || index >= count)
    return invalid_argument(argument, static_cast<double>(*axis),
                            {"an axis of the vectors: from ", decimal(-count), " to ", decimal(count - 1)});
  return std::optional(static_cast<std::size_t>(index));
}

/// Axes that have the right extents, the likeliest first: dimensions last, and tokens as near to them as may be.
Expected<std::vector<RotationAxes>> possible_axes(const RotationSamples& samples, const Expectation& expected) {
  const auto& shape = samples.before.shape;
  const std::size_t rank = shape.size();
  POSENC_TRY_LET(sequence, axis_of("seqAxis", samples.sequence_axis, rank));
  POSENC_TRY_LET(dim, axis_of("dimAxis", samples.dim_axis, rank));
  const auto tokens = static_cast<std::int64_t>(samples.positions.size() / samples.axes);
  std::vector<RotationAxes> made;
  bool has_sequence = false;
  for (std::size_t dims = rank; dims-- > 0;)
    for (std::size_t tokens_at = rank; tokens_at-- > 0;) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): looked at in front
      if (shape[tokens_at] != tokens || (sequence && sequence != tokens_at)) continue;
      has_sequence = true;
      if (dims == tokens_at || shape[dims] < 2 || (dim && dim != dims)) continue;
      if (expected.plan && shape[dims] != expected.plan->dim) continue;
      made.push_back({.sequence = tokens_at, .dims = dims});
    }
  if (!has_sequence)
    return invalid_argument("positions", static_cast<double>(tokens),
                            {"as many as the sequence's axis of the vectors has"});
  if (!made.empty()) return made;
  if (expected.plan)
    return invalid_argument("expected.dim", static_cast<double>(expected.plan->dim),
                            {"the dimensions of the vectors' heads"});
  return invalid_argument("before.shape", static_cast<double>(rank),
                          {"an axis of two or more dimensions beside the sequence's"});
}

/// Samples that go together, along the axes that they may have.
struct ReadVectors {
  std::vector<StoredType> types;
  std::optional<Pairing> meant;
  std::vector<RotationAxes> axes;
};
Expected<ReadVectors> read_vectors(const RotationSamples& samples, const Expectation& expected) {
  POSENC_TRY(stored_types_of(samples.before, "before"));
  POSENC_TRY_LET(types, stored_types_of(samples.after, "after"));
  if (samples.before.shape != samples.after.shape)
    return invalid_argument("after.shape", static_cast<double>(samples.after.shape.size()), {"the extents of before"});
  if (samples.axes == 0 || samples.positions.empty() || samples.positions.size() % samples.axes != 0)
    return invalid_argument("positions", static_cast<double>(samples.positions.size()),
                            {"a position a token, of every axis"});
  POSENC_TRY(check_positions(samples.positions, samples.positions.size()));
  POSENC_TRY_LET(meant, expected_pairing(expected));
  POSENC_TRY_LET(axes, possible_axes(samples, expected));
  return ReadVectors{.types = std::move(types), .meant = meant, .axes = std::move(axes)};
}

std::vector<std::int64_t> axes_of(const RotationAxes& axes) {
  return {static_cast<std::int64_t>(axes.sequence), static_cast<std::int64_t>(axes.dims)};
}

/// Axes as long as the sequence's, of which the shape does not tell which is meant: that axis first.
std::vector<std::int64_t> axes_alike(const std::vector<std::int64_t>& shape, const RotationAxes& axes) {
  std::vector<std::int64_t> made{static_cast<std::int64_t>(axes.sequence)};
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (axis != axes.sequence && axis != axes.dims && shape[axis] == shape[axes.sequence])
      made.push_back(static_cast<std::int64_t>(axis));
  return made;
}

/// Vectors that were rotated along another axis than the sequence's, at the positions given or by its indices.
Diagnosis diagnose_other_axis(const RotationSamples& samples, const VectorTask& task) {
  const auto& shape = samples.before.shape;
  Diagnosis best;
  const auto mistakes = [](const Diagnosis& of) { return of.explanations.front().mistakes.size(); };
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto extent = static_cast<std::size_t>(shape[axis]);
    if (axis == task.axes.sequence || axis == task.axes.dims || extent < 2) continue;
    std::vector<double> indices(samples.axes * extent), counted(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      indices[i] = static_cast<double>(i % extent);
      counted[i] = indices[i] + samples.positions[i / extent * (samples.positions.size() / samples.axes)];
    }
    for (const std::span<const double> positions :
         {samples.positions, std::span<const double>(indices), std::span<const double>(counted)}) {
      if (positions.size() != indices.size()) continue;
      RotationSamples turned = samples;
      turned.positions = positions;
      VectorTask other{.samples = turned,
                       .expected = task.expected,
                       .meant = task.meant,
                       .axes = {.sequence = axis, .dims = task.axes.dims},
                       .type = task.type,
                       .lists = task.lists};
      choose_part(other, whole_of(turned, other.axes));
      Diagnosis made = diagnose_listed(other);
      if (made.verdict == Verdict::none || made.verdict == Verdict::too_little) continue;
      for (Explanation& each : made.explanations) each.mistakes.push_back(Mistake::sequence_axis);
      // Indices from 0 are those from the first position with an offset, and the reverse: the fewest mistakes name it.
      if (best.explanations.empty() || mistakes(made) < mistakes(best)) best = std::move(made);
    }
  }
  return best;
}

/// Whether some heads are said not to be rotated.
bool leaves_heads(const Diagnosis& made) {
  return !made.explanations.empty() &&
         std::ranges::count(made.explanations.front().mistakes, Mistake::heads_not_rotated) != 0;
}

void note_departure(const VectorTask& task, Diagnosis& made) {
  const VectorRows rows(task.samples, task.axes, task.part, task.noise());
  const Marks marks = departing(task, rows);
  const auto indices = [](const std::vector<bool>& of) {
    std::vector<std::int64_t> all;
    for (const std::size_t each : marked(of)) all.push_back(static_cast<std::int64_t>(each));
    return all;
  };
  // Where all of an explained sample departs, that says nothing of a place.
  const bool is_place =
      marked(marks.tokens).size() < marks.tokens.size() || marked(marks.vectors).size() < marks.vectors.size();
  if (made.verdict != Verdict::none && !is_place) return;
  made.departure = {.tokens = indices(marks.tokens),
                    .heads = indices(marks.vectors),
                    .pairs = indices(marks.pairs),
                    .of_tokens = std::ssize(marks.tokens)};
}

}  // namespace

Expected<std::vector<std::int64_t>> rotation_axes(const RotationSamples& samples, const Expectation& expected) {
  POSENC_TRY_LET(read, read_vectors(samples, expected));
  return axes_of(read.axes.front());
}

Expected<Diagnosis> diagnose_rotation(const RotationSamples& samples, const Expectation& expected) {
  POSENC_TRY_LET(read, read_vectors(samples, expected));
  HypothesisLists lists;
  std::string_view open_type;
  Diagnosis made;
  made.dtype = read.types.front().name;
  if (are_zeros(samples.before.values)) {
    set_too_little(made, true);
    return made;
  }
  const auto task_of = [&](const RotationAxes& axes, const StoredType& type) {
    VectorTask task{
        .samples = samples, .expected = expected, .meant = read.meant, .axes = axes, .type = type, .lists = lists};
    choose_part(task, whole_of(samples, axes));
    task.open_type = &open_type;
    return task;
  };
  RotationAxes axes = read.axes.front();
  const auto note = [&](Diagnosis found, const RotationAxes& of, const StoredType& type) {
    axes = of;
    made = std::move(found);
    made.dtype = type.name;
  };
  // The type of the array first: only results that are all of 16 bits may have been rounded to them.
  for (const StoredType& type : read.types) {
    std::size_t dims_found = 0;
    for (const RotationAxes& each : read.axes) {
      Diagnosis found = diagnose_listed(task_of(each, type));
      if (!is_explained(found)) continue;
      const bool is_first = !is_explained(made);
      if (!is_first && each.dims == axes.dims) continue;
      dims_found += 1;
      if (is_first) note(std::move(found), each, type);
    }
    if (is_explained(made)) {
      // Which axis has the dimensions is asked for where more than one may have them.
      if (dims_found > 1) made.verdict = std::max(made.verdict, Verdict::ambiguous), made.tells.push_back("dim-axis");
      break;
    }
  }
  // Results that all fit a coarser type may have been rounded to it: what explains them then, with no more mistakes, is
  // a rival of what was the only explanation; with fewer, of any.
  const bool has_coarser = read.types.back().is_coarse();
  if (!made.explanations.empty() && has_coarser && made.dtype != read.types.back().name) {
    Diagnosis coarser = diagnose_listed(task_of(axes, read.types.back()));
    const Explanation own = made.explanations.front();
    const auto rival = std::ranges::find_if(coarser.explanations, [&](const Explanation& each) {
      if (made.verdict == Verdict::ambiguous) return each.mistakes.size() < own.mistakes.size();
      return each.mistakes.size() <= own.mistakes.size() && !is_same_rotation(each, own);
    });
    if (rival != coarser.explanations.end()) {
      coarser.verdict = Verdict::ambiguous;
      coarser.tells.push_back("dtype");
      if (std::ranges::none_of(coarser.explanations, [&](const auto& each) { return is_same_rotation(each, own); }))
        coarser.explanations.push_back(own);
      note(std::move(coarser), axes, read.types.back());
    }
  }
  // Numbers that no list has are estimated with the noise of the coarsest type that the results fit; of doubles with
  // their own first, as nothing shows that they are coarser.
  std::vector<StoredType> types = read.types;
  if (has_coarser) std::ranges::reverse(types);
  for (const StoredType& type : types) {
    for (const RotationAxes& each : read.axes) {
      if (is_explained(made)) break;
      note(diagnose_unlisted(task_of(each, type)), each, type);
    }
    if (!is_explained(made)) made.dtype = read.types.front().name;
  }
  conclude_open(open_type, made);
  const bool has_heads = samples.before.shape.size() > 2;
  const VectorTask task = task_of(axes, read.types.back());
  for (const StoredType& type : read.types) {
    if (!has_heads || (made.verdict != Verdict::none && !leaves_heads(made))) break;
    Diagnosis other = diagnose_other_axis(samples, task_of(axes, type));
    if (!is_explained(other)) continue;
    // The first of two heads stays at position 0, too.
    if (is_explained(made)) {
      other.verdict = Verdict::ambiguous;
      other.explanations.push_back(std::move(made.explanations.front()));
    }
    other.dtype = type.name, other.read_to = made.read_to;
    made = std::move(other);
    break;
  }
  made.axes = axes_of(axes);
  const bool is_other =
      made.verdict == Verdict::none || (!made.explanations.empty() && !made.explanations.front().mistakes.empty());
  if (is_other && read.meant && made.verdict != Verdict::too_little) note_departure(task, made);
  if (!has_heads) return made;
  made.sequence_axes = samples.sequence_axis ? std::vector{made.axes[0]} : axes_alike(samples.before.shape, axes);
  // Numbers are right if one of them is the sequence's, and wrong if the other is.
  if (made.sequence_axes.size() > 1 && !made.explanations.empty()) {
    made.verdict = Verdict::ambiguous;
    made.explanations.resize(1);
    made.explanations.push_back(made.explanations.front());
    made.explanations.back().mistakes.push_back(Mistake::sequence_axis);
    made.tells.push_back("sequence-axis");
  }
  return made;
}

}  // namespace posenc
