# What happens to a package, from its installation to its end, in a copy of the
# system. No service manager runs there: units are run by what they say.
#
#   life.sh LISTEN ADMIN
set -eu
listen=$1 admin=$2

step() { printf '== %s\n' "$*"; }

is() { # is WANT GOT
	[ "$1" = "$2" ] || { printf 'got %s, want %s\n' "$2" "$1"; exit 1; }
}

gone() {
	for path; do
		[ ! -e "$path" ] || { printf '%s is still there\n' "$path"; exit 1; }
	done
}

# unit becomes the process of a unit, as its user and with its command line.
unit() {
	file=/usr/lib/systemd/system/$1.service
	exec setpriv --no-new-privs --bounding-set=-all --clear-groups \
		--reuid "$(sed -n 's/^User=//p' "$file")" --regid "$(sed -n 's/^Group=//p' "$file")" \
		$(sed -n 's/^ExecStart=//p' "$file")
}

# serve starts the server and waits until it answers a request.
serve() {
	unit bencao-serve >>/serve.log 2>&1 &
	server=$!
	curl -sS -f --retry 60 --retry-all-errors --retry-delay 1 "http://$admin/readyz" >/answer 2>/dev/null || { cat /serve.log; exit 1; }
	ask
}

ask() {
	curl -sS -f -H "X-Api-Key: $(cat /lab.key)" -H 'X-Forwarded-For: 127.0.0.1' "http://$listen/api/v1/species?q=renshen" >/answer
	grep -q 人参 /answer
}

rm -f /var/lib/man-db/auto-update # or each step reads all man pages there are

step installed
dpkg -i /in/1.deb
is 'bencao-index:bencao:755' "$(stat -c %U:%G:%a /var/lib/bencao)"
is /usr/sbin/nologin "$(getent passwd bencao-serve | cut -d: -f7)"
is "" "$(dpkg --verify bencao | grep -v '/usr/share/\(doc\|man\)/' || true)"
bencao --version

step 'configured, and a night run'
sed -i "s|^listen = .*|listen = \"$listen\"|; s|^admin = .*|admin = \"$admin\"|; s|^metrics_file.*|# edited here|
	s|^source = .*|source = \"/in/sample/package\"|; s|^path = .*|path = \"/in/sample/checklists/wcvp\"|" /etc/bencao/bencao.toml
(umask 077; bencao keys create --access /etc/bencao/access.toml --id lab --network 127.0.0.0/8 >/lab.key)
chgrp bencao /etc/bencao/access.toml
chmod 640 /etc/bencao/access.toml
(unit bencao-index) | grep '^published, current snapshot'

step 'a request answered'
serve

step upgraded
dpkg --force-confdef --force-confold -i /in/2.deb
is 1.1.0 "$(dpkg-query -W -f '${Version}' bencao)"
grep -q '^# edited here' /etc/bencao/bencao.toml
grep -q '^# of another version' /etc/bencao/bencao.toml.dpkg-dist
ask
kill "$server"
wait "$server"
serve
kill "$server"
wait "$server"

step removed
dpkg --remove bencao
gone /usr/bin/bencao /usr/lib/systemd/system/bencao-serve.service
ls -d /etc/bencao/bencao.toml /etc/bencao/access.toml /var/lib/bencao/CURRENT

step purged
dpkg --purge bencao
gone /etc/bencao/bencao.toml /var/lib/bencao
ls /etc/bencao/access.toml

step 'installed by rpm'
# Debian's rpm has a database of its own, without Debian's packages in it.
packages() { rpm --dbpath /rpms "$@"; }
userdel bencao-index
userdel bencao-serve
rm -r /etc/bencao
packages --force-debian --nodeps --install /in/1.rpm
is 'bencao-index:bencao:755' "$(stat -c %U:%G:%a /var/lib/bencao)"
is /usr/sbin/nologin "$(getent passwd bencao-serve | cut -d: -f7)"
is "" "$(packages --verify --nodeps bencao)"
bencao --version

step 'upgraded by rpm'
echo '# edited here' >>/etc/bencao/bencao.toml
packages --force-debian --nodeps --upgrade /in/2.rpm
is 1.1.0 "$(packages --query --queryformat '%{VERSION}' bencao)"
tail -n 1 /etc/bencao/bencao.toml | grep '^# edited here'
head -n 1 /etc/bencao/bencao.toml.rpmnew | grep '^# of another version'
bencao --version

step 'removed by rpm'
packages --erase bencao
gone /usr/bin/bencao /usr/lib/systemd/system/bencao-serve.service
ls -d /etc/bencao/bencao.toml.rpmsave /var/lib/bencao

step 'all is well'
