/* Makes the N-th call of a program on files of one directory fail, loaded by LD_PRELOAD.
 *
 *   FAULT_UNDER  the directory; calls on other files are left alone
 *   FAULT_CALL   N, from 1
 *   FAULT_KIND   full   that call and all later ones that need space: ENOSPC
 *                error  that call, reading or writing: EIO
 *                short  that read or write transfers half of the bytes: no error
 *   FAULT_MARK   a file that is made when the fault happens
 *
 * Counted are the calls that the kind can make fail. Removing files never fails.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* What a call does, as bits. */
enum { READS = 1, WRITES = 2, TRANSFERS = 4 };

static atomic_long calls;

static bool is_kind(const char *kind) {
    const char *wanted = getenv("FAULT_KIND");
    return wanted != NULL && strcmp(wanted, kind) == 0;
}

/* Counts a call. Returns the error that it must have, -1 for a short transfer, or 0. */
static int fault(int what) {
    const char *number = getenv("FAULT_CALL");
    if (number == NULL) return 0;
    bool full = is_kind("full"), is_short = is_kind("short");
    if (full ? !(what & WRITES) : is_short && !(what & TRANSFERS)) return 0;
    long wanted = atol(number), call = atomic_fetch_add(&calls, 1) + 1;
    if (call != wanted && !(full && call > wanted)) return 0;
    const char *mark = getenv("FAULT_MARK");
    if (mark != NULL && call == wanted) {
        long file = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
        if (file >= 0) syscall(SYS_close, file);
    }
    return is_short ? -1 : full ? ENOSPC : EIO;
}

static bool is_under(const char *path) {
    const char *under = getenv("FAULT_UNDER");
    size_t length = under == NULL ? 0 : strlen(under);
    return length > 0 && strncmp(path, under, length) == 0 &&
           (path[length] == '/' || path[length] == 0);
}

static bool is_file_under(int file) {
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, name, path, sizeof path - 1);
    if (length <= 0) return false;
    path[length] = 0;
    return is_under(path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Fails with the error of the fault, if there is one. */
#define FAIL(counts, what, failed)                 \
    do {                                           \
        int error = (counts) ? fault(what) : 0;    \
        if (error > 0) {                           \
            errno = error;                         \
            return failed;                         \
        }                                          \
    } while (0)

/* The same for a transfer, of which half may happen. */
#define FAIL_OR_HALVE(file, what, size)                                   \
    do {                                                                  \
        int error = is_file_under(file) ? fault((what) | TRANSFERS) : 0;  \
        if (error > 0) {                                                  \
            errno = error;                                                \
            return -1;                                                    \
        }                                                                 \
        if (error < 0 && (size) > 1) (size) /= 2;                         \
    } while (0)

ssize_t read(int file, void *buffer, size_t size) {
    FAIL_OR_HALVE(file, READS, size);
    return NEXT(read)(file, buffer, size);
}

ssize_t pread64(int file, void *buffer, size_t size, off64_t at) {
    FAIL_OR_HALVE(file, READS, size);
    return NEXT(pread64)(file, buffer, size, at);
}

ssize_t write(int file, const void *buffer, size_t size) {
    FAIL_OR_HALVE(file, WRITES, size);
    return NEXT(write)(file, buffer, size);
}

ssize_t pwrite64(int file, const void *buffer, size_t size, off64_t at) {
    FAIL_OR_HALVE(file, WRITES, size);
    return NEXT(pwrite64)(file, buffer, size, at);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    FAIL_OR_HALVE(file, WRITES, count);
    return NEXT(writev)(file, parts, count);
}

ssize_t readv(int file, const struct iovec *parts, int count) {
    FAIL_OR_HALVE(file, READS, count);
    return NEXT(readv)(file, parts, count);
}

/* An open that creates a file needs space. */
#define OPEN(name, path, flags, ...)                                       \
    do {                                                                   \
        va_list rest;                                                      \
        va_start(rest, flags);                                             \
        mode_t mode = va_arg(rest, mode_t);                                \
        va_end(rest);                                                      \
        bool creates = (flags) & (O_CREAT | __O_TMPFILE);                  \
        FAIL(is_under(path), creates ? WRITES : READS, -1);                \
        return NEXT(name)(__VA_ARGS__, mode);                              \
    } while (0)

int open(const char *path, int flags, ...) { OPEN(open, path, flags, path, flags); }
int open64(const char *path, int flags, ...) { OPEN(open64, path, flags, path, flags); }
int openat(int at, const char *path, int flags, ...) {
    OPEN(openat, path, flags, at, path, flags);
}
int openat64(int at, const char *path, int flags, ...) {
    OPEN(openat64, path, flags, at, path, flags);
}

DIR *opendir(const char *path) {
    FAIL(is_under(path), READS, NULL);
    return NEXT(opendir)(path);
}

struct dirent64 *readdir64(DIR *directory) {
    FAIL(is_file_under(dirfd(directory)), READS, NULL);
    return NEXT(readdir64)(directory);
}

void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    FAIL(file >= 0 && is_file_under(file), READS, MAP_FAILED);
    return NEXT(mmap)(at, length, protection, flags, file, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int file, off64_t offset) {
    FAIL(file >= 0 && is_file_under(file), READS, MAP_FAILED);
    return NEXT(mmap64)(at, length, protection, flags, file, offset);
}

int fsync(int file) {
    FAIL(is_file_under(file), WRITES, -1);
    return NEXT(fsync)(file);
}

int fdatasync(int file) {
    FAIL(is_file_under(file), WRITES, -1);
    return NEXT(fdatasync)(file);
}

int ftruncate64(int file, off64_t length) {
    FAIL(is_file_under(file), WRITES, -1);
    return NEXT(ftruncate64)(file, length);
}

int rename(const char *from, const char *to) {
    FAIL(is_under(to), WRITES, -1);
    return NEXT(rename)(from, to);
}

int mkdir(const char *path, mode_t mode) {
    FAIL(is_under(path), WRITES, -1);
    return NEXT(mkdir)(path, mode);
}

int fchmod(int file, mode_t mode) {
    FAIL(is_file_under(file), WRITES, -1);
    return NEXT(fchmod)(file, mode);
}
