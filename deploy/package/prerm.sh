#!/bin/sh
# dpkg ("remove", "upgrade") and rpm (0, 1) run this script before removing the program.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now bencao-index.timer bencao-report.service bencao-push.service bencao-pull.timer bencao.socket bencao-serve.service
	fi
	;;
esac
