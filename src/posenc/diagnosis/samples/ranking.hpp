#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/laws/explain_turns.hpp"
#include "posenc/diagnosis/laws/turns.hpp"

namespace posenc::diagnosis {

/// An explanation and what it costs; `law` is what telling_positions() compares.
struct Candidate {
  double surprise = 0;           ///< of all values, in bits
  double cost = 0;               ///< of saying it, in bits
  std::size_t form = 0;          ///< which reading or arrangement: those of two are never the same
  std::size_t variant = 0;       ///< the same of one form: which axes pairs take
  TurnLaw law = {};              ///< of the pairs alone
  Explanation explanation = {};  ///< `bits` is not set yet

  [[nodiscard]] double total() const { return surprise + cost; }
};

/// What turns cost that follow no law: each as likely anywhere in the square of `amplitude` around 0. More than that is
/// no explanation.
[[nodiscard]] double lawless_bits(const Turns& turns, double amplitude);

/// Candidates in their order into a diagnosis, at most `most` of them: bits and the verdict. `lawless` is what the
/// values cost without any of them.
void weigh(std::vector<Candidate> candidates, double lawless, Diagnosis& diagnosis, std::size_t most = 8);

/// The same for candidates that have laws of turns, with what to sample next where it is ambiguous. Those that make the
/// same turns are one. `sampled` are the positions there are (of several axes all of them). Returns the form of the
/// first, 0 where there is none. Errors: those of telling_positions.
[[nodiscard]] Expected<std::size_t> rank(std::vector<Candidate> candidates, double lawless,
                                         std::span<const double> sampled, Diagnosis& diagnosis, std::size_t most = 8);

}  // namespace posenc::diagnosis
