// SPDX-License-Identifier: MIT
// A module that no compiler is done with in a second: 4096 times two calls that are inlined, each of the result of the one before.
#define STEP r = pow(r, p[i]) + sin(r); i ^= as_int(r);
#define TWICE(x) x x
#define STEPS_8 TWICE(TWICE(TWICE(STEP)))
#define STEPS_64 TWICE(TWICE(TWICE(STEPS_8)))
#define STEPS_512 TWICE(TWICE(TWICE(STEPS_64)))
#define STEPS_4096 TWICE(TWICE(TWICE(STEPS_512)))

kernel void slow(global float *p) {
  float r = p[0];
  int i = get_global_id(0);
  STEPS_4096
  p[i] = r;
}
