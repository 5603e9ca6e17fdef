#define _GNU_SOURCE
#include "CFolderCalls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1 << 0)
#endif
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

#define RETRY(expression)                                                                                             \
    ({                                                                                                                 \
        long result_;                                                                                                  \
        do {                                                                                                           \
            result_ = (long)(expression);                                                                              \
        } while (result_ == -1 && errno == EINTR);                                                                     \
        result_ == -1 ? -(long)errno : result_;                                                                        \
    })

int folder_open_beneath(int directory, const uint8_t *path, enum folder_open_mode mode, int same_mount) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
    switch (mode) {
    case FOLDER_OPEN_READ:
        how.flags |= O_RDONLY | O_NONBLOCK;
        break;
    case FOLDER_OPEN_DIRECTORY:
        how.flags |= O_RDONLY | O_DIRECTORY;
        break;
    case FOLDER_OPEN_NEW:
        how.flags |= O_WRONLY | O_CREAT | O_EXCL;
        how.mode = 0666;
        break;
    case FOLDER_OPEN_WRITE:
        how.flags |= O_WRONLY | O_NONBLOCK;
        break;
    }
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    if (same_mount) how.resolve |= RESOLVE_NO_XDEV;
    long result;
    // EAGAIN: the kernel could not rule out a race with a rename; the manual says to try again.
    int tries = 0;
    do {
        result = RETRY(syscall(SYS_openat2, directory, path, &how, sizeof how));
    } while (result == -EAGAIN && ++tries < 64);
    return (int)result;
}

int folder_open_root(const uint8_t *path) {
    return (int)RETRY(open((const char *)path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static uint32_t kind_of_mode(mode_t mode) {
    switch (mode & S_IFMT) {
    case S_IFREG: return FOLDER_FILE;
    case S_IFDIR: return FOLDER_DIRECTORY;
    case S_IFLNK: return FOLDER_SYMLINK;
    case S_IFIFO: return FOLDER_FIFO;
    case S_IFSOCK: return FOLDER_SOCKET;
    case S_IFBLK:
    case S_IFCHR: return FOLDER_DEVICE;
    default: return FOLDER_UNKNOWN;
    }
}

// Since 1970; the first or the last one there is for times before 1677 and after 2262.
static int64_t nanoseconds(struct statx_timestamp time) {
    int64_t nanoseconds;
    if (__builtin_mul_overflow((int64_t)time.tv_sec, INT64_C(1000000000), &nanoseconds) ||
        __builtin_add_overflow(nanoseconds, (int64_t)time.tv_nsec, &nanoseconds))
        return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    return nanoseconds;
}

// Not every file system keeps the time of birth: 0 there.
static int look(int directory, const char *name, int flags, struct folder_stat *to) {
    struct statx from;
    long answer = RETRY(statx(directory, name, flags | AT_NO_AUTOMOUNT, STATX_BASIC_STATS | STATX_BTIME, &from));
    if (answer < 0) return (int)answer;
    to->device = makedev(from.stx_dev_major, from.stx_dev_minor);
    to->inode = from.stx_ino;
    to->size = (int64_t)from.stx_size;
    to->born = from.stx_mask & STATX_BTIME ? nanoseconds(from.stx_btime) : 0;
    to->modified = nanoseconds(from.stx_mtime);
    to->changed = nanoseconds(from.stx_ctime);
    to->mode = from.stx_mode & 07777;
    to->links = from.stx_nlink;
    to->user = from.stx_uid;
    to->group = from.stx_gid;
    to->kind = kind_of_mode(from.stx_mode);
    return 0;
}

int folder_stat(int descriptor, struct folder_stat *result) { return look(descriptor, "", AT_EMPTY_PATH, result); }

int folder_stat_at(int directory, const uint8_t *name, struct folder_stat *result) {
    return look(directory, (const char *)name, AT_SYMLINK_NOFOLLOW, result);
}

static int rename_with(int from, const uint8_t *from_name, int to, const uint8_t *to_name, unsigned flags) {
    return (int)RETRY(syscall(SYS_renameat2, from, from_name, to, to_name, flags));
}

int folder_exchange(int from, const uint8_t *from_name, int to, const uint8_t *to_name) {
    return rename_with(from, from_name, to, to_name, RENAME_EXCHANGE);
}

int folder_rename_new(int from, const uint8_t *from_name, int to, const uint8_t *to_name) {
    return rename_with(from, from_name, to, to_name, RENAME_NOREPLACE);
}

int folder_rename_over(int from, const uint8_t *from_name, int to, const uint8_t *to_name) {
    return rename_with(from, from_name, to, to_name, 0);
}

int folder_link(int from, const uint8_t *from_name, int to, const uint8_t *to_name) {
    return (int)RETRY(linkat(from, (const char *)from_name, to, (const char *)to_name, 0));
}

int folder_make_directory(int directory, const uint8_t *name, uint32_t mode) {
    return (int)RETRY(mkdirat(directory, (const char *)name, mode));
}

int folder_remove_file(int directory, const uint8_t *name) {
    return (int)RETRY(unlinkat(directory, (const char *)name, 0));
}

int folder_remove_directory(int directory, const uint8_t *name) {
    return (int)RETRY(unlinkat(directory, (const char *)name, AT_REMOVEDIR));
}

int64_t folder_read(int descriptor, void *buffer, size_t count) { return RETRY(read(descriptor, buffer, count)); }

int64_t folder_write(int descriptor, const void *buffer, size_t count) {
    return RETRY(write(descriptor, buffer, count));
}

int folder_sync(int descriptor) { return (int)RETRY(fsync(descriptor)); }

int folder_space(int descriptor, int64_t *available, int64_t *size) {
    struct statvfs space;
    long answer = RETRY(fstatvfs(descriptor, &space));
    if (answer < 0) return (int)answer;
    *available = (int64_t)(space.f_bavail * space.f_frsize);
    *size = (int64_t)(space.f_blocks * space.f_frsize);
    return 0;
}

int64_t folder_file_system(const char *path) {
    struct statfs status;
    long answer = RETRY(statfs(path, &status));
    return answer < 0 ? answer : (int64_t)(uint32_t)status.f_type;
}

int folder_clone(int from, int to) { return (int)RETRY(ioctl(to, FICLONE, from)); }

int folder_sync_file_system(int descriptor) { return (int)RETRY(syncfs(descriptor)); }

int folder_close(int descriptor) { return close(descriptor) == -1 ? -errno : 0; }

int folder_set_mode(int descriptor, uint32_t mode) { return (int)RETRY(fchmod(descriptor, mode)); }

int folder_set_owner(int descriptor, uint32_t user, uint32_t group) {
    return (int)RETRY(fchown(descriptor, user, group));
}

int folder_set_modified(int descriptor, int64_t modified) {
    struct timespec times[2];
    times[0].tv_sec = 0;
    times[0].tv_nsec = UTIME_NOW;
    times[1].tv_sec = modified / 1000000000;
    times[1].tv_nsec = modified % 1000000000;
    if (times[1].tv_nsec < 0) {
        times[1].tv_sec -= 1;
        times[1].tv_nsec += 1000000000;
    }
    return (int)RETRY(futimens(descriptor, times));
}

static int copy_attribute(const char *name, int from, int to) {
    ssize_t size = fgetxattr(from, name, NULL, 0);
    if (size < 0) return 0;
    char *value = malloc(2 * (size_t)size + 2);
    if (value == NULL) return 0;
    size = fgetxattr(from, name, value, (size_t)size);
    char *present = value + (size < 0 ? 0 : size);
    int copied = 0;
    // An equal one is left alone: setting it would only make the file dirty again.
    if (size >= 0 && (fgetxattr(to, name, present, (size_t)size + 1) != size || memcmp(value, present, (size_t)size) != 0))
        copied = fsetxattr(to, name, value, (size_t)size, 0) == 0;
    free(value);
    return copied;
}

int folder_copy_attributes(int from, int to) {
    ssize_t length = flistxattr(from, NULL, 0);
    if (length <= 0) return 0;
    char *names = malloc((size_t)length);
    if (names == NULL) return 0;
    length = flistxattr(from, names, (size_t)length);
    int copied = 0;
    for (char *name = names; length > 0 && name < names + length; name += strlen(name) + 1)
        copied += copy_attribute(name, from, to);
    free(names);
    return copied;
}

int folder_has_writer(int descriptor) {
    // A read lease is granted only where nobody has the file open for writing (fcntl(2), "Leases"). Whoever
    // opens it in the instant that we hold the lease waits, and we get a signal: SIGURG, which is ignored by
    // default, unlike the usual SIGIO.
    if (fcntl(descriptor, F_SETSIG, SIGURG) == -1) return -errno;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) == -1) return errno == EAGAIN ? 1 : -errno;
    if (fcntl(descriptor, F_SETLEASE, F_UNLCK) == -1) return -errno;
    return 0;
}

struct folder_dirent {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

struct folder_listing {
    int directory;
    long filled;
    long position;
    char buffer[64 * 1024] __attribute__((aligned(8)));
};

struct folder_listing *folder_list(int directory) {
    struct folder_listing *listing = malloc(sizeof *listing);
    if (listing == NULL) return NULL;
    listing->directory = directory;
    listing->filled = 0;
    listing->position = 0;
    return listing;
}

static uint32_t kind_of_type(unsigned char type) {
    switch (type) {
    case DT_REG: return FOLDER_FILE;
    case DT_DIR: return FOLDER_DIRECTORY;
    case DT_LNK: return FOLDER_SYMLINK;
    case DT_FIFO: return FOLDER_FIFO;
    case DT_SOCK: return FOLDER_SOCKET;
    case DT_BLK:
    case DT_CHR: return FOLDER_DEVICE;
    default: return FOLDER_UNKNOWN;
    }
}

int folder_list_next(struct folder_listing *listing, const uint8_t **name, size_t *length, uint32_t *kind) {
    for (;;) {
        if (listing->position >= listing->filled) {
            long count =
                RETRY(syscall(SYS_getdents64, listing->directory, listing->buffer, sizeof listing->buffer));
            if (count <= 0) return (int)count;
            listing->filled = count;
            listing->position = 0;
        }
        struct folder_dirent *entry = (struct folder_dirent *)(listing->buffer + listing->position);
        listing->position += entry->length;
        if (entry->name[0] == '.' && (entry->name[1] == 0 || (entry->name[1] == '.' && entry->name[2] == 0)))
            continue;
        *name = (const uint8_t *)entry->name;
        *length = strlen(entry->name);
        *kind = kind_of_type(entry->type);
        return 1;
    }
}

void folder_list_end(struct folder_listing *listing) { free(listing); }

int64_t folder_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t folder_random(void) {
    uint64_t value = 0;
    while (getrandom(&value, sizeof value, 0) != sizeof value) {}
    return value;
}
