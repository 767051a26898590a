# A file with one small kernel compiles in less than 2 seconds. The processor's time counts, because the machine may be busy
# with other tests; the steps run one after the other, so on an idle machine the clock says the same.
[ -z "${HIPLZ_SANITIZE:-}" ] || exit 77
printf '#include <hip/hip_runtime.h>\n__global__ void kernel(int *x) { *x += threadIdx.x; }\n' >small.hip
TIMEFORMAT='%U %S'
best=1000000
for run in 1 2 3; do
  { time "$hipcc" -c small.hip 2>messages; } 2>seconds
  [ ! -s messages ] || fail "$(cat messages)"
  taken=$(awk '{ printf "%d", ($1 + $2) * 1000 }' seconds)
  [ "$taken" -ge "$best" ] || best=$taken
done
echo "hipcc -c small.hip: $best ms of the processor"
[ "$best" -lt 2000 ] || fail "compiling took $best ms of the processor"
