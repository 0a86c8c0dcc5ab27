/* Both widths of the kernel for the instruction set named by ISA. */
#include "exact/kernel.h"

#define JOIN(a, b, c) a##b##_##c
#define EXPAND(a, b, c) JOIN(a, b, c)

#define WORD uint64_t
#define WORD_CTZ __builtin_ctzll
#define NAME(x) x##_64
#define SEARCH EXPAND(bperc_i_search_, 64, ISA)
#define SLACK_SEARCH EXPAND(bperc_i_slack_search_, 64, ISA)
#include "exact/deliver.inc"

#include "exact/kernel.inc"

#include "exact/slack.inc"
#undef WORD
#undef WORD_CTZ
#undef NAME
#undef SEARCH
#undef SLACK_SEARCH

#define WORD bperc_i_word
#define WORD_CTZ bperc_i_word_ctz
#define NAME(x) x##_128
#define SEARCH EXPAND(bperc_i_search_, 128, ISA)
#define SLACK_SEARCH EXPAND(bperc_i_slack_search_, 128, ISA)
#define SPLIT EXPAND(bperc_i_split_, 128, ISA)
#define SLACK_SPLIT EXPAND(bperc_i_slack_split_, 128, ISA)
#include "exact/deliver.inc"

#include "exact/kernel.inc"

#include "exact/slack.inc"
