"""Hosts on one machine, each with namespaces of its own for network, name, memory, mounts, processes
and clocks, connected by a bridge. Needs root, iproute2 and util-linux."""

import os
import shutil
import stat
import subprocess

import harness

# What a host does for as long as it lives: its own /proc, /dev/shm and /etc/hosts.
HOST = '''\
set -e
hostname {name}
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs /dev/shm
mount --bind {folder}/hosts /etc/hosts
ip link set lo up
touch {folder}/{name}.up
exec sleep infinity
'''
# As ssh: agent [options] HOST COMMAND...
AGENT = '''\
#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
host=$1
shift
exec nsenter --target "$(cat {folder}/$host.pid)" --all --wd=. sh -c "$*"
'''


START_S = 20


class Unavailable(Exception):
    """Such hosts cannot be made here."""


def call(*command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=20, check=False)
    except OSError as error:
        raise Unavailable(str(error)) from error
    if done.returncode != 0:
        raise Unavailable(' '.join(command) + ': ' + done.stdout.strip())


class Hosts:
    """Hosts node1, node2, ... whose clocks are `apart_s` seconds apart from one to the next. The launcher runs
    in their network, on none of them. Raises Unavailable."""

    def __init__(self, folder, count, apart_s=1000):
        if os.geteuid() != 0:
            raise Unavailable('only root may make namespaces')
        self._folder = folder
        self._holders = []
        self.agent = os.path.join(folder, 'agent')
        self.names = ['node%d' % i for i in range(1, count + 1)]
        with open(self.agent, 'w', encoding='utf-8') as file:
            file.write(AGENT.format(folder=folder))
        os.chmod(self.agent, stat.S_IRWXU)
        with open(os.path.join(folder, 'hosts'), 'w', encoding='utf-8') as file:
            file.write('127.0.0.1 localhost\n10.77.0.254 login\n')
            for i, name in enumerate(self.names, 1):
                file.write('10.77.0.%d %s\n' % (i, name))
        try:
            self._login = self._hold('login', [], None)
            inside = ['nsenter', '--target', str(self._login), '--net']
            call(*inside, 'ip', 'link', 'add', 'bridge', 'type', 'bridge')
            call(*inside, 'ip', 'address', 'add', '10.77.0.254/24', 'dev', 'bridge')
            call(*inside, 'ip', 'link', 'set', 'bridge', 'up')
            for i, name in enumerate(self.names, 1):
                clocks = ['--time', '--monotonic', str(i * apart_s), '--boottime', str(i * apart_s)]
                pid = self._hold(name, ['--ipc', '--pid', '--fork', '--kill-child', *clocks], i)
                call(*inside, 'ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', str(pid))
                call(*inside, 'ip', 'link', 'set', name, 'master', 'bridge', 'up')
                call('nsenter', '--target', str(pid), '--net',
                     'ip', 'address', 'add', '10.77.0.%d/24' % i, 'dev', 'eth0')
                call('nsenter', '--target', str(pid), '--net', 'ip', 'link', 'set', 'eth0', 'up')
        except Unavailable:
            self.close()
            raise

    def _hold(self, name, more, number):
        """Starts a host; its process that the others enter."""
        script = HOST.format(name=name, folder=self._folder)
        if number is None:  # it has the processes of this machine
            script = script.replace('mount -t proc proc /proc\n', '')
        for tool in ('unshare', 'nsenter', 'ip'):
            if shutil.which(tool) is None:
                raise Unavailable(tool + ' is not installed')
        with open(os.path.join(self._folder, name + '.log'), 'wb') as log:
            holder = subprocess.Popen(['unshare', '--net', '--uts', '--mount', *more, 'sh', '-c', script],
                                      stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self._holders.append(holder)
        up = os.path.join(self._folder, name + '.up')
        harness.comes_true(lambda: os.path.exists(up) or holder.poll() is not None, START_S)
        if not os.path.exists(up) or holder.poll() is not None:
            raise Unavailable('%s: %s' % (name, harness.read_text(os.path.join(self._folder, name + '.log'))))
        pid = holder.pid
        if number is not None:  # the first process of the new namespace, below the one that waits for it
            pid = int(harness.read_text('/proc/%d/task/%d/children' % (pid, pid)).split()[0])
        with open(os.path.join(self._folder, name + '.pid'), 'w', encoding='utf-8') as file:
            file.write('%d\n' % pid)
        return pid

    def launch(self, configuration, mpi, each, command):
        """The command line that starts `each` processes on each host."""
        line = ['nsenter', '--target', str(self._login), '--net', '--uts', '--mount', '--wd=.',
                configuration.mpis[mpi]['run'], '-n', str(each * len(self.names))]
        if mpi == 'openmpi':
            line += ['--host', ','.join('%s:%d' % (name, each) for name in self.names), '--bind-to', 'none',
                     '--mca', 'plm_rsh_agent', self.agent, '--mca', 'mpi_yield_when_idle', '1', '--mca', 'pml', 'ob1']
        else:
            line += ['-hosts', ','.join('%s:%d' % (name, each) for name in self.names),
                     '-launcher', 'ssh', '-launcher-exec', self.agent]
        return line + command

    def close(self):
        for holder in reversed(self._holders):
            harness.kill_all(harness.processes_of(holder.pid))
            holder.wait()
