#!/bin/sh
# dpkg and rpm run this script after removing the package. Purging removes the
# snapshots, which can be built again. Keys and users remain.
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
[ "$1" != purge ] || rm -rf /var/lib/bencao /etc/bencao/bencao.toml
