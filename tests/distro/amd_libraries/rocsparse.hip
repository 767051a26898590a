// SPDX-License-Identifier: MIT
// rocSPARSE's library, whose kernels are machine code, beside loops on the host: products of a matrix and a vector by both algorithms,
// a transposed copy (which sorts), and a triangular system, whose rows wait for each other.
#include <hip/hip_runtime.h>
#include <rocsparse/rocsparse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, const char *what) {
  if (!holds)
    std::printf("rocSPARSE: %s\n", what);
  failures += !holds;
}
void succeed(rocsparse_status status, const char *what) { expect(status == rocsparse_status_success, what); }

template <class T> class OnDevice {
public:
  explicit OnDevice(size_t count) : count_(count) { expect(!hipMalloc(&data_, count * sizeof(T)), "no memory"); }
  explicit OnDevice(const std::vector<T> &values) : OnDevice(values.size()) {
    expect(!hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice), "no copy");
  }
  ~OnDevice() { expect(!hipFree(data_), "memory is not the program's"); }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;
  operator T *() { return data_; }
  std::vector<T> host() {
    std::vector<T> values(count_);
    expect(!hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost), "no copy");
    return values;
  }

private:
  size_t count_;
  T *data_ = nullptr;
};

struct Matrix {
  std::vector<int> begin{0}, column;
  std::vector<double> value;
};

bool agree(const std::vector<double> &a, const std::vector<double> &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= 1e-11 * std::max(1.0, std::abs(b[i]))))
      return false;
  return a.size() == b.size();
}

constexpr int kRows = 2000;
std::mt19937 source(1);
double number() { return double(source() % 1000) / 500 - 1; }

void multiply(rocsparse_handle handle, const Matrix &matrix, OnDevice<int> &begin, OnDevice<int> &column,
              OnDevice<double> &value) {
  const int entries = int(matrix.column.size());
  std::vector<double> x(kRows), expected(kRows);
  std::generate(x.begin(), x.end(), number);
  for (int i = 0; i < kRows; ++i)
    for (int k = matrix.begin[i]; k < matrix.begin[i + 1]; ++k)
      expected[i] += 2 * matrix.value[k] * x[matrix.column[k]];
  rocsparse_mat_descr description;
  rocsparse_mat_info info;
  succeed(rocsparse_create_mat_descr(&description), "no description");
  succeed(rocsparse_create_mat_info(&info), "no information");
  OnDevice<double> in(x);
  const double two = 2, zero = 0;
  for (bool analysed : {false, true}) {
    OnDevice<double> out(std::vector<double>(kRows, 1));
    if (analysed)
      succeed(rocsparse_dcsrmv_analysis(handle, rocsparse_operation_none, kRows, kRows, entries, description, value,
                                        begin, column, info),
              "analysis for a product");
    succeed(rocsparse_dcsrmv(handle, rocsparse_operation_none, kRows, kRows, entries, &two, description, value, begin,
                             column, analysed ? info : nullptr, in, &zero, out),
            "product");
    expect(agree(out.host(), expected), analysed ? "a product after analysis is wrong" : "a product is wrong");
  }
  succeed(rocsparse_destroy_mat_info(info), "information");
  succeed(rocsparse_destroy_mat_descr(description), "description");
}

void transpose(rocsparse_handle handle, const Matrix &matrix, OnDevice<int> &begin, OnDevice<int> &column,
               OnDevice<double> &value) {
  const int entries = int(matrix.column.size());
  Matrix expected{std::vector<int>(kRows + 1), std::vector<int>(entries), std::vector<double>(entries)};
  for (int c : matrix.column)
    ++expected.begin[c + 1];
  for (int i = 0; i < kRows; ++i)
    expected.begin[i + 1] += expected.begin[i];
  std::vector<int> next = expected.begin;
  for (int i = 0; i < kRows; ++i)
    for (int k = matrix.begin[i]; k < matrix.begin[i + 1]; ++k) {
      const int to = next[matrix.column[k]]++;
      expected.column[to] = i;
      expected.value[to] = matrix.value[k];
    }
  size_t bytes = 0;
  succeed(rocsparse_csr2csc_buffer_size(handle, kRows, kRows, entries, begin, column, rocsparse_action_numeric, &bytes),
          "size of a buffer");
  OnDevice<char> buffer(bytes);
  OnDevice<int> outBegin(kRows + 1), outColumn(entries);
  OnDevice<double> outValue(entries);
  succeed(rocsparse_dcsr2csc(handle, kRows, kRows, entries, value, begin, column, outValue, outColumn, outBegin,
                             rocsparse_action_numeric, rocsparse_index_base_zero, buffer),
          "transposition");
  expect(outBegin.host() == expected.begin && outColumn.host() == expected.column && outValue.host() == expected.value,
         "a transposed matrix is wrong");
}

void solve(rocsparse_handle handle) {
  Matrix lower;
  std::vector<double> x(kRows), right(kRows);
  std::generate(x.begin(), x.end(), number);
  for (int i = 0; i < kRows; ++i) {
    for (int c = std::max(0, i - int(source() % 60)); c < i; c += 1 + int(source() % 12)) {
      lower.column.push_back(c);
      lower.value.push_back(number() / 16);
    }
    lower.column.push_back(i);
    lower.value.push_back(1.5);
    lower.begin.push_back(int(lower.column.size()));
    for (int k = lower.begin[i]; k < lower.begin[i + 1]; ++k)
      right[i] += lower.value[k] * x[lower.column[k]];
  }
  const int entries = int(lower.column.size());
  OnDevice<int> begin(lower.begin), column(lower.column);
  OnDevice<double> value(lower.value), in(right), out(kRows);
  rocsparse_mat_descr description;
  rocsparse_mat_info info;
  succeed(rocsparse_create_mat_descr(&description), "no description");
  succeed(rocsparse_set_mat_fill_mode(description, rocsparse_fill_mode_lower), "fill mode");
  succeed(rocsparse_set_mat_diag_type(description, rocsparse_diag_type_non_unit), "kind of diagonal");
  succeed(rocsparse_create_mat_info(&info), "no information");
  size_t bytes = 0;
  succeed(rocsparse_dcsrsv_buffer_size(handle, rocsparse_operation_none, kRows, entries, description, value, begin,
                                       column, info, &bytes),
          "size of a buffer");
  OnDevice<char> buffer(bytes);
  succeed(rocsparse_dcsrsv_analysis(handle, rocsparse_operation_none, kRows, entries, description, value, begin, column,
                                    info, rocsparse_analysis_policy_force, rocsparse_solve_policy_auto, buffer),
          "analysis of a triangle");
  const double one = 1;
  succeed(rocsparse_dcsrsv_solve(handle, rocsparse_operation_none, kRows, entries, &one, description, value, begin,
                                 column, info, in, out, rocsparse_solve_policy_auto, buffer),
          "solution");
  expect(agree(out.host(), x), "the solution of a triangular system is wrong");
  succeed(rocsparse_destroy_mat_info(info), "information");
  succeed(rocsparse_destroy_mat_descr(description), "description");
}

} // namespace

int main() {
  Matrix matrix;
  for (int i = 0; i < kRows; ++i) {
    const unsigned most = source() % 40;
    unsigned c = source() % 40;
    for (unsigned k = 0; k < most && c < kRows; ++k, c += 1 + source() % 40) {
      matrix.column.push_back(int(c));
      matrix.value.push_back(number());
    }
    matrix.begin.push_back(int(matrix.column.size()));
  }
  rocsparse_handle handle;
  succeed(rocsparse_create_handle(&handle), "no handle");
  {
    OnDevice<int> begin(matrix.begin), column(matrix.column);
    OnDevice<double> value(matrix.value);
    multiply(handle, matrix, begin, column, value);
    transpose(handle, matrix, begin, column, value);
  }
  solve(handle);
  succeed(rocsparse_destroy_handle(handle), "handle");
  std::puts(failures ? "FAILED" : "rocSPARSE: passed");
  return failures != 0;
}
