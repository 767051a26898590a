# SPDX-License-Identifier: MIT
# The Makefile sample, as samples/run.sh builds it; a second make has nothing to do.
cp -r "$samples/makefile_project" "$samples/common.h" .
make -C makefile_project clean all "HIPCC=$hipcc" >make.log 2>&1 || { cat make.log; fail "make failed"; }
runs makefile_project/app 1000
contains run.log '^RESULT name=makefile_project .*check=PASS'
make -C makefile_project "HIPCC=$hipcc" >again.log
contains again.log "Nothing to be done|up to date"
touch makefile_project/vector.h
make -C makefile_project "HIPCC=$hipcc" >changed.log
contains changed.log 'vector_add.hip'
