# SPDX-License-Identifier: MIT
# samples/run.sh and tests/run.sh before there is anything to run, in a copy of their folder and with a package
# system that is made of scripts; and the packages that the documentation names are those of scripts/packages.txt.
repository=$here/../..
mkdir -p clone/samples clone/tests tools
cp -r "$repository/scripts" clone/
cp "$repository/samples/run.sh" clone/samples/
cp "$repository/tests/run.sh" clone/tests/
cat >tools/apt-get <<'C'
#!/bin/sh
echo "$@" >>"$CALLS"
[ "$(wc -l <"$CALLS")" -gt 3 ] || { echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 123 (apt)"; exit 100; }
case "$*" in *impossible*) echo "E: Unable to locate package impossible"; exit 100 ;; esac
C
printf '#!/bin/sh\nexec "$@"\n' >tools/sudo
printf '#!/bin/sh\nexit 1\n' >tools/dpkg-query
chmod +x tools/*
export CALLS=$PWD/calls

# A lock that is held is waited for, once with a word about it; other failures end at once.
install() { PATH=$PWD/tools:$PATH bash -c 'source clone/scripts/common.sh; sleep() { :; }; ensure_packages' install >install.log 2>&1; }
: >calls
install || fail "$(cat install.log)"
expect "$(grep -c 'waiting for the lock .* process 123' install.log)" 1
expect "$(grep -c '^update' calls)" 4
expect "$(grep -c '^install .*ninja-build' calls)" 1
sed -i '/^tests:/,$d' clone/scripts/packages.txt
echo impossible >>clone/scripts/packages.txt
printf '1\n2\n3\n' >calls
fails install
contains install.log 'apt-get could not install the packages: E: Unable to locate package impossible'
expect "$(wc -l <calls)" 5

# Progress: a line that moves on a terminal, and none where nobody looks.
cat >progress.sh <<'C'
source clone/scripts/common.sh
printf '%s\n' '[1/4] Building C' 'noise' '[3/4] Building C' ' 7/9 Test #3: x' | progress
C
expect "$(bash progress.sh)" ""
if command -v script >/dev/null; then
  script -q -e -c 'bash progress.sh' /dev/null </dev/null >progress.log
  for shown in '1 of 4' '3 of 4' '7 of 9'; do contains progress.log "$shown, 0 s"; done
  expect "$(tr -cd '\n' <progress.log | wc -c)" 0
fi
# The code of a build that fails is not lost behind the progress.
mkdir -p clone/build
printf '#!/bin/sh\necho "[1/2] Building"; echo "FAILED: x"; exit 1\n' >tools/cmake
chmod +x tools/cmake
fails env PATH="$PWD/tools:$PATH" bash -c 'source clone/scripts/common.sh; build_targets' build
contains fails.log 'the build failed'

# How to clone: in the help, and where a script was fetched alone.
for folder in samples tests; do
  bash "$repository/$folder/run.sh" --help >help
  contains help 'git clone --depth 1 .* hiplz && cd hiplz'
  mkdir -p "alone/$folder"
  cp "$repository/$folder/run.sh" "alone/$folder/"
  fails bash "alone/$folder/run.sh"
  contains fails.log 'git clone'
done

# The lists of the documentation, for Debian 12.
named() { # FIRST-PACKAGE
  sed -n "/^    apt-get install $1 /,/^\$/p" "$repository/docs/installing.md" | tr -s ' \\' '\n\n' | sed 1,3d | sort
}
mkdir documented
cp -r "$repository/scripts" documented/
listed() { bash -c "source documented/scripts/common.sh; distribution=debian12; llvm=15; packages ${1:-}" list | sort; }
diff <(listed) <(named build-essential) >difference &&
  diff <(listed tests) <({ named build-essential; named clang-format-15; } | sort) >difference ||
  fail "docs/installing.md and scripts/packages.txt differ: $(cat difference)"
