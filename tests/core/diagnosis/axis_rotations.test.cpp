#include "posenc/diagnosis/axes/axis_rotations.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "diagnosis/verdict_counts.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "testing/testing.hpp"

using posenc::Mistake;
using posenc::MropeOrder;
using posenc::diagnosis::AxisContext;
using posenc::diagnosis::AxisExplanation;
using posenc::diagnosis::PairRotations;
using testing::require_error;
using testing::value_of;

namespace {

using Real = long double;
using Sections = std::vector<std::int64_t>;

/// Ids of text, an image of 4 x 5 cells, text, and a video of 3 frames of 2 x 3 cells, [3, tokens].
std::vector<double> mixed_points() {
  std::vector<std::vector<double>> tokens;
  double start = 0;
  const auto text = [&](int count) {
    for (int i = 0; i < count; ++i, ++start) tokens.push_back({start, start, start});
  };
  const auto grid = [&](int t, int h, int w, int extent) {
    for (int f = 0; f < t; ++f)
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) tokens.push_back({start + f, start + y, start + x});
    start += extent;
  };
  text(4);
  grid(1, 4, 5, 5);
  text(3);
  grid(3, 2, 3, 3);
  text(2);
  std::vector<double> points;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const auto& token : tokens) points.push_back(token[axis]);
  return points;
}

/// Cells of a grid, [2, tokens].
std::vector<double> grid_points(int rows, int columns) {
  std::vector<double> points;
  for (int y = 0; y < rows; ++y) points.insert(points.end(), static_cast<std::size_t>(columns), y);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) points.push_back(x);
  return points;
}

/// Which axis each pair has, in the words of the mrope_models' code.
Sections axes_in(const std::string& order, const Sections& sections) {
  Sections axes;
  const std::int64_t pairs = sections[0] + sections[1] + sections[2];
  if (order == "chunked")
    for (std::size_t axis = 0; axis < 3; ++axis)
      axes.insert(axes.end(), static_cast<std::size_t>(sections[axis]), static_cast<std::int64_t>(axis));
  if (order == "interleaved") {  // time everywhere, then every third pair of height and width, as far as 3 sections
    axes.assign(static_cast<std::size_t>(pairs), 0);
    for (std::int64_t axis = 1; axis < 3; ++axis)
      for (std::int64_t pair = axis; pair < std::min(pairs, 3 * sections[static_cast<std::size_t>(axis)]); pair += 3)
        axes[static_cast<std::size_t>(pair)] = axis;
  }
  if (order == "time-last") {
    for (std::int64_t k = 0; k < sections[1]; ++k) axes.insert(axes.end(), {1, 2});
    axes.insert(axes.end(), static_cast<std::size_t>(sections[0]), 0);
  }
  return axes;
}

/// The rotation that was made.
struct AxesDone {
  Sections axes;
  std::vector<Real> frequencies;
  Real sign = 1, first = 0, factor = 1;
};

std::vector<Real> progression(std::size_t pairs, Real base, Real denominator) {
  std::vector<Real> made;
  for (std::size_t i = 0; i < pairs; ++i) made.push_back(std::pow(base, -2 * static_cast<Real>(i) / denominator));
  return made;
}

/// PairRotations whose parts are rounded to so many bits.
PairRotations axis_rotations_of(const AxesDone& done, const std::vector<double>& points, int bits,
                                std::size_t axes = 3) {
  PairRotations rotations;
  rotations.pairs = done.axes.size();
  rotations.tokens = points.size() / axes;
  const auto rounded = [&](Real value) {
    int exponent = 0;
    const Real mantissa = std::frexp(value, &exponent);
    return static_cast<double>(std::ldexp(std::nearbyint(std::ldexp(mantissa, bits)), exponent - bits));
  };
  for (std::size_t token = 0; token < rotations.tokens; ++token)
    for (std::size_t pair = 0; pair < rotations.pairs; ++pair) {
      const auto position =
          static_cast<Real>(points[static_cast<std::size_t>(done.axes[pair]) * rotations.tokens + token]);
      const Real angle = done.sign * (position + done.first) * done.frequencies[pair];
      rotations.cosines.push_back(rounded(done.factor * std::cos(angle)));
      rotations.sines.push_back(rounded(done.factor * std::sin(angle)));
      rotations.units.push_back(std::ldexp(1.0, -bits));
    }
  return rotations;
}

struct MropeModel {
  std::string name, order;
  MropeOrder named;
  Sections sections;
  double base;
};
const std::vector<MropeModel> mrope_models{{"Qwen2-VL", "chunked", MropeOrder::chunked, {16, 24, 24}, 1e6},
                                           {"Qwen3-VL", "interleaved", MropeOrder::interleaved, {24, 20, 20}, 5e6},
                                           {"GLM-4V", "chunked", MropeOrder::chunked, {8, 12, 12}, 10000},
                                           {"Ernie 4.5-VL", "time-last", MropeOrder::time_last, {20, 22, 22}, 500000}};

AxisContext axis_context(const MropeModel& model) {
  const std::int64_t pairs = model.sections[0] + model.sections[1] + model.sections[2];
  AxisContext context;
  context.rotations.expected = posenc::RotaryOptions{};
  context.rotations.expected->dim = 2 * pairs;
  context.rotations.expected->layout = posenc::Layout::half;
  context.rotations.expected->base = model.base;
  context.mrope_section = model.sections;
  context.mrope_order = model.named;
  return context;
}

AxesDone right(const MropeModel& model) {
  const Sections axes = axes_in(model.order, model.sections);
  return {axes, progression(axes.size(), model.base, 2 * static_cast<Real>(axes.size()))};
}

const AxisExplanation& first_of(const std::vector<AxisExplanation>& found) {
  REQUIRE(!found.empty());
  return found.front();
}

std::vector<Mistake> in_order(std::vector<Mistake> mistakes) {
  std::ranges::sort(mistakes);
  return mistakes;
}

std::string text_of(const std::vector<AxisExplanation>& found) {
  std::string text;
  for (const auto& each : found) {
    text += "\n  order " + std::to_string(static_cast<int>(each.order)) + " sections";
    for (const auto section : each.sections) text += " " + std::to_string(section);
    text += " base " + std::to_string(each.rotation.hypothesis.plan.base) + " data_bits " +
            std::to_string(each.rotation.data_bits) + " cost " + std::to_string(each.rotation.cost) + " units " +
            std::to_string(each.rotation.units) + ":";
    for (const Mistake mistake : each.rotation.mistakes) text += " " + std::string(name_of(mistake));
  }
  return text;
}

struct AxisChange {
  Mistake mistake;
  void (*change)(AxesDone&, const MropeModel&);
};
const std::vector<AxisChange> axis_changes{{Mistake::axes_order,
                                            [](AxesDone& done, const MropeModel&) {
                                              for (auto& axis : done.axes) axis = axis == 0 ? 0 : 3 - axis;
                                            }},
                                           {Mistake::axis_missing,
                                            [](AxesDone& done, const MropeModel&) {
                                              for (auto& axis : done.axes) axis = 0;
                                            }},
                                           {Mistake::sections,
                                            [](AxesDone& done, const MropeModel& model) {
                                              Sections sections = model.sections;
                                              sections[0] += 4, sections[1] -= 2, sections[2] -= 2;
                                              done.axes = axes_in(model.order, sections);
                                            }},
                                           {Mistake::section_order, [](AxesDone& done, const MropeModel& model) {
                                              done.axes = axes_in(model.order == "chunked" ? "interleaved" : "chunked",
                                                                  model.sections);
                                            }}};
const std::vector<AxisChange> axis_hypothesis_changes{
    {Mistake::sign, [](AxesDone& done, const MropeModel&) { done.sign = -1; }},
    {Mistake::first_position, [](AxesDone& done, const MropeModel&) { done.first = 1; }},
    {Mistake::exponent_doubled, [](AxesDone& done, const MropeModel& model) {
       done.frequencies = progression(done.axes.size(), model.base, 4 * static_cast<Real>(done.axes.size()));
     }}};

/// Whether an explanation that is not the truth differs from it by sections alone, and by less at any point than what
/// counts as explained: the slowest pairs of large bases hardly rotation.
bool is_untold(const AxisExplanation& found, std::vector<Mistake> truth, const AxesDone& done,
               const std::vector<double>& points, int bits) {
  std::vector<Mistake> named = found.rotation.mistakes;
  std::erase(named, Mistake::sections), std::erase(truth, Mistake::sections);
  if (in_order(named) != in_order(truth)) return false;
  AxesDone other = done;
  other.axes = found.axis_of_pair;
  const PairRotations a = axis_rotations_of(done, points, 53), b = axis_rotations_of(other, points, 53);
  const double most = posenc::diagnosis::explained_units * std::ldexp(1.0, -bits);
  for (std::size_t at = 0; at < a.cosines.size(); ++at)
    if (std::fabs(a.cosines[at] - b.cosines[at]) >= most || std::fabs(a.sines[at] - b.sines[at]) >= most) return false;
  return true;
}

/// How often mistakes of axes and hypotheses, none, one or one of each, are named first.
struct AxisCounts {
  struct Row {
    std::size_t all = 0, named = 0, undetected = 0;
  };
  std::map<std::string, Row> rows;
  std::string wrong;  ///< those that are not, and what they were taken for

  [[nodiscard]] std::size_t sum(std::size_t Row::* count) const {
    std::size_t made = 0;
    for (const auto& [name, row] : rows) made += row.*count;
    return made;
  }
  [[nodiscard]] std::size_t all() const { return sum(&Row::all); }
  [[nodiscard]] std::size_t named() const { return sum(&Row::named); }
  [[nodiscard]] std::size_t undetected() const { return sum(&Row::undetected); }
};

AxisCounts count_axis_mistakes(int bits) {
  AxisCounts counts;
  const auto points = mixed_points();
  for (const MropeModel& model : mrope_models)
    for (std::size_t i = 0; i <= axis_changes.size(); ++i)
      for (std::size_t k = 0; k <= axis_hypothesis_changes.size(); ++k) {
        AxesDone done = right(model);
        std::vector<Mistake> truth;
        if (i < axis_changes.size()) axis_changes[i].change(done, model), truth.push_back(axis_changes[i].mistake);
        if (k < axis_hypothesis_changes.size())
          axis_hypothesis_changes[k].change(done, model), truth.push_back(axis_hypothesis_changes[k].mistake);
        const auto found =
            value_of(explain_axis_rotations(axis_rotations_of(done, points, bits), points, 3, axis_context(model)));
        AxisCounts::Row& row = counts.rows[testing::names_of(truth)];
        ++row.all;
        if (in_order(first_of(found).rotation.mistakes) == in_order(truth)) {
          ++row.named;
        } else if (is_untold(first_of(found), truth, done, points, bits)) {
          ++row.undetected;
        } else {
          counts.wrong += "\n" + model.name + ": " + testing::names_of(truth) + text_of(found);
        }
      }
  return counts;
}

}  // namespace

TEST_CASE("axis_rotations: M-RoPE of models, expected or not", "[diagnosis][axes]") {
  const auto points = mixed_points();
  for (const MropeModel& model : mrope_models)
    for (const int bits : {24, 8}) {
      const AxesDone done = right(model);
      const PairRotations rotations = axis_rotations_of(done, points, bits);
      const auto found = value_of(explain_axis_rotations(rotations, points, 3, axis_context(model)));
      INFO(model.name << ", " << bits << " bits: " << text_of(found));
      CHECK(first_of(found).rotation.mistakes.empty());
      CHECK(first_of(found).rotation.units <= posenc::diagnosis::explained_units);
      CHECK(first_of(found).axis_of_pair == done.axes);
      CHECK(first_of(found).order == model.named);
      CHECK(first_of(found).sections == model.sections);
      if (bits == 8) continue;
      const auto unknown = value_of(explain_axis_rotations(rotations, points, 3, {}));
      INFO(text_of(unknown));
      CHECK(first_of(unknown).axis_of_pair == done.axes);
      CHECK(std::fabs(first_of(unknown).rotation.hypothesis.plan.base / model.base - 1) < 1e-6);
    }
}

TEST_CASE("axis_rotations: mistakes of axes and of hypotheses, alone and in pairs", "[diagnosis][axes]") {
  for (const int bits : {24, 8}) {
    const AxisCounts counts = count_axis_mistakes(bits);
    INFO(bits << " bits: " << counts.named() << " named first of " << counts.all() << ", " << counts.undetected()
              << " not distinguished" << counts.wrong);
    CHECK(counts.undetected() <= (bits == 24 ? 0 : counts.all() / 10));
    CHECK(static_cast<double>(counts.named()) >=
          (bits == 24 ? 0.99 : 0.95) * static_cast<double>(counts.all() - counts.undetected()));
  }
}

TEST_CASE("axis_rotations: the table of mistakes", "[.confusion]") {
  for (const int bits : {24, 8}) {
    const AxisCounts counts = count_axis_mistakes(bits);
    std::printf("\naxes, %d bits: %zu named first of %zu, %zu others the same within roundings\n\n", bits,
                counts.named(), counts.all(), counts.undetected());
    std::printf("| mistake | samples | named first | the same within roundings |\n|---|---|---|---|\n");
    for (const auto& [name, row] : counts.rows)
      std::printf("| %s | %zu | %zu | %zu |\n", name.c_str(), row.all, row.named, row.undetected);
    std::printf("%s\n", counts.wrong.c_str());
  }
}

TEST_CASE("axis_rotations: grids of vision mrope_models have frequencies of every axis", "[diagnosis][axes]") {
  const auto points = grid_points(9, 7);
  for (const double base : {10000.0, 100.0}) {
    AxesDone done;
    for (std::int64_t axis = 0; axis < 2; ++axis)
      for (const Real frequency : progression(16, base, 32)) {
        done.axes.push_back(axis);
        done.frequencies.push_back(frequency);
      }
    const auto found = value_of(explain_axis_rotations(axis_rotations_of(done, points, 24, 2), points, 2, {}));
    INFO(base << text_of(found));
    CHECK(first_of(found).rotation.units <= posenc::diagnosis::explained_units);
    CHECK(first_of(found).axis_of_pair == done.axes);
    const auto* const given = std::get_if<posenc::scaling::Given>(&first_of(found).rotation.hypothesis.plan.scaling);
    REQUIRE(given != nullptr);
    for (std::size_t pair = 0; pair < done.frequencies.size(); ++pair)
      CHECK(std::fabs(given->frequencies[pair] / static_cast<double>(done.frequencies[pair]) - 1) < 1e-6);
  }
}

TEST_CASE("axis_rotations: random rotations are not explained", "[diagnosis][axes]") {
  const auto points = mixed_points();
  const MropeModel& model = mrope_models[0];
  PairRotations rotations = axis_rotations_of(right(model), points, 24);
  testing::Generator generator(3);
  for (std::size_t at = 0; at < rotations.cosines.size(); ++at) {
    const double angle = 3.14 * static_cast<double>(generator.fraction());
    rotations.cosines[at] = std::cos(angle), rotations.sines[at] = std::sin(angle);
  }
  for (const auto& context : {AxisContext{}, axis_context(model)}) {
    const auto found = value_of(explain_axis_rotations(rotations, points, 3, context));
    CHECK((found.empty() || first_of(found).rotation.units > posenc::diagnosis::explained_units));
  }
}

TEST_CASE("axis_rotations refuses points of one axis", "[diagnosis][axes]") {
  const auto points = mixed_points();
  const PairRotations rotations = axis_rotations_of(right(mrope_models[0]), points, 24);
  require_error(explain_axis_rotations(rotations, points, 1, {}), "axes", "1");
}
