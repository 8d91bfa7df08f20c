// Prints what the core says of the numbers that options may be, for the published documentation and for tests: for each
// interface of js/types the options of its struct that have a range, with least and most, the sentence, and the
// default.

#include <cstdio>
#include <string>
#include <tuple>

#include "posenc/attention/attention_mask.hpp"
#include "posenc/attention/dropout.hpp"
#include "posenc/attention/linear_attention.hpp"
#include "posenc/base/range.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/scaling.hpp"
#include "posenc/grid/grid_points.hpp"
#include "posenc/grid/mrope_positions.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"
#include "posenc/learned/optimizer.hpp"
#include "posenc/learned/resize.hpp"
#include "posenc/learned/table_init.hpp"
#include "posenc/learning/model_options.hpp"
#include "posenc/learning/training.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/fire.hpp"
#include "posenc/relative/relative_position.hpp"
#include "posenc/relative/sandwich.hpp"
#include "posenc/relative/swin.hpp"
#include "posenc/relative/t5.hpp"
#include "posenc/rotary/certificate.hpp"
#include "posenc/rotary/convert_layout.hpp"
#include "posenc/rotary/query_temperature.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/xpos.hpp"
#include "posenc/sinusoidal/fourier.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {
namespace {

enum class Defaults : bool { core, preset };

/// One line for an option. Its default is null where it has to be given or a preset decides.
template <class Options, class Member>
void print(const char* interface, Defaults defaults, const RangedOption<Options, Member>& option) {
  const OptionRange& range = option.range;
  const std::string_view name = option.name.substr(option.name.find_last_of('.') + 1);
  const std::string sentence = out_of_range(name, 0, range).expected();
  std::printf("{ \"interface\": \"%s\", \"option\": \"%.*s\", \"least\": %.17g, \"most\": %.17g, \"whole\": %s, ",
              interface, static_cast<int>(name.size()), name.data(), range.least, range.most,
              range.is_whole ? "true" : "false");
  std::printf("\"sentence\": \"%s\", \"default\": ", sentence.c_str());
  const Member value = Options{}.*option.member;
  bool is_default = false;
  if constexpr (!requires { value.has_value(); }) {
    is_default = defaults == Defaults::core && contains(range, number_of(value));
    if (is_default) std::printf("%.17g }\n", static_cast<double>(value));
  }
  if (!is_default) std::printf("null }\n");
}

template <class Options>
void print(const char* interface, Defaults defaults = Defaults::core) {
  std::apply([&](const auto&... option) { (print(interface, defaults, option), ...); }, Options::ranges);
}

}  // namespace
}  // namespace posenc

int main() {
  using namespace posenc;
  print<AdamOptions>("AdamOptions");
  print<AlibiOptions>("AlibiSlopesOptions");
  print<AttentionMask>("AttentionTerms");
  print<BiasShape>("RelativeShape");
  print<CertificateOptions>("CertifyOptions");
  print<ConvertLayoutOptions>("ConvertLayoutOptions");
  print<Dropout>("Dropout");
  print<FireOptions>("FireOptions");
  print<FourierOptions>("FourierOptions");
  print<FrequencyOptions>("FrequencyOptions");
  print<FrequencyPlan>("ScalingOptions");
  print<LinearAttentionOptions>("LinearAttentionOptions");
  print<MixedFrequencyOptions>("MixedFrequencyOptions");
  print<MropeOptions>("MropePositionOptions");
  print<MropeRow>("MropePositionOptions");
  print<QueryTemperature>("QueryTemperature");
  print<ResizeOptions>("ResizeOptions");
  print<RotaryGridChoice>("GridRotaryOptions");
  print<RotaryGridOptions>("GridRotaryOptions", Defaults::preset);
  print<RotaryMixedOptions>("MixedRotaryOptions");
  print<RotaryOptions>("RotaryOptions");
  print<SandwichOptions>("SandwichOptions");
  print<SgdOptions>("SgdOptions");
  print<SinusoidalGridCoordinates>("SinusoidalGridOptions", Defaults::preset);
  print<SinusoidalGridOptions>("SinusoidalGridOptions");
  print<SinusoidalOptions>("SinusoidOptions");
  print<SwinLogCpb>("SwinLogCoordinatesOptions");
  print<SwinWindow>("SwinWindow");
  print<T5Options>("T5Buckets");
  print<TableInit>("LearnedTableOptions");
  print<TokensAround>("GridPoints");
  print<XposOptions>("XposOptions");
  print<learning::ModelOptions>("TransformerOptions");
  print<learning::OptimizerOptions>("OptimizerOptions");
  print<learning::TrainingOptions>("TrainingOptions");
  print<scaling::Dynamic>("DynamicScaling");
  print<scaling::Given>("GivenScaling");
  print<scaling::Linear>("LinearScaling");
  print<scaling::Llama3>("Llama3Scaling");
  print<scaling::Longrope>("LongRopeScaling");
  print<scaling::Ntk>("NtkScaling");
  print<scaling::Proportional>("ProportionalScaling");
  print<scaling::Yarn>("YarnScaling");
  return 0;
}
