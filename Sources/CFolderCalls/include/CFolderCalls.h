// The few Linux calls that the folder needs and Swift does not see.
//
// Every function answers a negative errno instead of setting errno, and repeats itself after EINTR. Paths are
// NUL-terminated bytes; "beneath" means: resolved from the descriptor, without a symbolic link on the way and
// without leaving it (openat2(2), RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS).
#ifndef CFOLDERCALLS_H
#define CFOLDERCALLS_H

#include <stddef.h>
#include <stdint.h>

enum folder_kind {
    FOLDER_FILE = 0,
    FOLDER_DIRECTORY = 1,
    FOLDER_SYMLINK = 2,
    FOLDER_FIFO = 3,
    FOLDER_SOCKET = 4,
    FOLDER_DEVICE = 5,
    FOLDER_UNKNOWN = 6
};

struct folder_stat {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    int64_t born;     // nanoseconds since 1970; 0: not known
    int64_t modified; // nanoseconds since 1970
    int64_t changed;  // nanoseconds since 1970
    uint32_t mode;    // permission bits
    uint32_t links;
    uint32_t user;
    uint32_t group;
    uint32_t kind; // enum folder_kind
};

enum folder_open_mode {
    FOLDER_OPEN_READ = 0,      // a file to read; never waits for a fifo's writer
    FOLDER_OPEN_DIRECTORY = 1, // a directory to list, or to resolve further names from
    FOLDER_OPEN_NEW = 2,       // a new file to write (O_EXCL)
    FOLDER_OPEN_WRITE = 3      // an existing file to write
};

// Opens beneath `directory`; with `same_mount`, EXDEV where a mount point lies on the way.
int folder_open_beneath(int directory, const uint8_t *path, enum folder_open_mode mode, int same_mount);
// Opens a directory by any path, following links: only for the folder's root itself.
int folder_open_root(const uint8_t *path);

int folder_stat(int descriptor, struct folder_stat *result);
// Of the name itself: a symbolic link is not followed.
int folder_stat_at(int directory, const uint8_t *name, struct folder_stat *result);

// Both names must exist; they change places in one step (RENAME_EXCHANGE).
int folder_exchange(int from, const uint8_t *from_name, int to, const uint8_t *to_name);
// EEXIST where the new name exists (RENAME_NOREPLACE).
int folder_rename_new(int from, const uint8_t *from_name, int to, const uint8_t *to_name);
int folder_rename_over(int from, const uint8_t *from_name, int to, const uint8_t *to_name);
int folder_link(int from, const uint8_t *from_name, int to, const uint8_t *to_name);
int folder_make_directory(int directory, const uint8_t *name, uint32_t mode);
int folder_remove_file(int directory, const uint8_t *name);
int folder_remove_directory(int directory, const uint8_t *name);

// Bytes read or written, 0 at the end of the file.
int64_t folder_read(int descriptor, void *buffer, size_t count);
int64_t folder_write(int descriptor, const void *buffer, size_t count);
int folder_sync(int descriptor);
// Bytes of the descriptor's file system: those that this user can still have, and all.
int folder_space(int descriptor, int64_t *available, int64_t *size);
// The number of the path's kind of file system, as statfs(2) has it.
int64_t folder_file_system(const char *path);
// Makes a file share the bytes of another one (FICLONE).
int folder_clone(int from, int to);
// Everything dirty on the descriptor's whole file system.
int folder_sync_file_system(int descriptor);
int folder_close(int descriptor);

int folder_set_mode(int descriptor, uint32_t mode);
int folder_set_owner(int descriptor, uint32_t user, uint32_t group);
// Nanoseconds since 1970; the access time becomes now.
int folder_set_modified(int descriptor, int64_t modified);
// Copies what extended attributes can be copied and are not equal already; answers how many were.
int folder_copy_attributes(int from, int to);
// 1 where some process has the file open for writing, 0 where none has; negative where it cannot be told.
// The descriptor must be open for reading only.
int folder_has_writer(int descriptor);

// A directory's names, one after the other, without `.` and `..`.
struct folder_listing;
struct folder_listing *folder_list(int directory);
// 1 with the next name (valid until the next call), 0 at the end.
int folder_list_next(struct folder_listing *listing, const uint8_t **name, size_t *length, uint32_t *kind);
void folder_list_end(struct folder_listing *listing);

int64_t folder_clock(void);
uint64_t folder_random(void);

#endif
