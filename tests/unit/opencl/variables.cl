// SPDX-License-Identifier: MIT
// Program-scope variables with initial values of all kinds, for the stage of the driver on OpenCL that lowers them.
struct record {
  char letter;
  double real;
  global int *where;
  int *anywhere;
};

global int numbers[4] = {1, 0, -3, 4};
global int counter = 5;
global int *global pointer = &numbers[2];
global struct record record = {'r', 2.5, &counter, &numbers[3]};
global short late[300] = {[299] = 7};
global int room[1000];
static global long hidden;
global float4 vector = (float4)(1, 2, 3, 4);
constant int table[4] = {4, 3, 2, 1};

kernel void direct(global int *out) { out[0] = counter++; }

__attribute__((noinline)) int read(int index) { return *pointer + room[index]; }
__attribute__((noinline)) int readOther(int index) { return index ? read(index) : table[index]; }
kernel void byCall(global int *out, int index) {
  out[0] = readOther(index);
  hidden += index;
}
kernel void chosen(global int *out, int which) {
  global int *from = which ? &numbers[1] : room + 3;
  if (which > 1)
    from = &counter;
  out[0] = *from + record.letter + (int)vector.y + late[which];
}
kernel void without(global int *out, int which) { out[0] = table[which & 3]; }
