#include "posenc/diagnosis/grid_diagnosis.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "testing/testing.hpp"

using posenc::Diagnosis;
using posenc::Mistake;
using posenc::RotaryGridChoice;
using posenc::SinusoidalGridChoice;
using posenc::Verdict;
using testing::require_error;
using testing::value_of;
using Rotation = posenc::RotaryGridPreset;
using Table = posenc::SinusoidalGridPreset;

namespace {

using Extents = std::vector<std::int64_t>;
using Mistakes = std::vector<Mistake>;

std::size_t cells_of(const Extents& extents) {
  std::size_t made = 1;
  for (const std::int64_t extent : extents) made *= static_cast<std::size_t>(extent);
  return made;
}

RotaryGridChoice rotation_of(Rotation preset, std::int64_t dim) {
  RotaryGridChoice choice;
  choice.preset = preset;
  choice.dim = dim;
  if (preset == Rotation::qwen2_vl) choice.merge = 1;
  return choice;
}

posenc::RotaryGridExpectation meant(const RotaryGridChoice& choice, const Extents& grid) { return {choice, grid, {}}; }

/// What a port does beside its options.
struct Port {
  std::vector<std::function<void(std::vector<double>&)>> points = {};
  posenc::TokensAround around = {};
  posenc::Direction direction = posenc::Direction::forward;
};

/// Vectors of two heads before and after the library's own rotation.
struct GridVectors {
  std::vector<double> before, after;
  Extents shape;
  std::string dtype = "float32";

  GridVectors(const RotaryGridChoice& choice, const Extents& grid, const Port& port = {}) {
    const auto plan = value_of(posenc::resolve(choice));
    const posenc::PointRotary made = value_of(posenc::rotary_grid(plan.rotary));
    std::vector<double> points(value_of(posenc::count_cells(plan.points, grid)) * made.axes());
    value_of(posenc::grid_points(plan.points, grid, points));
    for (const auto& change : port.points) change(points);
    const auto tokens = static_cast<std::int64_t>(points.size() / made.axes()) + port.around.before + port.around.after;
    shape = {tokens, 2, choice.dim};
    std::vector<float> x = testing::fractions(cells_of(shape), 7);
    before.assign(x.begin(), x.end());
    value_of(made.apply(x, testing::sequence_first(shape), posenc::Points::rows(points), port.around, port.direction));
    after.assign(x.begin(), x.end());
  }

  GridVectors& round() {
    dtype = "bfloat16";
    for (double& value : after) {
      int exponent = 0;
      const double mantissa = std::frexp(value, &exponent);
      value = std::ldexp(std::nearbyint(mantissa * 256) / 256, exponent);
    }
    return *this;
  }

  [[nodiscard]] Diagnosis diagnose(const posenc::RotaryGridExpectation& expected) const {
    return value_of(posenc::diagnose_grid_vectors({before, shape}, {after, shape, dtype}, 0, expected));
  }
};

bool has_grid_mistakes(const Diagnosis& found, const Mistakes& mistakes) {
  return std::ranges::any_of(found.explanations, [&](const auto& each) { return each.mistakes == mistakes; });
}

const std::vector<std::pair<Rotation, Extents>> rotations{
    {Rotation::qwen2_vl, {4, 6}},         {Rotation::pixtral, {5, 6}}, {Rotation::dinov3, {5, 6}},
    {Rotation::llama4, {5, 6}},           {Rotation::timm, {5, 6}},    {Rotation::timm_pixel, {5, 6}},
    {Rotation::rope_vit, {5, 6}},         {Rotation::croco, {5, 6}},   {Rotation::lucidrains, {5, 6}},
    {Rotation::lucidrains_pixel, {5, 6}}, {Rotation::wan, {3, 4, 5}},  {Rotation::cogvideox, {3, 4, 5}},
    {Rotation::hunyuan_video, {3, 4, 5}}, {Rotation::flux, {3, 4, 5}}};

RotaryGridChoice choice_of(Rotation preset) {
  RotaryGridChoice choice =
      rotation_of(preset, preset == Rotation::hunyuan_video || preset == Rotation::flux ? 128 : 48);
  if (preset == Rotation::lucidrains || preset == Rotation::lucidrains_pixel) choice.axes = 2;
  return choice;
}

/// More than angles of float32 are off by.
double damage_of(Rotation preset) { return name_of(preset).contains("pixel") ? 0.01 : 1e-5; }

/// A wrong port of [5, 6]: its mistake, and what it does in place of what was meant, by loops of its own.
struct WrongPort {
  Mistake mistake;
  std::function<void(RotaryGridChoice&, Port&)> make;
};

WrongPort wrong_points(Mistake mistake, std::function<void(std::vector<double>&)> change) {
  return {mistake, [change = std::move(change)](RotaryGridChoice&, Port& port) { port.points.push_back(change); }};
}

std::vector<WrongPort> wrong_ports() {
  const auto transpose = [](std::vector<double>& all) {
    const std::vector<double> was = all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = was[2 * (i / 2 % 5 * 6 + i / 2 / 5) + i % 2];
  };
  const auto exchange = [](std::vector<double>& all) {
    for (std::size_t i = 0; i < all.size(); i += 2) std::swap(all[i], all[i + 1]);
  };
  const auto rows_alone = [](std::vector<double>& all) {
    for (std::size_t i = 0; i < all.size(); i += 2) all[i + 1] = all[i];
  };
  const auto shift = [](std::vector<double>& all) {
    for (double& each : all) each += 3;
  };
  return {
      {Mistake::layout, [](RotaryGridChoice& of, Port&) { of.layout = posenc::Layout::interleaved; }},
      {Mistake::base, [](RotaryGridChoice& of, Port&) { of.base = 256; }},
      {Mistake::axis_dims, [](RotaryGridChoice& of, Port&) { of.dims = {32, 16}; }},
      wrong_points(Mistake::cell_order, transpose),
      wrong_points(Mistake::axes_order, exchange),
      wrong_points(Mistake::axis_missing, rows_alone),
      wrong_points(Mistake::first_position, shift),
      {Mistake::sign, [](RotaryGridChoice&, Port& port) { port.direction = posenc::Direction::inverse; }},
      {Mistake::registers_behind,
       [](RotaryGridChoice&, Port& port) { std::swap(port.around.before, port.around.after); }},
  };
}

Mistakes in_order(Mistakes mistakes) {
  std::ranges::sort(mistakes);
  return mistakes;
}

}  // namespace

TEST_CASE("diagnose_grid: every preset as expected, and one value is not", "[diagnosis][grids]") {
  for (const auto& [preset, grid] : rotations) {
    INFO(name_of(preset));
    const RotaryGridChoice choice = choice_of(preset);
    const GridVectors vectors(choice, grid);
    const Diagnosis right = vectors.diagnose(meant(choice, grid));
    CHECK(right.verdict == Verdict::certain);
    CHECK(has_grid_mistakes(right, {}));
    GridVectors damaged = vectors;
    damaged.after[damaged.after.size() / 2 + 1] += damage_of(preset);
    const Diagnosis found = damaged.diagnose(meant(choice, grid));
    CHECK(found.verdict == Verdict::none);
    CHECK(found.explanations.empty());
    CHECK(found.departure.tokens == Extents{static_cast<std::int64_t>(cells_of(grid)) / 2});
  }
}

TEST_CASE("diagnose_grid: mistakes alone and in pairs, and certain is what no other makes", "[diagnosis][grids]") {
  const Extents grid{5, 6};
  RotaryGridChoice choice = choice_of(Rotation::qwen2_vl);
  choice.dims = {16, 32};
  auto expected = meant(choice, grid);
  expected.around.before = 2;
  const std::vector<WrongPort> ports = wrong_ports();
  std::vector<std::pair<Mistakes, GridVectors>> made;
  const auto make = [&](const std::vector<std::size_t>& which) {
    RotaryGridChoice own = choice;
    Port port{.around = expected.around};
    Mistakes mistakes;
    for (const std::size_t i : which) {
      ports[i].make(own, port);
      mistakes.push_back(ports[i].mistake);
    }
    made.emplace_back(in_order(mistakes), GridVectors(own, grid, port));
  };
  make({});
  for (std::size_t i = 0; i < ports.size(); ++i) {
    make({i});
    for (std::size_t j = i + 1; j < ports.size(); ++j)
      if (ports[i].mistake != Mistake::axes_order || ports[j].mistake != Mistake::axis_missing) make({i, j});
  }
  for (const auto& [mistakes, vectors] : made) {
    const Diagnosis found = vectors.diagnose(expected);
    for (const Mistake mistake : mistakes) UNSCOPED_INFO(posenc::name_of(mistake));
    REQUIRE(!found.explanations.empty());
    const bool is_named =
        std::ranges::any_of(found.explanations, [&](const auto& each) { return in_order(each.mistakes) == mistakes; });
    // Fewer mistakes that make the same numbers are a shorter name.
    const Mistakes first = in_order(found.explanations[0].mistakes);
    CHECK((is_named || first.size() < mistakes.size()));
    if (found.verdict != Verdict::certain) continue;
    for (const auto& [others, other] : made) {
      double most = 0;
      for (std::size_t i = 0; i < other.after.size(); ++i)
        most = std::max(most, std::fabs(vectors.after[i] - other.after[i]));
      if (most < 1e-7) CHECK((others == first || others.size() > first.size()));
    }
  }
}

TEST_CASE("diagnose_grid: every option of what was meant is a candidate", "[diagnosis][grids]") {
  // faults.md A5: another start is not another preset.
  for (const double start : {2.0, 3.0, 0.5})
    for (const bool is_missing : {true, false}) {
      const RotaryGridChoice wan = rotation_of(Rotation::wan, 64);
      RotaryGridChoice other = wan;
      other.start = start;
      const Diagnosis found =
          GridVectors(is_missing ? wan : other, {2, 3, 4}).diagnose(meant(is_missing ? other : wan, {2, 3, 4}));
      CHECK(found.verdict == Verdict::certain);
      CHECK(has_grid_mistakes(found, {Mistake::first_position}));
      CHECK(found.explanations[0].shift == (is_missing ? start : -start));
    }
  struct Option {
    Mistake mistake;
    std::function<void(RotaryGridChoice&)> change;
    bool is_listed = true;  ///< else only what was meant may have it
    Rotation preset = Rotation::wan;
    Extents grid = {2, 4, 6};
  };
  const std::vector<Option> options{
      {Mistake::base, [](auto& of) { of.base = 50; }},
      {Mistake::layout, [](auto& of) { of.layout = posenc::Layout::half; }},
      {Mistake::axis_dims, [](auto& of) { of.dims = {12, 18, 18}; }},
      {Mistake::axis_dims, [](auto& of) { of.dims = {18, 14, 16}; }, false},
      {Mistake::cell_order, [](auto& of) { of.merge = 2; }},
      {Mistake::position_scale, [](auto& of) { of.reference = {3, 16, 16}; }, false},
      {Mistake::max_frequency, [](auto& of) { of.max_frequency = 128; }, true, Rotation::timm_pixel, {5, 6}},
      {Mistake::max_frequency, [](auto& of) { of.max_frequency = 7; }, false, Rotation::lucidrains_pixel, {5, 6}}};
  for (const auto& [mistake, change, is_listed, preset, grid] : options)
    for (const bool is_missing : {true, false}) {
      if (!is_missing && !is_listed) continue;
      const RotaryGridChoice usual = choice_of(preset);
      RotaryGridChoice other = usual;
      change(other);
      INFO(posenc::name_of(mistake) << is_missing);
      const Diagnosis found =
          GridVectors(is_missing ? usual : other, grid).diagnose(meant(is_missing ? other : usual, grid));
      CHECK(found.verdict == Verdict::certain);
      CHECK(has_grid_mistakes(found, {mistake}));
    }
  // The longer side in place of each: row i of 5 at (2 i + 1 - 6) / 6.
  const RotaryGridChoice dino = rotation_of(Rotation::dinov3, 64);
  Port port;
  port.points.push_back([](std::vector<double>& points) {
    for (std::size_t i = 0; i < points.size(); i += 2) points[i] = (points[i] * 5 + 5 - 6) / 6;
  });
  CHECK(has_grid_mistakes(GridVectors(dino, {5, 6}, port).diagnose(meant(dino, {5, 6})), {Mistake::longer_side}));
}

TEST_CASE("diagnose_grid: what the sample cannot show is not certain", "[diagnosis][grids]") {
  // faults.md A7: one cell, which at the origin nothing rotates.
  for (std::size_t i = 0; i < rotations.size(); i += 2) {
    const auto& [preset, grid] = rotations[i];
    const Extents one(grid.size(), 1);
    const Diagnosis found = GridVectors(choice_of(preset), one).diagnose(meant(choice_of(preset), one));
    INFO(name_of(preset));
    CHECK(found.verdict == Verdict::ambiguous);
    CHECK(found.tells == std::vector<std::string_view>{"grid"});
    CHECK(found.next.size() == grid.size());
  }
  RotaryGridChoice choice = rotation_of(Rotation::qwen2_vl, 8);
  CHECK(GridVectors(choice, {1, 2}).round().diagnose(meant(choice, {1, 2})).verdict == Verdict::ambiguous);
  CHECK(GridVectors(choice, {24, 32}).round().diagnose(meant(choice, {24, 32})).verdict == Verdict::certain);
  GridVectors zeros(choice, {2, 3});
  std::ranges::fill(zeros.before, 0);
  zeros.after = zeros.before;
  CHECK(zeros.diagnose(meant(choice, {2, 3})).verdict == Verdict::too_little);
}

TEST_CASE("diagnose_grid: numbers of no list are likely, and mended", "[diagnosis][grids]") {
  const RotaryGridChoice choice = rotation_of(Rotation::qwen2_vl, 48);
  const auto read = [&](const GridVectors& vectors, Mistake mistake) {
    const Diagnosis found = vectors.diagnose(meant(choice, {5, 6}));
    CHECK(found.verdict == Verdict::likely);
    REQUIRE(has_grid_mistakes(found, {mistake}));
    return found.explanations[0];
  };
  GridVectors scaled(choice, {5, 6});
  for (double& each : scaled.after) each *= 1.2015;
  CHECK(std::fabs(read(scaled, Mistake::factor_other).factor * 1.2015 - 1) < 1e-6);
  RotaryGridChoice other = choice;
  other.base = 12345;
  read(GridVectors(other, {5, 6}), Mistake::base);
  other = choice;
  other.start = -17.25;
  CHECK(read(GridVectors(other, {5, 6}), Mistake::first_position).shift == 17.25);
}

TEST_CASE("diagnose_grid: tables of every preset, their mistakes, and one value that is not", "[diagnosis][grids]") {
  const Extents shape{5, 7};
  const auto table_of = [&](const SinusoidalGridChoice& choice) {
    const auto grid = value_of(posenc::SinusoidalGrid::make(value_of(posenc::resolve(choice, 2)), shape));
    std::vector<float> made(grid.size());
    value_of(grid.table(made));
    return std::vector<double>(made.begin(), made.end());
  };
  const auto read = [&](const std::vector<double>& table, const SinusoidalGridChoice& choice, const Extents& own) {
    return value_of(posenc::diagnose_grid_table({table, own}, {choice, shape, {}}));
  };
  for (const Table preset : {Table::detr, Table::mae, Table::timm, Table::diffusers, Table::positional_encodings}) {
    INFO(name_of(preset));
    SinusoidalGridChoice right;
    right.preset = preset;
    right.dim = preset == Table::positional_encodings ? 18 : 16;
    const auto dim = static_cast<std::size_t>(right.dim);
    const Extents rows{35, right.dim};
    std::vector<double> table = table_of(right), turned(table.size());
    CHECK(read(table, right, rows).verdict == Verdict::certain);
    CHECK(has_grid_mistakes(read(table, right, rows), {}));
    for (std::size_t at = 0; at < table.size(); ++at) turned[at] = table[at % 35 * dim + at / 35];
    CHECK(has_grid_mistakes(read(turned, right, {1, right.dim, 5, 7}), {}));
    for (std::size_t at = 0; at < table.size(); ++at)
      turned[at] = table[(at / dim % 5 * 7 + at / dim / 5) * dim + at % dim];
    CHECK(has_grid_mistakes(read(turned, right, rows), {Mistake::cell_order}));
    const std::vector<std::pair<Mistake, std::function<void(SinusoidalGridChoice&)>>> options{
        {Mistake::base, [](auto& of) { of.base = 100; }},
        {Mistake::first_position, [](auto& of) { of.start = 2; }},
        {Mistake::axes_order, [](auto& of) { of.axes = posenc::AxisOrder::last_first; }},
        {Mistake::axes_order, [](auto& of) { of.axes = posenc::AxisOrder::first_first; }},
        {Mistake::position_scale, [](auto& of) { of.normalised = false; }},
        {Mistake::position_scale, [](auto& of) { of.normalised = true, of.extent = 32; }}};
    for (const auto& [mistake, change] : options) {
      SinusoidalGridChoice wrong = right;
      change(wrong);
      const std::vector<double> other = table_of(wrong);
      if (other == table) continue;
      INFO(posenc::name_of(mistake));
      CHECK(has_grid_mistakes(read(other, right, rows), {mistake}));
      CHECK(has_grid_mistakes(read(table, wrong, rows), {mistake}));
    }
    table[9 * dim + 3] += 1e-5;
    CHECK(read(table, right, rows).verdict == Verdict::none);
    CHECK(read(table, right, rows).departure.tokens == Extents{9});
  }
}

TEST_CASE("diagnose_grid: caches, and what is lacking", "[diagnosis][grids]") {
  for (const auto& [preset, grid] : rotations) {
    const auto row = grid.front() % 2 == 1 ? posenc::CacheRow::pairs : posenc::CacheRow::dims;
    const auto plan = value_of(posenc::resolve(choice_of(preset)));
    const auto made = value_of(posenc::rotary_grid(plan.rotary));
    std::vector<double> points(cells_of(grid) * made.axes());
    value_of(posenc::grid_points(plan.points, grid, points));
    const std::size_t width = made.rotary_dim() / (row == posenc::CacheRow::dims ? 1 : 2);
    std::vector<float> cosines(cells_of(grid) * width), sines = cosines;
    value_of(made.cache(posenc::Points::rows(points), {}, row, cosines, sines));
    const std::vector<double> cos(cosines.begin(), cosines.end());
    std::vector<double> sin(sines.begin(), sines.end());
    const Extents shape{static_cast<std::int64_t>(cells_of(grid)), static_cast<std::int64_t>(width)};
    const auto read = [&] {
      return value_of(posenc::diagnose_grid_cache({cos, shape}, {sin, shape}, meant(choice_of(preset), grid)));
    };
    INFO(name_of(preset));
    const Diagnosis right = read();
    CHECK(right.verdict == Verdict::certain);
    CHECK(has_grid_mistakes(right, {}));
    for (double& sine : sin) sine = -sine;
    CHECK(has_grid_mistakes(read(), {Mistake::sign}));
    sin.back() += damage_of(preset);
    CHECK(read().verdict == Verdict::none);
  }
  const RotaryGridChoice choice = rotation_of(Rotation::qwen2_vl, 48);
  const std::vector<double> values(6 * 6 * 48, 0.5);
  const posenc::SampledTensor tensor{values, {6, 6, 48}};
  require_error(posenc::diagnose_grid_vectors(tensor, tensor, {}, meant(choice, {2, 3})), "seqAxis", "none");
  require_error(posenc::diagnose_grid_vectors(tensor, tensor, 0, meant(choice, {2, 4})), "expected.grid", "8");
  require_error(posenc::diagnose_grid_vectors(tensor, tensor, 0, meant(choice, {6})), "expected.grid", "1");
}
