#include "posenc/diagnosis/fixtures.hpp"

#include "json.hpp"
#include "modules.hpp"

namespace posenc::embind {
namespace {

class FixtureWriter : public Writer<FixtureWriter> {
 public:
  using Writer::write;

  void write(Mistake mistake) { write(name_of(mistake)); }
  void write(std::uint32_t index) { write(static_cast<double>(index)); }

  void write(const FixtureMistake& mistake) {
    write(Kind::object);
    member("names", mistake.names);
    if (mistake.times != 1) {
      member("times", mistake.times);
    } else {
      member("at", mistake.at);
      member("moves", mistake.moves);
    }
    member_or_null("bfloat16", mistake.bfloat16_tolerance);
    write(Kind::end);
  }

  void write(const Fixture& fixture) {
    write(Kind::object);
    member("axes", static_cast<double>(fixture.axes));
    member("positions", fixture.positions);
    member("input", fixture.input);
    member("outputs", fixture.outputs);
    member("indices", fixture.indices);
    member("rotated", static_cast<double>(fixture.rotated));
    member("float32", fixture.float32_tolerances);
    member("bfloat16", fixture.bfloat16_tolerances);
    member("mistakes", fixture.mistakes);
    member("undetected", fixture.undetected);
    member("scoreTolerance", score_tolerance);
    member("namedResidual", named_residual);
    write(Kind::end);
  }
};

}  // namespace

Expected<void> run(const calls::Fixture& in) {
  POSENC_TRY_LET(expected, expectation_of(in.expected));
  POSENC_TRY_LET(made, make_fixture(expected, {.length = in.length}));
  return answer_with<FixtureWriter>(in, made);
}

}  // namespace posenc::embind
