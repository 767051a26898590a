#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves the recipes of docs/continuous-integration.md: runs their steps, as the page has them, in a bare Debian 12.
usage() {
  cat <<'TEXT'
usage: bash tests/distro/ci_recipes.sh FOLDER
Makes a Debian 12 in FOLDER with debootstrap (used again if it is there) and runs the steps of the GitHub and the GitLab recipe
with a small project, each twice: with nothing cached, then with the packages that the first run has left. Needs root, the network
and python3-yaml.
TEXT
}
source "$(dirname "${BASH_SOURCE[0]}")/bare_debian.sh"
make_debian bookworm "$1"

# steps github|gitlab: a shell script of the recipe's steps. A step that depends on the cache runs if the cache is empty.
steps() {
  /usr/bin/python3 - "$1" "$source_tree/docs/continuous-integration.md" <<'PY'
import re, sys, yaml
recipe, page = sys.argv[1], open(sys.argv[2]).read()
github, gitlab = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL))
if recipe == "gitlab":
    print("\n".join(gitlab["hip"]["script"]))
else:
    cache = None
    for step in github["jobs"]["test"]["steps"]:
        if "actions/cache" in step.get("uses", ""):
            cache = step["with"]["path"]
        if "run" in step and "if" in step:
            print(f"if ! ls {cache}/*.deb >/dev/null 2>&1; then\n{step['run']}\nfi")
        elif "run" in step:
            print(step["run"])
PY
}

rm -rf "$folder/project" "$folder/opt/hiplz-packages"
mkdir "$folder/project"
cp "$source_tree"/tests/toolchain/programs/{square.hip,check.h} "$folder/project/"
cat >"$folder/project/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.21)
project(square LANGUAGES CXX HIP)
enable_testing()
add_executable(square square.hip)
add_test(NAME square COMMAND square)
C
for recipe in github gitlab; do
  for round in "nothing cached" "packages cached"; do
    steps "$recipe" >"$folder/project/$recipe.sh"
    echo "=== $recipe, $round"
    inside "export DEBIAN_FRONTEND=noninteractive HIPLZ_URL=/hiplz HIPLZ_VERSION=HEAD && rm -rf /tmp/hiplz && cd /project &&
      git config --global --add safe.directory '*' && bash -e $recipe.sh && rm -rf build"
    inside "apt-get purge -y -q libhiplz1 hiplz-cpu hiplz-rtc hiplz-dev"
  done
done
echo "both recipes work on a bare Debian 12"
