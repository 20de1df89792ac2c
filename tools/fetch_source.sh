#!/usr/bin/env bash
# The sources of a Debian package, unpacked into a folder: for libraries that Debian has not built for another system.
#     fetch_source.sh PACKAGE FOLDER
# The package lists are a copy with "deb-src" of the machine's own, kept beside the folder, so that nothing of the machine
# is changed and no rights are needed.
set -euo pipefail
package=$1 folder=$2
[ ! -e "$folder/.done" ] || exit 0
mkdir -p "$(dirname "$folder")"
apt=$(cd "$(dirname "$folder")" && pwd)/apt
mkdir -p "$apt/parts" "$apt/lists/partial"
for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/parts/${file##*/}"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$apt/parts/${file##*/}.list"
done
options=(-qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/parts" -o "Dir::State::Lists=$apt/lists"
    -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=" -o APT::Sandbox::User=)
[ -e "$apt/updated" ] || apt-get "${options[@]}" update
touch "$apt/updated"
rm -rf "$folder" "$folder.download"
mkdir -p "$folder" "$folder.download"
(cd "$folder.download" && apt-get "${options[@]}" source --download-only "$package")
tar -x -C "$folder" --strip-components=1 -f "$(ls "$folder.download"/*.orig.tar.* | grep -v '\.asc$')"
rm -rf "$folder.download"
touch "$folder/.done"
