/* HDF5 files. Random bytes get the signature, to come past the door. */
#include "instance.h"

#include "served.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const bperc_read_options options = {.most_bytes = 1 << 22};
  static uint8_t signed_data[1 << 16];
  serve_here();
  bperc_instance_free(fuzz_instance_at(fuzz_disk_file(data, size), &options));
  if (size < 8 || size > sizeof signed_data || data[0] == 0x89)
    return 0;
  memcpy(signed_data, data, size);
  memcpy(signed_data, "\211HDF\r\n\032\n", 8);
  bperc_instance_free(
      fuzz_instance_at(fuzz_disk_file(signed_data, size), &options));
  return 0;
}
