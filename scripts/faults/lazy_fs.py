"""A file system in memory that knows what of it survives a power cut. Needs FUSE and mfusepy."""

import errno
import itertools
import os
import random
import stat
import sys
import threading
import time

import mfusepy


class Node:
    """A file or a folder, and the state of it that is synced."""

    count = 0

    def __init__(self, mode):
        Node.count += 1
        self.number = Node.count
        self.mode = mode
        self.time = time.time_ns()
        # Of a file.
        self.bytes = bytearray()
        self.synced = b""
        # Of a folder, by name.
        self.entries = {}
        self.synced_entries = {}

    def is_folder(self):
        return stat.S_ISDIR(self.mode)

    def is_synced(self):
        return self.bytes == self.synced


class LazyFileSystem(mfusepy.Operations):
    """Keeps after a power cut, in one of two models:

    strict    the bytes of a file as at the last fsync of it, the names in a folder as at the last
              fsync of that folder, and no others: all that POSIX promises
    ordered   the bytes as at the last fsync, with zeros up to the length of the file, as after delayed
              allocation; the names as after some change since the last fsync of anything, in the order
              of the changes, as a journal keeps them
    """

    use_ns = True

    def __init__(self):
        self.mutex = threading.RLock()
        # Files renamed to a final name before their bytes were synced.
        self.early = []
        self.handles = itertools.count(1)
        self.clear()

    def clear(self):
        """Removes everything."""
        with self.mutex:
            self.root = Node(stat.S_IFDIR | 0o777)
            self.open_files = {}
            # Changes of names since the last fsync: lists of (folder, name, node before, node after).
            self.journal = []

    def files(self):
        """The bytes of all files by their relative paths."""
        found = {}

        def walk(folder, path):
            for name, node in folder.entries.items():
                if node.is_folder():
                    walk(node, f"{path}{name}/")
                else:
                    found[path + name] = bytes(node.bytes)

        with self.mutex:
            walk(self.root, "")
        return found

    def cut_power(self, model):
        """Goes back to what is kept."""
        with self.mutex:
            if model == "ordered":
                kept = random.randrange(len(self.journal) + 1)
                for change in reversed(self.journal[kept:]):
                    for folder, name, before, _ in reversed(change):
                        put(folder, name, before)
            self.keep(self.root, model)
            self.journal.clear()
            self.open_files.clear()

    def keep(self, folder, model):
        if model == "strict":
            folder.entries = dict(folder.synced_entries)
        for node in folder.entries.values():
            if node.is_folder():
                self.keep(node, model)
                continue
            length = len(node.bytes) if model == "ordered" else len(node.synced)
            node.synced = node.synced[:length].ljust(length, b"\0")
            node.bytes = bytearray(node.synced)
        folder.synced_entries = dict(folder.entries)

    def change(self, *changes):
        """Changes names in one step: (folder, name, node or None) each."""
        self.journal.append(
            [(folder, name, folder.entries.get(name), node) for folder, name, node in changes]
        )
        for folder, name, node in changes:
            put(folder, name, node)

    def find(self, path, handle=None):
        """The node of an open file or of a path."""
        if handle in self.open_files:
            return self.open_files[handle]
        node = self.root
        for name in filter(None, path.split("/")):
            if name not in node.entries:
                raise mfusepy.FuseOSError(errno.ENOENT)
            node = node.entries[name]
        return node

    def place(self, path):
        """The folder of a path, and the name in it."""
        folder, name = path.rsplit("/", 1)
        return self.find(folder), name

    def opened(self, node):
        # A number is not used again: the release of a killed process's file may come late.
        handle = next(self.handles)
        self.open_files[handle] = node
        return handle

    # The operations of FUSE.

    def getattr(self, path, fh=None):
        with self.mutex:
            node = self.find(path, fh)
            return {
                "st_mode": node.mode,
                "st_ino": node.number,
                "st_nlink": 1,
                "st_size": len(node.bytes),
                "st_blocks": -(-len(node.bytes) // 512),
                **dict.fromkeys(("st_atime", "st_mtime", "st_ctime"), node.time),
            }

    def readdir(self, path, fh):
        with self.mutex:
            return [".", "..", *self.find(path).entries]

    def create(self, path, mode, fi=None):
        with self.mutex:
            node = Node(stat.S_IFREG | mode)
            self.change((*self.place(path), node))
            return self.opened(node)

    def mkdir(self, path, mode):
        with self.mutex:
            self.change((*self.place(path), Node(stat.S_IFDIR | mode)))

    def open(self, path, flags):
        with self.mutex:
            node = self.find(path)
            if flags & os.O_TRUNC:
                node.bytes.clear()
            return self.opened(node)

    def release(self, path, fh):
        with self.mutex:
            self.open_files.pop(fh, None)

    def read(self, path, size, offset, fh):
        with self.mutex:
            return bytes(self.find(path, fh).bytes[offset : offset + size])

    def write(self, path, data, offset, fh):
        with self.mutex:
            node = self.find(path, fh)
            node.bytes.extend(bytes(max(0, offset - len(node.bytes))))
            node.bytes[offset : offset + len(data)] = data
            node.time = time.time_ns()
            return len(data)

    def truncate(self, path, length, fh=None):
        with self.mutex:
            node = self.find(path, fh)
            del node.bytes[length:]
            node.bytes.extend(bytes(length - len(node.bytes)))

    def fsync(self, path, datasync, fh):
        with self.mutex:
            node = self.find(path, fh)
            node.synced = bytes(node.bytes)
            self.journal.clear()

    def fsyncdir(self, path, datasync, fh):
        with self.mutex:
            node = self.find(path)
            node.synced_entries = dict(node.entries)
            self.journal.clear()

    def rename(self, old, new):
        with self.mutex:
            folder, name = self.place(new)
            node = self.find(old)
            if not node.is_synced() and is_final(new):
                self.early.append(new)
            self.change((*self.place(old), None), (folder, name, node))

    def unlink(self, path):
        with self.mutex:
            self.change((*self.place(path), None))

    def rmdir(self, path):
        with self.mutex:
            if self.find(path).entries:
                raise mfusepy.FuseOSError(errno.ENOTEMPTY)
            self.change((*self.place(path), None))

    def chmod(self, path, mode):
        with self.mutex:
            node = self.find(path)
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)

    def chown(self, path, uid, gid):
        pass

    def utimens(self, path, times=None):
        pass

    def statfs(self, path):
        blocks = {name: 1 << 20 for name in ("f_blocks", "f_bfree", "f_bavail", "f_files", "f_ffree")}
        return {"f_bsize": 4096, "f_frsize": 4096, "f_namemax": 255, **blocks}


def put(folder, name, node):
    if node is None:
        folder.entries.pop(name, None)
    else:
        folder.entries[name] = node


def is_final(path):
    """Whether a path names a finished file: no temporary file, lock or part."""
    return not path.endswith(".part") and not any(part.startswith(".") for part in path.split("/"))


def mount(place):
    """Mounts a file system at a folder; it is unmounted by `umount`."""
    system = LazyFileSystem()
    options = {"foreground": True, "attr_timeout": 0, "entry_timeout": 0, "fsname": "lazyfs"}
    thread = threading.Thread(target=mfusepy.FUSE, args=(system, str(place)), kwargs=options, daemon=True)
    thread.start()
    while not os.path.ismount(place):
        if not thread.is_alive():
            print("power_cut.py: FUSE cannot be mounted here", file=sys.stderr)
            sys.exit(3)
        time.sleep(0.05)
    return system
