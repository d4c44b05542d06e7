#!/bin/sh
# trial.sh: the wheel in /srv/wheel, in a Debian that has Python and nothing else of use; see check.sh.
set -eu
cd /srv/wheel
step() { printf '%s\n' "$*"; }
fail() {
  printf 'trial.sh: %s\n' "$*" >&2
  exit 1
}
for compiler in cc gcc clang ld ld.lld; do
  ! command -v $compiler >/dev/null || fail "there is a $compiler"
done

useradd -m user
as_user() { su -s /bin/sh -c "cd /srv/wheel; export HOME=/home/user MANIPLE_CACHE_DIR=/home/user/cache; . /home/user/venv/bin/activate; $*" user; }
chmod -R a+rX /srv/wheel
su -s /bin/sh -c "python3 -m venv /home/user/venv" user
step "pip install, as a user"
as_user "${PIP_CERT:+export PIP_CERT=$PIP_CERT;} ${PIP_INDEX_URL:+export PIP_INDEX_URL=$PIP_INDEX_URL;}" \
  "pip install -q pyopencl numpy"
find /home/user/venv | sort >/tmp/before
as_user "pip install -q ./*.whl"

step "the README's program"
as_user "python ranks.py" >/tmp/ranks
diff ranks.txt /tmp/ranks || fail "the program does not print what the README says"

step "PyOpenCL lists one platform of ours"
as_user "python -c '
import pyopencl
names = [platform.name for platform in pyopencl.get_platforms()]
assert names == [\"maniple\"], names
print(pyopencl.get_platforms()[0].get_devices()[0].version)'"

step "maniple info, maniple run"
as_user "maniple info" >/tmp/info || { cat /tmp/info; fail "maniple info finds something amiss"; }
grep '^check ' /tmp/info
printf 'kernel void k(global int *x) { x[get_global_id(0)] = work_group_reduce_add(3); }\n' >/tmp/k.cl
as_user "maniple run /tmp/k.cl -k k -g 8 -l 8 out:int:8" | tail -n 1

step "programs outside of Python"
as_user 'eval "$(maniple env)"; [ -r "$OCL_ICD_VENDORS" ] && [ "$OCL_ICD_VENDORS" = "$OCL_ICD_FILENAMES" ]'

step "pip uninstall"
as_user "pip uninstall -q -y maniple"
find /home/user/venv | grep -v __pycache__ | sort >/tmp/after
grep -v __pycache__ /tmp/before | diff - /tmp/after || fail "these files were left behind"
echo "The wheel installs, works and goes."
