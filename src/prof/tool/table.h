// SPDX-License-Identifier: MIT
// Tables for the terminal.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

namespace hiplz::prof {

/// Rows whose columns are as wide as they need; the first column is on the left.
class Table {
public:
  explicit Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::ostream &out) const {
    std::vector<size_t> widths(rows_.front().size());
    for (const auto &row : rows_)
      for (size_t column = 0; column < row.size(); ++column)
        widths[column] = std::max(widths[column], row[column].size());
    for (const auto &row : rows_) {
      out << "  " << std::left << std::setw(static_cast<int>(widths[0])) << row[0] << std::right;
      for (size_t column = 1; column < row.size(); ++column)
        out << "  " << std::setw(static_cast<int>(widths[column])) << row[column];
      out << '\n';
    }
  }

private:
  std::vector<std::vector<std::string>> rows_;
};

/// How tables look.
struct TableStyle {
  bool full = false; ///< all rows instead of the first ten
  /// Of durations; `fitting` chooses for each of them.
  enum class Unit { fitting, seconds, milliseconds, microseconds, nanoseconds } unit = Unit::fitting;

  /// "1.23 ms".
  std::string time(double nanoseconds) const;
  std::string time(uint64_t nanoseconds) const { return time(static_cast<double>(nanoseconds)); }
};

/// The rows that the style wants, as `add(table, row)` writes each.
template <class Rows, class Add>
void printRows(std::ostream &out, Table table, const Rows &rows, const TableStyle &style, Add add) {
  constexpr size_t kShownRows = 10;
  const size_t shown = style.full ? rows.size() : std::min(rows.size(), kShownRows);
  for (size_t index = 0; index < shown; ++index)
    add(table, rows[index]);
  table.print(out);
  if (shown < rows.size())
    out << "  and " << rows.size() - shown << " more (--full)\n";
}

/// A name as long as a column may be.
inline std::string shortened(const std::string &name) {
  constexpr size_t kLongestName = 44;
  return name.size() <= kLongestName ? name : name.substr(0, kLongestName - 3) + "...";
}

} // namespace hiplz::prof
