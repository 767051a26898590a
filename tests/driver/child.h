// Tests of what happens to a whole process run this executable again: a child is a function that is called instead of the
// tests, with an environment of its own.
#pragma once
#include <string>
#include <vector>

struct ChildResult {
  bool timedOut = false;
  int exitCode = -1; ///< if it exited
  int signal = 0;    ///< if it was killed
  std::string output; ///< standard error
};

/// Runs the child of that name with additional environment variables ("NAME=value"). It is killed after ten seconds.
ChildResult runChild(const std::string &name, const std::vector<std::string> &environment = {});

int ipcMemoryChild(); // ipc_test.cpp

/// The exit code of a child, for main().
int childMain(const std::string &name);
