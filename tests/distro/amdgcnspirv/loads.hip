// SPDX-License-Identifier: MIT
// Runs a kernel of the code object that it is given.
#include "run.h"

int main(int, char **arguments) {
  hipModule_t module;
  return hipModuleLoad(&module, arguments[1]) != hipSuccess ? 1 : run(module, "twice", 2);
}
