#include "posenc/diagnosis/bias/bucket_family.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "posenc/diagnosis/bias/bucket_steps.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"

namespace posenc::diagnosis {
namespace {

constexpr std::array<double, 16> usual_buckets{32, 64, 16, 128, 8, 24, 48, 40, 20, 12, 96, 256, 80, 100, 160, 320};
constexpr std::array<double, 20> usual_max_distances{128, 64, 256, 512, 1024, 32,  16,  8,   20,   40,
                                                     50,  80, 100, 160, 200,  250, 500, 800, 1000, 2048};

/// A family without a name costs so many bits more than those that have one.
constexpr double unnamed_bits = 8;

/// Buckets with equal values are looked for among T5's own numbers and those expected alone.
constexpr DirectedBuckets usual_directed[]{{32, 128}, {16, 128}};

/// Buckets that explain all values are compared up to this distance, to save time.
constexpr std::int64_t compared_distance = 4096;

/// Buckets that cost so many bits more than the best are no rivals: other numbers, both unusual, and a mistake.
constexpr double rival_bits = 2 * any_number_bits + mistake_bits;

/// A way to read T5's options off one direction's buckets.
struct BucketDirection {
  BucketSide side = BucketSide::past;
  bool bidirectional = false, negative = false;
};

class BucketSearch {
 public:
  explicit BucketSearch(const BiasTask& task) : task_(task) {}

  void look(std::int64_t centre) {
    const bool has_past = task_.profile.first < centre, has_future = task_.has_future(centre);
    if (has_past && has_future) {
      look(centre, {BucketSide::both, true, false});
      if (is_constant(centre, BucketSide::future)) look(centre, {BucketSide::past, false, false});
      if (is_constant(centre, BucketSide::past)) look(centre, {BucketSide::future, false, true});
      look_clipped(centre, BucketSide::both);
    } else if (has_past) {
      // Both are the same where no key after the query is seen: the expected one is taken, else the usual one.
      const bool bidirectional = task_.expects("t5") && task_.expected.bidirectional &&
                                 fits_expected(steps_of(task_.profile, centre, BucketSide::past));
      look(centre, {BucketSide::past, bidirectional, false});
      look_clipped(centre, BucketSide::past);
    }
  }

  [[nodiscard]] LearnedBiases take() && {
    found_.next = discriminating_distances();
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_constant(std::int64_t centre, BucketSide side) const {
    const BucketSteps steps = steps_of(task_.profile, centre, side);
    return std::ranges::find(steps.changed, true) == steps.changed.end();
  }

  /// The expected buckets of one direction.
  [[nodiscard]] DirectedBuckets expected_directed(bool bidirectional) const {
    return {bidirectional ? task_.expected.buckets / 2 : task_.expected.buckets, task_.expected.max_distance};
  }

  [[nodiscard]] static StepFit fit(const BucketSteps& steps, const DirectedBuckets& numbers) {
    const auto buckets = T5Buckets::make({numbers.buckets, numbers.max_distance, false});
    return buckets ? fit_of(steps, *buckets) : StepFit::none;
  }

  [[nodiscard]] bool fits_expected(const BucketSteps& steps) const {
    return fit(steps, expected_directed(task_.expected.bidirectional)) != StepFit::none;
  }

  void look(std::int64_t centre, const BucketDirection& direction) {
    const BucketSteps steps = steps_of(task_.profile, centre, direction.side);
    std::vector<std::int64_t> preferred{task_.expected.max_distance};
    for (const double distance : usual_max_distances) preferred.push_back(static_cast<std::int64_t>(distance));
    std::vector<DirectedBuckets> fitting = solve_buckets(steps, preferred);
    std::vector<DirectedBuckets> asked(std::begin(usual_directed), std::end(usual_directed));
    if (task_.expects("t5")) asked.insert(asked.begin(), expected_directed(direction.bidirectional));
    for (const DirectedBuckets& numbers : asked) {
      const bool is_expected = task_.expects("t5") && numbers == asked.front();
      // Where no bucket has two distances, only what was expected can be recognised.
      const bool is_distinct = is_expected || steps.first_run() + 1 < steps.size();
      if (is_distinct && std::ranges::find(fitting, numbers) == fitting.end() && fit(steps, numbers) != StepFit::none)
        fitting.push_back(numbers);
    }
    for (const DirectedBuckets& numbers : fitting) add(centre, direction, numbers);
  }

  void add(std::int64_t centre, const BucketDirection& direction, const DirectedBuckets& numbers) {
    const std::int64_t all = direction.bidirectional ? 2 * numbers.buckets : numbers.buckets;
    const auto buckets = T5Buckets::make({all, numbers.max_distance, direction.bidirectional});
    if (!buckets) return;
    const BiasProfile& profile = task_.profile;
    std::vector<bool> visited(static_cast<std::size_t>(all));
    for (std::size_t c = 0; c < profile.distances; ++c) {
      const std::int64_t d = profile.distance(c) - centre;
      if (is_open(c)) visited[static_cast<std::size_t>(buckets->bucket(direction.negative ? -d : d))] = true;
    }
    const bool expects = task_.expects("t5");
    FoundBias found;
    found.type = "t5";
    found.bidirectional = direction.bidirectional;
    found.negative = direction.negative;
    found.parameters = {static_cast<double>(all), static_cast<double>(numbers.max_distance)};
    const double cost =
        number_cost(found.parameters[0], expects ? static_cast<double>(task_.expected.buckets) : 32, usual_buckets) +
        number_cost(found.parameters[1], expects ? static_cast<double>(task_.expected.max_distance) : 128,
                    usual_max_distances);
    push(centre, std::move(found), std::ranges::count(visited, true), cost);
    fitting_.push_back({numbers, found_.candidates.back().total()});
  }

  void look_clipped(std::int64_t centre, BucketSide side) {
    const BucketSteps steps = steps_of(task_.profile, centre, side);
    std::size_t last = 0;
    for (std::size_t x = 1; x < steps.size(); ++x)
      if (steps.changed[x]) last = x;
    if (last == 0 || last + 1 >= steps.size()) return;
    const auto most = static_cast<std::int64_t>(last);
    std::vector<bool> visited(2 * last + 1);
    for (std::size_t c = 0; c < task_.profile.distances; ++c)
      if (is_open(c))
        visited[static_cast<std::size_t>(std::clamp(task_.profile.distance(c) - centre, -most, most) + most)] = true;
    FoundBias found;
    found.type = "clipped";
    found.parameters = {static_cast<double>(most)};
    const double expected = task_.expects("clipped") ? static_cast<double>(task_.expected.max_distance) : -1;
    push(centre, std::move(found), std::ranges::count(visited, true),
         number_cost(static_cast<double>(most), expected, usual_max_distances));
  }

  [[nodiscard]] bool is_open(std::size_t c) const {
    for (std::size_t head = 0; head < task_.profile.extents.heads; ++head)
      if (task_.profile.has(head, c)) return true;
    return false;
  }

  void push(std::int64_t centre, FoundBias found, std::ptrdiff_t values, double cost) {
    const double learned = static_cast<double>(values) * static_cast<double>(task_.profile.extents.heads);
    found_.candidates.push_back(
        bias_candidate(task_, std::move(found), centre, {}, cost + learned * task_.profile.value_bits()));
  }

  /// The first distances at which buckets that explain as much as the best differ from these.
  [[nodiscard]] std::vector<double> discriminating_distances() const {
    std::vector<double> next;
    const auto best = std::ranges::min_element(fitting_, {}, &Fitting::total);
    if (best == fitting_.end()) return next;
    const auto first = T5Buckets::make({best->numbers.buckets, best->numbers.max_distance, false});
    for (const Fitting& other : fitting_) {
      if (other.total > best->total + rival_bits || !first) continue;
      const auto second = T5Buckets::make({other.numbers.buckets, other.numbers.max_distance, false});
      for (std::int64_t x = 1; second && x < compared_distance; ++x) {
        const bool begins = first->bucket(-x) != first->bucket(1 - x);
        if (begins == (second->bucket(-x) != second->bucket(1 - x))) continue;
        if (std::ranges::find(next, static_cast<double>(-x)) == next.end()) next.push_back(static_cast<double>(-x));
        break;
      }
      if (next.size() == most_next) break;
    }
    std::ranges::sort(next, std::ranges::greater());
    return next;
  }

  struct Fitting {
    DirectedBuckets numbers;
    double total = 0;
  };
  static constexpr std::size_t most_next = 8;

  const BiasTask& task_;
  LearnedBiases found_;
  std::vector<Fitting> fitting_;
};

/// Finds where values change from each distance to the next: at the centre of T5's buckets.
std::vector<std::int64_t> centres_of_change(const BiasProfile& profile) {
  // Relative to the first distance, so that every step is seen from one side.
  const BucketSteps steps = steps_of(profile, profile.first, BucketSide::future);
  std::size_t best = 0, end = 0, run = 0;
  for (std::size_t x = 1; x < steps.size(); ++x) {
    run = steps.changed[x] ? run + 1 : 0;
    if (run <= best) continue;
    best = run;
    end = x;
  }
  if (best == 0) return {};
  const std::int64_t last = profile.first + static_cast<std::int64_t>(end);
  const std::int64_t first = last - static_cast<std::int64_t>(best) + 1;
  return {(first + last - 1) / 2 - ((first + last - 1) % 2 < 0 ? 1 : 0), last, first - 1};
}

}  // namespace

Expected<LearnedBiases> learned_candidates(const BiasTask& task, std::span<const std::int64_t> centres) {
  std::vector<std::int64_t> all(centres.begin(), centres.end());
  for (const std::int64_t centre : centres_of_change(task.profile))
    if (std::ranges::find(all, centre) == all.end()) all.push_back(centre);
  BucketSearch search(task);
  for (const std::int64_t centre : all) search.look(centre);
  LearnedBiases found = std::move(search).take();

  FoundBias any;
  any.type = "toeplitz";
  std::size_t values = 0;
  for (std::size_t at = 0; at < task.profile.low.size(); ++at)
    values += task.profile.low[at] <= task.profile.high[at] ? 1 : 0;
  found.candidates.push_back(bias_candidate(task, std::move(any), 0, {},
                                            unnamed_bits + static_cast<double>(values) * task.profile.value_bits()));
  return found;
}

}  // namespace posenc::diagnosis
