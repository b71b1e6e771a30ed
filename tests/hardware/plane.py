"""The smallest control plane that answers: etcd and kube-apiserver, of the program kube-all.

No kubelet and no scheduler: objects are created as they shall be, status and all.
"""
import base64
import json
import os
import pathlib
import secrets
import socket
import subprocess
import time
import urllib.request


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Plane:
    """Starts in __enter__, ends what it started in __exit__."""

    def __init__(self, binaries, folder):
        self.binaries = pathlib.Path(binaries)
        self.folder = pathlib.Path(folder)
        self.kubeconfig = self.folder / "kubeconfig"
        self.processes = []

    def __enter__(self):
        self.folder.mkdir(parents=True)
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _run(self, name, *args):
        log = open(self.folder / f"{name}.log", "wb")
        self.processes.append(subprocess.Popen([self.binaries / name, *args], stdout=log, stderr=log))

    def _start(self):
        client, peer, secure = free_port(), free_port(), free_port()
        token, key = secrets.token_hex(16), self.folder / "sa.key"
        subprocess.run(["openssl", "genrsa", "-traditional", "-out", key, "2048"], check=True, capture_output=True)
        (self.folder / "tokens.csv").write_text(f'{token},admin,admin,"system:masters"\n')
        self._run("etcd", "--name=test", f"--data-dir={self.folder}/etcd", "--unsafe-no-fsync", "--log-level=warn",
                  f"--listen-client-urls=http://127.0.0.1:{client}", f"--advertise-client-urls=http://127.0.0.1:{client}",
                  f"--listen-peer-urls=http://127.0.0.1:{peer}", f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
                  f"--initial-cluster=test=http://127.0.0.1:{peer}")
        self._run("kube-apiserver", f"--etcd-servers=http://127.0.0.1:{client}", "--bind-address=127.0.0.1",
                  f"--secure-port={secure}", f"--cert-dir={self.folder}/certs", "--authorization-mode=Node,RBAC",
                  "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-signing-key-file={key}",
                  f"--service-account-key-file={key}", f"--token-auth-file={self.folder}/tokens.csv",
                  "--service-cluster-ip-range=10.0.0.0/24", "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition")
        self.server, self.token = f"https://127.0.0.1:{secure}", token
        certificate = self.folder / "certs" / "apiserver.crt"
        self._wait(certificate)
        data = base64.b64encode(certificate.read_bytes()).decode()
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "clusters": [{"name": "test", "cluster": {"server": self.server, "certificate-authority-data": data}}],
            "users": [{"name": "admin", "user": {"token": token}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}]}))
        self.kubeconfig.chmod(0o600)

    def _wait(self, certificate):
        import ssl
        for _ in range(300):
            for process in self.processes:
                if process.poll() is not None:
                    raise RuntimeError(f"{process.args[0]} ended: see {self.folder}")
            try:
                trust = ssl.create_default_context(cafile=certificate)
                with urllib.request.urlopen(urllib.request.Request(
                        self.server + "/readyz", headers={"Authorization": "Bearer " + self.token}), context=trust, timeout=2) as answer:
                    if answer.read() == b"ok":
                        return
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError(f"kube-apiserver is not ready after 30 s: see {self.folder}")

    def kubectl(self, *args, text=None):
        done = subprocess.run([self.binaries / "kubectl", "--kubeconfig", self.kubeconfig, *args], input=text,
                              capture_output=True, text=True, check=False, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"kubectl {' '.join(args)}: {done.stderr}")
        return done.stdout

    def create(self, thing):
        """Creates the object, then gives it its status."""
        self.kubectl("create", "--validate=false", "-f", "-", text=json.dumps(thing))
        if "status" in thing:
            where = [thing["kind"].lower(), thing["metadata"]["name"]]
            if "namespace" in thing["metadata"]:
                where += ["-n", thing["metadata"]["namespace"]]
            self.kubectl("patch", *where, "--subresource=status", "--type=merge", "-p", json.dumps({"status": thing["status"]}))


def run_gpu(binary, plane, *args):
    environment = {"KUBECONFIG": str(plane.kubeconfig), "HOME": str(plane.folder), "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}
    done = subprocess.run([binary, *args], env=environment, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"kubectl-gpu {' '.join(args)}: {done.stderr}")
    return done.stdout
