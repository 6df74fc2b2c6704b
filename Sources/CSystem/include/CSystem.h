// What Glibc has and Swift's import of it lacks: names behind _GNU_SOURCE, macros with casts, unions, variadic calls.
// Header only: each wrapper is the call it is named for, and nothing else.
#ifndef WORMHOLE_CSYSTEM_H
#define WORMHOLE_CSYSTEM_H

// _GNU_SOURCE itself stays undefined: with it some structures get other fields than in Swift's own import of Glibc, and
// the two may not differ. So what it guards is declared here, as the man pages have it.
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

#include "CSystemTools.h"

extern int renameat2(int, const char *, int, const char *, unsigned);
extern ssize_t copy_file_range(int, off_t *, int, off_t *, size_t, unsigned);
extern int fallocate(int, int, off_t, off_t);
extern int wcwidth(wchar_t);
extern char *program_invocation_short_name;
enum { csystem_F_OFD_GETLK = 36, csystem_F_OFD_SETLK = 37 };
// lseek(2)
enum { csystem_SEEK_DATA = 3, csystem_SEEK_HOLE = 4 };
enum { csystem_FALLOC_FL_KEEP_SIZE = 1, csystem_FALLOC_FL_PUNCH_HOLE = 2 };

// renameat2(2)
enum { csystem_RENAME_NOREPLACE = 1 };
static inline int csystem_renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
  return renameat2(from_dir, from, to_dir, to, flags);
}

// Open file description locks, fcntl(2). type: F_RDLCK, F_WRLCK or F_UNLCK. length 0: to the end of the file.
static inline int csystem_ofd_setlk(int fd, short type, off_t start, off_t length) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(fd, csystem_F_OFD_SETLK, &lock);
}
// The type of a lock that stands in the way of one of `type`, F_UNLCK when none does, -1 on error.
static inline int csystem_ofd_getlk(int fd, short type, off_t start, off_t length) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  if (fcntl(fd, csystem_F_OFD_GETLK, &lock) == -1) return -1;
  return lock.l_type;
}

// Two-part reads and writes at an offset, preadv(2).
static inline ssize_t csystem_preadv2parts(int fd, void *a, size_t a_length, void *b, size_t b_length, off_t offset) {
  struct iovec parts[2] = {{a, a_length}, {b, b_length}};
  return preadv(fd, parts, 2, offset);
}
static inline ssize_t csystem_pwritev2parts(int fd, const void *a, size_t a_length, const void *b, size_t b_length,
                                            off_t offset) {
  struct iovec parts[2] = {{(void *)a, a_length}, {(void *)b, b_length}};
  return pwritev(fd, parts, 2, offset);
}

// fallocate(2): gives the blocks of a range back, keeping the size.
static inline int csystem_punch_hole(int fd, off_t offset, off_t length) {
  return fallocate(fd, csystem_FALLOC_FL_PUNCH_HOLE | csystem_FALLOC_FL_KEEP_SIZE, offset, length);
}

// copy_file_range(2), FICLONE of ioctl_ficlonerange(2)
static inline ssize_t csystem_copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t length) {
  return copy_file_range(from, from_offset, to, to_offset, length, 0);
}
static inline int csystem_ficlone(int to, int from) { return ioctl(to, FICLONE, from); }

// statfs(2): the file system's magic number.
static inline int csystem_statfs_type(const char *path, unsigned long *type) {
  struct statfs status;
  if (statfs(path, &status) == -1) return -1;
  *type = (unsigned long)status.f_type;
  return 0;
}

// statfs(2): the bytes that a user without privileges may still fill, and whether the file system is mounted read-only.
static inline int csystem_statfs_room(const char *path, unsigned long *bytes, int *is_read_only) {
  struct statfs status;
  if (statfs(path, &status) == -1) return -1;
  *bytes = (unsigned long)status.f_bavail * (unsigned long)status.f_bsize;
  *is_read_only = (status.f_flags & 1 /* ST_RDONLY */) != 0;
  return 0;
}

// getrandom(2)
static inline ssize_t csystem_getrandom(void *buffer, size_t length) { return getrandom(buffer, length, 0); }

// inotify(7): flags that import as other types than the calls take.
enum {
  csystem_IN_CLOEXEC = IN_CLOEXEC,
  csystem_IN_NONBLOCK = IN_NONBLOCK,
};

// The name that the kernel started this program under, program_invocation_short_name(3).
static inline const char *csystem_program_name(void) { return program_invocation_short_name; }

// getopt_long(3), whose variables are errors in Swift 6.
static inline const char *csystem_optarg(void) { return optarg; }
static inline int csystem_optind(void) { return optind; }
static inline int csystem_optopt(void) { return optopt; }
static inline void csystem_getopt_reset(void) {
  optind = 0;
  opterr = 0;
}

// pthread_setname_np(3): at most 15 bytes.
extern int pthread_setname_np(unsigned long, const char *);
static inline int csystem_set_thread_name(unsigned long thread, const char *name) {
  return pthread_setname_np(thread, name);
}


// wcwidth(3): how many columns a character takes, -1 when it is not printable.
static inline int csystem_wcwidth(unsigned scalar) { return wcwidth((wchar_t)scalar); }

// ioctl_tty(2), TIOCGWINSZ
static inline int csystem_window_size(int fd, unsigned short *rows, unsigned short *columns) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) == -1) return -1;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return 0;
}

#endif
