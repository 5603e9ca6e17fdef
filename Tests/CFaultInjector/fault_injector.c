#define _GNU_SOURCE
#include "CFaultInjector.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum act { ACT_NONE, ACT_KILL, ACT_HALF, ACT_LOSE, ACT_FAIL, ACT_FAIL_ON };

// What becomes of one call.
enum verdict { GO_ON, WRITE_HALF, PRETEND, FAIL };

static char below[PATH_MAX];
static size_t below_length;
static const char *fault_step;
static long fault_at;
static enum act fault_act;
static int fault_errno;
static int log_file = -1;
static const _Atomic int64_t *clock_step;
static const _Atomic int32_t *fault_switch;
static atomic_long counted;

#define REAL(type, name, ...)                                                                                          \
    static type (*real_##name)(__VA_ARGS__);                                                                           \
    static void resolve_##name(void) {                                                                                 \
        if (real_##name == NULL) real_##name = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);                         \
    }

REAL(long, syscall, long, ...)
REAL(ssize_t, write, int, const void *, size_t)

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// What a file holds that the environment names: it changes when the file does.
static const void *shared(const char *variable, size_t size) {
    const char *path = getenv(variable);
    if (path == NULL) return NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    void *mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) abort();
    return mapped;
}

__attribute__((constructor)) static void begin(void) {
    resolve_syscall();
    resolve_write();
    const char *directory = getenv("ZF_FAULT_BELOW");
    char resolved[PATH_MAX];
    if (directory != NULL && realpath(directory, resolved) != NULL) {
        strcpy(below, resolved);
        below_length = strlen(below);
    }
    const char *act = getenv("ZF_FAULT_ACT");
    const char *at = getenv("ZF_FAULT_AT");
    if (act != NULL && at != NULL) {
        fault_at = atol(at);
        fault_errno = atoi(act);
        fault_act = strcmp(act, "kill") == 0   ? ACT_KILL
                    : strcmp(act, "half") == 0 ? ACT_HALF
                    : strcmp(act, "lose") == 0 ? ACT_LOSE
                    : strchr(act, '+') != NULL ? ACT_FAIL_ON
                                               : ACT_FAIL;
    }
    fault_step = getenv("ZF_FAULT_STEP");
    const char *log = getenv("ZF_FAULT_LOG");
    if (log != NULL) {
        int file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        log_file = fcntl(file, F_DUPFD_CLOEXEC, 200);
        close(file);
    }
    clock_step = shared("ZF_CLOCK", sizeof *clock_step);
    fault_switch = shared("ZF_FAULT_SWITCH", sizeof *fault_switch);
}

// Whether a call is one of those among which the one at fault is counted.
static int is_step(const char *call, const char *path) {
    if (fault_step == NULL) return 1;
    size_t length = strlen(call);
    if (strncmp(fault_step, call, length) != 0 || fault_step[length] != ' ') return 0;
    const char *wanted = fault_step + length + 1;
    return strncmp(path + below_length, wanted, strlen(wanted)) == 0;
}

static enum verdict judge(const char *call, const char *path) {
    if (log_file >= 0) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%s %s\n", call, path);
        if (real_write(log_file, line, (size_t)length) != length) abort();
    }
    int32_t switched = fault_switch == NULL ? 0 : atomic_load(fault_switch);
    if (switched != 0) {
        fault_errno = switched;
        return FAIL;
    }
    if (fault_act == ACT_NONE || !is_step(call, path)) return GO_ON;
    long number = atomic_fetch_add(&counted, 1) + 1;
    if (number < fault_at || (number > fault_at && fault_act != ACT_FAIL_ON)) return GO_ON;
    switch (fault_act) {
    case ACT_KILL: die(); return GO_ON;
    case ACT_HALF: return WRITE_HALF;
    case ACT_LOSE: return PRETEND;
    default: return FAIL;
    }
}

static int is_below(const char *path) {
    return strncmp(path, below, below_length) == 0 && (path[below_length] == '/' || path[below_length] == 0);
}

static int path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return path[0] == '/';
}

static enum verdict judge_descriptor(const char *call, int descriptor) {
    if (below_length == 0) return GO_ON;
    int before = errno;
    char path[PATH_MAX];
    int counts = path_of(descriptor, path) && is_below(path);
    errno = before;
    return counts ? judge(call, path) : GO_ON;
}

static enum verdict judge_name(const char *call, int directory, const char *name) {
    if (below_length == 0 || name == NULL) return GO_ON;
    int before = errno;
    char path[PATH_MAX];
    int counts = 1;
    if (name[0] == '/') {
        snprintf(path, sizeof path, "%s", name);
    } else {
        if (directory == AT_FDCWD)
            counts = getcwd(path, sizeof path) != NULL;
        else
            counts = path_of(directory, path);
        size_t length = counts ? strlen(path) : 0;
        if (counts) snprintf(path + length, sizeof path - length, "/%s", name);
    }
    counts = counts && is_below(path);
    errno = before;
    return counts ? judge(call, path) : GO_ON;
}

#define SETTLE(verdict, success)                                                                                       \
    switch (verdict) {                                                                                                 \
    case GO_ON: break;                                                                                                 \
    case WRITE_HALF: die(); break;                                                                                     \
    case PRETEND: return success;                                                                                      \
    case FAIL: errno = fault_errno; return -1;                                                                         \
    }

// A call on a descriptor that only answers 0 or -1.
#define DESCRIPTOR_CALL(name, parameters, arguments, ...)                                                              \
    REAL(int, name, __VA_ARGS__)                                                                                       \
    int name parameters {                                                                                              \
        resolve_##name();                                                                                              \
        SETTLE(judge_descriptor(#name, descriptor), 0)                                                                 \
        return real_##name arguments;                                                                                  \
    }

// A call on a name that only answers 0 or -1.
#define NAME_CALL(name, directory, path, parameters, arguments, ...)                                                   \
    REAL(int, name, __VA_ARGS__)                                                                                       \
    int name parameters {                                                                                              \
        resolve_##name();                                                                                              \
        SETTLE(judge_name(#name, directory, path), 0)                                                                  \
        return real_##name arguments;                                                                                  \
    }

// MARK: Bytes

ssize_t write(int descriptor, const void *bytes, size_t count) {
    enum verdict verdict = judge_descriptor("write", descriptor);
    if (verdict == WRITE_HALF) {
        if (real_write(descriptor, bytes, count / 2) < 0) die();
    }
    SETTLE(verdict, (ssize_t)count)
    return real_write(descriptor, bytes, count);
}

REAL(ssize_t, pwrite, int, const void *, size_t, off_t)
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    resolve_pwrite();
    enum verdict verdict = judge_descriptor("pwrite", descriptor);
    if (verdict == WRITE_HALF) {
        if (real_pwrite(descriptor, bytes, count / 2, offset) < 0) die();
    }
    SETTLE(verdict, (ssize_t)count)
    return real_pwrite(descriptor, bytes, count, offset);
}

REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    resolve_pwrite64();
    enum verdict verdict = judge_descriptor("pwrite", descriptor);
    if (verdict == WRITE_HALF) {
        if (real_pwrite64(descriptor, bytes, count / 2, offset) < 0) die();
    }
    SETTLE(verdict, (ssize_t)count)
    return real_pwrite64(descriptor, bytes, count, offset);
}

static ssize_t length_of(const struct iovec *pieces, int count) {
    ssize_t length = 0;
    for (int i = 0; i < count; i++) length += (ssize_t)pieces[i].iov_len;
    return length;
}

REAL(ssize_t, writev, int, const struct iovec *, int)
ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
    resolve_writev();
    SETTLE(judge_descriptor("writev", descriptor), length_of(pieces, count))
    return real_writev(descriptor, pieces, count);
}

REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t)
ssize_t pwritev(int descriptor, const struct iovec *pieces, int count, off_t offset) {
    resolve_pwritev();
    SETTLE(judge_descriptor("pwritev", descriptor), length_of(pieces, count))
    return real_pwritev(descriptor, pieces, count, offset);
}

DESCRIPTOR_CALL(ftruncate, (int descriptor, off_t length), (descriptor, length), int, off_t)
DESCRIPTOR_CALL(ftruncate64, (int descriptor, off64_t length), (descriptor, length), int, off64_t)
DESCRIPTOR_CALL(
    fallocate, (int descriptor, int mode, off_t offset, off_t length), (descriptor, mode, offset, length), int, int,
    off_t, off_t)
DESCRIPTOR_CALL(
    fallocate64, (int descriptor, int mode, off64_t offset, off64_t length), (descriptor, mode, offset, length), int,
    int, off64_t, off64_t)
NAME_CALL(truncate, AT_FDCWD, path, (const char *path, off_t length), (path, length), const char *, off_t)

// MARK: Durability

DESCRIPTOR_CALL(fsync, (int descriptor), (descriptor), int)
DESCRIPTOR_CALL(fdatasync, (int descriptor), (descriptor), int)
DESCRIPTOR_CALL(syncfs, (int descriptor), (descriptor), int)

// MARK: Attributes

DESCRIPTOR_CALL(fchmod, (int descriptor, mode_t mode), (descriptor, mode), int, mode_t)
DESCRIPTOR_CALL(
    fchown, (int descriptor, uid_t user, gid_t group), (descriptor, user, group), int, uid_t, gid_t)
DESCRIPTOR_CALL(
    futimens, (int descriptor, const struct timespec times[2]), (descriptor, times), int, const struct timespec *)
DESCRIPTOR_CALL(
    fsetxattr, (int descriptor, const char *name, const void *value, size_t size, int flags),
    (descriptor, name, value, size, flags), int, const char *, const void *, size_t, int)
NAME_CALL(chmod, AT_FDCWD, path, (const char *path, mode_t mode), (path, mode), const char *, mode_t)

// MARK: Names

NAME_CALL(rename, AT_FDCWD, new, (const char *old, const char *new), (old, new), const char *, const char *)
NAME_CALL(
    renameat, to, new, (int from, const char *old, int to, const char *new), (from, old, to, new), int, const char *,
    int, const char *)
NAME_CALL(
    renameat2, to, new, (int from, const char *old, int to, const char *new, unsigned flags),
    (from, old, to, new, flags), int, const char *, int, const char *, unsigned)
NAME_CALL(link, AT_FDCWD, new, (const char *old, const char *new), (old, new), const char *, const char *)
NAME_CALL(
    linkat, to, new, (int from, const char *old, int to, const char *new, int flags), (from, old, to, new, flags),
    int, const char *, int, const char *, int)
NAME_CALL(symlink, AT_FDCWD, new, (const char *old, const char *new), (old, new), const char *, const char *)
NAME_CALL(unlink, AT_FDCWD, path, (const char *path), (path), const char *)
NAME_CALL(
    unlinkat, directory, path, (int directory, const char *path, int flags), (directory, path, flags), int,
    const char *, int)
NAME_CALL(rmdir, AT_FDCWD, path, (const char *path), (path), const char *)
NAME_CALL(mkdir, AT_FDCWD, path, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
NAME_CALL(
    mkdirat, directory, path, (int directory, const char *path, mode_t mode), (directory, path, mode), int,
    const char *, mode_t)

// MARK: New files

#define MODE_AFTER(flags)                                                                                              \
    mode_t mode = 0;                                                                                                   \
    if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE) {                                              \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = (mode_t)va_arg(rest, int);                                                                              \
        va_end(rest);                                                                                                  \
    }

// A lying disk cannot give a descriptor of nothing: there the call is made.
#define SETTLE_OPEN(verdict)                                                                                           \
    switch (verdict) {                                                                                                 \
    case GO_ON:                                                                                                        \
    case PRETEND: break;                                                                                               \
    case WRITE_HALF: die(); break;                                                                                     \
    case FAIL: errno = fault_errno; return -1;                                                                         \
    }

#define OPEN_CALL(name)                                                                                                \
    REAL(int, name, const char *, int, ...)                                                                            \
    int name(const char *path, int flags, ...) {                                                                       \
        resolve_##name();                                                                                              \
        MODE_AFTER(flags)                                                                                              \
        if (flags & (O_CREAT | O_TRUNC)) SETTLE_OPEN(judge_name("open", AT_FDCWD, path))                               \
        return real_##name(path, flags, mode);                                                                         \
    }
#define OPENAT_CALL(name)                                                                                              \
    REAL(int, name, int, const char *, int, ...)                                                                       \
    int name(int directory, const char *path, int flags, ...) {                                                        \
        resolve_##name();                                                                                              \
        MODE_AFTER(flags)                                                                                              \
        if (flags & (O_CREAT | O_TRUNC)) SETTLE_OPEN(judge_name("open", directory, path))                              \
        return real_##name(directory, path, flags, mode);                                                              \
    }
OPEN_CALL(open)
OPEN_CALL(open64)
OPENAT_CALL(openat)
OPENAT_CALL(openat64)

// MARK: What has no wrapper

long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long), d = va_arg(rest, long);
    long e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    if (real_syscall == NULL) resolve_syscall();
    if (number == SYS_renameat2) {
        SETTLE(judge_name("renameat2", (int)c, (const char *)d), 0)
    } else if (number == SYS_openat2 && (((const struct open_how *)c)->flags & (O_CREAT | O_TRUNC)) != 0) {
        SETTLE_OPEN(judge_name("openat2", (int)a, (const char *)b))
    }
    return real_syscall(number, a, b, c, d, e, f);
}

// MARK: The time of day

REAL(int, clock_gettime, clockid_t, struct timespec *)
int clock_gettime(clockid_t clock, struct timespec *time) {
    resolve_clock_gettime();
    int answer = real_clock_gettime(clock, time);
    if (answer != 0 || clock_step == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return answer;
    int64_t nanoseconds = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + atomic_load(clock_step);
    time->tv_sec = nanoseconds / 1000000000;
    time->tv_nsec = nanoseconds % 1000000000;
    return answer;
}
