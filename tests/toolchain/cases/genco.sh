# SPDX-License-Identifier: MIT
# A code object that hipModuleLoad takes.
quiet "$hipcc" --genco "$samples/module_api_kernels.hip" -o kernels.co
expect "$(head -c 24 kernels.co)" "__CLANG_OFFLOAD_BUNDLE__"
grep -q 'hip-spirv64' kernels.co || fail "no SPIR-V entry"
quiet "$hipcc" -I"$samples" "$samples/module_api.hip" -o module_api
runs ./module_api kernels.co
contains run.log '^RESULT name=module_api .*check=PASS'
fails ./module_api missing.co
contains fails.log 'hipErrorFileNotFound'
