/* Reading text line by line. */
#include "model/lines.h"

#include "base/alloc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bperc_status bperc_i_lines_open(bperc_i_lines *lines, const char *path,
                                bperc_error *error) {
  struct stat info;
  memset(lines, 0, sizeof *lines);
  lines->path = path;
  lines->file = fopen(path, "rb");
  if (!lines->file)
    return bperc_error_set(error, BPERC_E_IO, "%s: %s", path, strerror(errno));
  if (fstat(fileno(lines->file), &info) == 0 && S_ISDIR(info.st_mode)) {
    bperc_i_lines_close(lines);
    return bperc_error_set(error, BPERC_E_IO, "%s: is a directory", path);
  }
  return BPERC_OK;
}

void bperc_i_lines_close(bperc_i_lines *lines) {
  if (lines->file)
    fclose(lines->file);
  bperc_i_free(lines->text);
  lines->file = NULL;
  lines->text = NULL;
}

static bperc_status grow(bperc_i_lines *lines, bperc_error *error) {
  size_t room = lines->room ? lines->room + lines->room / 2 : 4096;
  char *text = bperc_i_realloc(lines->text, lines->length, room);
  if (!text)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s:%zu: line too long",
                           lines->path, lines->number);
  lines->text = text;
  lines->room = room;
  return BPERC_OK;
}

/* Appends what the file holds up to the end of the line. */
static bperc_status fill(bperc_i_lines *lines, int *ended, bperc_error *error) {
  int c;
  lines->length = 0;
  while ((c = getc_unlocked(lines->file)) != EOF && c != '\n') {
    if (c == 0)
      return bperc_error_set(error, BPERC_E_FORMAT,
                             "%s:%zu: a zero byte: this is not a text file",
                             lines->path, lines->number);
    if (lines->length + 1 >= lines->room && grow(lines, error) != BPERC_OK)
      return BPERC_E_MEMORY;
    lines->text[lines->length++] = (char)c;
  }
  if (c == EOF && ferror(lines->file))
    return bperc_error_set(error, BPERC_E_IO, "%s: %s", lines->path,
                           strerror(errno));
  *ended = c == EOF;
  if (lines->length && lines->text[lines->length - 1] == '\r')
    lines->length--;
  if (lines->text)
    lines->text[lines->length] = 0;
  return BPERC_OK;
}

bperc_status bperc_i_lines_next(bperc_i_lines *lines, int *more,
                                bperc_error *error) {
  int ended = 0;
  *more = 0;
  while (!ended) {
    bperc_status status;
    lines->number++;
    status = fill(lines, &ended, error);
    if (status != BPERC_OK)
      return status;
    if (lines->length == 0 || lines->text[0] == '#')
      continue;
    if (strspn(lines->text, " \t") == lines->length)
      continue;
    *more = 1;
    return BPERC_OK;
  }
  return BPERC_OK;
}
