#include "posenc/frequencies/scaling.hpp"

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

/// The meaning of a name is the rule's place among these.
const Scaling rules[]{scaling::Default{}, scaling::Linear{},       scaling::Ntk{},
                      scaling::Dynamic{}, scaling::Yarn{},         scaling::Longrope{},
                      scaling::Llama3{},  scaling::Proportional{}, scaling::Given{}};
constexpr Name names[]{{"default", 0},  {"linear", 1}, {"ntk", 2},          {"dynamic", 3}, {"yarn", 4},
                       {"longrope", 5}, {"llama3", 6}, {"proportional", 7}, {"given", 8}};

}  // namespace

Expected<Scaling> scaling_from_name(std::string_view type) {
  const auto meaning = meaning_of(names, "scaling.type", type);
  if (!meaning) return std::unexpected(meaning.error());
  return rules[*meaning];
}

std::string_view name_of(const Scaling& scaling) { return names[scaling.index()].name; }

}  // namespace posenc
