#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "posenc/base/names.hpp"

namespace posenc {

class ConfigReader;
struct ModelType;

/// How a trait of a model is known.
enum class Known : std::uint8_t {
  numbers,  ///< the model's own code computed the same numbers (tests/api/hub/models.json)
  config,   ///< a key of the config says it
  source,   ///< read in the model's code: what it fixes, or its default
  assumed,  ///< no key says it, and the type's code was not read for it: what most models do
  unknown,
};

template <>
inline constexpr auto names_of<Known> = Names("known", {{"numbers", Known::numbers},
                                                        {"config", Known::config},
                                                        {"source", Known::source},
                                                        {"assumed", Known::assumed},
                                                        {"unknown", Known::unknown}});

/// How one trait of a model is known.
struct Evidence {
  const char* trait = "";  ///< "base", "layout", ...
  int plan = -1;           ///< index of the plan that has the trait; -1 for those of the whole model
  Known known = Known::unknown;
  std::string path;  ///< of the key that says it

  bool operator==(const Evidence&) const = default;
};

/// Where a trait is looked for: keys that gave the option since the mark (ConfigReader::mark), else the type's code,
/// which says it as well as `listed`; of a type that is not listed it is known as `otherwise`.
struct EvidenceSources {
  const char* option = "";
  std::size_t mark = 0;
  Known listed = Known::numbers;
  Known otherwise = Known::unknown;
};

void add_evidence(std::vector<Evidence>& list, const ConfigReader& reader, const ModelType& type, const char* trait,
                  int plan, const EvidenceSources& sources);

}  // namespace posenc
