# Installs a build of the core (BUILD) below SCRATCH, and builds and runs a project there that knows nothing but
# find_package(posenc): what CMake's users of the library do. Run by ctest.
file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/installed)
set(project ${SCRATCH}/project)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${ARGN}: ${failed}\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --component posenc --prefix ${prefix})
file(WRITE ${project}/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.25)
project(guest CXX)
enable_testing()
find_package(posenc 0.1 REQUIRED)
foreach(library IN ITEMS core shared)
  if(TARGET posenc::${library})
    add_executable(guest_${library} guest.cpp)
    target_link_libraries(guest_${library} PRIVATE posenc::${library})
    add_test(NAME ${library} COMMAND guest_${library})
  endif()
endforeach()
]])
# With every header that is installed.
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*.hpp)
set(includes "")
foreach(header IN LISTS headers)
  string(APPEND includes "#include \"${header}\"\n")
endforeach()
file(WRITE ${project}/guest.cpp "${includes}" [[
#include <cmath>
#include <vector>

int main() {
  std::vector<float> table(3 * 4);
  const auto sinusoidal = posenc::Sinusoidal::make({.frequencies = {.dim = 4}});
  if (!sinusoidal || !sinusoidal->table(posenc::Positions::range(3), table)) return 1;
  if (table[4] != std::sin(1.0f)) return 2;
  const auto wrong = posenc::Sinusoidal::make({.frequencies = {.dim = 0}});
  return wrong || wrong.error().argument != "dim" ? 3 : 0;
}
]])
run(${CMAKE_COMMAND} -S ${project} -B ${project}/build -G Ninja -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${project}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${project}/build --no-tests=error)
