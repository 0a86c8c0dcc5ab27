/* What to say about a decimation guided by belief propagation. */
#include "bpd.h"

#include <string.h>

void cli_note_unconverged(json_t *list, const void *bpd_state) {
  size_t count;
  const bperc_bpd_record *records = bperc_bpd_records(bpd_state, &count), *last;
  if (count == 0 || records[count - 1].converged)
    return;
  last = &records[count - 1];
  json_array_append_new(
      list, json_pack("{s:I, s:s, s:I, s:o}", "fixed", (json_int_t)count - 1,
                      "method", bperc_bpd_method_name(last->method),
                      "iterations", (json_int_t)last->iterations, "residual",
                      cli_json_real(last->residual)));
}

void cli_print_unconverged(const json_t *list) {
  static const bperc_bpd_method methods[] = {
      BPERC_BPD_INFLECTION, BPERC_BPD_FLATTEST, BPERC_BPD_LAST};
  if (!list || json_array_size(list) == 0)
    return;
  printf("%zu steps did not converge; messages used:", json_array_size(list));
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    const char *name = bperc_bpd_method_name(methods[m]);
    size_t count = 0;
    for (size_t k = 0; k < json_array_size(list); k++)
      count += strcmp(json_string_value(
                          json_object_get(json_array_get(list, k), "method")),
                      name) == 0;
    if (count)
      printf(" %s %zu", name, count);
  }
  printf("\n");
}
