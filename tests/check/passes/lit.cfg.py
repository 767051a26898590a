# SPDX-License-Identifier: MIT
# Tests of single passes of the checks. `%add_checks TOOLS` is the tool, which verifies what it prints.
import os
import lit.formats

config.name = "check_passes"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.test_source_root = os.path.dirname(__file__)
# Each test is a lit of its own, and lits that share a folder damage the file in which they keep the times of tests.
config.test_exec_root = os.path.join(config.hiplz_test_build, "run", lit_config.params["test"])
config.substitutions += [("%add_checks", config.hiplz_add_checks), ("%check", f"{config.hiplz_llvm_bin}/FileCheck --dump-input=fail %s")]
