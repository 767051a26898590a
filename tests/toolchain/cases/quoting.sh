# SPDX-License-Identifier: MIT
# Words reach the compiler as they are: through the command line, response files and the environment.
cp "$programs"/parts* "$programs/check.h" .
quiet "$hipcc" -c '-DTEXT="a b"' parts_main.hip -o direct.o
printf '%s\n' "'-DTEXT=\"a b\"' -c" "@inner" >outer
printf '%s\n' 'parts_main.hip -o "from file.o"' >inner
quiet "$hipcc" @outer
[ -s "from file.o" ] || fail "the response file's words were not used"
HIPCC_COMPILE_FLAGS_APPEND="'-DTEXT=\"a b\"'" quiet "$hipcc" -c parts_main.hip -o environment.o
quiet "$hipcc" -c parts_library.hip parts_plain.c
for object in direct.o "from file.o" environment.o; do
  quiet "$hipcc" "$object" parts_library.o parts_plain.o -o app
  runs ./app
done
fails "$hipcc" -c '-DTEXT=a b' parts_main.hip -o wrong.o
fails "$hipcc" @missing
contains fails.log '@missing'

# More words than the system takes: they came from a file and go on as one.
for i in $(seq 100000); do printf -- '-DNAME_THAT_IS_NOT_SHORT_%06d="x y"\n' "$i"; done >many
quiet "$hipcc" @many -c parts_plain.c -o many.o
