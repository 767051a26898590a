// SPDX-License-Identifier: MIT
/* Complex arithmetic: exact results, and values whose squares leave the range. */
#include <hip/hip_complex.h>

#include <stdio.h>

static int failures;
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("line %d: %s\n", __LINE__, #condition);                                                                   \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)
#define EQUAL(z, real, imaginary) CHECK((z).x == (real) && (z).y == (imaginary))

int main(void) {
  hipDoubleComplex p = make_hipDoubleComplex(1, 2), q = make_hipDoubleComplex(3, -4);
  EQUAL(hipCadd(p, q), 4, -2);
  EQUAL(hipCsub(p, q), -2, 6);
  EQUAL(hipCmul(p, q), 11, 2);
  EQUAL(hipCfma(p, q, p), 12, 4);
  EQUAL(hipCdiv(hipCmul(p, q), q), 1, 2);
  EQUAL(hipCdiv(hipCmul(p, q), p), 3, -4);
  EQUAL(hipConj(q), 3, 4);
  CHECK(hipCabs(q) == 5 && hipCsqabs(q) == 25 && hipCreal(q) == 3 && hipCimag(q) == -4);
  CHECK(hipCabs(make_hipDoubleComplex(0, 0)) == 0);
  CHECK(fabs(hipCabs(make_hipDoubleComplex(3e200, 4e200)) / 5e200 - 1) < 1e-15);
  CHECK(fabs(hipCabs(make_hipDoubleComplex(3e-200, 4e-200)) / 5e-200 - 1) < 1e-15);
  CHECK(isinf(hipCabs(make_hipDoubleComplex(-INFINITY, 1))));
  CHECK(isnan(hipCabs(make_hipDoubleComplex(NAN, 1))));
  EQUAL(hipCdiv(make_hipDoubleComplex(1e200, 1e200), make_hipDoubleComplex(1e200, 1e200)), 1, 0);

  hipComplex f = make_hipComplex(3, 4);
  CHECK(hipCabsf(f) == 5 && hipCrealf(f) == 3 && hipCimagf(f) == 4 && hipCsqabsf(f) == 25);
  EQUAL(hipCmulf(f, make_hipFloatComplex(0, 1)), -4, 3);
  EQUAL(hipCdivf(f, f), 1, 0);
  EQUAL(hipCaddf(f, hipConjf(f)), 6, 0);
  EQUAL(hipCsubf(f, f), 0, 0);
  EQUAL(hipCfmaf(f, f, f), -4, 28);
  EQUAL(hipComplexFloatToDouble(f), 3, 4);
  EQUAL(hipComplexDoubleToFloat(p), 1, 2);
  return failures != 0;
}
