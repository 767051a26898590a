# SPDX-License-Identifier: MIT
# gdb stops at source lines of kernels and of the functions that they call, on the CPU device.
command -v gdb >/dev/null || exit 77
[ -z "${HIPLZ_SANITIZE:-}" ] || exit 77
line_of() { grep -n "$1" "$programs/debugged.hip" | cut -d: -f1; }
in_kernel=$(line_of 'break in the kernel')
in_function=$(line_of 'break in the function')
# Before the device code is compiled gdb takes the lines for those of the next function of the host, so set them there.
stop() {
  HIPLZ_DEVICES=cpu gdb -nx -batch -ex 'set breakpoint pending on' -ex start \
    -ex "break debugged.hip:$in_kernel" -ex "break debugged.hip:$in_function" \
    -ex continue -ex 'echo FIRST\n' -ex backtrace -ex continue -ex 'echo SECOND\n' -ex backtrace \
    "$1" </dev/null >gdb.log 2>&1 || fail "gdb: $(tail -n 5 gdb.log)"
  # Some containers forbid tracing.
  if grep -q -E 'ptrace: Operation not permitted|Could not trace the inferior' gdb.log; then exit 77; fi
  sed -n '/^FIRST/,/^SECOND/p' gdb.log >first.log
  sed -n '/^SECOND/,$p' gdb.log >second.log
  contains first.log "^#0.*kernel.*debugged\.hip:$in_kernel"
  contains second.log "^#0.*store.*debugged\.hip:$in_function"
  contains second.log "^#1.*kernel.*debugged\.hip:$((in_kernel + 1))"
}
for options in "-g -O0" "-g1 -O0" "-g -O0 -fgpu-rdc"; do
  quiet "$hipcc" $options "$programs/debugged.hip" -o debugged
  stop ./debugged
done
# Optimised code has line numbers too; which copy of a loop a breakpoint catches is up to the compiler.
quiet "$hipcc" -g -O2 "$programs/debugged.hip" -o debugged
runs ./debugged
