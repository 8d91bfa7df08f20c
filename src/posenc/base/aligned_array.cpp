#include "posenc/base/aligned_array.hpp"

namespace posenc {

Error out_of_memory(std::size_t size) {
  return {"memory", static_cast<double>(size), "as many values as fit into memory"};
}

}  // namespace posenc
