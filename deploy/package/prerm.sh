#!/bin/sh
# By dpkg ("remove", "upgrade") and rpm (0, 1), before the program goes.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now bencao-index.timer bencao-report.service bencao-delta.service bencao-push.service bencao-pull.timer bencao.socket bencao-serve.service
	fi
	;;
esac
