/* Reading text line by line, in blocks. */
#include "io/lines.h"

#include "base/alloc.h"
#include "base/number.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_BLOCK = 1 << 18 };

bperc_status bperc_i_lines_bad(const bperc_i_lines *lines, bperc_error *error,
                               const char *format, ...) {
  char what[256];
  va_list args;
  va_start(args, format);
  bperc_i_vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return bperc_error_set(error, BPERC_E_FORMAT, "%s:%zu: %s", lines->path,
                         lines->number, what);
}

static bperc_status fail_lines(const bperc_i_lines *lines, bperc_error *error) {
  return bperc_error_set(error, errno == ENOMEM ? BPERC_E_MEMORY : BPERC_E_IO,
                         "%s: %s", lines->path, strerror(errno));
}

/* Room for more: first at the front, then by growing. One byte is kept for
 * the end of the last line. */
static bperc_status make_room(bperc_i_lines *lines, bperc_error *error) {
  size_t room = lines->room ? lines->room + lines->room / 2 : FIRST_BLOCK;
  char *buffer;
  if (!lines->room && lines->size >= 0 && lines->size < FIRST_BLOCK / 2)
    room = (size_t)lines->size + 64; /* a small file needs no more */
  if (lines->start) {
    memmove(lines->buffer, lines->buffer + lines->start,
            lines->end - lines->start);
    lines->end -= lines->start;
    lines->start = 0;
  }
  if (lines->end + 1 < lines->room)
    return BPERC_OK;
  buffer = bperc_i_realloc(lines->buffer, lines->end, room);
  if (!buffer)
    return bperc_error_set(error, BPERC_E_MEMORY,
                           "%s:%zu: no memory for a line of %zu bytes",
                           lines->path, lines->number, room);
  lines->buffer = buffer;
  lines->room = room;
  return BPERC_OK;
}

/* Reads the next block behind what is unread. */
static bperc_status read_line_block(bperc_i_lines *lines, bperc_error *error) {
  size_t got;
  bperc_status status = make_room(lines, error);
  if (status != BPERC_OK)
    return status;
  errno = 0;
  got = fread(lines->buffer + lines->end, 1, lines->room - 1 - lines->end,
              lines->file);
  if (got == 0 && ferror(lines->file))
    return fail_lines(lines, error);
  lines->ended = got == 0;
  lines->end += got;
  lines->total += (off_t)got;
  return BPERC_OK;
}

/* Files of old systems end lines with a carriage return alone. */
static char find_newline(const bperc_i_lines *lines) {
  return !memchr(lines->buffer, '\n', lines->end) &&
                 memchr(lines->buffer, '\r', lines->end)
             ? '\r'
             : '\n';
}

bperc_status bperc_i_lines_open(bperc_i_lines *lines, const char *path,
                                bperc_error *error) {
  struct stat info;
  bperc_status status = BPERC_OK;
  int standard = strcmp(path, "-") == 0;
  memset(lines, 0, sizeof *lines);
  lines->path = standard ? "standard input" : path;
  lines->file = standard ? stdin : fopen(path, "rb");
  if (!lines->file)
    return fail_lines(lines, error);
  lines->origin = lines->size = -1;
  if (fstat(fileno(lines->file), &info) != 0)
    status = fail_lines(lines, error);
  else if (S_ISDIR(info.st_mode))
    status =
        bperc_error_set(error, BPERC_E_IO, "%s: is a directory", lines->path);
  else if (S_ISREG(info.st_mode)) {
    lines->size = info.st_size;
    lines->origin = ftello(lines->file);
  }
  if (status == BPERC_OK)
    status = read_line_block(lines, error);
  if (status == BPERC_OK)
    lines->newline = find_newline(lines);
  else
    bperc_i_lines_close(lines);
  return status;
}

void bperc_i_lines_close(bperc_i_lines *lines) {
  if (lines->file && lines->file != stdin)
    fclose(lines->file);
  bperc_i_free(lines->buffer);
  memset(lines, 0, sizeof *lines);
}

static bperc_status no_zero_bytes(bperc_i_lines *lines, size_t from,
                                  size_t count, bperc_error *error) {
  if (!memchr(lines->buffer + from, 0, count))
    return BPERC_OK;
  return bperc_i_lines_bad(lines, error,
                           "a zero byte: this is not a text file");
}

/* The raw next line into text and length; *found is 0 at the end. */
static bperc_status take_line(bperc_i_lines *lines, int *found,
                              bperc_error *error) {
  size_t seen = 0;
  char *newline = NULL;
  lines->number++;
  for (;;) {
    size_t from = lines->start + seen, count = lines->end - from;
    bperc_status status;
    newline =
        count ? memchr(lines->buffer + from, lines->newline, count) : NULL;
    if (newline)
      count = (size_t)(newline - lines->buffer) - from;
    status = count ? no_zero_bytes(lines, from, count, error) : BPERC_OK;
    if (status != BPERC_OK)
      return status;
    seen += count;
    if (newline || lines->ended)
      break;
    status = read_line_block(lines, error);
    if (status != BPERC_OK)
      return status;
  }
  *found = newline || seen;
  assert(lines->start + seen <= lines->end && lines->end < lines->room);
  lines->text = lines->buffer + lines->start;
  lines->length = seen;
  lines->start += seen + (newline != NULL);
  if (seen && lines->text[seen - 1] == '\r')
    lines->length--;
  lines->text[lines->length] = 0;
  return BPERC_OK;
}

static void skip_byte_order_mark(bperc_i_lines *lines) {
  if (lines->number == 1 && strncmp(lines->text, "\xef\xbb\xbf", 3) == 0) {
    lines->text += 3;
    lines->length -= 3;
  }
}

bperc_status bperc_i_lines_any(bperc_i_lines *lines, int *more,
                               bperc_error *error) {
  bperc_status status;
  *more = lines->again;
  lines->again = 0;
  if (*more)
    return BPERC_OK;
  status = take_line(lines, more, error);
  if (status != BPERC_OK)
    return status;
  if (*more)
    skip_byte_order_mark(lines);
  else
    lines->number--; /* messages at the end name the last line */
  return status;
}

void bperc_i_lines_again(bperc_i_lines *lines) { lines->again = 1; }

/* How a file of our own wants to be read. */
static void keep_remark(bperc_i_lines *lines) {
  static const char start[] = "# read with ";
  if (!lines->remark[0] && strncmp(lines->text, start, sizeof start - 1) == 0 &&
      lines->length - (sizeof start - 1) < sizeof lines->remark)
    memcpy(lines->remark, lines->text + sizeof start - 1,
           lines->length - (sizeof start - 1) + 1);
}

bperc_status bperc_i_lines_next(bperc_i_lines *lines, int *more,
                                bperc_error *error) {
  bperc_status status;
  for (;;) {
    status = bperc_i_lines_any(lines, more, error);
    if (status != BPERC_OK || !*more ||
        (lines->text[0] != '#' && lines->text[strspn(lines->text, " \t")]))
      return status;
    keep_remark(lines);
  }
}

off_t bperc_i_lines_left(const bperc_i_lines *lines) {
  off_t at = lines->origin + lines->total - (off_t)(lines->end - lines->start);
  if (lines->origin < 0)
    return -1;
  return lines->size > at ? lines->size - at : 0;
}

bperc_status bperc_i_lines_copy(bperc_i_lines *lines, FILE *copy,
                                bperc_error *error) {
  bperc_status status = BPERC_OK;
  if (!copy)
    return fail_lines(lines, error);
  if (lines->text) {
    fwrite(lines->text, 1, lines->length, copy);
    fputc(lines->newline, copy);
  }
  for (;;) {
    fwrite(lines->buffer + lines->start, 1, lines->end - lines->start, copy);
    lines->start = lines->end;
    if (status == BPERC_OK && bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    if (status != BPERC_OK || lines->ended || ferror(copy))
      break;
    status = read_line_block(lines, error);
  }
  lines->origin = 0;
  lines->size = lines->total = ftello(copy);
  if (status == BPERC_OK && (ferror(copy) || fflush(copy) != 0))
    status = fail_lines(lines, error);
  if (lines->file != stdin)
    fclose(lines->file);
  lines->file = copy;
  return status;
}

bperc_status bperc_i_lines_mark(bperc_i_lines *lines, bperc_error *error) {
  const char *at = lines->text ? lines->text : lines->buffer + lines->start;
  lines->mark_number = lines->number - (lines->text != NULL);
  lines->mark = 0;
  if (lines->origin < 0)
    return bperc_i_lines_copy(lines, tmpfile(), error);
  lines->mark =
      lines->origin + lines->total - ((lines->buffer + lines->end) - at);
  return BPERC_OK;
}

bperc_status bperc_i_lines_back(bperc_i_lines *lines, bperc_error *error) {
  if (fseeko(lines->file, lines->mark, SEEK_SET) != 0)
    return fail_lines(lines, error);
  lines->total = lines->mark - lines->origin;
  lines->number = lines->mark_number;
  lines->start = lines->end = 0;
  lines->text = NULL;
  lines->ended = lines->again = 0;
  return BPERC_OK;
}
