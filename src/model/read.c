/* Recognising and reading an instance file. */
#include "bperc/io.h"

#include "base/alloc.h"
#include "model/text.h"

void bperc_free(void *p) { bperc_i_free(p); }

bperc_status bperc_instance_read(const char *path,
                                 const bperc_read_options *options,
                                 bperc_instance **out, bperc_error *error) {
  bperc_i_lines lines;
  int more = 0;
  bperc_status status = bperc_i_lines_open(&lines, path, error);
  *out = NULL;
  if (status != BPERC_OK)
    return status;
  status = bperc_i_lines_next(&lines, &more, error);
  if (status == BPERC_OK && !more)
    status =
        bperc_error_set(error, BPERC_E_FORMAT, "%s: the file is empty", path);
  if (status == BPERC_OK && !bperc_i_text_is_header(lines.text))
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s:%zu: the first line must be 'N M A'", path,
                             lines.number);
  if (status == BPERC_OK)
    status = bperc_i_text_read(&lines, options->ties, out, error);
  bperc_i_lines_close(&lines);
  return status;
}
