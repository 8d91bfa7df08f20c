#include "posenc/diagnosis/hypotheses/mistaken_hypotheses.hpp"

#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"

namespace posenc::diagnosis {

std::vector<MistakenHypothesis> mistaken_hypotheses(const RotationContext& context, bool pairs) {
  return list_hypotheses(context, pairs).hypotheses;
}

}  // namespace posenc::diagnosis
