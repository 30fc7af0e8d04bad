#!/bin/sh
# By dpkg and rpm, when the program has gone. Whoever purges loses the
# snapshots, which can be built again; keys and users stay.
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
[ "$1" != purge ] || rm -rf /var/lib/bencao /etc/bencao/bencao.toml
