#include "posenc/hub/evidence.hpp"

#include <utility>

#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/model_types.hpp"

namespace posenc {
namespace {

constexpr std::string_view known_names[]{"numbers", "config", "source", "assumed", "unknown"};

}  // namespace

std::string_view name_of(Known known) { return known_names[static_cast<std::size_t>(known)]; }

void add_evidence(std::vector<Evidence>& list, const ConfigReader& reader, const ModelType& type, const char* trait,
                  int plan, const EvidenceSources& sources) {
  Known known = is_known(type) ? sources.listed : sources.otherwise;
  if (known == Known::numbers && type.verified != Verified::by_numbers) known = Known::source;
  std::string path = reader.path_of_option(sources.option, sources.mark);
  if (!path.empty()) known = Known::config;
  list.push_back({trait, plan, known, std::move(path)});
}

}  // namespace posenc
