"""A Slurm cluster of one node on this machine: its own folder, its own ports on the loopback, its own munge."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time

NEEDED = ["slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "munged"]

CONFIGURATION = """ClusterName=farm
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2
MpiDefault=none
ReturnToService=2
JobRequeue=1
SlurmdTimeout=5
MaxArraySize=10001
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={daemon} CPUs={slots} State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES MaxTime=INFINITE State=UP
"""


def lacks():
    """The programs that are not here."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    return [name for name in NEEDED if shutil.which(name) is None]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def below(process):
    """A process and all that came of it."""
    parents = {}
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                parents.setdefault(int(file.read().rpartition(")")[2].split()[1]), []).append(int(entry))
        except (OSError, ValueError, IndexError):
            continue
    found = [process]
    for one in found:
        found += parents.get(one, [])
    return found


def is_step(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return b"slurmstepd" in file.read()
    except OSError:
        return False


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Cluster:
    """Started by `with`. What it started is ended with it."""

    def __init__(self, folder, slots):
        self.folder = folder
        self.processes = {}
        for name in ("munge", "state", "spool"):
            os.makedirs(f"{folder}/{name}", mode=0o755)
        with open(os.open(f"{folder}/munge/key", os.O_CREAT | os.O_WRONLY, 0o600), "wb") as key:
            key.write(secrets.token_bytes(128))
        text = CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=folder, slots=slots,
                                    user=pwd.getpwuid(os.getuid()).pw_name, controller=free_port(), daemon=free_port())
        with open(f"{folder}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(text)
        os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"

    def __enter__(self):
        at = f"{self.folder}/munge"
        self.start("munged", "--foreground", "--force", f"--socket={at}/socket", f"--key-file={at}/key",
                   f"--pid-file={at}/pid", f"--log-file={at}/log", f"--seed-file={at}/seed")
        self.wait(lambda: os.path.exists(f"{at}/socket"), "munged")
        self.start("slurmctld", "-D")
        self.start_node()
        self.wait(lambda: "idle" in self.ask("sinfo", "--noheader", "--format=%T"), "the node")
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes.values()):
            for one in below(process.pid):
                kill(one)
            process.wait()

    def start(self, name, *words):
        with open(f"{self.folder}/{name}.out", "ab") as out:
            self.processes[name] = subprocess.Popen([name, *words], stdout=out, stderr=out, start_new_session=True)

    def start_node(self):
        self.start("slurmd", "-D", "-N", "node1")

    def end_node(self):
        """As a node dies: the daemon, its steps and all that they run, at once."""
        daemon = self.processes.pop("slurmd")
        steps = [int(entry) for entry in os.listdir("/proc")
                 if entry.isdigit() and is_step(entry) and self.is_ours(entry)]
        dying = [one for process in [daemon.pid, *steps] for one in below(process)]
        for one in dying:
            kill(one)
        daemon.wait()
        return len(dying)

    def is_ours(self, process):
        """Steps are told where the configuration is, or have come of our daemon and lie below it no more."""
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                return self.folder.encode() in file.read()
        except OSError:
            return False

    def ask(self, *words):
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout

    def wait(self, is_there, what, seconds=60):
        for _ in range(10 * seconds):
            if is_there():
                return
            time.sleep(0.1)
        raise TimeoutError(f"{what} is not there after {seconds} s")
