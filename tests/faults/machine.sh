#!/bin/sh
# Boots systemd in a copy of this machine in memory, for each line of standard input once it has ended: machine.sh FOLDER OPT
# has the copy in FOLDER and OPT as its /opt. Needs root, and `unshare --mount --propagation private` around it.
set -eu
if [ "${3:-}" != boot ]; then
  mount -t tmpfs tmpfs "$1"
  mkdir "$1/upper" "$1/work" "$1/machine"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/machine"
  # Only what a test installs is started.
  rm -rf "$1"/machine/etc/systemd/system/*.wants
  while read -r _; do
    unshare --mount --pid --net --ipc --uts --cgroup --fork --kill-child --propagation private sh "$0" "$1" "$2" boot || true
  done
  exit
fi

machine=$1/machine
mount --bind "$2" "$machine/opt"
mount -t proc proc "$machine/proc"
# Nothing of the machine around it can be changed.
mount --bind "$machine/proc/sys" "$machine/proc/sys"
mount -o remount,bind,ro "$machine/proc/sys"
mount -t sysfs -o ro sysfs "$machine/sys"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 "$machine/sys/fs/cgroup"
else
  mount -t tmpfs tmpfs "$machine/sys/fs/cgroup"
  mkdir "$machine/sys/fs/cgroup/systemd"
  mount -t cgroup -o none,name=systemd cgroup "$machine/sys/fs/cgroup/systemd"
fi
for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$machine/$folder"; done
chmod 1777 "$machine/tmp"
for device in null zero full random urandom tty; do
  touch "$machine/dev/$device"
  mount --bind "/dev/$device" "$machine/dev/$device"
done
mkdir "$machine/dev/shm" "$machine/dev/pts"
mount -t tmpfs tmpfs "$machine/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$machine/dev/pts"
ln -s pts/ptmx "$machine/dev/ptmx"
for link in fd:fd stdin:fd/0 stdout:fd/1 stderr:fd/2; do ln -s "/proc/self/${link#*:}" "$machine/dev/${link%:*}"; done
ip link set lo up
cd "$machine"
mkdir run/outside
pivot_root . run/outside
umount -l /run/outside
# Credentials of a service are mounts that it must see.
mount --make-rshared /
exec env -i container=other /lib/systemd/systemd --log-target=null --show-status=0
