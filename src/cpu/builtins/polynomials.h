// SPDX-License-Identifier: MIT
// Made by scripts/vector_math_coefficients.py; do not edit. Polynomials in t, by Horner's rule with fused multiply-add.
#pragma once

static inline float expTailF(float t) {
  float p = 1.989099082e-4f;
  p = __builtin_fmaf(p, t, 1.393365e-3f);
  p = __builtin_fmaf(p, t, 8.333310925e-3f);
  p = __builtin_fmaf(p, t, 4.166646493e-2f);
  p = __builtin_fmaf(p, t, 1.666666668e-1f);
  p = __builtin_fmaf(p, t, 5.000000013e-1f);
  return p;
}
static inline float expTailApproximateF(float t) {
  float p = 1.392618359e-3f;
  p = __builtin_fmaf(p, t, 8.363179053e-3f);
  p = __builtin_fmaf(p, t, 4.166655462e-2f);
  p = __builtin_fmaf(p, t, 1.666657699e-1f);
  p = __builtin_fmaf(p, t, 5.0e-1f);
  return p;
}
static inline double expTail(double t) {
  double p = 2.09146869680868772e-9;
  p = __builtin_fma(p, t, 2.51052170047207452e-8);
  p = __builtin_fma(p, t, 2.75572736431102953e-7);
  p = __builtin_fma(p, t, 2.75572554002064244e-6);
  p = __builtin_fma(p, t, 2.48015873255477412e-5);
  p = __builtin_fma(p, t, 1.98412698748206253e-4);
  p = __builtin_fma(p, t, 1.38888888888837483e-3);
  p = __builtin_fma(p, t, 8.33333333332613513e-3);
  p = __builtin_fma(p, t, 4.16666666666666698e-2);
  p = __builtin_fma(p, t, 1.6666666666666671e-1);
  p = __builtin_fma(p, t, 5.0e-1);
  return p;
}
static inline double expTailShort(double t) {
  double p = 2.76175768483541327e-6;
  p = __builtin_fma(p, t, 2.48678834535218038e-5);
  p = __builtin_fma(p, t, 1.98412245815441049e-4);
  p = __builtin_fma(p, t, 1.38888390906413794e-3);
  p = __builtin_fma(p, t, 8.33333334420950665e-3);
  p = __builtin_fma(p, t, 4.16666667863375546e-2);
  p = __builtin_fma(p, t, 1.66666666666625833e-1);
  p = __builtin_fma(p, t, 4.99999999999550708e-1);
  return p;
}
static inline float sinTailF(float t) {
  float p = 2.724986466e-6f;
  p = __builtin_fmaf(p, t, -1.984008626e-4f);
  p = __builtin_fmaf(p, t, 8.333331874e-3f);
  p = __builtin_fmaf(p, t, -1.666666666e-1f);
  return p;
}
static inline float cosTailF(float t) {
  float p = 2.454789162e-5f;
  p = __builtin_fmaf(p, t, -1.38883028e-3f);
  p = __builtin_fmaf(p, t, 4.166666466e-2f);
  return p;
}
static inline float sinTailApproximateF(float t) {
  float p = -1.958784052e-4f;
  p = __builtin_fmaf(p, t, 8.332748038e-3f);
  p = __builtin_fmaf(p, t, -1.666666466e-1f);
  return p;
}
static inline double sinTail(double t) {
  double p = -7.58668507009126716e-13;
  p = __builtin_fma(p, t, 1.60585314145890108e-10);
  p = __builtin_fma(p, t, -2.50521062311579055e-8);
  p = __builtin_fma(p, t, 2.75573192193354534e-6);
  p = __builtin_fma(p, t, -1.98412698412650602e-4);
  p = __builtin_fma(p, t, 8.33333333333333149e-3);
  p = __builtin_fma(p, t, -1.66666666666666667e-1);
  return p;
}
static inline double cosTail(double t) {
  double p = -1.13826148685563246e-11;
  p = __builtin_fma(p, t, 2.08761460246897466e-9);
  p = __builtin_fma(p, t, -2.75573172705603241e-7);
  p = __builtin_fma(p, t, 2.48015872987634332e-5);
  p = __builtin_fma(p, t, -1.38888888888873957e-3);
  p = __builtin_fma(p, t, 4.16666666666666654e-2);
  return p;
}
static inline float logTailF(float t) {
  float p = 6.971611471e-2f;
  p = __builtin_fmaf(p, t, -1.147973385e-1f);
  p = __builtin_fmaf(p, t, 1.168541992e-1f);
  p = __builtin_fmaf(p, t, -1.242568733e-1f);
  p = __builtin_fmaf(p, t, 1.424905765e-1f);
  p = __builtin_fmaf(p, t, -1.666780232e-1f);
  p = __builtin_fmaf(p, t, 2.000071575e-1f);
  p = __builtin_fmaf(p, t, -2.499999696e-1f);
  p = __builtin_fmaf(p, t, 3.333333118e-1f);
  return p;
}
static inline float logTailApproximateF(float t) {
  float p = -7.902743772e-2f;
  p = __builtin_fmaf(p, t, 1.262231985e-1f);
  p = __builtin_fmaf(p, t, -1.299818376e-1f);
  p = __builtin_fmaf(p, t, 1.421449592e-1f);
  p = __builtin_fmaf(p, t, -1.664128146e-1f);
  p = __builtin_fmaf(p, t, 2.000104509e-1f);
  p = __builtin_fmaf(p, t, -2.500030642e-1f);
  p = __builtin_fmaf(p, t, 3.333333073e-1f);
  return p;
}
static inline double logSeries(double t) {
  double p = 1.30867670099481737e-1;
  p = __builtin_fma(p, t, 1.32687596685606127e-1);
  p = __builtin_fma(p, t, 1.53862402058134779e-1);
  p = __builtin_fma(p, t, 1.81817956308847532e-1);
  p = __builtin_fma(p, t, 2.22222223918004693e-1);
  p = __builtin_fma(p, t, 2.857142857080323e-1);
  p = __builtin_fma(p, t, 4.00000000000008776e-1);
  p = __builtin_fma(p, t, 6.66666666666666665e-1);
  return p;
}
static inline double atanTail(double t) {
  double p = 2.42032132949299596e-4;
  p = __builtin_fma(p, t, -1.96082689783777141e-3);
  p = __builtin_fma(p, t, 7.45724733042240779e-3);
  p = __builtin_fma(p, t, -1.79836932452061219e-2);
  p = __builtin_fma(p, t, 3.16580379619298722e-2);
  p = __builtin_fma(p, t, -4.49499516254137551e-2);
  p = __builtin_fma(p, t, 5.60668703529111107e-2);
  p = __builtin_fma(p, t, -6.59512459628029468e-2);
  p = __builtin_fma(p, t, 7.67938127643029514e-2);
  p = __builtin_fma(p, t, -9.08936803194344072e-2);
  p = __builtin_fma(p, t, 1.11109995087421261e-1);
  p = __builtin_fma(p, t, -1.42857100200673547e-1);
  p = __builtin_fma(p, t, 1.99999999351422821e-1);
  p = __builtin_fma(p, t, -3.33333333331682681e-1);
  return p;
}
static inline double erfSeries(double t) {
  double p = 1.05893806410750192e-6;
  p = __builtin_fma(p, t, -1.39093400218745986e-5);
  p = __builtin_fma(p, t, 1.19565625682073296e-4);
  p = __builtin_fma(p, t, -8.54263799708722963e-4);
  p = __builtin_fma(p, t, 5.22378347718924812e-3);
  p = __builtin_fma(p, t, -2.68661332350955916e-2);
  p = __builtin_fma(p, t, 1.12837913086045815e-1);
  p = __builtin_fma(p, t, -3.76126388896353068e-1);
  p = __builtin_fma(p, t, 1.12837916709467673);
  return p;
}
static inline double erfcScaled(double t) {
  double p = 9.92604529876734772e-6;
  p = __builtin_fma(p, t, -1.90461810422825246e-5);
  p = __builtin_fma(p, t, -2.82049869475949374e-5);
  p = __builtin_fma(p, t, 2.91821620231915595e-5);
  p = __builtin_fma(p, t, 1.74023796292986367e-4);
  p = __builtin_fma(p, t, 4.33858422323665759e-5);
  p = __builtin_fma(p, t, -9.81916749171074442e-4);
  p = __builtin_fma(p, t, -8.47136792539391819e-4);
  p = __builtin_fma(p, t, 6.99745802914213659e-3);
  p = __builtin_fma(p, t, 3.73289235406582307e-3);
  p = __builtin_fma(p, t, -7.89785809262057633e-2);
  p = __builtin_fma(p, t, 2.4165819424153927e-1);
  p = __builtin_fma(p, t, -4.27185847414569014e-1);
  p = __builtin_fma(p, t, 2.55395676310509417e-1);
  return p;
}
