/* Writing an instance as HDF5: /patterns (int8 when signed), /labels, and the
 * attributes A, weights, threshold, kappa. */
#include "model/formats.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <hdf5.h>

enum { BLOCK = 1 << 18 };

static void unpack(const bperc_instance *in, size_t mu, unsigned char *bytes) {
  const uint64_t *bits = bperc_instance_pattern(in, mu);
  const uint64_t *support = in->support ? in->support + mu * in->words : NULL;
  int zero = in->inputs == BPERC_INPUTS_01 ? 0 : -1;
  for (size_t i = 0; i < in->n; i++) {
    int x = bperc_i_bit(bits, i) ? 1 : zero;
    bytes[i] = (unsigned char)(support && !bperc_i_bit(support, i) ? 0 : x);
  }
}

static int write_slab(hid_t set, hid_t type, int rank, const hsize_t *start,
                      const hsize_t *count, const void *bytes) {
  hid_t disk = H5Dget_space(set);
  hid_t memory = H5Screate_simple(rank, count, NULL);
  int good = H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, count,
                                 NULL) >= 0 &&
             H5Dwrite(set, type, memory, disk, H5P_DEFAULT, bytes) >= 0;
  H5Sclose(disk);
  H5Sclose(memory);
  return good;
}

/* Patterns are bits in bytes: the fastest deflate takes most of the air out.
 * A chunk is a group of rows of about BLOCK bytes. */
static hid_t create_set(hid_t file, const char *name, hid_t type, int rank,
                        const hsize_t *dims) {
  hsize_t chunk[2] = {1, 1};
  hid_t space = H5Screate_simple(rank, dims, NULL);
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), set;
  chunk[rank - 1] = dims[rank - 1] < BLOCK ? dims[rank - 1] : BLOCK;
  if (rank == 2)
    chunk[0] = dims[0] < BLOCK / chunk[1] ? dims[0] : BLOCK / chunk[1];
  if (dims[0] > 0) {
    H5Pset_chunk(plist, rank, chunk);
    H5Pset_deflate(plist, 1);
  }
  set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  H5Pclose(plist);
  H5Sclose(space);
  return set;
}

static int write_patterns(hid_t file, const bperc_instance *in,
                          unsigned char *bytes) {
  hsize_t dims[2] = {in->m, in->n};
  hsize_t rows = in->n < BLOCK ? BLOCK / in->n : 1;
  int plain = in->inputs == BPERC_INPUTS_01;
  hid_t type = plain ? H5T_NATIVE_UINT8 : H5T_NATIVE_INT8;
  hid_t set = create_set(file, "patterns", plain ? H5T_STD_U8LE : H5T_STD_I8LE,
                         2, dims);
  int good = set >= 0;
  for (hsize_t mu = 0; good && mu < in->m && !bperc_cancelled(); mu += rows) {
    hsize_t start[2] = {mu, 0}, count[2] = {rows, in->n};
    if (count[0] > in->m - mu)
      count[0] = in->m - mu;
    for (hsize_t k = 0; k < count[0]; k++)
      unpack(in, mu + k, bytes + k * in->n);
    good = write_slab(set, type, 2, start, count, bytes);
  }
  return set >= 0 && H5Dclose(set) >= 0 && good;
}

static int write_labels(hid_t file, const bperc_instance *in) {
  hsize_t dims = in->m, start = 0;
  hid_t set = create_set(file, "labels", H5T_STD_U8LE, 1, &dims);
  int good = set >= 0 && (!in->m || write_slab(set, H5T_NATIVE_UINT8, 1, &start,
                                               &dims, in->labels));
  return set >= 0 && H5Dclose(set) >= 0 && good;
}

static int write_attribute(hid_t file, const char *name, hid_t disk,
                           hid_t memory, const void *value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute =
      H5Acreate2(file, name, disk, space, H5P_DEFAULT, H5P_DEFAULT);
  int good = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  return good;
}

static int write_number(hid_t file, const char *name, double value) {
  return write_attribute(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

/* Only what differs from the paper's model, besides A. */
static int write_model(hid_t file, const bperc_instance *in) {
  const char *kind = bperc_weights_name(in->weights);
  hid_t word = H5Tcopy(H5T_C_S1);
  int good =
      word >= 0 && H5Tset_size(word, 3) >= 0 && write_number(file, "A", in->a);
  if (good && in->weights == BPERC_WEIGHTS_PM)
    good = write_attribute(file, "weights", word, word, kind);
  if (good && in->a == 0)
    good = write_number(file, "threshold", in->theta);
  if (good && in->kappa > 0)
    good = write_number(file, "kappa", in->kappa);
  if (word >= 0)
    H5Tclose(word);
  return good;
}

bperc_status bperc_i_hdf5_write(const bperc_instance *in, const char *path,
                                const char *name, bperc_error *error) {
  H5E_auto2_t report;
  void *context;
  hid_t file;
  int good;
  size_t row = in->n < BLOCK ? BLOCK : in->n;
  unsigned char *bytes = bperc_i_alloc(row, 1);
  if (!bytes)
    return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", name);
  H5Eget_auto2(H5E_DEFAULT, &report, &context);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  good = file >= 0 && write_model(file, in) &&
         write_patterns(file, in, bytes) && write_labels(file, in);
  good = file >= 0 && H5Fclose(file) >= 0 && good;
  H5Eset_auto2(H5E_DEFAULT, report, context);
  bperc_i_free(bytes);
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  if (!good)
    return bperc_error_set(error, BPERC_E_IO, "%s: cannot be written", name);
  return BPERC_OK;
}
