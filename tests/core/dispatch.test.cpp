/// Which of the shared libraries the loader took, by the level that POSENC_LEVEL names: it skips what the machine
/// cannot run.

#include <link.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

std::string loaded_library() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        const std::string_view name(info->dlpi_name);
        if (name.find("libposenc.so") != name.npos) *static_cast<std::string*>(found) = name;
        return 0;
      },
      &path);
  return path;
}

std::string_view level_of(std::string_view path) {
  constexpr std::string_view folder = "/glibc-hwcaps/";
  const std::size_t at = path.find(folder);
  if (at == path.npos) return "baseline";
  const std::string_view rest = path.substr(at + folder.size());
  return rest.substr(0, rest.find('/'));
}

/// The highest level up to the requested one that this machine can run.
std::string_view expected_level(std::string_view asked) {
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (asked == "best" && v4) return "x86-64-v4";
  if (asked != "baseline" && v3) return "x86-64-v3";
  return "baseline";
}

}  // namespace

TEST_CASE("dispatch: the loader takes the library of the processor's level", "[dispatch]") {
  const char* const asked = std::getenv("POSENC_LEVEL");
  REQUIRE(asked != nullptr);
  const std::string path = loaded_library();
  INFO(path);
  REQUIRE_FALSE(path.empty());
  CHECK(level_of(path) == expected_level(asked));
}
