#!/bin/sh
# Installs this release as services of systemd, or changes the installation to it: an upgrade, or the way back.
# The first time it takes the names of the console and of the AI API:
#
#   /opt/switchboard-1.0.0/deploy/systemd/install.sh console.example.com ai.example.com
#
# It starts one process with the embedded PostgreSQL, or the three servers if /etc/switchboard/secrets/database_url has the
# address of a database. Existing settings and secrets stay as they are, so it can be repeated.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
release=${here%/deploy/systemd}
settings=/etc/switchboard/settings
secrets=/etc/switchboard/secrets

fail() {
  echo "$1" >&2
  exit 1
}

# The value of a setting, or a default.
value() {
  given=$(sed -n "s/^$1=//p" "$settings" | tail -n 1)
  echo "${given:-$2}"
}

# The lines of a Caddyfile for a name and a port. Requests wait while the server restarts.
site() {
  printf '%s {\n\treverse_proxy 127.0.0.1:%s {\n\t\tlb_try_duration 10s\n\t}\n}\n' "$1" "$2"
}

[ "$(id -u)" = 0 ] || fail 'Run this script as root.'
case $release in
  /opt/switchboard-*) ;;
  *) fail 'Unpack the release in /opt, where the accounts of the services can read it.' ;;
esac
"$release/bin/node" --version >/dev/null ||
  fail "$release/bin/node does not run. Install libatomic1, and take the archive for this processor."
[ -L /opt/switchboard ] || [ ! -e /opt/switchboard ] || fail '/opt/switchboard is not a link. Move it away.'
[ -e "$settings" ] || [ $# -gt 0 ] || fail 'Give the name of the console, such as console.example.com.'
for name in "$@"; do
  case $name in
    *[!A-Za-z0-9.-]*) fail "$name is not a host name such as console.example.com." ;;
  esac
done

install -d -m 700 /etc/switchboard "$secrets"
[ -e "$settings" ] || (umask 077 && printf 'PUBLIC_URL=https://%s\nTRUST_PROXY=127.0.0.1\n' "$1" >"$settings")
for name in secrets_key webhook_secret super_admin_password; do
  [ -s "$secrets/$name" ] || (umask 077 && head -c 32 /dev/urandom | base64 >"$secrets/$name")
done

cp -r "$here"/*.service "$here"/*.socket "$here"/*.timer "$here"/*.d /etc/systemd/system/
ln -sfn "${release#/opt/}" /opt/switchboard
ln -sfn /opt/switchboard/deploy/systemd/switchboard /usr/local/bin/switchboard
systemctl daemon-reload

if [ -s "$secrets/database_url" ]; then
  services='switchboard-worker switchboard-ai-api switchboard-admin-api'
  others='switchboard-ai-api.socket switchboard-admin-api.socket switchboard-backup.timer'
  console=switchboard-admin-api
  # The one process from before has the same ports.
  systemctl disable --quiet --now switchboard
else
  services=switchboard
  others=
  console=switchboard
  id switchboard >/dev/null 2>&1 ||
    useradd --system --home-dir /var/lib/switchboard --shell /usr/sbin/nologin switchboard
fi
# shellcheck disable=SC2086 # lists of names
if systemctl is-enabled --quiet $services; then
  for service in $services; do
    # A disabled server runs on another machine.
    if systemctl is-enabled --quiet "$service"; then systemctl restart "$service"; fi
  done
else
  systemctl enable --quiet $others $services
  systemctl start $others $services
  echo "Sign in as admin@switchboard.local with the password in $secrets/super_admin_password."
  echo "Keep a copy of $secrets/secrets_key where the backups are not."
fi

if [ $# -gt 0 ]; then
  sites=$(site "$1" 3000 && if [ $# -gt 1 ]; then site "$2" 3001; fi)
  # Only the example of the package is replaced.
  if grep -qs /usr/share/caddy /etc/caddy/Caddyfile; then
    echo "$sites" >/etc/caddy/Caddyfile
    systemctl reload-or-restart caddy
  else
    printf 'The proxy that ends TLS needs these sites, here for Caddy:\n%s\n' "$sites"
  fi
fi

if systemctl is-enabled --quiet "$console"; then
  if [ "$console" = switchboard ]; then
    address=$(value HOST 127.0.0.1):$(value PORT 3000)
  else
    address=$(systemctl show --property=Listen --value switchboard-admin-api.socket)
  fi
  ask="fetch('http://${address%% *}/readyz', { signal: AbortSignal.timeout(5000) })
    .then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
  seconds=0
  until "$release/bin/node" --eval "$ask"; do
    seconds=$((seconds + 1))
    [ "$seconds" -lt 120 ] || fail "$console does not answer. Read its log: journalctl -u $console"
    sleep 1
  done
fi
echo "${release#/opt/} runs."
