#!/bin/sh
# dpkg and rpm run this script after installing or upgrading the package. It starts
# and enables no service: a server needs a snapshot and keys first, and after an
# upgrade it may need a new snapshot before it is restarted.
set -e
getent group bencao >/dev/null || groupadd --system bencao
for user in bencao-index bencao-serve; do
	getent passwd "$user" >/dev/null ||
		useradd --system --gid bencao --no-create-home --home-dir /var/lib/bencao --shell /usr/sbin/nologin "$user"
done
[ -e /var/lib/bencao ] || install -d -o bencao-index -g bencao -m 755 /var/lib/bencao
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
