# Installs, runs, upgrades and removes a package in a copy of the system. No service
# manager runs there, so the script itself runs the command lines of the units.
#
#   life.sh LISTEN ADMIN
set -eu
listen=$1 admin=$2

step() { printf '== %s\n' "$*"; }

is() { # is WANT GOT fails unless both texts are equal
	[ "$1" = "$2" ] || { printf 'got %s, want %s\n' "$2" "$1"; exit 1; }
}

gone() {
	for path; do
		[ ! -e "$path" ] || { printf '%s is still there\n' "$path"; exit 1; }
	done
}

# unit runs the command lines of a unit as the user of the unit.
unit() {
	file=/usr/lib/systemd/system/$1.service
	sandbox="setpriv --no-new-privs --bounding-set=-all --clear-groups --reuid $(sed -n 's/^User=//p' "$file") --regid $(sed -n 's/^Group=//p' "$file")"
	sed -n 's/^ExecStartPre=//p' "$file" >/pre.sh
	$sandbox sh /pre.sh
	exec $sandbox $(sed -n 's/^ExecStart=//p' "$file")
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

rm -f /var/lib/man-db/auto-update # otherwise each step reads all man pages

step installed
apt-get install -qq /in/1.deb
is 'bencao-index:bencao:755' "$(stat -c %U:%G:%a /var/lib/bencao)"
is /usr/sbin/nologin "$(getent passwd bencao-serve | cut -d: -f7)"
is "" "$(dpkg --verify bencao | grep -v '/usr/share/\(doc\|man\)/' || true)"
is bencao-serve.service "$(readlink /usr/lib/systemd/system/bencao.service)"
bencao --version
LC_ALL=C.UTF-8 man -l /usr/share/man/man1/bencao.1.gz 2>/dev/null | grep -q bencao || gzip -dc /usr/share/man/man1/bencao.1.gz | grep -q bencao

step 'configured, and a night run'
bencao init --listen "$listen" --explorer
is 'root:bencao:640' "$(stat -c %U:%G:%a /etc/bencao/access.toml)"
is 'root:root:600' "$(stat -c %U:%G:%a /etc/bencao/first.key)"
export BENCAO_ADMIN=$admin
cp /etc/bencao/first.key /lab.key
(unit bencao-index) | grep '^published, current snapshot'
bencao doctor --config /etc/bencao/bencao.toml

step 'a request answered'
serve

step 'commands of root, and the next night'
bencao trust init --config /etc/bencao/bencao.toml
bencao trust renew --config /etc/bencao/bencao.toml
bencao index --config /etc/bencao/bencao.toml --rebuild | grep '^published, current snapshot'
bencao prune --config /etc/bencao/bencao.toml --keep 1
is "" "$(find /var/lib/bencao /var/lib/bencao.keys ! -user bencao-index)"
bencao doctor --config /etc/bencao/bencao.toml
(unit bencao-index) | grep '^unchanged, current snapshot'
chown root /var/lib/bencao/tuf/timestamp.json
! bencao doctor --config /etc/bencao/bencao.toml >/doctor
grep -q '^fail *owners .*timestamp.json does not belong' /doctor
sh -c "$(sed -n 's/.*run "\(chown -R [^"]*\)" as root.*/\1/p' /doctor)"
bencao doctor --config /etc/bencao/bencao.toml
curl -sS -f -H 'X-Forwarded-For: 127.0.0.1' "http://$listen/about" | grep -q '<html'

step 'backed up and restored'
kill "$server"
wait "$server"
grep '^tar --create' /in/backup.md >/commands
mkdir -p /var/lib/bencao-serve
(cd / && sh /commands)
mv /var/lib/bencao /var/lib/bencao.old
(cd / && grep '^tar --extract' /in/backup.md | sh)
is "" "$(find /var/lib/bencao ! -user bencao-index)"
setpriv --reuid bencao-index --regid bencao --clear-groups bencao verify --config /etc/bencao/bencao.toml --deep
(unit bencao-index) | grep '^unchanged, current snapshot'
bencao doctor --config /etc/bencao/bencao.toml >/doctor || { cat /doctor; exit 1; }
serve

step upgraded
echo '# edited here' >>/etc/bencao/bencao.toml
dpkg --force-confdef --force-confold -i /in/2.deb
is 1.1.0 "$(dpkg-query -W -f '${Version}' bencao)"
grep -q '^# edited here' /etc/bencao/bencao.toml
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
# rpm on Debian has its own database, which does not contain Debian's packages.
packages() { rpm --dbpath /rpms "$@"; }
userdel bencao-index
userdel bencao-serve
rm -r /etc/bencao /var/lib/bencao.keys
packages --force-debian --nodeps --install /in/1.rpm
is 'bencao-index:bencao:755' "$(stat -c %U:%G:%a /var/lib/bencao)"
is /usr/sbin/nologin "$(getent passwd bencao-serve | cut -d: -f7)"
is "" "$(packages --verify --nodeps bencao)"
bencao --version

step 'upgraded by rpm'
bencao init --listen "$listen" >/dev/null
echo '# edited here' >>/etc/bencao/bencao.toml
packages --force-debian --nodeps --upgrade /in/2.rpm
is 1.1.0 "$(packages --query --queryformat '%{VERSION}' bencao)"
tail -n 1 /etc/bencao/bencao.toml | grep '^# edited here'
bencao --version

step 'removed by rpm'
packages --erase bencao
gone /usr/bin/bencao /usr/lib/systemd/system/bencao-serve.service
ls -d /etc/bencao/bencao.toml /var/lib/bencao

step 'all is well'
