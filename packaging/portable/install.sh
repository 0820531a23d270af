#!/bin/sh
# Copies Holdfast into a folder of yours: ./install.sh [FOLDER], by default ~/.local. Needs no root, and no program but those of POSIX.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
prefix=${1:-${HOME:?"found no HOME; expected ./install.sh FOLDER"}/.local}
mkdir -p -- "$prefix"
for part in bin include lib share; do
  if [ -d "$here/$part" ]; then cp -R -- "$here/$part" "$prefix/"; fi
done
"$prefix/bin/holdfast" --version
echo "installed into $prefix; to check the program on this machine: $prefix/bin/holdfast verify"
case :${PATH-}: in
  *:"$prefix/bin":*) ;;
  *) echo "to find it by its name, add this line to ~/.profile: PATH=\"$prefix/bin:\$PATH\"" ;;
esac
