/* HDF5 files in memory, read by the library and the code of bperc-hdf5 in one
 * process: an instance, then a list of solutions.
 *
 * The input is a description, one object a line, from which the HDF5 library
 * makes the image of a file: sound for the library, anything for us. (Bytes
 * that are damaged crash the HDF5 library: targets hdf5 and solutions.)
 *
 *   d NAME TYPE RANK ROWS COLUMNS LAYOUT VALUES   dataset
 *   a NAME KIND VALUE                             attribute of the root
 *   g NAME                                        group
 *   l NAME                                        link to nowhere
 */
#include "instance.h"

#include "bperc/exact.h"
#include "io/hdf5_program/serve.h"
#include "io/helper.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- the program bperc-hdf5 as a thread */

static pthread_t thread;
static bool started;
static void *image;
static size_t image_size;

_Noreturn void __wrap__exit(int code);
_Noreturn void __wrap__exit(int code) {
  (void)code;
  pthread_exit(NULL);
}

/* Its limit of CPU time would end this process. */
int __wrap_setitimer(int which, const struct itimerval *new,
                     struct itimerval *old);
int __wrap_setitimer(int which, const struct itimerval *new,
                     struct itimerval *old) {
  (void)which;
  (void)new;
  (void)old;
  return 0;
}

hid_t __real_H5Fopen(const char *path, unsigned flags, hid_t access);
hid_t __wrap_H5Fopen(const char *path, unsigned flags, hid_t access);
hid_t __wrap_H5Fopen(const char *path, unsigned flags, hid_t access) {
  hid_t core = H5Pcreate(H5P_FILE_ACCESS), file = H5I_INVALID_HID;
  (void)access;
  if (image_size && H5Pset_fapl_core(core, 1 << 12, false) >= 0 &&
      H5Pset_file_image(core, image, image_size) >= 0)
    file = __real_H5Fopen(path, flags, core);
  H5Pclose(core);
  return file;
}

/* Files that are written become the image when they are closed. */
static bool writing;

hid_t __real_H5Fcreate(const char *path, unsigned flags, hid_t create,
                       hid_t access);
hid_t __wrap_H5Fcreate(const char *path, unsigned flags, hid_t create,
                       hid_t access);
hid_t __wrap_H5Fcreate(const char *path, unsigned flags, hid_t create,
                       hid_t access) {
  hid_t core = H5Pcreate(H5P_FILE_ACCESS);
  (void)access;
  H5Pset_fapl_core(core, 1 << 12, false);
  hid_t file = __real_H5Fcreate(path, flags, create, core);
  H5Pclose(core);
  writing = true;
  return file;
}

herr_t __real_H5Fclose(hid_t file);
herr_t __wrap_H5Fclose(hid_t file);
herr_t __wrap_H5Fclose(hid_t file) {
  if (writing) {
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t bytes = H5Fget_file_image(file, NULL, 0);
    free(image);
    image = bytes > 0 ? malloc((size_t)bytes) : NULL;
    image_size = image && H5Fget_file_image(file, image, (size_t)bytes) == bytes
                     ? (size_t)bytes
                     : 0;
  }
  writing = false;
  return __real_H5Fclose(file);
}

static void *serve(void *socket) { bperc_i_serve((int)(intptr_t)socket); }

static bool start_thread(bperc_i_helper *helper) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  helper->pid = 0;
  helper->socket = ends[0];
  started =
      pthread_create(&thread, NULL, serve, (void *)(intptr_t)ends[1]) == 0;
  return started;
}

/* The process of bperc-hdf5 ends without closing anything. */
static void close_all(void) {
  hid_t open[256];
  ssize_t count;
  while ((count = H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_ALL, 256, open)) > 0)
    for (ssize_t k = 0; k < count; k++)
      while (H5Iis_valid(open[k]) > 0 && H5Idec_ref(open[k]) > 0)
        continue;
}

static void end_thread(void) {
  if (started)
    pthread_join(thread, NULL);
  started = false;
  close_all();
}

/* ---- the file */

static hid_t type_of(const char *word) {
  static hid_t boolean = H5I_INVALID_HID, pair = H5I_INVALID_HID;
  int8_t value = 0;
  if (boolean < 0) {
    boolean = H5Tenum_create(H5T_NATIVE_INT8);
    H5Tenum_insert(boolean, "FALSE", &value);
    value = 1;
    H5Tenum_insert(boolean, "TRUE", &value);
    pair = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(pair, "x", 0, H5T_NATIVE_INT);
  }
  return !strcmp(word, "i8")     ? H5T_STD_I8LE
         : !strcmp(word, "i16")  ? H5T_STD_I16BE
         : !strcmp(word, "u32")  ? H5T_STD_U32LE
         : !strcmp(word, "i64")  ? H5T_STD_I64BE
         : !strcmp(word, "f32")  ? H5T_IEEE_F32LE
         : !strcmp(word, "f64")  ? H5T_IEEE_F64BE
         : !strcmp(word, "bool") ? boolean
         : !strcmp(word, "pair") ? pair
                                 : H5T_STD_U8LE;
}

static hid_t layout_of(const char *word, int rank) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk[3] = {2, 3, 1};
  if (word[0] == 'c' && rank >= 1) {
    H5Pset_chunk(plist, rank, chunk);
    if (word[1] == 's')
      H5Pset_shuffle(plist);
    if (word[1] == 'f')
      H5Pset_fletcher32(plist);
    if (word[1] == 'z')
      H5Pset_deflate(plist, 1);
  } else if (word[0] == 'p')
    H5Pset_layout(plist, H5D_COMPACT);
  return plist;
}

/* Character c is the value c - '0'; what is missing is 0. */
static void fill(hid_t set, hid_t type, const char *values, size_t count) {
  int8_t *bytes = calloc(count + 1, 8);
  size_t given = strlen(values);
  assert(bytes);
  for (size_t k = 0; k < count && k < given; k++)
    bytes[k] = (int8_t)(values[k] - '0');
  H5Dwrite(set,
           H5Tget_class(type) == H5T_ENUM || H5Tget_class(type) == H5T_COMPOUND
               ? type
               : H5T_NATIVE_INT8,
           H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
  free(bytes);
}

static void add_set(hid_t file, const char *line) {
  char name[12], word[8], layout[8], values[400] = "";
  unsigned rank, rows, columns;
  if (sscanf(line, "d %11s %7s %1u %4u %4u %7s %399[^\n]", name, word, &rank,
             &rows, &columns, layout, values) < 6 ||
      rank > 3 || rows * (size_t)columns > 100000)
    return;
  hsize_t dims[3] = {rows, columns, 1};
  hid_t type = type_of(word);
  hid_t space = rank      ? H5Screate_simple((int)rank, dims, NULL)
                : columns ? H5Screate(H5S_SCALAR)
                          : H5Screate(H5S_NULL);
  hid_t plist = layout_of(layout, (int)rank);
  hid_t set =
      H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  hssize_t count = H5Sget_simple_extent_npoints(space);
  if (set >= 0 && values[0] && count > 0)
    fill(set, type, values, (size_t)count);
  if (set >= 0)
    H5Dclose(set);
  H5Pclose(plist);
  H5Sclose(space);
}

/* KIND: i whole number, f real, s text, v text of any length, l list. */
static void add_attribute(hid_t file, const char *line) {
  char name[12], kind, text[32] = "";
  if (sscanf(line, "a %11s %c %31[^\n]", name, &kind, text) < 2)
    return;
  double value = strtod(text, NULL);
  hsize_t two = 2;
  const char *pointer = text;
  hid_t type = H5T_IEEE_F64LE, owned = H5I_INVALID_HID;
  const void *data = &value;
  int64_t whole = value > -1e18 && value < 1e18 ? (int64_t)value : 0;
  hid_t space =
      kind == 'l' ? H5Screate_simple(1, &two, NULL) : H5Screate(H5S_SCALAR);
  double list[2] = {value, value};
  if (kind == 's' || kind == 'v') {
    type = owned = H5Tcopy(H5T_C_S1);
    H5Tset_size(owned, kind == 'v' ? H5T_VARIABLE : strlen(text) + 1);
    data = kind == 'v' ? (const void *)&pointer : text;
  } else if (kind == 'i') {
    type = H5T_NATIVE_INT64;
    data = &whole;
  } else if (kind == 'l')
    data = list;
  hid_t attribute =
      H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) {
    H5Awrite(attribute, type, data);
    H5Aclose(attribute);
  }
  if (owned >= 0)
    H5Tclose(owned);
  H5Sclose(space);
}

static void add_line(hid_t file, const char *line) {
  char name[12];
  if (line[0] == 'd')
    add_set(file, line);
  else if (line[0] == 'a')
    add_attribute(file, line);
  else if (line[0] == 'g' && sscanf(line, "g %11s", name) == 1) {
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0)
      H5Gclose(group);
  } else if (line[0] == 'l' && sscanf(line, "l %11s", name) == 1)
    H5Lcreate_soft("/nowhere", file, name, H5P_DEFAULT, H5P_DEFAULT);
}

enum { MOST_LINES = 24, LONGEST = 500 };

static void make_image(const uint8_t *data, size_t size) {
  hid_t file = H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  char line[LONGEST];
  assert(file >= 0);
  for (int k = 0; k < MOST_LINES && size; k++) {
    const uint8_t *end = memchr(data, '\n', size);
    size_t length = end ? (size_t)(end - data) : size;
    snprintf(line, sizeof line, "%.*s", (int)length, (const char *)data);
    add_line(file, line);
    data += length + (end != NULL);
    size -= length + (end != NULL);
  }
  H5Fclose(file);
}

/* ---- reading, and what is read written and read again */

static bperc_instance *read_instance(void) {
  const bperc_read_options options = {.most_bytes = 1 << 22};
  bperc_instance *in = fuzz_instance(image, image_size, &options);
  end_thread();
  return in;
}

static void write_instance(const bperc_instance *in, bperc_format format) {
  bperc_error error;
  assert(bperc_instance_write(in, format, "out", &error) == BPERC_OK);
  end_thread();
  bperc_instance *again = read_instance();
  assert(again);
  fuzz_check_same(in, again);
  bperc_instance_free(again);
}

static bperc_solutions *read_list(void) {
  bperc_error error = {BPERC_OK, ""};
  bperc_solutions *s;
  bperc_status status =
      bperc_solutions_read(fuzz_file(image, image_size), &s, &error);
  end_thread();
  fuzz_check_answer(status, s, &error);
  if (s) {
    assert(s->columns <= s->n && s->columns <= 128);
    assert(bperc_solutions_check(s, NULL) == NULL);
  }
  return s;
}

static void write_list(const bperc_solutions *s) {
  bperc_error error;
  assert(bperc_solutions_write(s, NULL, "out", &error) == BPERC_OK);
  end_thread();
  bperc_solutions *again = read_list();
  assert(again && again->count == s->count && again->n == s->n);
  assert(again->complete == s->complete);
  assert(!s->count ||
         !memcmp(again->bits, s->bits, s->count * s->words * sizeof *s->bits));
  assert(!memcmp(again->fixed, s->fixed, s->n));
  bperc_solutions_free(again);
}

static void run(const uint8_t *data, size_t size) {
  make_image(data, size);
  bperc_instance *in = read_instance();
  bperc_solutions *s = read_list();
  if (in && !fuzz_is_faulty()) {
    write_instance(in, BPERC_FORMAT_HDF5);
    write_instance(in, BPERC_FORMAT_HDF5_BITS);
  }
  if (s && !fuzz_is_faulty())
    write_list(s);
  bperc_instance_free(in);
  bperc_solutions_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  H5open();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  bperc_i_helper_replace(start_thread);
  return size > 4000 ? 0 : fuzz_run(data, size, run);
}
