// SPDX-License-Identifier: MIT
// Loops that wait for memory, and loops that look like it.

kernel void spin_load(global atomic_int *flag, global int *out) {
  while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0)
    ;
  out[get_global_id(0)] = 1;
}

kernel void spin_volatile(volatile global int *flag, global int *out) {
  while (*flag == 0)
    ;
  out[get_global_id(0)] = 1;
}

// Every work-item takes the lock once.
kernel void spin_lock(global int *lock, global int *counter) {
  while (atomic_cmpxchg(lock, 0, 1) != 0)
    ;
  *(volatile global int *)counter = *(volatile global int *)counter + 1;
  atomic_xchg(lock, 0);
}

kernel void spin_add_nothing(global int *flag, global int *out) {
  while (atomic_add(flag, 0) == 0)
    ;
  out[get_global_id(0)] = 1;
}

// The last work-item opens the gate for the others.
kernel void gate(global atomic_int *flag, global int *out) {
  if (get_local_id(0) + 1 == get_local_size(0))
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0)
    ;
  out[get_global_id(0)] = 1;
}

// The same with a pointer in an object, which is read anew in each round.
struct Gate {
  global int *flag;
};
kernel void gate_of_object(global struct Gate *object, global int *out) {
  if (get_local_id(0) + 1 == get_local_size(0))
    atomic_xchg(object->flag, 1);
  while (atomic_add(object->flag, 0) == 0)
    ;
  out[get_global_id(0)] = 1;
}

kernel void hint(global int *data) { prefetch((global char *)data, 0); }

// These make progress by themselves.
kernel void update_float(global int *sum, global const float *in) {
  int old = *sum, seen;
  do {
    seen = old;
    old = atomic_cmpxchg(sum, seen, as_int(as_float(seen) + in[get_global_id(0)]));
  } while (old != seen);
}

kernel void update_volatile(volatile global int *sum, global const int *in) {
  int old;
  do
    old = *sum;
  while (atomic_cmpxchg(sum, old, old + in[get_global_id(0)]) != old);
}

kernel void update_volatile_float(volatile global float *sum) {
  float old;
  do
    old = *sum;
  while (atomic_cmpxchg((volatile global int *)sum, as_int(old), as_int(old + 1)) != as_int(old));
}

// It waits for bit 0, and sets it.
kernel void spin_bit(volatile global int *lock, global int *counter) {
  int old;
  do
    old = *lock & ~1;
  while (atomic_cmpxchg(lock, old, old | 1) != old);
  *(volatile global int *)counter = *(volatile global int *)counter + 1;
  atomic_and(lock, ~1);
}

// It waits for what the word was.
kernel void spin_same(volatile global int *word) {
  int first = *word;
  while (atomic_cmpxchg(word, first, first + 1) != first)
    ;
}

// A bit, asked for by a branch of its own.
kernel void spin_test_bit(volatile global int *lock, global int *counter) {
  for (;;) {
    int old = *lock;
    if (old & 1)
      continue;
    if (atomic_cmpxchg(lock, old, old | 1) == old)
      break;
  }
  *(volatile global int *)counter = *(volatile global int *)counter + 1;
  atomic_and(lock, ~1);
}

// Half a word is exchanged by the word around it, in a loop of its own.
ushort exchange_half(volatile global uint *word, uint shift, ushort comparator, ushort value) {
  uint whole = atomic_load_explicit((volatile global atomic_uint *)word, memory_order_relaxed, memory_scope_device);
  for (;;) {
    ushort old = (ushort)(whole >> shift);
    if (old != comparator)
      return old;
    uint found = atomic_cmpxchg(word, whole, (whole & ~(0xffffu << shift)) | ((uint)value << shift));
    if (found == whole)
      return old;
    whole = found;
  }
}

kernel void update_half(volatile global uint *words) {
  uint which = get_global_id(0) % 4;
  volatile global uint *word = words + which / 2;
  ushort old = (ushort)(*word >> (16 * (which % 2))), seen;
  do {
    seen = old;
    old = exchange_half(word, 16 * (which % 2), seen, (ushort)(seen + 1));
  } while (old != seen);
}

kernel void take_tickets(global int *next, global int *out, int count) {
  for (int ticket; (ticket = atomic_inc(next)) < count;)
    out[ticket] = ticket;
}

kernel void count_in_loop(global int *counter, int rounds) {
  for (int round = 0; round < rounds; ++round)
    atomic_inc(counter);
}

kernel void volatile_elements(volatile global const int *in, global int *out, int count) {
  int i = 0;
  while (i < count && in[i] != 0)
    ++i;
  out[get_global_id(0)] = i;
}

kernel void real_prefetch(global int *data) { prefetch((global char *)data, 64); }
