"""The declarations of the public headers, for cffi.

    declarations.py CC INCLUDE OUTPUT.c

Runs the preprocessor over bperc/bperc.h and bperc/lab/lab.h, keeps what our own headers say, and
writes the C source of the extension module. Nothing is typed twice: a changed
header changes the module.
"""
import re
import subprocess
import sys

import cffi


# Ctrl-C during a call of the main thread: the flag ends the call, Python's own
# handler then raises KeyboardInterrupt. Calls may be nested (a callback that
# solves another problem): only the outermost one puts the handler in place.
SOURCE = """
#include "bperc/bperc.h"
#include "bperc/lab/lab.h"
#include <signal.h>
static const int bperc_py_abi = BPERC_ABI_VERSION;
static volatile int interrupted;
static int depth;
static struct sigaction before;
static void on_interrupt(int number) {
  interrupted = 1;
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(number);
}
static volatile int *bperc_py_guard(void) {
  struct sigaction mine;
  if (depth++)
    return &interrupted;
  interrupted = 0;
  sigaction(SIGINT, NULL, &before);
  mine = before;
  mine.sa_handler = on_interrupt;
  if (before.sa_handler != SIG_IGN)
    sigaction(SIGINT, &mine, NULL);
  return &interrupted;
}
static void bperc_py_unguard(void) {
  if (--depth == 0)
    sigaction(SIGINT, &before, NULL);
}
/* A control has one flag, Ctrl-C's; the caller's own is polled. */
static int bperc_py_poll(void *flag) { return *(volatile int *)flag; }
"""


def preprocessed(compiler, include):
    """Lines of our own headers after the preprocessor."""
    text = subprocess.run(
        [*compiler, "-E", "-I", include, "-D__attribute__(x)=", "-include",
         "bperc/bperc.h", "-include", "bperc/lab/lab.h", "-x", "c", "/dev/null"], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    ours, kept = False, []
    for line in text.splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            ours = "/bperc/" in mark.group(1) or \
                mark.group(1).startswith("bperc/")
        elif ours:
            kept.append(line)
    return "\n".join(kept)


def declarations(compiler, include):
    text = preprocessed(compiler, include)
    # Bodies of inline functions; storage words that cffi does not take.
    text = re.sub(r"static inline [^{;]*\{.*?\n\}", "", text, flags=re.S)
    text = re.sub(r"\b(_Alignas\([^)]*\)|__extension__|_Noreturn)\b", "", text)
    text = re.sub(r"\bextern\s+const\b", "extern const", text)
    # Arrays whose length is an enumeration constant.
    sizes = dict(re.findall(r"\b(BPERC_[A-Z_]+) = (\d+)", text))
    text = re.sub(r"\[(BPERC_[A-Z_]+)\]",
                  lambda m: f"[{sizes[m.group(1)]}]", text)
    return re.sub(r"\n\s*\n+", "\n", text)


def main():
    *compiler, include, output = sys.argv[1:]
    ffi = cffi.FFI()
    ffi.cdef(declarations(compiler, include) + """
extern "Python" int bperc_py_watch(void *, const bperc_solver *,
                                   const bperc_view *);
extern "Python" void bperc_py_progress(void *, const bperc_sweep_state *);
extern "Python" void bperc_py_search(void *, double, double);
int fflush(FILE *);
volatile int *bperc_py_guard(void);
void bperc_py_unguard(void);
int bperc_py_poll(void *);
static const int bperc_py_abi;
""")
    ffi.set_source("bperc._bperc", SOURCE)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
