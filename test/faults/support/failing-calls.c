/* Lets the n-th call on the files of one database or folder fail, or kill the process there. Loaded with LD_PRELOAD in front of libc.
 * What to do stands in a small file that the test writes and this library maps (see failing-calls.ts); it counts there, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { PREAD, PWRITE, FSYNC, FDATASYNC, FTRUNCATE, UNLINK, OPEN, READ, WRITE, RENAME, LINK, MKDIR, CALLS };

struct orders {
  int32_t armed;      /* 0: nothing is counted, and nothing fails */
  int32_t call;       /* which call fails */
  int32_t nth;        /* counted from 1; 0: none */
  int32_t persistent; /* and all later ones */
  int32_t error;      /* what errno says; 0: the process is killed */
  int32_t injected;   /* how often that happened */
  int32_t counts[CALLS];
  char file[1024];    /* the database, and by its beginning what lies beside it; or a folder, with all in it */
  char folder[1024];  /* the folder that it is in */
};

static volatile struct orders *orders;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("KEEPSAKE_FAILING_CALLS");
  int handle = path == NULL ? -1 : open(path, O_RDWR);
  if (handle < 0) return;
  void *memory = mmap(NULL, sizeof(struct orders), PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
  if (memory != MAP_FAILED) orders = memory;
  close(handle);
}

static int is_ours(const char *path) {
  const char *file = (const char *)orders->file;
  return strncmp(path, file, strlen(file)) == 0 || strcmp(path, (const char *)orders->folder) == 0;
}

/* Whether this call has to fail; errno is set then. */
static int fails(enum call call, const char *path) {
  if (!is_ours(path)) return 0;
  int32_t n = __atomic_add_fetch(&orders->counts[call], 1, __ATOMIC_SEQ_CST);
  if (orders->call != (int32_t)call || orders->nth == 0) return 0;
  if (n != orders->nth && !(orders->persistent && n > orders->nth)) return 0;
  orders->injected++;
  if (orders->error == 0) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  errno = orders->error;
  return 1;
}

static int fails_on(enum call call, int handle) {
  char link[64], path[1100];
  if (orders == NULL || !orders->armed) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(call, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define ON_HANDLE(call, result, name, parameters, arguments)                                 \
  result name parameters {                                                                   \
    static __typeof__(&name) next;                                                           \
    if (next == NULL) next = NEXT(name);                                                     \
    return fails_on(call, handle) ? -1 : next arguments;                                     \
  }

ON_HANDLE(PREAD, ssize_t, pread, (int handle, void *to, size_t size, off_t at), (handle, to, size, at))
ON_HANDLE(PREAD, ssize_t, pread64, (int handle, void *to, size_t size, off64_t at), (handle, to, size, at))
ON_HANDLE(PWRITE, ssize_t, pwrite, (int handle, const void *from, size_t size, off_t at), (handle, from, size, at))
ON_HANDLE(PWRITE, ssize_t, pwrite64, (int handle, const void *from, size_t size, off64_t at), (handle, from, size, at))
ON_HANDLE(FSYNC, int, fsync, (int handle), (handle))
ON_HANDLE(FDATASYNC, int, fdatasync, (int handle), (handle))
ON_HANDLE(FTRUNCATE, int, ftruncate, (int handle, off_t length), (handle, length))
ON_HANDLE(FTRUNCATE, int, ftruncate64, (int handle, off64_t length), (handle, length))

ON_HANDLE(READ, ssize_t, read, (int handle, void *to, size_t size), (handle, to, size))
ON_HANDLE(WRITE, ssize_t, write, (int handle, const void *from, size_t size), (handle, from, size))
ON_HANDLE(WRITE, ssize_t, writev, (int handle, const struct iovec *from, int count), (handle, from, count))

#define ON_PATH(call, name, parameters, arguments)                                           \
  int name parameters {                                                                      \
    static __typeof__(&name) next;                                                           \
    if (next == NULL) next = NEXT(name);                                                     \
    return orders != NULL && orders->armed && fails(call, path) ? -1 : next arguments;       \
  }

ON_PATH(UNLINK, unlink, (const char *path), (path))
ON_PATH(RENAME, rename, (const char *from, const char *path), (from, path))
ON_PATH(LINK, link, (const char *from, const char *path), (from, path))
ON_PATH(MKDIR, mkdir, (const char *path, mode_t mode), (path, mode))

/* The mode is only given to calls that may create a file. */
#define ON_OPEN(name)                                                                        \
  int name(const char *path, int flags, ...) {                                               \
    static int (*next)(const char *, int, ...);                                              \
    if (next == NULL) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);       \
    va_list more;                                                                            \
    va_start(more, flags);                                                                   \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                  \
    va_end(more);                                                                            \
    return orders != NULL && orders->armed && fails(OPEN, path) ? -1 : next(path, flags, mode); \
  }

ON_OPEN(open)
ON_OPEN(open64)
