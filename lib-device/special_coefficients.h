// SPDX-License-Identifier: MIT
// Polynomials for the special functions in special.cpp, written by scripts/math_coefficients.py: change that.
#pragma once

#include "special.h"

INLINED float j0Small(float t) {
  float p = -6.417882218e-8f;
  p = fused(p, t, 6.770965051e-6f);
  p = fused(p, t, -4.340131577e-4f);
  p = fused(p, t, 1.562499097e-2f);
  p = fused(p, t, -2.49999998e-1f);
  p = fused(p, t, 9.999999999e-1f);
  return p;
}
INLINED double j0Small(double t) {
  double p = 9.04763380930678516e-15;
  p = fused(p, t, -2.40114196642156018e-12);
  p = fused(p, t, 4.70945845085407939e-10);
  p = fused(p, t, -6.7816833388264623e-8);
  p = fused(p, t, 6.78168402148666834e-6);
  p = fused(p, t, -4.34027777774549656e-4);
  p = fused(p, t, 1.562499999999917e-2);
  p = fused(p, t, -2.49999999999999918e-1);
  p = fused(p, t, 9.99999999999999999e-1);
  return p;
}
INLINED float j0First(float t) {
  float p = -3.624472497e-7f;
  p = fused(p, t, -4.430219336e-6f);
  p = fused(p, t, 4.354812663e-5f);
  p = fused(p, t, 2.64526418e-4f);
  p = fused(p, t, -2.19413818e-3f);
  p = fused(p, t, -8.657725106e-3f);
  p = fused(p, t, 5.660176676e-2f);
  p = fused(p, t, 1.079387067e-1f);
  p = fused(p, t, -5.191474971e-1f);
  return p;
}
INLINED double j0First(double t) {
  double p = 7.21468837690915414e-14;
  p = fused(p, t, 1.70206542882581224e-12);
  p = fused(p, t, -2.53225032953903686e-11);
  p = fused(p, t, -3.16785824323242682e-10);
  p = fused(p, t, 4.32662349903428662e-9);
  p = fused(p, t, 4.47006418795480338e-8);
  p = fused(p, t, -5.30491502678986715e-7);
  p = fused(p, t, -4.33882631283675676e-6);
  p = fused(p, t, 4.37291927548934726e-5);
  p = fused(p, t, 2.64377036755655646e-4);
  p = fused(p, t, -2.19420035902062308e-3);
  p = fused(p, t, -8.65766959330503461e-3);
  p = fused(p, t, 5.66017744379465123e-2);
  p = fused(p, t, 1.07938701754920092e-1);
  p = fused(p, t, -5.19147497289466791e-1);
  return p;
}
INLINED float j0FirstAround(float x) {
  float t = (x - 2.404825449f) - 1.087059046e-7f;
  return t * j0First(t);
}
INLINED double j0FirstAround(double x) {
  double t = (x - 2.40482555769577289) - -1.17669165153089412e-16;
  return t * j0First(t);
}
INLINED float j0Second(float t) {
  float p = -2.977188938e-8f;
  p = fused(p, t, 5.449028784e-7f);
  p = fused(p, t, 3.178193533e-6f);
  p = fused(p, t, -4.646622558e-5f);
  p = fused(p, t, -1.751537736e-4f);
  p = fused(p, t, 2.257393567e-3f);
  p = fused(p, t, 4.631024424e-3f);
  p = fused(p, t, -5.298853878e-2f);
  p = fused(p, t, -3.082064881e-2f);
  p = fused(p, t, 3.402648059e-1f);
  return p;
}
INLINED double j0Second(double t) {
  double p = 4.26087470562689395e-16;
  p = fused(p, t, 5.40337227540389813e-15);
  p = fused(p, t, -1.21068198460687867e-13);
  p = fused(p, t, -1.37994499840663074e-12);
  p = fused(p, t, 2.74531444737646349e-11);
  p = fused(p, t, 2.59219612186775262e-10);
  p = fused(p, t, -4.68339744635844508e-9);
  p = fused(p, t, -3.51153583411219779e-8);
  p = fused(p, t, 5.71649072075458554e-7);
  p = fused(p, t, 3.19978690576370422e-6);
  p = fused(p, t, -4.65210907404765131e-5);
  p = fused(p, t, -1.75185728993768182e-4);
  p = fused(p, t, 2.25744022903310409e-3);
  p = fused(p, t, 4.63104214590757951e-3);
  p = fused(p, t, -5.29885528676046484e-2);
  p = fused(p, t, -3.08206514255936454e-2);
  p = fused(p, t, 3.40264806558368149e-1);
  return p;
}
INLINED float j0SecondAround(float x) {
  float t = (x - 5.520078182f) - -7.193414833e-8f;
  return t * j0Second(t);
}
INLINED double j0SecondAround(double x) {
  double t = (x - 5.52007811028631057) - 8.08859714614672231e-17;
  return t * j0Second(t);
}
INLINED float j0Third(float t) {
  float p = 4.032113025e-5f;
  p = fused(p, t, 7.099659983e-5f);
  p = fused(p, t, -2.161351638e-3f);
  p = fused(p, t, -2.635546606e-3f);
  p = fused(p, t, 4.394565832e-2f);
  p = fused(p, t, 1.565145332e-2f);
  p = fused(p, t, -2.714573204e-1f);
  return p;
}
INLINED double j0Third(double t) {
  double p = -2.83363862578694227e-11;
  p = fused(p, t, -1.70820166759898841e-10);
  p = fused(p, t, 4.97705955947991898e-9);
  p = fused(p, t, 2.77565579849160709e-8);
  p = fused(p, t, -5.66115989735393333e-7);
  p = fused(p, t, -2.28550986361662772e-6);
  p = fused(p, t, 4.48263533579489818e-5);
  p = fused(p, t, 1.12437672553689904e-4);
  p = fused(p, t, -2.06033342905366978e-3);
  p = fused(p, t, -2.50930147360924049e-3);
  p = fused(p, t, 4.40337751847893804e-2);
  p = fused(p, t, 1.56841250002117797e-2);
  p = fused(p, t, -2.71452299925205656e-1);
  return p;
}
INLINED float j0ThirdAround(float x) {
  float t = (x - 8.653727531f) - 3.814779067e-7f;
  return t * j0Third(t);
}
INLINED double j0ThirdAround(double x) {
  double t = (x - 8.65372791291101251) - -2.92812607320778988e-16;
  return t * j0Third(t);
}
INLINED float j1Small(float t) {
  float p = -5.26096798e-9f;
  p = fused(p, t, 6.764305156e-7f);
  p = fused(p, t, -5.424988614e-5f);
  p = fused(p, t, 2.604163314e-3f);
  p = fused(p, t, -6.249999885e-2f);
  p = fused(p, t, 4.999999999e-1f);
  return p;
}
INLINED double j1Small(double t) {
  double p = 4.95983294123487345e-16;
  p = fused(p, t, -1.49986028264383976e-13);
  p = fused(p, t, 3.3638542451178601e-11);
  p = fused(p, t, -5.65140156140994204e-9);
  p = fused(p, t, 6.78168400295742978e-7);
  p = fused(p, t, -5.42534722202934645e-5);
  p = fused(p, t, 2.60416666666591561e-3);
  p = fused(p, t, -6.24999999999998874e-2);
  p = fused(p, t, 4.99999999999999997e-1);
  return p;
}
INLINED float j1First(float t) {
  float p = 2.411131893e-8f;
  p = fused(p, t, -5.439791041e-7f);
  p = fused(p, t, -2.995912951e-6f);
  p = fused(p, t, 4.6144844e-5f);
  p = fused(p, t, 1.745931377e-4f);
  p = fused(p, t, -2.233065474e-3f);
  p = fused(p, t, -5.179673111e-3f);
  p = fused(p, t, 5.341042372e-2f);
  p = fused(p, t, 5.255613787e-2f);
  p = fused(p, t, -4.027593945e-1f);
  return p;
}
INLINED double j1First(double t) {
  double p = -4.48268192414135865e-16;
  p = fused(p, t, -4.8476295424809902e-15);
  p = fused(p, t, 1.24442239794290117e-13);
  p = fused(p, t, 1.24567677984565639e-12);
  p = fused(p, t, -2.79898793508808135e-11);
  p = fused(p, t, -2.36218517817638559e-10);
  p = fused(p, t, 4.73538298759262399e-9);
  p = fused(p, t, 3.2482861751559097e-8);
  p = fused(p, t, -5.72780576384110852e-7);
  p = fused(p, t, -3.03686337953050126e-6);
  p = fused(p, t, 4.62087012992999105e-5);
  p = fused(p, t, 1.74664290719867423e-4);
  p = fused(p, t, -2.23312533914805756e-3);
  p = fused(p, t, -5.17971924563853235e-3);
  p = fused(p, t, 5.34104441327248785e-2);
  p = fused(p, t, 5.25561458569772335e-2);
  p = fused(p, t, -4.02759395702552973e-1);
  return p;
}
INLINED float j1FirstAround(float x) {
  float t = (x - 3.831706047f) - -7.685059315e-8f;
  return t * j1First(t);
}
INLINED double j1FirstAround(double x) {
  double t = (x - 3.83170597020751247) - -1.52691840900880675e-16;
  return t * j1First(t);
}
INLINED float j1Second(float t) {
  float p = 6.030925683e-7f;
  p = fused(p, t, 2.371632133e-6f);
  p = fused(p, t, -4.507557523e-5f);
  p = fused(p, t, -1.255160899e-4f);
  p = fused(p, t, 2.105642321e-3f);
  p = fused(p, t, 3.130305781e-3f);
  p = fused(p, t, -4.697049073e-2f);
  p = fused(p, t, -2.138921514e-2f);
  p = fused(p, t, 3.001157529e-1f);
  return p;
}
INLINED double j1Second(double t) {
  double p = 2.10710982614505346e-15;
  p = fused(p, t, -1.27472902243382621e-13);
  p = fused(p, t, -1.1161531880985048e-12);
  p = fused(p, t, 2.80188115468241269e-11);
  p = fused(p, t, 2.0653328446562817e-10);
  p = fused(p, t, -4.72050165620170377e-9);
  p = fused(p, t, -2.72734326312721456e-8);
  p = fused(p, t, 5.66527014000338499e-7);
  p = fused(p, t, 2.40158080150258053e-6);
  p = fused(p, t, -4.49914753075173809e-5);
  p = fused(p, t, -1.25507909553403827e-4);
  p = fused(p, t, 2.1055871432490849e-3);
  p = fused(p, t, 3.13029172604837512e-3);
  p = fused(p, t, -4.69704789497415492e-2);
  p = fused(p, t, -2.13892128093415928e-2);
  p = fused(p, t, 3.00115752526132564e-1);
  return p;
}
INLINED float j1SecondAround(float x) {
  float t = (x - 7.015586853f) - -1.83211725e-7f;
  return t * j1Second(t);
}
INLINED double j1SecondAround(double x) {
  double t = (x - 7.01558666981561885) - -9.4141656534103891e-17;
  return t * j1Second(t);
}
INLINED float y0Small(float t) {
  float p = -9.430459708e-6f;
  p = fused(p, t, 5.385885611e-4f);
  p = fused(p, t, -1.607396677e-2f);
  p = fused(p, t, 1.776060168e-1f);
  p = fused(p, t, -7.380429511e-2f);
  return p;
}
INLINED double y0Small(double t) {
  double p = -7.6569023056660931e-10;
  p = fused(p, t, 1.03583517612284416e-7);
  p = fused(p, t, -9.49500499346543752e-6);
  p = fused(p, t, 5.3860266684312977e-4);
  p = fused(p, t, -1.60739680259376538e-2);
  p = fused(p, t, 1.7760601686906713e-1);
  p = fused(p, t, -7.38042951086872252e-2);
  return p;
}
INLINED float y0First(float t) {
  float p = 2.303808249e-1f;
  p = fused(p, t, -3.535561814e-1f);
  p = fused(p, t, 2.334015993e-1f);
  p = fused(p, t, -1.648660675e-1f);
  p = fused(p, t, 1.841534482e-1f);
  p = fused(p, t, -1.96693255e-1f);
  p = fused(p, t, 1.982319087e-1f);
  p = fused(p, t, -2.047595821e-1f);
  p = fused(p, t, 2.189117587e-1f);
  p = fused(p, t, -2.261238465e-1f);
  p = fused(p, t, 2.205533593e-1f);
  p = fused(p, t, -4.920789232e-1f);
  p = fused(p, t, 8.794208013e-1f);
  return p;
}
INLINED double y0First(double t) {
  double p = 6.27340005126241697e-1;
  p = fused(p, t, -1.32476130253992717);
  p = fused(p, t, 8.41450030167262469e-1);
  p = fused(p, t, -4.66901113330839567e-2);
  p = fused(p, t, 8.36754893503249016e-2);
  p = fused(p, t, -4.01190947027687849e-1);
  p = fused(p, t, 4.0861868527807403e-1);
  p = fused(p, t, -3.00804734714373953e-1);
  p = fused(p, t, 2.68041767981240611e-1);
  p = fused(p, t, -2.66404557547203166e-1);
  p = fused(p, t, 2.55063381111325053e-1);
  p = fused(p, t, -2.40584236244449546e-1);
  p = fused(p, t, 2.28865424109899806e-1);
  p = fused(p, t, -2.19154588227983152e-1);
  p = fused(p, t, 2.1082913109569957e-1);
  p = fused(p, t, -2.03963331780105131e-1);
  p = fused(p, t, 1.98666497846357239e-1);
  p = fused(p, t, -1.95064877184251782e-1);
  p = fused(p, t, 1.93376192123742709e-1);
  p = fused(p, t, -1.93950091688407184e-1);
  p = fused(p, t, 1.97335669241711529e-1);
  p = fused(p, t, -2.04877197893005023e-1);
  p = fused(p, t, 2.18948427011003876e-1);
  p = fused(p, t, -2.26121713544235095e-1);
  p = fused(p, t, 2.2055282848167466e-1);
  p = fused(p, t, -4.9207893426297744e-1);
  p = fused(p, t, 8.79420802497194772e-1);
  return p;
}
INLINED float y0FirstAround(float x) {
  float t = (x - 8.935769796e-1f) - -1.335797847e-8f;
  return t * y0First(t);
}
INLINED double y0FirstAround(double x) {
  double t = (x - 8.93576966279167495e-1) - 2.65962315397203846e-17;
  return t * y0First(t);
}
INLINED float y0Between(float t) {
  float p = 2.786619371e-4f;
  p = fused(p, t, -2.613344067e-4f);
  p = fused(p, t, 6.443115978e-4f);
  p = fused(p, t, -1.952410841e-3f);
  p = fused(p, t, 2.800221459e-3f);
  p = fused(p, t, 6.432696315e-3f);
  p = fused(p, t, 3.361173066e-2f);
  p = fused(p, t, -2.81945987e-1f);
  p = fused(p, t, 1.070324343e-1f);
  p = fused(p, t, 5.103756728e-1f);
  return p;
}
INLINED double y0Between(double t) {
  double p = -5.85520291236457522e-7;
  p = fused(p, t, -1.57989563059389526e-7);
  p = fused(p, t, -5.43685969906696928e-7);
  p = fused(p, t, 1.5288711740932638e-6);
  p = fused(p, t, -2.68507504240417808e-6);
  p = fused(p, t, 5.83707146153155344e-6);
  p = fused(p, t, -1.27456597391487968e-5);
  p = fused(p, t, 2.7669220590150001e-5);
  p = fused(p, t, -6.06115132700428313e-5);
  p = fused(p, t, 1.33398071363931051e-4);
  p = fused(p, t, -2.91344976031763182e-4);
  p = fused(p, t, 6.88037660076159364e-4);
  p = fused(p, t, -1.93937591687191017e-3);
  p = fused(p, t, 2.79551799985721845e-3);
  p = fused(p, t, 6.43133441845533382e-3);
  p = fused(p, t, 3.36119367590655846e-2);
  p = fused(p, t, -2.81945944210105392e-1);
  p = fused(p, t, 1.07032431540937555e-1);
  p = fused(p, t, 5.10375672649745118e-1);
  return p;
}
INLINED float y0Second(float t) {
  float p = 2.69602455e-8f;
  p = fused(p, t, -5.326238599e-8f);
  p = fused(p, t, -3.183936906e-7f);
  p = fused(p, t, -4.810326063e-6f);
  p = fused(p, t, 5.095603198e-5f);
  p = fused(p, t, 1.951770025e-4f);
  p = fused(p, t, -2.183537756e-3f);
  p = fused(p, t, -6.852525392e-3f);
  p = fused(p, t, 5.85238258e-2f);
  p = fused(p, t, 5.085590448e-2f);
  p = fused(p, t, -4.025426719e-1f);
  return p;
}
INLINED double y0Second(double t) {
  double p = -3.41342948794877454e-16;
  p = fused(p, t, 1.23821523084084077e-15);
  p = fused(p, t, -1.37996658205922727e-16);
  p = fused(p, t, 2.85030024872051976e-15);
  p = fused(p, t, -4.36052256057310107e-14);
  p = fused(p, t, 1.67891596259422783e-13);
  p = fused(p, t, -5.82505864561762754e-13);
  p = fused(p, t, 2.47636708151908559e-12);
  p = fused(p, t, -1.06497330095868297e-11);
  p = fused(p, t, 4.47302763401354023e-11);
  p = fused(p, t, -1.86079549501399593e-10);
  p = fused(p, t, 7.66852725575126402e-10);
  p = fused(p, t, -3.65676488940856706e-9);
  p = fused(p, t, 1.8928155143829827e-8);
  p = fused(p, t, -2.18533960958579287e-8);
  p = fused(p, t, -2.93488173785511736e-7);
  p = fused(p, t, -4.8933693347682457e-6);
  p = fused(p, t, 5.09229138137022375e-5);
  p = fused(p, t, 1.95269402452141213e-4);
  p = fused(p, t, -2.18351887405030971e-3);
  p = fused(p, t, -6.85256667711109557e-3);
  p = fused(p, t, 5.85238221051702925e-2);
  p = fused(p, t, 5.08559095921582362e-2);
  p = fused(p, t, -4.02542671775024236e-1);
  return p;
}
INLINED float y0SecondAround(float x) {
  float t = (x - 3.957678318f) - 1.012911762e-7f;
  return t * y0Second(t);
}
INLINED double y0SecondAround(double x) {
  double t = (x - 3.95767841931485798) - -1.07643406975627058e-16;
  return t * y0Second(t);
}
INLINED float y0Third(float t) {
  float p = 6.248940376e-7f;
  p = fused(p, t, 2.683884462e-6f);
  p = fused(p, t, -4.604316527e-5f);
  p = fused(p, t, -1.406283999e-4f);
  p = fused(p, t, 2.17603419e-3f);
  p = fused(p, t, 3.318367223e-3f);
  p = fused(p, t, -4.802407919e-2f);
  p = fused(p, t, -2.117523903e-2f);
  p = fused(p, t, 3.000976152e-1f);
  return p;
}
INLINED double y0Third(double t) {
  double p = -1.25292733792814387e-13;
  p = fused(p, t, -1.31134552733285971e-12);
  p = fused(p, t, 2.82903334447922617e-11);
  p = fused(p, t, 2.3031144811905037e-10);
  p = fused(p, t, -4.71723823190213565e-9);
  p = fused(p, t, -3.09847260790157967e-8);
  p = fused(p, t, 5.74934959982618365e-7);
  p = fused(p, t, 2.70136380579583333e-6);
  p = fused(p, t, -4.59514067052157181e-5);
  p = fused(p, t, -1.40602597744143363e-4);
  p = fused(p, t, 2.17598401644238414e-3);
  p = fused(p, t, 3.31834826889598656e-3);
  p = fused(p, t, -4.80240700762598038e-2);
  p = fused(p, t, -2.11752365567695419e-2);
  p = fused(p, t, 3.00097614910475185e-1);
  return p;
}
INLINED float y0ThirdAround(float x) {
  float t = (x - 7.086050987f) - 7.305812035e-8f;
  return t * y0Third(t);
}
INLINED double y0ThirdAround(double x) {
  double t = (x - 7.08605106030177279) - -8.83528572308540811e-17;
  return t * y0Third(t);
}
INLINED float y1Small(float t) {
  float p = -9.705723713e-7f;
  p = fused(p, t, 7.162341191e-5f);
  p = fused(p, t, -2.955298462e-3f);
  p = fused(p, t, 5.43486873e-2f);
  p = fused(p, t, -1.960570906e-1f);
  return p;
}
INLINED double y1Small(double t) {
  double p = 2.61137678617726104e-13;
  p = fused(p, t, -5.64740673899705347e-11);
  p = fused(p, t, 8.93187439926373571e-9);
  p = fused(p, t, -9.92674059496202409e-7);
  p = fused(p, t, 7.1642687499117164e-5);
  p = fused(p, t, -2.95530533607975588e-3);
  p = fused(p, t, 5.43486881605102403e-2);
  p = fused(p, t, -1.96057090646238948e-1);
  return p;
}
INLINED float y1Between(float t) {
  float p = 4.796934566e-2f;
  p = fused(p, t, -8.975585267e-2f);
  p = fused(p, t, 1.084006549e-1f);
  p = fused(p, t, -1.300931837e-1f);
  p = fused(p, t, 1.633464514e-1f);
  p = fused(p, t, -2.035052384e-1f);
  p = fused(p, t, 1.829608941e-1f);
  p = fused(p, t, -1.850978357e-1f);
  p = fused(p, t, 7.25708061e-1f);
  p = fused(p, t, -5.843640363e-1f);
  return p;
}
INLINED double y1Between(double t) {
  double p = -4.76816254539509111e-3;
  p = fused(p, t, 1.16203791083705887e-2);
  p = fused(p, t, -1.5493234872084736e-2);
  p = fused(p, t, 1.81358979954223699e-2);
  p = fused(p, t, -2.21961482530616001e-2);
  p = fused(p, t, 2.7816281238574367e-2);
  p = fused(p, t, -3.47977320563002667e-2);
  p = fused(p, t, 4.34453261640518599e-2);
  p = fused(p, t, -5.42200543746854225e-2);
  p = fused(p, t, 6.76348662831112365e-2);
  p = fused(p, t, -8.42986561617290703e-2);
  p = fused(p, t, 1.04871327706224131e-1);
  p = fused(p, t, -1.30141601382878455e-1);
  p = fused(p, t, 1.63533441297593984e-1);
  p = fused(p, t, -2.03511781322356254e-1);
  p = fused(p, t, 1.82957227560831029e-1);
  p = fused(p, t, -1.85097705763921728e-1);
  p = fused(p, t, 7.25708080886547144e-1);
  p = fused(p, t, -5.84364036615008171e-1);
  return p;
}
INLINED float y1First(float t) {
  float p = -3.287659953e-6f;
  p = fused(p, t, 2.65327167e-5f);
  p = fused(p, t, -9.908274899e-5f);
  p = fused(p, t, 2.475720289e-4f);
  p = fused(p, t, -5.229828855e-4f);
  p = fused(p, t, 1.067899019e-3f);
  p = fused(p, t, -2.591498874e-3f);
  p = fused(p, t, 7.421577087e-3f);
  p = fused(p, t, -4.798174683e-3f);
  p = fused(p, t, -3.285729845e-2f);
  p = fused(p, t, -1.185145354e-1f);
  p = fused(p, t, 5.207864111e-1f);
  return p;
}
INLINED double y1First(double t) {
  double p = 1.50538802970680214e-11;
  p = fused(p, t, -2.17604279700261497e-10);
  p = fused(p, t, 1.45757102612243913e-9);
  p = fused(p, t, -6.08532504369492788e-9);
  p = fused(p, t, 1.82413846942550201e-8);
  p = fused(p, t, -4.39468074314883025e-8);
  p = fused(p, t, 9.5234998721222825e-8);
  p = fused(p, t, -2.03272938375099329e-7);
  p = fused(p, t, 4.41991424740703477e-7);
  p = fused(p, t, -9.71145932972642482e-7);
  p = fused(p, t, 2.13401571518177088e-6);
  p = fused(p, t, -4.68182032621561919e-6);
  p = fused(p, t, 1.02641162303794848e-5);
  p = fused(p, t, -2.24910647787058552e-5);
  p = fused(p, t, 4.92442121716096077e-5);
  p = fused(p, t, -1.07760436298493587e-4);
  p = fused(p, t, 2.35869993931713853e-4);
  p = fused(p, t, -5.09601305716379146e-4);
  p = fused(p, t, 1.0668529993168198e-3);
  p = fused(p, t, -2.59524168813418469e-3);
  p = fused(p, t, 7.42255333273406172e-3);
  p = fused(p, t, -4.79781167010990926e-3);
  p = fused(p, t, -3.28573974052867949e-2);
  p = fused(p, t, -1.18514545749096568e-1);
  p = fused(p, t, 5.20786412402267512e-1);
  return p;
}
INLINED float y1FirstAround(float x) {
  float t = (x - 2.197141409f) - -8.288927105e-8f;
  return t * y1First(t);
}
INLINED double y1FirstAround(double x) {
  double t = (x - 2.19714132603101708) - -4.82598358764549658e-17;
  return t * y1First(t);
}
INLINED float y1Second(float t) {
  float p = 5.923765542e-9f;
  p = fused(p, t, 2.258650185e-8f);
  p = fused(p, t, -5.482039771e-7f);
  p = fused(p, t, -2.856107696e-6f);
  p = fused(p, t, 4.646211712e-5f);
  p = fused(p, t, 1.466119319e-4f);
  p = fused(p, t, -2.166001487e-3f);
  p = fused(p, t, -4.160111708e-3f);
  p = fused(p, t, 5.094794049e-2f);
  p = fused(p, t, 3.133867689e-2f);
  p = fused(p, t, -3.403180456e-1f);
  return p;
}
INLINED double y1Second(double t) {
  double p = 8.58802217762543685e-17;
  p = fused(p, t, -3.66389651298592562e-16);
  p = fused(p, t, 8.46854754758795624e-16);
  p = fused(p, t, -5.76993987831110936e-15);
  p = fused(p, t, 3.72773547535732826e-14);
  p = fused(p, t, -2.01958193649788734e-13);
  p = fused(p, t, 1.1660740466410719e-12);
  p = fused(p, t, -4.43160655626427472e-12);
  p = fused(p, t, 2.28400919524017869e-12);
  p = fused(p, t, -3.85569857663758306e-10);
  p = fused(p, t, 5.59802700051447104e-9);
  p = fused(p, t, 2.55051512645922886e-8);
  p = fused(p, t, -5.46442060901607501e-7);
  p = fused(p, t, -2.86386254039555583e-6);
  p = fused(p, t, 4.64586790594390318e-5);
  p = fused(p, t, 1.46620892894303709e-4);
  p = fused(p, t, -2.16599875108779741e-3);
  p = fused(p, t, -4.1601159343907976e-3);
  p = fused(p, t, 5.0947939743420068e-2);
  p = fused(p, t, 3.13386774440866891e-2);
  p = fused(p, t, -3.40318045523440558e-1);
  return p;
}
INLINED float y1SecondAround(float x) {
  float t = (x - 5.429680824f) - 2.1651435e-7f;
  return t * y1Second(t);
}
INLINED double y1SecondAround(double x) {
  double t = (x - 5.42968104079413472) - 4.16251402667037697e-16;
  return t * y1Second(t);
}
INLINED float y1Last(float t) {
  float p = -3.617765866e-5f;
  p = fused(p, t, 2.345391919e-4f);
  p = fused(p, t, 1.545460968e-3f);
  p = fused(p, t, -8.370561893e-3f);
  p = fused(p, t, -2.941201982e-2f);
  p = fused(p, t, 1.171366262e-1f);
  p = fused(p, t, 1.518637542e-1f);
  p = fused(p, t, -2.591285104e-1f);
  return p;
}
INLINED double y1Last(double t) {
  double p = -2.43093903995517239e-10;
  p = fused(p, t, -4.27970687135059932e-9);
  p = fused(p, t, 3.55706432513456058e-8);
  p = fused(p, t, 4.93282711543660901e-7);
  p = fused(p, t, -3.65732390590346244e-6);
  p = fused(p, t, -3.64235644424881683e-5);
  p = fused(p, t, 2.36361752535244034e-4);
  p = fused(p, t, 1.54549935509548363e-3);
  p = fused(p, t, -8.37084637397222497e-3);
  p = fused(p, t, -2.94120217371679226e-2);
  p = fused(p, t, 1.17136640424535483e-1);
  p = fused(p, t, 1.5186375421302411e-1);
  p = fused(p, t, -2.59128510486116252e-1);
  return p;
}
INLINED float order0P(float t) {
  float p = -2.06508944e-7f;
  p = fused(p, t, 6.150359094e-6f);
  p = fused(p, t, -5.363671646e-4f);
  p = fused(p, t, 9.994572742e-1f);
  return p;
}
INLINED double order0P(double t) {
  double p = -9.95655359345226669e-14;
  p = fused(p, t, 3.45219942135560422e-13);
  p = fused(p, t, -1.02383847096170417e-12);
  p = fused(p, t, 4.6749893033844326e-12);
  p = fused(p, t, -2.49034111560439974e-11);
  p = fused(p, t, 1.55063486570693918e-10);
  p = fused(p, t, -1.21211332182785218e-9);
  p = fused(p, t, 1.28037479595694876e-8);
  p = fused(p, t, -2.05274481990613641e-7);
  p = fused(p, t, 6.13741608125683985e-6);
  p = fused(p, t, -5.36367319212997994e-4);
  p = fused(p, t, 9.99457275788251939e-1);
  return p;
}
INLINED float order0Q(float t) {
  float p = -5.791860602e-9f;
  p = fused(p, t, 7.188861674e-8f);
  p = fused(p, t, -1.47710775e-6f);
  p = fused(p, t, 6.833128296e-5f);
  p = fused(p, t, -1.555511388e-2f);
  return p;
}
INLINED double order0Q(double t) {
  double p = -3.29041286934754785e-14;
  p = fused(p, t, 9.88055481755626705e-14);
  p = fused(p, t, -2.13588771610434158e-13);
  p = fused(p, t, 8.17620445398637827e-13);
  p = fused(p, t, -3.60079832490500809e-12);
  p = fused(p, t, 1.70600386619196007e-11);
  p = fused(p, t, -9.47004944364310427e-11);
  p = fused(p, t, 6.43270058022358763e-10);
  p = fused(p, t, -5.66871650860052134e-9);
  p = fused(p, t, 7.10621496252402713e-8);
  p = fused(p, t, -1.47713883263263302e-6);
  p = fused(p, t, 6.83314909934018106e-5);
  p = fused(p, t, -1.55551138795135187e-2);
  return p;
}
INLINED float order1P(float t) {
  float p = 2.467523685e-7f;
  p = fused(p, t, -7.974557025e-6f);
  p = fused(p, t, 8.988047683e-4f);
  p = fused(p, t, 1.000907028f);
  return p;
}
INLINED double order1P(double t) {
  double p = 1.06112152235243173e-13;
  p = fused(p, t, -3.69427437261944958e-13);
  p = fused(p, t, 1.10404577099366928e-12);
  p = fused(p, t, -5.07223428127698032e-12);
  p = fused(p, t, 2.7225987239698954e-11);
  p = fused(p, t, -1.71372153124987776e-10);
  p = fused(p, t, 1.36030063443352339e-9);
  p = fused(p, t, -1.47084986767013283e-8);
  p = fused(p, t, 2.45367662679195236e-7);
  p = fused(p, t, -7.95969469965661431e-6);
  p = fused(p, t, 8.98804941670550817e-4);
  p = fused(p, t, 1.00090702627808218);
  return p;
}
INLINED float order1Q(float t) {
  float p = 6.555212755e-9f;
  p = fused(p, t, -8.383780895e-8f);
  p = fused(p, t, 1.821167761e-6f);
  p = fused(p, t, -9.621435713e-5f);
  p = fused(p, t, 4.677687403e-2f);
  return p;
}
INLINED double order1Q(double t) {
  double p = 3.48639963559483688e-14;
  p = fused(p, t, -1.05014480093215375e-13);
  p = fused(p, t, 2.28616075988474555e-13);
  p = fused(p, t, -8.78888793308198674e-13);
  p = fused(p, t, 3.88851954458197357e-12);
  p = fused(p, t, -1.85531331857286573e-11);
  p = fused(p, t, 1.03947134624292862e-10);
  p = fused(p, t, -7.15101966781049511e-10);
  p = fused(p, t, 6.42013298302783709e-9);
  p = fused(p, t, -8.29196081787790646e-8);
  p = fused(p, t, 1.8212018512130029e-6);
  p = fused(p, t, -9.62145882205051014e-5);
  p = fused(p, t, 4.67768740274489777e-2);
  return p;
}
INLINED float i0Small(float t) {
  float p = 1.481667925e-19f;
  p = fused(p, t, 1.616619521e-17f);
  p = fused(p, t, 1.054368543e-14f);
  p = fused(p, t, 2.339176841e-12f);
  p = fused(p, t, 4.731728462e-10f);
  p = fused(p, t, 6.776729741e-8f);
  p = fused(p, t, 6.782369669e-6f);
  p = fused(p, t, 4.340222585e-4f);
  p = fused(p, t, 1.562502273e-2f);
  p = fused(p, t, 2.499999635e-1f);
  p = fused(p, t, 1.00000001f);
  return p;
}
INLINED double i0Small(double t) {
  double p = 8.48769834560282359e-37;
  p = fused(p, t, 4.6013577678637314e-34);
  p = fused(p, t, 5.03271177297372348e-31);
  p = fused(p, t, 3.82941124700232695e-28);
  p = fused(p, t, 2.59878410513256647e-25);
  p = fused(p, t, 1.49628229640424776e-22);
  p = fused(p, t, 7.2422790053171814e-20);
  p = fused(p, t, 2.89690278881041465e-17);
  p = fused(p, t, 9.38596712215830578e-15);
  p = fused(p, t, 2.40280754740819181e-12);
  p = fused(p, t, 4.70950279731211057e-10);
  p = fused(p, t, 6.78168402775820166e-8);
  p = fused(p, t, 6.78168402777881195e-6);
  p = fused(p, t, 4.34027777777774465e-4);
  p = fused(p, t, 1.56250000000000056e-2);
  p = fused(p, t, 2.49999999999999996e-1);
  p = fused(p, t, 1.0);
  return p;
}
INLINED float i1Small(float t) {
  float p = 6.358902397e-21f;
  p = fused(p, t, 9.338660341e-19f);
  p = fused(p, t, 5.678116391e-16f);
  p = fused(p, t, 1.476321529e-13f);
  p = fused(p, t, 3.372802421e-11f);
  p = fused(p, t, 5.649427522e-9f);
  p = fused(p, t, 6.781957301e-7f);
  p = fused(p, t, 5.425325234e-5f);
  p = fused(p, t, 2.604167572e-3f);
  p = fused(p, t, 6.249999855e-2f);
  p = fused(p, t, 5.000000004e-1f);
  return p;
}
INLINED double i1Small(double t) {
  double p = 2.71650558951691891e-35;
  p = fused(p, t, 1.38081815849142969e-32);
  p = fused(p, t, 1.40892625158923179e-29);
  p = fused(p, t, 9.95696923050073914e-27);
  p = fused(p, t, 6.23702068326386819e-24);
  p = fused(p, t, 3.29182590182877047e-21);
  p = fused(p, t, 1.44845553725439506e-18);
  p = fused(p, t, 5.21442512091999275e-16);
  p = fused(p, t, 1.50175473679768471e-13);
  p = fused(p, t, 3.36393056689824743e-11);
  p = fused(p, t, 5.65140335670474603e-9);
  p = fused(p, t, 6.78168402776435703e-7);
  p = fused(p, t, 5.42534722222270972e-5);
  p = fused(p, t, 2.60416666666665737e-3);
  p = fused(p, t, 6.2500000000000007e-2);
  p = fused(p, t, 4.99999999999999999e-1);
  return p;
}
INLINED float i0Large(float t) {
  float p = 1.104793013e-7f;
  p = fused(p, t, 3.621150228e-7f);
  p = fused(p, t, 1.474051881e-6f);
  p = fused(p, t, 1.111256504e-5f);
  p = fused(p, t, 1.362176822e-4f);
  p = fused(p, t, 3.36055566e-3f);
  p = fused(p, t, 4.021765094e-1f);
  return p;
}
INLINED double i0Large(double t) {
  double p = -7.00804012576370617e-11;
  p = fused(p, t, -1.65652711315426123e-11);
  p = fused(p, t, 5.12808457512642672e-10);
  p = fused(p, t, 1.32376291514745632e-10);
  p = fused(p, t, -1.76033743239396401e-9);
  p = fused(p, t, -5.22528350644358398e-10);
  p = fused(p, t, 3.84646812825272447e-9);
  p = fused(p, t, 1.45286251940929285e-9);
  p = fused(p, t, -6.14881657943796825e-9);
  p = fused(p, t, -3.44809773937836726e-9);
  p = fused(p, t, 7.5513557653076187e-9);
  p = fused(p, t, 7.5200756907376039e-9);
  p = fused(p, t, -5.45476800233043701e-9);
  p = fused(p, t, -1.33969347354373942e-8);
  p = fused(p, t, -6.73402696082022329e-9);
  p = fused(p, t, 7.55185102518136996e-9);
  p = fused(p, t, 2.15460180459349702e-8);
  p = fused(p, t, 3.93262556509241342e-8);
  p = fused(p, t, 8.8722438931967627e-8);
  p = fused(p, t, 2.97359825517436843e-7);
  p = fused(p, t, 1.48384755302328014e-6);
  p = fused(p, t, 1.11430337921812436e-5);
  p = fused(p, t, 1.36216074392197138e-4);
  p = fused(p, t, 3.36055198366784765e-3);
  p = fused(p, t, 4.02176509445008076e-1);
  return p;
}
INLINED float i1Large(float t) {
  float p = -1.245673227e-7f;
  p = fused(p, t, -4.203792524e-7f);
  p = fused(p, t, -1.823643807e-6f);
  p = fused(p, t, -1.500448016e-5f);
  p = fused(p, t, -2.1923761e-4f);
  p = fused(p, t, -9.749581313e-3f);
  p = fused(p, t, 3.893984591e-1f);
  return p;
}
INLINED double i1Large(double t) {
  double p = 7.33034814122566086e-11;
  p = fused(p, t, 1.44876979379012746e-11);
  p = fused(p, t, -5.35833300063196881e-10);
  p = fused(p, t, -1.17909070723072904e-10);
  p = fused(p, t, 1.83852422624996748e-9);
  p = fused(p, t, 4.76312237662538125e-10);
  p = fused(p, t, -4.02101672332876031e-9);
  p = fused(p, t, -1.36591931993339789e-9);
  p = fused(p, t, 6.45443504192732672e-9);
  p = fused(p, t, 3.36370310614541014e-9);
  p = fused(p, t, -8.01926928734268032e-9);
  p = fused(p, t, -7.60735590724491717e-9);
  p = fused(p, t, 6.02851568053383098e-9);
  p = fused(p, t, 1.40213577330210566e-8);
  p = fused(p, t, 6.71973873970092482e-9);
  p = fused(p, t, -8.4247210712846351e-9);
  p = fused(p, t, -2.33713817406464646e-8);
  p = fused(p, t, -4.31296178634662828e-8);
  p = fused(p, t, -1.00013143287111086e-7);
  p = fused(p, t, -3.4838554059782678e-7);
  p = fused(p, t, -1.83491011891348734e-6);
  p = fused(p, t, -1.50385472018928726e-5);
  p = fused(p, t, -2.19235763834176006e-4);
  p = fused(p, t, -9.7495771932357215e-3);
  p = fused(p, t, 3.89398459025872329e-1);
  return p;
}
INLINED float erfcxSmall(float t) {
  float p = 9.35063473e-3f;
  p = fused(p, t, -2.166162472e-2f);
  p = fused(p, t, 4.140721561e-2f);
  p = fused(p, t, -8.531868085e-2f);
  p = fused(p, t, 1.666953052e-1f);
  p = fused(p, t, -3.009732471e-1f);
  p = fused(p, t, 4.999987157e-1f);
  p = fused(p, t, -7.522495419e-1f);
  p = fused(p, t, 1.000000016f);
  p = fused(p, t, -1.128379208f);
  p = fused(p, t, 1.0f);
  return p;
}
INLINED double erfcxSmall(double t) {
  double p = 3.10434985274449813e-6;
  p = fused(p, t, -9.50244519998204703e-6);
  p = fused(p, t, 2.46236800145808407e-5);
  p = fused(p, t, -7.0681506217883707e-5);
  p = fused(p, t, 1.98461832776064826e-4);
  p = fused(p, t, -5.34558942057734654e-4);
  p = fused(p, t, 1.38888085824853076e-3);
  p = fused(p, t, -3.47358006513008718e-3);
  p = fused(p, t, 8.33333412493911835e-3);
  p = fused(p, t, -1.91048350059765472e-2);
  p = fused(p, t, 4.16666666208882022e-2);
  p = fused(p, t, -8.59717459170983861e-2);
  p = fused(p, t, 1.66666666668099443e-1);
  p = fused(p, t, -3.00901111230081228e-1);
  p = fused(p, t, 4.9999999999997963e-1);
  p = fused(p, t, -7.52252778063609487e-1);
  p = fused(p, t, 1.00000000000000008);
  p = fused(p, t, -1.12837916709551285);
  p = fused(p, t, 1.0);
  return p;
}
INLINED float erfcxOfRatio(float t) {
  float p = 1.166079967e-4f;
  p = fused(p, t, -2.486322974e-4f);
  p = fused(p, t, -7.163394721e-4f);
  p = fused(p, t, 5.082809154e-3f);
  p = fused(p, t, -1.622227456e-2f);
  p = fused(p, t, 3.71399169e-2f);
  p = fused(p, t, -6.632325954e-2f);
  p = fused(p, t, 9.374044379e-2f);
  p = fused(p, t, -1.010399508e-1f);
  p = fused(p, t, 6.809613205e-2f);
  p = fused(p, t, 1.537968365e-2f);
  p = fused(p, t, -1.396210843e-1f);
  p = fused(p, t, 1.232995119f);
  return p;
}
INLINED double erfcxOfRatio(double t) {
  double p = -2.76412021916442919e-10;
  p = fused(p, t, 9.29762526933523455e-10);
  p = fused(p, t, 3.23239733603216374e-9);
  p = fused(p, t, -1.23387314068985189e-8);
  p = fused(p, t, -2.07258024666297586e-8);
  p = fused(p, t, 1.06318175945595168e-7);
  p = fused(p, t, 7.7719432379419701e-8);
  p = fused(p, t, -8.21064793339818744e-7);
  p = fused(p, t, 2.91734255759968758e-7);
  p = fused(p, t, 5.70657829924933526e-6);
  p = fused(p, t, -1.12211356659836365e-5);
  p = fused(p, t, -2.43977311430280559e-5);
  p = fused(p, t, 1.50621426086526651e-4);
  p = fused(p, t, -1.99257152472650057e-4);
  p = fused(p, t, -7.57773243594259536e-4);
  p = fused(p, t, 5.0319700691022554e-3);
  p = fused(p, t, -1.61977340629347703e-2);
  p = fused(p, t, 3.71675155263380037e-2);
  p = fused(p, t, -6.63303658118605825e-2);
  p = fused(p, t, 9.37328349991126395e-2);
  p = fused(p, t, -1.01039066036318116e-1);
  p = fused(p, t, 6.80970542546683824e-2);
  p = fused(p, t, 1.53796521026199743e-2);
  p = fused(p, t, -1.39621116840562284e-1);
  p = fused(p, t, 1.23299511862555251);
  return p;
}
INLINED float erfinvCentral(float t) {
  float p = 1.809783892e-1f;
  p = fused(p, t, -7.66922043e-2f);
  p = fused(p, t, 9.662207703e-2f);
  p = fused(p, t, 5.611023532e-2f);
  p = fused(p, t, 8.747287883e-2f);
  p = fused(p, t, 1.275099694e-1f);
  p = fused(p, t, 2.320145382e-1f);
  p = fused(p, t, 8.862269228e-1f);
  return p;
}
INLINED double erfinvCentral(double t) {
  double p = 6.04440181908145448e-1;
  p = fused(p, t, -1.36845575681003172);
  p = fused(p, t, 1.59435587370802732);
  p = fused(p, t, -1.09328542933064302);
  p = fused(p, t, 5.55380727627077177e-1);
  p = fused(p, t, -1.61121485990887626e-1);
  p = fused(p, t, 7.12098209440496476e-2);
  p = fused(p, t, 1.94030540476043297e-2);
  p = fused(p, t, 3.28647645649868359e-2);
  p = fused(p, t, 3.6348197294838933e-2);
  p = fused(p, t, 4.28451572103121717e-2);
  p = fused(p, t, 5.17308635755006301e-2);
  p = fused(p, t, 6.49596313778264183e-2);
  p = fused(p, t, 8.65521289729398512e-2);
  p = fused(p, t, 1.27556175308375519e-1);
  p = fused(p, t, 2.32013666534643155e-1);
  p = fused(p, t, 8.86226925452758021e-1);
  return p;
}
INLINED float erfcinvGuess(float t) {
  float p = -1.120981033e-1f;
  p = fused(p, t, 5.676853154e-1f);
  p = fused(p, t, -1.25305122f);
  p = fused(p, t, 1.573850834f);
  p = fused(p, t, -1.07532804f);
  p = fused(p, t, -6.56888253e-2f);
  p = fused(p, t, 1.001320258f);
  return p;
}
INLINED double erfcinvGuess(double t) {
  double p = -1.68098717085253586e+1;
  p = fused(p, t, 1.77922097958208807e+2);
  p = fused(p, t, -8.62791364732856672e+2);
  p = fused(p, t, 2.54050360721704392e+3);
  p = fused(p, t, -5.07573192717833431e+3);
  p = fused(p, t, 7.28428572492535499e+3);
  p = fused(p, t, -7.75585118448831237e+3);
  p = fused(p, t, 6.24237847643238839e+3);
  p = fused(p, t, -3.83695731756040014e+3);
  p = fused(p, t, 1.80968356889976816e+3);
  p = fused(p, t, -6.56205986775459884e+2);
  p = fused(p, t, 1.83633137416797573e+2);
  p = fused(p, t, -4.05676335990732062e+1);
  p = fused(p, t, 7.96965235158883344);
  p = fused(p, t, -1.80714850011964739);
  p = fused(p, t, -1.72368855844557708e-2);
  p = fused(p, t, 1.00012237498507633);
  return p;
}
