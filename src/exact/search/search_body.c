/* Both widths of the search kernels, compiled once per instruction set. */
#include "exact/search/search_kernel.h"

#include "base/check.h"

#include <string.h>

/* Four counts of ones are faster one by one than as a vector that has to be
 * added up: AVX-512 has both. */
#if !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize")
#endif

/* The checking build recounts one node in so many. */
enum { NODES_APART = 16 };

#define WORD uint64_t
#define WORD_CTZ __builtin_ctzll
#define NAME(x) x##_64
#include "exact/search/search_template.h"

#define WORD bperc_i_word
#define WORD_CTZ bperc_i_word_ctz
#define NAME(x) x##_128
#define SPLITS
#include "exact/search/search_template.h"

const bperc_i_search_kernels BPERC_I_FOR_ISA(bperc_i_search_kernels) = {
    .search = {search_tables_64, search_tables_128},
    .split = split_128,
    .place = place_node_128,
    .slack_search = {slack_run_64, slack_run_128},
    .slack_split = slack_split_128,
    .slack_place = slack_place_128};
