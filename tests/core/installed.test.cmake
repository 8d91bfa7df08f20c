# Installs a build of the core (BUILD) below SCRATCH, and builds and runs a project there that knows nothing but
# find_package(posenc): what CMake's users of the library do. Then the project of the guide's page, GUIDE. Run by ctest.
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
find_package(posenc 1.0 REQUIRED)
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

# The page's files as they stand: each is the block after ``` with its language and name.
file(READ ${GUIDE} page)
set(followed ${SCRATCH}/followed)
foreach(heading IN ITEMS "cmake CMakeLists.txt" "cpp rotated.cpp")
  string(FIND "${page}" "```${heading}\n" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "${GUIDE} has no block ${heading}")
  endif()
  string(LENGTH "```${heading}\n" length)
  math(EXPR start "${start} + ${length}")
  string(SUBSTRING "${page}" ${start} -1 code)
  string(FIND "${code}" "```" end)
  string(SUBSTRING "${code}" 0 ${end} code)
  string(REGEX REPLACE "^[a-z]+ " "" name "${heading}")
  file(WRITE ${followed}/${name} "${code}")
endforeach()
run(${CMAKE_COMMAND} -S ${followed} -B ${followed}/build -G Ninja -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${followed}/build)
execute_process(COMMAND ${followed}/build/rotated OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
# What it prints is what the comments say, "// -0.301169: why".
string(REGEX MATCHALL "// -?[0-9.]+:" stated "${code}")
list(TRANSFORM stated REPLACE "^// (.*):$" "\\1")
list(LENGTH stated count)
list(JOIN stated "\n" stated)
if(count LESS 2 OR NOT printed STREQUAL "${stated}\n")
  message(FATAL_ERROR "${GUIDE} says ${stated}, and printed is ${printed}")
endif()
