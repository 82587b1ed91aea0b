"""A Slurm cluster for a test: daemons of the user's own, in a folder, which end with it. It has two
nodes, each with a daemon, which are both this machine (as Slurm allows if it was built with
--enable-multiple-slurmd, as Debian's is)."""

import getpass
import os
import shutil
import socket
import subprocess

import harness

START_S = 20
CONFIGURATION = '''\
ClusterName=poprt
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MpiDefault=none
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 Port={node_port} CPUs=64 State=UNKNOWN
NodeName={second} NodeHostname={host} NodeAddr=127.0.0.1 Port={second_port} CPUs=64 State=UNKNOWN
PartitionName=one Nodes={host} Default=YES MaxTime=INFINITE State=UP
PartitionName=both Nodes=ALL MaxTime=INFINITE State=UP
'''


class Unavailable(Exception):
    """There is no Slurm here, or it does not start."""


def program(name):
    # Debian has the daemons where only root's PATH looks.
    path = shutil.which(name, path=os.environ.get('PATH', '') + ':/usr/sbin:/sbin')
    if path is None:
        raise Unavailable(name + ' is not installed')
    return path


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(('127.0.0.1', 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """Raises Unavailable. `environment` is what Slurm's commands need."""

    def __init__(self, folder):
        self._folder = folder
        self._daemons = []
        self.environment = {'SLURM_CONF': os.path.join(folder, 'slurm.conf')}
        nodes = [socket.gethostname(), 'second']
        os.mkdir(os.path.join(folder, 'state'))
        for node in nodes:
            # Each has its own server of PMIx there.
            os.mkdir(os.path.join(folder, 'tmp.' + node))
        controller_port, node_port, second_port = free_ports(3)
        with open(self.environment['SLURM_CONF'], 'w', encoding='utf-8') as file:
            file.write(CONFIGURATION.format(
                host=nodes[0], second=nodes[1], controller_port=controller_port, node_port=node_port,
                second_port=second_port, user=getpass.getuser(), folder=folder))
        key = os.path.join(folder, 'munge.key')
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), 'wb') as file:
            file.write(os.urandom(128))
        try:
            self._start('munged', '--foreground', '--force', '--key-file=' + key,
                        *('--%s=%s' % (what, os.path.join(folder, 'munge.' + what))
                          for what in ('socket', 'pid-file', 'log-file', 'seed-file')))
            self._await(lambda: os.path.exists(os.path.join(folder, 'munge.socket')), 'munged')
            self._start('slurmctld', '-D')
            for node in nodes:
                self._start('slurmd', '-D', '-N', node)
            self._await(lambda: self.say('sinfo', '-h', '-N', '-p', 'both', '-o', '%T').split() == ['idle'] * 2,
                        'slurmd.' + nodes[1])
        except Unavailable:
            self.close()
            raise

    def _start(self, name, *arguments):
        self._daemons.append(subprocess.Popen(
            [program(name), *arguments], env=harness.environment(**self.environment), cwd=self._folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True))

    def _await(self, condition, name):
        has_ended = lambda: any(daemon.poll() is not None for daemon in self._daemons)
        is_up = harness.comes_true(lambda: has_ended() or condition(), START_S)
        if not is_up or has_ended():
            log = harness.read_text(os.path.join(self._folder, name + '.log'))
            raise Unavailable('%s does not start: %s' % (name, log[-500:]))

    def say(self, name, *arguments):
        """What one of Slurm's commands prints."""
        return subprocess.run([program(name), *arguments], env=harness.environment(**self.environment),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=60, check=False).stdout.strip()

    def close(self):
        if len(self._daemons) == 4:
            self.say('scancel', '--full', '--user=' + getpass.getuser())
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                harness.kill_all([daemon.pid])
                daemon.wait()
