"""Holds idle connections until it is ended, and tells when all are open.

usage: idle.py ADDRESS NUMBER
"""

import resource
import socket
import sys
import time
from urllib.parse import urlsplit

address, number = urlsplit(sys.argv[1]), int(sys.argv[2])
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
held = [socket.create_connection((address.hostname, address.port)) for _ in range(number)]
print(f"{len(held)} idle connections", flush=True)
while True:
    time.sleep(60)
