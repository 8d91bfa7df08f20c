#include "testing/allocations.hpp"

#include <atomic>

namespace {

std::atomic<std::size_t> count;

}  // namespace

std::size_t testing::allocations() { return count; }

// The linker gives these every call of aligned_alloc and of operator new.
// NOLINTBEGIN(bugprone-reserved-identifier): names that the linker asks for
extern "C" {
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __real_aligned_alloc(alignment, size);
}

void* __real__Znwm(std::size_t size);
void* __wrap__Znwm(std::size_t size) {
  ++count;
  return __real__Znwm(size);
}
}
// NOLINTEND(bugprone-reserved-identifier)
