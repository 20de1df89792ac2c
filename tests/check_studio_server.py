#!/usr/bin/env python3
"""Sends `supple studio` requests that no browser sends, and looks whether it stays, and keeps its secrets.

usage: check_studio_server.py PROGRAM

Every request is answered or closed; nothing but the page and the file's folder is read, whatever the path says; and the
server then answers a right request as before.
"""
import os
import random
import socket
import subprocess
import sys
import tempfile

SECRET = b"a secret of the folder above\n"
GOOD = b"<!doctype html>the page"


def say(address, data, wait=60.0):
    """What comes back until the server closes, or is silent for so many seconds."""
    with socket.create_connection(address, timeout=wait) as line:
        answer = b""
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            while True:
                more = line.recv(65536)
                if not more:
                    return answer
                answer += more
        except OSError:
            return answer  # closed before all was said


def request(path, host, method="GET", more=""):
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n".encode("latin-1")


def make_requests(token, host):
    """(what it is, bytes, the status that must come or None where a closed line will do)"""
    base = f"/{token}/"
    yield "nothing", b"", None
    yield "no line", b"\r\n\r\n", None
    yield "bytes", bytes(range(256)) * 40, None
    yield "a line without an end", b"GET " + b"/a" * 100000, None
    yield "a header without an end", request(base, host)[:-4] + b"X: " + b"y" * 300000, None
    yield "many headers", request(base, host, more="A: b\r\n" * 20000), None
    yield "no version", f"GET {base}\r\n\r\n".encode(), None
    yield "another version", f"GET {base} HTTP/9.9\r\nHost: {host}\r\n\r\n".encode(), None
    yield "no host", f"GET {base} HTTP/1.1\r\nConnection: close\r\n\r\n".encode(), None
    yield "another host", request(base, "evil.example"), 403
    yield "another port", request(base, "127.0.0.1:1"), 403
    yield "from elsewhere", request(base, host, more="Origin: http://evil.example\r\n"), 403
    yield "across sites", request(base, host, more="Sec-Fetch-Site: cross-site\r\n"), 403
    yield "no secret", request("/", host), 403
    yield "half the secret", request(base[:9], host), 403
    yield "the secret with more", request(f"/{token}x/", host), 403
    yield "no slash", request(f"/{token}", host), 403
    yield "POST", request(base, host, "POST", "Content-Length: 3\r\n"), None
    yield "a length beyond all", request(base, host, "POST", "Content-Length: 99999999999999999999\r\n"), None
    yield "a length below 0", request(base, host, "POST", "Content-Length: -1\r\n"), None
    yield "chunks", request(base, host, "POST", "Transfer-Encoding: chunked\r\n") + b"fffffffffffffffff\r\nx", None
    yield "DELETE", request(base, host, "DELETE"), 405
    yield "an odd method", request(base, host, "\x01\x02"), None
    for up in ("..", "%2e%2e", "..%2f", "%2e%2e%2f", "....//", "..\\", "..%5c", "%c0%ae%c0%ae", "./..", "a/../..",
               "..%00", "%00"):
        for where in ("", "file/"):
            for slash in ("/", "%2f", "//"):
                path = base + where + up + slash + "secret.txt"
                yield f"up: {path}", request(path, host), None
    yield "a link out", request(base + "file/out.txt", host), 404
    yield "a folder", request(base + "file/below", host), 404
    yield "a pipe", request(base + "file/pipe", host), 404
    yield "an absolute path", request(base + "file//etc/passwd", host), 404
    yield "a name too long", request(base + "file/" + "a" * 5000, host), None
    yield "percents alone", request(base + "%%%%%zz%", host), 404
    yield "part of it", request(base, host, more="Range: bytes=99999999999999999999-\r\n"), None


def main():
    program = os.path.abspath(sys.argv[1])
    wrong = count = 0
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(f"{root}/page")
        os.makedirs(f"{root}/mine/below")
        for name, data in (("page/index.html", GOOD), ("secret.txt", SECRET), ("mine/fox.glb", b"glTF")):
            with open(f"{root}/{name}", "wb") as file:
                file.write(data)
        os.symlink(f"{root}/secret.txt", f"{root}/mine/out.txt")
        os.mkfifo(f"{root}/mine/pipe")
        server = subprocess.Popen([program, "studio", f"{root}/mine/fox.glb", "--no-open", "--page", f"{root}/page"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            line = server.stdout.readline()
            if not line:
                words = server.stderr.read()
                print("skipped:", words.strip())
                sys.exit(77 if "libmicrohttpd" in words else 1)
            host, token = line.split("//")[1].split("/")[:2]
            address = ("127.0.0.1", int(host.split(":")[1]))
            tries = list(make_requests(token, host))
            rng = random.Random(1)
            good = request(f"/{token}/", host)
            for i in range(300):  # and the right one with some bytes that are not
                data = bytearray(good)
                for _ in range(rng.randint(1, 4)):
                    data[rng.randrange(len(data))] = rng.randrange(256)
                tries.append((f"changed {i}: {bytes(data)}", bytes(data), None))
            for what, data, status in tries:
                answer = say(address, data, 60.0 if status is not None else 0.2)
                count += 1
                if status is not None and f" {status} ".encode() not in answer[:20]:
                    wrong += 1
                    print(f"{what}: {answer[:60]}, not {status}")
                if SECRET.strip() in answer or b"root:" in answer:
                    wrong += 1
                    print(f"{what}: tells what is outside of its folders")
            idle = [socket.create_connection(address) for _ in range(30)]
            if GOOD not in say(address, good) or server.poll() is not None:
                wrong += 1
                print("a right request is answered no more")
            for one in idle:
                one.close()
        finally:
            server.terminate()
            code = server.wait(timeout=60)
        words = server.stderr.read()
        if code != 0 or "Sanitizer" in words or "runtime error" in words:
            wrong += 1
            print(f"the server ended with {code}: {words}")
    print(f"{count} requests, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
