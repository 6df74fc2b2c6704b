// What the tools and the tests need besides the library: options, signals, other processes.
#ifndef WORMHOLE_CSYSTEM_TOOLS_H
#define WORMHOLE_CSYSTEM_TOOLS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Declared here because the import of Glibc may have read their headers without _GNU_SOURCE.
extern int memfd_create(const char *name, unsigned flags);
extern int signalfd(int descriptor, const sigset_t *signals, int flags);
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// getopt_long(3), without the index of the option.
static inline int csystem_getopt_long(int count, char *const *arguments, const char *shorts,
                                      const struct option *longs) {
  return getopt_long(count, arguments, shorts, longs, NULL);
}

// signalfd(2): a descriptor that is readable when one of the signals has come, which must be blocked.
static inline int csystem_signalfd(const sigset_t *signals) { return signalfd(-1, signals, O_CLOEXEC /* which SFD_CLOEXEC is */); }

// memfd_create(2): a file without a name, in memory.
static inline int csystem_memory_file(const char *name) { return memfd_create(name, 1U /* MFD_CLOEXEC */); }

// pipe2(2): a pipe that other programs do not inherit; ends[0] is read, ends[1] is written.
static inline int csystem_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

// pidfd_open(2), pidfd_send_signal(2): a process that no other can be taken for.
static inline int csystem_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
static inline int csystem_pidfd_send_signal(int process, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, process, signal, NULL, 0);
}

// prctl(2), PR_SET_PDEATHSIG: this process gets `signal` when the thread that made it ends; kept across execve(2).
static inline int csystem_signal_on_parent_death(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

// sched_getaffinity(2), sched_setaffinity(2): the processors of a thread, a bit for each, in `size` bytes.
static inline int csystem_get_processors(pid_t thread, size_t size, void *bits) {
  return (int)syscall(SYS_sched_getaffinity, thread, size, bits);
}
static inline int csystem_set_processors(pid_t thread, size_t size, const void *bits) {
  return (int)syscall(SYS_sched_setaffinity, thread, size, bits);
}

// posix_spawn_file_actions_addchdir_np(3)
static inline int csystem_spawn_chdir(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

#endif
