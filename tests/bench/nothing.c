// SPDX-License-Identifier: MIT
/* A C program that does nothing: what a process costs by itself. */
int main(void) { return 0; }
