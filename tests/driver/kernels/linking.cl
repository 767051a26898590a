// SPDX-License-Identifier: MIT
// Modules that are linked with each other. Each is this file with another PART.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

#define USER 0     // imports from the library
#define LIBRARY 1  // exports functions and variables
#define LEFT 2     // imports from the right one, which imports from the left one
#define RIGHT 3
#define OTHER 4    // has all names of the library, with other meanings
#define MISFIT 5   // has all names of the library, with other types
#define POINTERS 6 // calls whatever address it is given
#define CHAIN 7    // imports from the user
#define SECOND 8   // has a kernel of its own, imports from the user

#if PART == USER
extern int twice(int x);
extern int count(void);
extern int ask(void);
extern int turned(int value, local int *scratch);
extern global int counter;
extern global int table[4];
static global int hidden = 1000;
global int own = 5;
int helper(int x) { return x + own; } // the library has another one
int forChain(int x) { return twice(x) + hidden; }
global int *global there = &counter;

kernel __attribute__((reqd_work_group_size(8, 1, 1))) __attribute__((vec_type_hint(char4))) void run(global int *out) {
  local int scratch[8];
  const int id = get_local_id(0);
  const int other = turned(id, scratch);
  out[id] = id == 0   ? twice(21)
            : id == 1 ? counter
            : id == 2 ? table[2]
            : id == 3 ? helper(1)
            : id == 4 ? ask()
            : id == 5 ? *there
            : id == 6 ? hidden
                      : other;
}
kernel void bump(global int *out) { *out = count(); }
#elif PART == LIBRARY
global int counter = 7;
global int table[4] = {1, 2, 3, 4};
global int *global pointer = &table[2];
static global int hidden = 10; // so has the user
static int next(int x) { return x + 1; }
int helper(int x) { return x * 100; }
int twice(int x) { return 2 * x; }
int count(void) { return hidden = next(hidden); }
int ask(void) {
  int (*ways[2])(int) = {next, twice};
  return ways[hidden & 1](helper(hidden) + *pointer);
}
int turned(int value, local int *scratch) {
  scratch[get_local_id(0)] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return scratch[get_local_size(0) - 1 - get_local_id(0)];
}
kernel void look(global int *out) {
  out[0] = hidden;
  out[1] = *pointer;
}
#elif PART == LEFT
extern int right(int x);
extern global int fromRight;
global int fromLeft = 3;
int left(int x) { return x + fromLeft; }
kernel void goRight(global int *out) { *out = right(*out) + fromRight; }
#elif PART == RIGHT
extern int left(int x);
extern global int fromLeft;
global int fromRight = 40;
global int *global ofLeft = &fromLeft;
int right(int x) { return 2 * left(x); }
kernel void goLeft(global int *out) { *out = left(*out) + *ofLeft; }
#elif PART == OTHER
global int counter = 8;
global int table[4];
int twice(int x) { return 3 * x; }
int count(void) { return 0; }
int ask(void) { return 0; }
int turned(int value, local int *scratch) { return value + *scratch; }
#elif PART == MISFIT
global float counter = 8;
global int table;
float twice(float x, float y) { return x * y; }
global int count = 9;
long ask(void) { return 0; }
int turned(int value, global int *scratch) { return value + *scratch; }
#elif PART == POINTERS
int addOne(int x) { return x + 1; }
static int addTwo(int x) { return x + 2; }
typedef int (*Way)(int);
constant Way ways[2] = {addOne, addTwo};
global Way chosen = addTwo;
kernel void call(ulong way, global int *values) {
  const int id = get_global_id(0);
  values[id] = ((Way)way)(values[id]);
}
kernel void callOwn(global int *values) {
  const int id = get_global_id(0);
  values[id] = ways[id & 1](10 * id) + 1000 * chosen(id);
}
kernel void callKernel(ulong way, global int *values) { ((void (*)(global int *))way)(values); }
kernel void store(global int *values) { values[get_global_id(0)] = 77; }
#elif PART == CHAIN
extern int forChain(int x);
kernel void chain(global int *out) { *out = forChain(*out); }
#elif PART == SECOND
extern global int own;
extern int helper(int x);
kernel void second(global int *out) { *out = helper(10) + own; }
#endif
