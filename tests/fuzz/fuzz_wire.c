/* What the program bperc-hdf5 says, taken from the input: an instance and a
 * list of solutions read from it. */
#include "instance.h"

#include "bperc/exact.h"
#include "hdf5/helper.h"

#include <sys/socket.h>
#include <unistd.h>

static const uint8_t *said;
static size_t said_size;

/* Both ends here: everything was said before anything is asked. */
static bool speak(bperc_i_helper *helper) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  helper->pid = 0;
  helper->socket = ends[0];
  bool good = send(ends[1], said, said_size, MSG_NOSIGNAL | MSG_DONTWAIT) ==
                  (ssize_t)said_size &&
              shutdown(ends[1], SHUT_WR) == 0;
  /* a closed end would refuse the questions: it stays with the process */
  static int before = -1;
  if (before >= 0)
    close(before);
  before = ends[1];
  return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const bperc_read_options options = {.most_bytes = 1 << 22};
  static const char signature[512] = "\211HDF\r\n\032\n";
  bperc_error error = {BPERC_OK, ""};
  bperc_solutions *s;
  said = data;
  said_size = size;
  bperc_i_helper_replace(speak);
  fuzz_instance((const uint8_t *)signature, sizeof signature, &options);
  if (bperc_solutions_read(fuzz_file(NULL, 0), &s, &error) == BPERC_OK)
    assert(bperc_solutions_check(s, NULL) == NULL);
  else
    assert(s == NULL && strlen(error.text) > 10);
  bperc_solutions_free(s);
  return 0;
}
