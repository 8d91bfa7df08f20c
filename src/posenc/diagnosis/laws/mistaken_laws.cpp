#include "posenc/diagnosis/laws/mistaken_laws.hpp"

#include "posenc/diagnosis/laws/law_list.hpp"

namespace posenc::diagnosis {

std::vector<MistakenLaw> mistaken_laws(const TurnContext& context, bool pairs) {
  return list_laws(context, pairs).laws;
}

}  // namespace posenc::diagnosis
