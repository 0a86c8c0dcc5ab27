/* Names of glibc in Debian's archives of SQLite and jansson that musl does not
 * have (tools/musl): checked calls, without the check, and fcntl. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memset_chk(void *to, int byte, size_t n, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room);
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room,
                    const char *format, va_list args);
int __snprintf_chk(char *to, size_t n, int flag, size_t room,
                   const char *format, ...);
int fcntl64(int file, int what, ...);

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) {
  (void)room;
  return memcpy(to, from, n);
}

void *__memset_chk(void *to, int byte, size_t n, size_t room) {
  (void)room;
  return memset(to, byte, n);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) {
  (void)room;
  return strncpy(to, from, n);
}

int __vsnprintf_chk(char *to, size_t n, int flag, size_t room,
                    const char *format, va_list args) {
  (void)flag;
  (void)room;
  return vsnprintf(to, n, format, args);
}

int __snprintf_chk(char *to, size_t n, int flag, size_t room,
                   const char *format, ...) {
  va_list args;
  int size;
  va_start(args, format);
  size = __vsnprintf_chk(to, n, flag, room, format, args);
  va_end(args);
  return size;
}

int fcntl64(int file, int what, ...) {
  va_list args;
  void *value;
  va_start(args, what);
  value = va_arg(args, void *);
  va_end(args);
  return fcntl(file, what, value);
}
