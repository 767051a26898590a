// SPDX-License-Identifier: MIT
/* Complex arithmetic: exact results, and AMD's formulas where the order of operations decides about the result. */
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

/* A quotient is two sums of products, each divided by the square of the divisor; with scaled operands the last bits differ. */
static void plainQuotients(void) {
  int i;
  for (i = 1; i <= 1000; ++i) {
    hipComplex p = make_hipComplex(1.0f / (float)i, 3.0f / (float)(i + 7)),
               q = make_hipComplex(5.0f / (float)(i + 1), -0.1f * (float)i);
    float square = q.x * q.x + q.y * q.y;
    hipDoubleComplex u = hipComplexFloatToDouble(p), v = hipComplexFloatToDouble(q);
    double wide = v.x * v.x + v.y * v.y;
    EQUAL(hipCdivf(p, q), (p.x * q.x + p.y * q.y) / square, (p.y * q.x - p.x * q.y) / square);
    EQUAL(hipCdiv(u, v), (u.x * v.x + u.y * v.y) / wide, (u.y * v.x - u.x * v.y) / wide);
    CHECK(hipCabsf(q) == sqrtf(square) && hipCabs(v) == sqrt(wide));
  }
}

/* The summand joins the first product: 2^53 takes no 1, and then is gone. */
static void sumsOfProducts(void) {
  hipDoubleComplex p = make_hipDoubleComplex(1, 0x1p53), q = make_hipDoubleComplex(0x1p53, 1),
                   r = make_hipDoubleComplex(1, 0);
  CHECK(hipCfma(p, q, r).x == 0);
}

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
  /* The squares are computed, so they overflow and vanish. */
  CHECK(isinf(hipCabs(make_hipDoubleComplex(3e200, 4e200))));
  CHECK(hipCabs(make_hipDoubleComplex(3e-200, 4e-200)) == 0);
  CHECK(isinf(hipCabs(make_hipDoubleComplex(-INFINITY, 1))));
  CHECK(isnan(hipCabs(make_hipDoubleComplex(NAN, 1))));
  CHECK(isnan(hipCdiv(make_hipDoubleComplex(1e200, 1e200), make_hipDoubleComplex(1e200, 1e200)).x));
  EQUAL(hipCdiv(p, make_hipDoubleComplex(1e200, 1e200)), 0, 0);
  plainQuotients();
  sumsOfProducts();

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
