#include "posenc/learned/table_rows.hpp"

#include <string>

#include "posenc/base/check.hpp"

namespace posenc {

Expected<void> TableRows::check(std::size_t rows) const {
  if (auto checked = check_whole("offset", offset_, -max_rows, max_rows); !checked) return checked;
  const auto end = static_cast<std::int64_t>(rows);
  if (!listed_) {
    if (auto checked = check_whole("offset", offset_, 0, end); !checked) return checked;
    if (count_ <= static_cast<std::size_t>(end - offset_)) return {};
    return wrong("length", static_cast<double>(count_),
                 {"at most ", decimal(end - offset_), ": the table has ", decimal(rows), " rows"});
  }
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const std::int64_t row = ids_[i] + offset_;
    if (row >= 0 && row < end) continue;
    std::string argument = "ids[";
    argument += decimal(i);
    argument += "]";
    if (end == 0) return wrong(argument, ids_[i], {"no id: the table has no rows"});
    return check_whole(argument, ids_[i], -offset_, end - 1 - offset_);
  }
  return {};
}

Expected<void> TableRows::check_batches(std::string_view argument, std::size_t size, std::size_t dim) const {
  const bool fits = count_ == 0 ? size == 0 : size % dim == 0 && size / dim % count_ == 0;
  if (fits) return {};
  return wrong(argument, static_cast<double>(size),
               {"a multiple of ", decimal(count_), " * ", decimal(dim), " values"});
}

}  // namespace posenc
