/* See sakmak_reader.h. FORMAT.md of Sakmak describes the files byte by byte; the names here are
 * those of that page. Compiles as C99 or later and as C++11 or later. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "sakmak_reader.h"

#include <stdlib.h>
#include <string.h>

#if defined(__wasm__) && !defined(SAKMAK_READER_NO_FILES)
#define SAKMAK_READER_NO_FILES
#endif
#if defined(SAKMAK_READER_NO_FILES)
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/* ---- Numbers and bits ---- */

enum { HEADER = 128, SQUARES = 64, MOST_MEN = 8, RULES = 4 };
/* Metrics: 0 is the distance to mate, then come the counted distances by rule, then the distances
 * to mate in time by rule, whose numbers in files are above MATES_IN_TIME. */
enum { METRICS = 1 + 2 * RULES, MATES_IN_TIME = 16 };
enum {
    BLACK_KING = 255,
    NO_REFERENCE = 255,
    ROW_BLOCKS = 128,
    DISTRIBUTION = 48,
    CONTEXTS = 163840
};
enum { WHITE, BLACK };
enum { KING, ROOK, KNIGHT, KHON, MET, PAWN, KINDS };

static const char LETTERS[] = "KRNSMP";

/* Squares of the pawns of a side: a3 to h5, a4 to h6. */
static const uint64_t PAWN_PLACES[2] = {0x000000FFFFFF0000u, 0x0000FFFFFF000000u};

/* The fingerprints of files by metric. WDL files have those of counted distances. */
static const uint64_t FINGERPRINTS[METRICS] = {
    0xE47C12B2AB4F7AC1u, 0x45AFB1181B64131Cu, 0x32F104E8132E9707u,
    0x0ACE90C84E245A97u, 0x436F4312722EEB11u, 0x0F22469E21A48186u,
    0x9C0F291EF98E2ACAu, 0x47FF7408FC2DE722u, 0x936A7AA27F12474Bu,
};

static uint64_t load(const uint8_t *at, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << (8 * i);
    return number;
}

static inline uint64_t load64(const uint8_t *at) {
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

static inline uint32_t load16(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8; }

static inline uint32_t load32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#if defined(__GNUC__)
static inline int count(uint64_t set) { return __builtin_popcountll(set); }
static inline int first(uint64_t set) { return __builtin_ctzll(set); }
static inline uint64_t turned_over(uint64_t set) { return __builtin_bswap64(set); }
static inline void prefetch(const void *at) { __builtin_prefetch(at); }
#else
static inline void prefetch(const void *at) { (void)at; }
static inline int count(uint64_t set) {
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return (int)(((set + (set >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
}
static inline int first(uint64_t set) { return count((set & (0 - set)) - 1); }
static inline uint64_t turned_over(uint64_t set) {
    uint64_t over = 0;
    for (int rank = 0; rank < 8; rank++) over |= (set >> (8 * rank) & 0xFF) << (56 - 8 * rank);
    return over;
}
#endif

static inline int single(uint64_t set) { return set && !(set & (set - 1)); }

/* ---- XXH3, 64 bits, seed 0 ---- */

static const uint8_t SECRET[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

static const uint64_t PRIME32_1 = 0x9E3779B1u, PRIME32_2 = 0x85EBCA77u, PRIME32_3 = 0xC2B2AE3Du;
static const uint64_t PRIME64_1 = 0x9E3779B185EBCA87u, PRIME64_2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t PRIME64_3 = 0x165667B19E3779F9u, PRIME64_4 = 0x85EBCA77C2B2AE63u;
static const uint64_t PRIME64_5 = 0x27D4EB2F165667C5u;

/* The halves of the product of two numbers, combined. */
static uint64_t folded(uint64_t a, uint64_t b) {
    const uint64_t half = 0xFFFFFFFFu;
    uint64_t low = (a & half) * (b & half), high = (a >> 32) * (b >> 32);
    uint64_t one = (a >> 32) * (b & half), other = (a & half) * (b >> 32);
    uint64_t middle = (low >> 32) + (one & half) + other;
    return (low & half) ^ middle << 32 ^ (high + (one >> 32) + (middle >> 32));
}

static uint64_t avalanche(uint64_t hash) {
    hash = (hash ^ hash >> 37) * 0x165667919E3779F9u;
    return hash ^ hash >> 32;
}

static void accumulate(uint64_t sums[8], const uint8_t *stripe, const uint8_t *secret) {
    for (int i = 0; i < 8; i++) {
        uint64_t value = load64(stripe + 8 * i), keyed = value ^ load64(secret + 8 * i);
        sums[i ^ 1] += value;
        sums[i] += (keyed & 0xFFFFFFFFu) * (keyed >> 32);
    }
}

/* Of more than 240 bytes. */
static uint64_t xxh3_long(const uint8_t *bytes, size_t size) {
    uint64_t sums[8] = {PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3,
                        PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1};
    size_t blocks = (size - 1) / 1024, last = (size - 1) % 1024 / 64;
    for (size_t block = 0; block < blocks; block++, bytes += 1024) {
        for (int stripe = 0; stripe < 16; stripe++)
            accumulate(sums, bytes + 64 * stripe, SECRET + 8 * stripe);
        for (int i = 0; i < 8; i++)
            sums[i] = (sums[i] ^ sums[i] >> 47 ^ load64(SECRET + 128 + 8 * i)) * PRIME32_1;
    }
    for (size_t stripe = 0; stripe < last; stripe++)
        accumulate(sums, bytes + 64 * stripe, SECRET + 8 * stripe);
    accumulate(sums, bytes + (size - 1) % 1024 + 1 - 64, SECRET + 121);
    uint64_t hash = size * PRIME64_1;
    for (int i = 0; i < 4; i++)
        hash += folded(sums[2 * i] ^ load64(SECRET + 11 + 16 * i),
                       sums[2 * i + 1] ^ load64(SECRET + 19 + 16 * i));
    return avalanche(hash);
}

static uint64_t mixed(const uint8_t *bytes, const uint8_t *secret) {
    return folded(load64(bytes) ^ load64(secret), load64(bytes + 8) ^ load64(secret + 8));
}

/* Of the 120 bytes of a header before its checksum. */
static uint64_t xxh3_header(const uint8_t *header) {
    enum { SIZE = HEADER - 8 };
    uint64_t hash = SIZE * PRIME64_1;
    for (int i = 0; i < 4; i++)
        hash += mixed(header + 16 * i, SECRET + 32 * i) +
                mixed(header + SIZE - 16 * (i + 1), SECRET + 32 * i + 16);
    return avalanche(hash);
}

/* Of more than 128 bytes. */
static uint64_t xxh3(const uint8_t *bytes, size_t size) {
    if (size > 240) return xxh3_long(bytes, size);
    uint64_t hash = size * PRIME64_1;
    for (int i = 0; i < 8; i++) hash += mixed(bytes + 16 * i, SECRET + 16 * i);
    hash = avalanche(hash);
    for (size_t i = 8; i < size / 16; i++) hash += mixed(bytes + 16 * i, SECRET + 16 * (i - 8) + 3);
    return avalanche(hash + mixed(bytes + size - 16, SECRET + 119));
}

/* ---- Materials ---- */

/* All like pieces of one side. */
typedef struct {
    uint8_t side, kind, men;
    uint8_t lowest; /* the first square of its places */
    uint64_t combinations;
} group;

/* One side to move of a WDL file. */
typedef struct {
    const uint8_t *patterns, *directory, *rows;
    /* Rows of a fixed king, and of all, and their bytes. */
    uint64_t fixed_rows, row_count, row_bytes;
    uint32_t pattern_count;
    uint8_t words; /* of a pattern */
    uint8_t swept, captures, order[MOST_MEN - 2];
    int8_t palette[8];
    /* By kind of change: its squares, a bit each from the one in its byte on, and what becomes of
     * each category, four bits each from loss on. */
    uint16_t squares[4];
    uint32_t becomes[4];
} wdl_side;

typedef struct {
    wdl_side side[2];
} wdl_file;

/* A packed file. */
typedef struct {
    const uint8_t *rows, *offsets;
    uint64_t row_bytes, tiles, blocks;
    int kept, dont_care, block_tiles, wins, codes, digits;
    /* The swept piece, then the others: a group or BLACK_KING, how many of it, and the radix. */
    uint8_t swept, piece_count, piece[MOST_MEN - 1], men[MOST_MEN - 1];
    uint64_t radix[MOST_MEN - 1];
    uint8_t nearby[SQUARES][6], beyond[SQUARES];
    /* The decompressed model, and its parts. */
    uint8_t *model;
    const uint8_t *references, *distributions, *contexts, *base_digits, *literal_digits;
} packed_file;

/* A material and its files. */
typedef struct {
    uint32_t key, side_key[2];
    int men, symmetric, symmetries, group_count;
    group groups[MOST_MEN - 2];
    wdl_file *wdl[RULES];
    packed_file *packed[METRICS];
} table;

typedef struct mapping {
    struct mapping *next;
    void *bytes;
    size_t size;
} mapping;

typedef struct {
    char *path;
    int error;
} refused_file;

struct sakmak_reader {
    table **tables; /* a hash table by key; null is free */
    size_t places, table_count;
    mapping *mappings;
    refused_file *refused;
    int refused_count;
    int largest[RULES];
    sakmak_reader_zstd *zstd;
    uint64_t choose[SQUARES + 1][MOST_MEN - 1];
    /* The squares that a piece attacks on an empty board, of rooks none. */
    uint64_t attacks[KINDS][2][SQUARES];
    uint8_t image[8][SQUARES];
    /* By whether there are eight symmetries: the symmetry of a pair (fixed king, swept king), and
     * the number of the square of a fixed king. */
    uint8_t symmetry[2][SQUARES][SQUARES], fixed[2][SQUARES], fixed_square[2][32];
    /* The black kings of the numbered king pairs of a white king. */
    uint64_t pairs[2][SQUARES];
};

/* A position; the stronger side is White where a table is read. */
typedef struct {
    uint64_t side[2], kind[KINDS];
    int turn;
} board;

/* The men of a side in one number: first how many, then how many rooks, knights, ..., each at most
 * 7. The greater number is that of the stronger side. */
static uint32_t side_key(const board *p, int side) {
    uint32_t key = (uint32_t)count(p->side[side]);
    for (int kind = ROOK; kind < KINDS; kind++) {
        uint32_t men = (uint32_t)count(p->side[side] & p->kind[kind]);
        key = key << 3 | (men < 7 ? men : 7);
    }
    return key;
}

static uint32_t material_key(uint32_t stronger, uint32_t weaker) {
    return (stronger & 0x7FFF) << 15 | (weaker & 0x7FFF);
}

static size_t place_of(const sakmak_reader *reader, uint32_t key) {
    size_t place = key * 0x9E3779B97F4A7C15u >> 32 & (reader->places - 1);
    while (reader->tables[place] && reader->tables[place]->key != key)
        place = (place + 1) & (reader->places - 1);
    return place;
}

static void exchange_colours(board *p) {
    uint64_t white = p->side[WHITE];
    p->side[WHITE] = turned_over(p->side[BLACK]);
    p->side[BLACK] = turned_over(white);
    for (int kind = 0; kind < KINDS; kind++) p->kind[kind] = turned_over(p->kind[kind]);
    p->turn ^= 1;
}

/* The board of a position, if it is one with at most `most` men. Returns 0 or an error. */
static int to_board(const sakmak_reader_position *position, int most, board *p) {
    const uint64_t kinds[KINDS] = {position->kings, position->rooks, position->knights,
                                   position->khons, position->mets,  position->pawns};
    uint64_t seen = 0, twice = position->white & position->black;
    for (int kind = 0; kind < KINDS; kind++) {
        twice |= seen & kinds[kind];
        seen |= kinds[kind];
        p->kind[kind] = kinds[kind];
    }
    p->side[WHITE] = position->white;
    p->side[BLACK] = position->black;
    p->turn = position->turn;
    if (count(seen) > most) return SAKMAK_READER_MISSING;
    uint64_t pawns =
        (position->white & ~PAWN_PLACES[WHITE]) | (position->black & ~PAWN_PLACES[BLACK]);
    if (twice || seen != (position->white | position->black) || (pawns & position->pawns) ||
        !single(position->white & position->kings) ||
        !single(position->black & position->kings) || (position->turn & ~1))
        return SAKMAK_READER_BAD_POSITION;
    return 0;
}

/* The table of a position, in which the stronger side becomes White. Null if there is none. */
static const table *table_of(const sakmak_reader *reader, board *p) {
    uint32_t white = side_key(p, WHITE), black = side_key(p, BLACK);
    if (black > white || (black == white && p->turn == BLACK)) {
        uint32_t stronger = black > white ? black : white;
        black = black > white ? white : black;
        white = stronger;
        exchange_colours(p);
    }
    return reader->tables[place_of(reader, material_key(white, black))];
}

/* The number of a group's combination, its pieces mapped by an image. */
static uint64_t combination(const sakmak_reader *reader, const group *g, const board *p,
                            const uint8_t *image) {
    uint64_t men = p->side[g->side] & p->kind[g->kind], mapped = 0, number = 0;
    if (g->men == 1) return image[first(men)] - g->lowest;
    for (; men; men &= men - 1) mapped |= (uint64_t)1 << image[first(men)];
    for (int k = 1; mapped; mapped &= mapped - 1, k++)
        number += reader->choose[first(mapped) - g->lowest][k];
    return number;
}

/* ---- Moves ---- */

static uint64_t rook_attacks(int square, uint64_t occupied) {
    static const int8_t ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint64_t reached = 0;
    for (int way = 0; way < 4; way++) {
        int file = square % 8 + ways[way][0], rank = square / 8 + ways[way][1];
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8;
             file += ways[way][0], rank += ways[way][1]) {
            uint64_t one = (uint64_t)1 << (8 * rank + file);
            reached |= one;
            if (occupied & one) break;
        }
    }
    return reached;
}

static uint64_t attacks(const sakmak_reader *reader, int kind, int side, int square,
                        uint64_t occupied) {
    return kind == ROOK ? rook_attacks(square, occupied) : reader->attacks[kind][side][square];
}

/* Whether the king of a side is attacked. */
static int in_check(const sakmak_reader *reader, const board *p, int side) {
    uint64_t enemies = p->side[!side], occupied = p->side[WHITE] | p->side[BLACK];
    int king = first(p->kind[KING] & p->side[side]);
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t men = enemies & p->kind[kind];
        if (men && attacks(reader, kind, side, king, occupied) & men) return 1;
    }
    return 0;
}

/* The position after a move to `to`, which may be a capture. */
static board played(const board *p, uint64_t from, uint64_t to, int becomes) {
    board after = *p;
    for (int other = 0; other < KINDS; other++) after.kind[other] &= ~(from | to);
    after.kind[becomes] |= to;
    after.side[p->turn] = (after.side[p->turn] & ~from) | to;
    after.side[!p->turn] &= ~to;
    after.turn = !p->turn;
    return after;
}

/* ---- WDL files ---- */

/* The location of the category of a position: its row, its tile group in the row, its king tile in
 * the tile group, and the square in it. */
typedef struct {
    board p;
    const table *t;
    const wdl_side *file;
    uint64_t row;
    int group, tile, square;
    int category; /* PLACED until it is known */
    /* The bytes to read next: the row, then the tile group, both up to the end of the
     * row, then the pattern. */
    const uint8_t *bytes;
    uint64_t size;
    uint32_t becomes; /* of each category of the pattern after all changes, as in wdl_side */
} wdl_place;

/* Or nowhere: what place_wdl returns if there is one. */
enum { PLACED = SAKMAK_READER_WIN + 1 };

/* The least word of a tile group with one category; the least first byte of a token that names a
 * pattern and no run; the length that stands for a pattern in full; and what becomes of categories
 * without changes. */
enum { ONE_CATEGORY = 0xFFF0, NAMES_PATTERN = 64, LITERAL = 15, UNCHANGED = 0x43210 };

/* Finds the place for a board with at most eight men. Returns PLACED, a category or an error. */
static int place_wdl(const sakmak_reader *reader, int rule, wdl_place *at) {
    board *p = &at->p;
    if ((p->side[WHITE] | p->side[BLACK]) == p->kind[KING]) return SAKMAK_READER_DRAW;
    const table *t = at->t = table_of(reader, p);
    if (!t || !t->wdl[rule]) return SAKMAK_READER_MISSING;
    const wdl_side *w = at->file = &t->wdl[rule]->side[p->turn];
    int eight = t->symmetries == 8;
    int fixed = first(p->kind[KING] & p->side[!w->swept]);
    int swept = first(p->kind[KING] & p->side[w->swept]);
    const uint8_t *image = reader->image[reader->symmetry[eight][fixed][swept]];
    uint64_t tile = 0;
    for (int i = 0; i < t->group_count; i++) {
        const group *g = &t->groups[w->order[i]];
        tile = tile * g->combinations + combination(reader, g, p, image);
    }
    at->row = reader->fixed[eight][image[fixed]] * w->fixed_rows + tile / 4096;
    at->group = (int)(tile / 64 % 64);
    at->tile = (int)(tile % 64);
    at->square = image[swept];
    at->category = PLACED;
    prefetch(w->directory + 8 * at->row);
    return PLACED;
}

/* The steps from a place to its category. Each reads what the one before has prefetched, and does
 * nothing if the category is known. */

/* The row. Adding the file has checked that it is inside, or names a category. */
static void find_row(wdl_place *at) {
    const wdl_side *w = at->file;
    const uint8_t *entry = w->directory + 8 * at->row;
    uint64_t begin = load32(entry);
    uint64_t end = at->row + 1 < w->row_count ? load32(entry + 8) : w->row_bytes;
    if (begin == end) {
        at->category = (int)load32(entry + 4);
        return;
    }
    at->bytes = w->rows + begin;
    at->size = end - begin;
    prefetch(at->bytes + (2 * (uint64_t)at->group < at->size ? 2 * at->group : 0));
}

/* The tile group. */
static void find_group(wdl_place *at) {
    if (at->category != PLACED) return;
    at->category = SAKMAK_READER_BROKEN_FILE;
    if (2 * (uint64_t)at->group + 2 > at->size) return;
    uint32_t word = load16(at->bytes + 2 * at->group);
    if (word >= ONE_CATEGORY) {
        if (word - ONE_CATEGORY <= SAKMAK_READER_WIN) at->category = (int)(word - ONE_CATEGORY);
        return;
    }
    if (2 * word + 8 > at->size) return;
    at->bytes += 2 * word;
    at->size -= 2 * word;
    at->category = PLACED;
    prefetch(at->bytes);
    /* Most take more than a line of the cache. */
    if (at->size > 64) prefetch(at->bytes + 64);
}

/* The bytes of the first tokens of a tile group, from their lengths. Eight bytes are inside from
 * each byte of a row on: the checksum of the file is behind. */
static uint64_t token_bytes(const uint8_t *lengths, unsigned tokens, uint64_t words) {
    const uint64_t halves = 0x0F0F0F0F0F0F0F0Fu;
    uint64_t bytes = 0;
    for (unsigned now; tokens; tokens -= now, lengths += 8) {
        now = tokens < 16 ? tokens : 16;
        uint64_t some = load64(lengths) & ~(uint64_t)0 >> (64 - 4 * now);
        uint64_t literals = some & some >> 1;
        literals &= literals >> 2 & 0x1111111111111111u;
        bytes += ((some & halves) + (some >> 4 & halves)) * 0x0101010101010101u >> 56;
        if (literals) bytes += (8 * words - LITERAL) * (uint64_t)count(literals);
    }
    return bytes;
}

/* Each category after a kind of change and the kinds after it. */
static uint32_t changed(uint32_t kind, uint32_t after) {
    uint32_t becomes = 0;
    for (int category = 0; category < 5; category++)
        becomes |= (after >> 4 * (kind >> 4 * category & 15) & 15) << 4 * category;
    return becomes;
}

/* The pattern, or rather the byte of its first word that has the square. Goes from run to run, each
 * earlier than the one that refers to it, and takes the changes from the last one back. */
static void find_pattern(wdl_place *at) {
    const wdl_side *w = at->file;
    if (at->category != PLACED) return;
    at->category = SAKMAK_READER_BROKEN_FILE;
    uint64_t begins = load64(at->bytes), size = at->size;
    const uint8_t *lengths = at->bytes + 8;
    unsigned run = (unsigned)count(begins & ~(uint64_t)0 >> (63 - at->tile)) - 1;
    uint64_t tokens = 8 + ((unsigned)count(begins) + 1) / 2;
    if (!(begins & 1) || tokens > size) return;
    at->becomes = UNCHANGED;
    for (;;) {
        unsigned length = lengths[run / 2] >> 4 * (run % 2) & 15, number = 0, changes = 1;
        uint64_t begin = tokens + token_bytes(lengths, run, w->words);
        if (begin > size || (length == LITERAL ? 8u * w->words : length) > size - begin) return;
        const uint8_t *token = at->bytes + begin;
        if (length == LITERAL) {
            at->bytes = token;
            break;
        }
        if (length && token[0] >= NAMES_PATTERN) {
            number = token[0] - NAMES_PATTERN;
            if (length > 1) number = 256 * number + token[changes++];
        }
        for (unsigned i = length; i-- > changes;) {
            int from = token[i] & 63, kind = token[i] >> 6;
            if (from <= at->square && (uint64_t)w->squares[kind] >> (at->square - from) & 1)
                at->becomes = changed(w->becomes[kind], at->becomes);
        }
        if (!length || token[0] >= NAMES_PATTERN) {
            if (number >= w->pattern_count) return;
            at->bytes = w->patterns + 8 * (uint64_t)w->words * number;
            break;
        }
        if (token[0] >= run) return;
        run = token[0];
    }
    at->bytes += at->square / 8;
    at->category = PLACED;
    prefetch(at->bytes);
}

/* The category that the king tile of a position gives. */
static int stored_category(const wdl_place *at) {
    const wdl_side *w = at->file;
    if (at->category != PLACED) return at->category;
    int place = 0;
    for (int i = 0; i < w->words; i++) place |= (at->bytes[8 * i] >> at->square % 8 & 1) << i;
    int category = w->palette[place];
    return category < 0 ? category : (int)(at->becomes >> 4 * category & 15);
}

static int wdl(const sakmak_reader *reader, int rule, board p);

/* The best of a category and of the captures of some men by the side to move. */
static int best_capture(const sakmak_reader *reader, int rule, const board *p, uint64_t victims,
                        int category) {
    uint64_t occupied = p->side[WHITE] | p->side[BLACK];
    for (int kind = KING; kind < PAWN; kind++)
        for (uint64_t men = p->side[p->turn] & p->kind[kind]; men; men &= men - 1) {
            uint64_t to = attacks(reader, kind, p->turn, first(men), occupied) & victims;
            for (; to; to &= to - 1) {
                board after = played(p, men & (0 - men), to & (0 - to), kind);
                if (in_check(reader, &after, p->turn)) continue;
                int reply = wdl(reader, rule, after);
                if (reply < 0) return reply;
                if (SAKMAK_READER_WIN - reply > category) category = SAKMAK_READER_WIN - reply;
            }
        }
    return category;
}

static int category_at(const sakmak_reader *reader, int rule, const wdl_place *at) {
    const board *p = &at->p;
    int captures = at->file->captures, category = stored_category(at);
    if (!captures || category < 0 || category == SAKMAK_READER_WIN) return category;
    uint64_t victims = 0;
    for (int g = 0; g < at->t->group_count; g++)
        if (captures >> g & 1 && at->t->groups[g].side != p->turn)
            victims |= p->side[!p->turn] & p->kind[at->t->groups[g].kind];
    return best_capture(reader, rule, p, victims, category);
}

/* The category of a board with at most eight men. */
static int wdl(const sakmak_reader *reader, int rule, board p) {
    wdl_place at;
    at.p = p;
    int known = place_wdl(reader, rule, &at);
    if (known != PLACED) return known;
    find_row(&at);
    find_group(&at);
    find_pattern(&at);
    return category_at(reader, rule, &at);
}

int sakmak_reader_wdl_batch(const sakmak_reader *reader, int rule,
                            const sakmak_reader_position *positions, int number, int *categories) {
    enum { TOGETHER = 16 };
    wdl_place at[TOGETHER];
    if (number < 0 || number > SAKMAK_READER_BATCH_MAX) return SAKMAK_READER_BAD_ARGUMENT;
    for (; number > 0; number -= TOGETHER, positions += TOGETHER, categories += TOGETHER) {
        int together = number < TOGETHER ? number : TOGETHER;
        for (int i = 0; i < together; i++) {
            int known = to_board(&positions[i], MOST_MEN, &at[i].p);
            if (known >= 0 && (rule < 1 || rule > RULES)) known = SAKMAK_READER_MISSING;
            categories[i] = known < 0 ? known : place_wdl(reader, rule - 1, &at[i]);
        }
        for (int i = 0; i < together; i++)
            if (categories[i] == PLACED) find_row(&at[i]);
        for (int i = 0; i < together; i++)
            if (categories[i] == PLACED) find_group(&at[i]);
        for (int i = 0; i < together; i++)
            if (categories[i] == PLACED) find_pattern(&at[i]);
        for (int i = 0; i < together; i++)
            if (categories[i] == PLACED) categories[i] = category_at(reader, rule - 1, &at[i]);
    }
    return 0;
}

int sakmak_reader_wdl(const sakmak_reader *reader, int rule,
                      const sakmak_reader_position *position) {
    int category;
    sakmak_reader_wdl_batch(reader, rule, position, 1, &category);
    return category;
}

/* Reads the record of a side, whose patterns and directory begin at `data` and take no more than
 * `size` bytes. Returns the bytes that they take, or 0 if the record or the directory is damaged.
 */
static uint64_t read_wdl_side(const table *t, const uint8_t *record, const uint8_t *data,
                              uint64_t size, wdl_side *w) {
    static const uint16_t squares[4] = {0x1, 0x3, 0x101, 0x303};
    uint64_t tiles = 1, seen = 0;
    uint32_t order = load32(record + 4), categories = 0, reserved = record[3] | load32(record + 20);
    w->swept = record[0];
    w->captures = record[1];
    w->pattern_count = load32(record + 16);
    w->row_bytes = load64(record + 24);
    for (int i = 0; i < t->group_count; i++, order >>= 4) {
        w->order[i] = order & 15;
        if (w->order[i] >= t->group_count || seen >> w->order[i] & 1) return 0;
        seen |= (uint64_t)1 << w->order[i];
        tiles *= t->groups[i].combinations;
    }
    memset(w->palette, SAKMAK_READER_BROKEN_FILE, sizeof w->palette);
    for (int category = 0; category < 5; category++)
        if (record[2] >> category & 1) w->palette[categories++] = (int8_t)category;
    w->words = categories > 4 ? 3 : categories > 2 ? 2 : 1;
    for (int kind = 0; kind < 4; kind++) {
        uint32_t bits = load16(record + 8 + 2 * kind);
        reserved |= bits >> 12;
        w->squares[kind] = squares[bits & 3];
        for (uint32_t category = 0; category < 5; category++) {
            uint32_t becomes = bits >> (2 + 2 * category) & 3;
            w->becomes[kind] |= (becomes + (becomes >= category)) << 4 * category;
        }
    }
    w->fixed_rows = (tiles + 4095) / 4096;
    w->row_count = (t->symmetries == 8 ? 10 : 32) * w->fixed_rows;
    if (w->swept > 1 || w->captures >> t->group_count || !categories || record[2] >> 5 || order ||
        reserved || w->pattern_count > 49152 || w->row_bytes >> 32)
        return 0;
    uint64_t pattern_bytes = 8 * (uint64_t)w->words * w->pattern_count;
    if (pattern_bytes > size || w->row_count > (size - pattern_bytes) / 8) return 0;
    w->patterns = data;
    w->directory = data + pattern_bytes;
    /* From the last row back to the first one, which begins the rows of the side. */
    uint64_t row_end = w->row_bytes;
    for (uint64_t row = w->row_count; row-- > 0;) {
        const uint8_t *entry = w->directory + 8 * row;
        uint64_t begin = load32(entry);
        if (begin > row_end) return 0;
        if (begin == row_end && load32(entry + 4) > SAKMAK_READER_WIN) return 0;
        row_end = begin;
    }
    return row_end ? 0 : pattern_bytes + 8 * w->row_count;
}

/* Takes a WDL file into a table. Returns 1 or an error. */
static int add_wdl(sakmak_reader *reader, table *t, int rule, const uint8_t *bytes, size_t size) {
    uint64_t at = HEADER, end = size - 8;
    wdl_file *file = (wdl_file *)calloc(1, sizeof *file);
    if (!file) return SAKMAK_READER_NO_MEMORY;
    int sides = t->symmetric ? 1 : 2, broken = load64(bytes + 112) != 0;
    for (int i = 0; t->symmetric && i < 4; i++) broken |= load64(bytes + 80 + 8 * i) != 0;
    for (int side = 0; side < sides && !broken; side++) {
        const uint8_t *record = bytes + 48 + 32 * side;
        uint64_t taken = read_wdl_side(t, record, bytes + at, end - at, &file->side[side]);
        broken = !taken;
        at += taken;
    }
    for (int side = 0; side < sides && !broken; side++) {
        wdl_side *w = &file->side[side];
        broken = w->row_bytes > end - at;
        if (broken) break;
        w->rows = bytes + at;
        at += w->row_bytes;
    }
    if (broken || at != end) {
        free(file);
        return SAKMAK_READER_BROKEN_FILE;
    }
    t->wdl[rule] = file;
    if (t->men > reader->largest[rule]) reader->largest[rule] = t->men;
    return 1;
}

/* ---- Counting rules ---- */

enum { NO_COUNT, BOARDS_HONOUR, PIECES_HONOUR };

/* The board's honour: the most men of a side that counts, 0 if there is none, and whether it runs
 * with pawns on the board. Whether a khon comes before two knights, whether the number of the limit
 * is called, and whether of two counts the one that ends sooner is kept. */
static const struct {
    uint8_t boards_men, with_pawns, khon_first, last_given, keep_sooner;
} COUNTING[RULES] = {
    {SQUARES, 0, 0, 1, 0}, {SQUARES, 0, 1, 1, 0}, {3, 1, 0, 0, 1}, {0, 0, 1, 1, 0}};

static int men_in(uint32_t key) { return (int)(key >> 15); }
static int kind_in(uint32_t key, int kind) { return (int)(key >> 3 * (PAWN - kind) & 7); }

/* The limit of the pieces' honour against these men; 0 if there is none. */
static int pieces_limit(int rule, uint32_t attacker) {
    static const struct {
        uint8_t kind, least, limit;
    } rows[7] = {{ROOK, 2, 8},  {ROOK, 1, 16},   {KHON, 2, 22}, {KNIGHT, 2, 32},
                 {KHON, 1, 44}, {KNIGHT, 1, 64}, {MET, 1, 64}};
    for (int i = 0; i < 7; i++) {
        int row = COUNTING[rule].khon_first && (i == 3 || i == 4) ? 7 - i : i;
        if (kind_in(attacker, rows[row].kind) >= rows[row].least) return rows[row].limit;
    }
    return 0;
}

/* The count that may run against a side; none without a rule, which is -1. */
static int honour_against(int rule, const uint32_t keys[2], int attacker) {
    uint32_t mine = keys[attacker], other = keys[!attacker];
    if (rule < 0 || men_in(mine) == 1) return NO_COUNT;
    if (men_in(other) == 1 && !kind_in(mine, PAWN) && pieces_limit(rule, mine))
        return PIECES_HONOUR;
    int pawns = kind_in(mine, PAWN) + kind_in(other, PAWN);
    if (men_in(other) > COUNTING[rule].boards_men || (pawns && !COUNTING[rule].with_pawns))
        return NO_COUNT;
    return BOARDS_HONOUR;
}

/* The count that may run. */
static int honour(int rule, const uint32_t keys[2]) {
    int white = honour_against(rule, keys, WHITE), black = honour_against(rule, keys, BLACK);
    return white > black ? white : black;
}

/* A count in plies, as in a FEN; none runs if the limit is 0. */
typedef struct {
    int limit, count;
} counter;

/* The count that starts here. */
static counter fresh_count(int rule, const uint32_t keys[2], int turn) {
    counter fresh = {0, 0};
    for (int attacker = WHITE; attacker <= BLACK; attacker++) {
        int kind = honour_against(rule, keys, attacker);
        if (kind == NO_COUNT) continue;
        int limit = kind == BOARDS_HONOUR ? 64 : pieces_limit(rule, keys[attacker]);
        int men = men_in(keys[WHITE]) + men_in(keys[BLACK]);
        fresh.limit = 2 * (limit - !COUNTING[rule].last_given);
        fresh.count = kind == BOARDS_HONOUR ? 0 : 2 * men - (turn == attacker);
    }
    return fresh;
}

/* The count after a move, with this side to move then. */
static counter next_count(int rule, counter now, const uint32_t before[2], const uint32_t after[2],
                          int turn) {
    counter none = {0, 0}, fresh = fresh_count(rule, after, turn);
    int kind = honour(rule, after), own = honour_against(rule, after, !turn);
    if (kind == NO_COUNT) return none;
    if (now.limit) now.count++;
    if (kind == PIECES_HONOUR && honour(rule, before) != PIECES_HONOUR) {
        int sooner = now.limit && now.limit - now.count < fresh.limit - fresh.count;
        return sooner && COUNTING[rule].keep_sooner ? now : fresh;
    }
    if (now.limit) return now;
    /* It starts as soon as a side that may count is to move; a bare king starts no board's. */
    return own == PIECES_HONOUR || (own && men_in(after[turn]) > 1) ? fresh : none;
}

/* The moves that a count leaves an attacker. */
static int moves_within(counter now, int attacker_moves) {
    int plies = now.limit + 1 + attacker_moves - now.count;
    return plies < 0 ? 0 : plies / 2;
}

/* The moves that a count which starts here leaves an attacker; -1 if no count runs. */
static int moves_left(int rule, const uint32_t keys[2], int attacker, int turn) {
    if (honour_against(rule, keys, attacker) == NO_COUNT) return -1;
    return moves_within(fresh_count(rule, keys, turn), turn == attacker);
}

static int rule_of(int metric) { return metric ? (metric - 1) % RULES : -1; }

/* The metric of the table that answers: distance to mate where it decides what is in time, counted
 * distance where its counts run on to the mate. */
static int deciding_metric(const table *t, int metric) {
    int rule = rule_of(metric), counted = metric > RULES && COUNTING[rule].keep_sooner;
    if (men_in(t->side_key[BLACK]) == 1 && !kind_in(t->side_key[WHITE], PAWN)) return 0;
    for (int side = WHITE; side <= BLACK; side++)
        if (men_in(t->side_key[side]) > 1 && !honour_against(rule, t->side_key, side)) counted = 0;
    return counted ? metric - RULES : metric;
}

/* ---- Values: a win in n moves is MATE - n, a loss in n moves n - MATE, a draw 0 ---- */

enum { MATE = 1 << 20, MOST_MOVES = SAKMAK_READER_MOVES_MAX };

static int moves_of(int value) { return value > 0 ? MATE - value : value < 0 ? MATE + value : 0; }

/* The value of a move from that of the position after it. */
static int before_move(int value) { return value < 0 ? -value - 1 : -value; }

/* A value after a move that changed the men, as it counts before the move. */
static int carried(int metric, const uint32_t before[2], const uint32_t after[2], int turn,
                   int value) {
    int attacker = value > 0 ? turn : !turn, rule = rule_of(metric);
    int old = honour_against(rule, before, attacker);
    if (!value || old == honour_against(rule, after, attacker)) return value;
    int left = moves_left(rule, after, attacker, turn);
    if (left >= 0 && moves_of(value) > left) return 0;
    if (left >= 0 && COUNTING[rule].keep_sooner && old != NO_COUNT) return value;
    return metric > RULES ? value : value > 0 ? MATE : -MATE;
}

/* A value of a table: a draw if no count is that long. */
static int clamped(int metric, const uint32_t keys[2], int turn, int value) {
    int attacker = value > 0 ? turn : !turn;
    int longest = moves_left(rule_of(metric), keys, attacker, attacker);
    return longest >= 0 && moves_of(value) > longest ? 0 : value;
}

/* ---- Packed files ---- */

/* Dependencies of the codes of a tile. */
typedef struct {
    uint64_t kept, attacked, guarding;
} shape;

/* The squares from which a piece attacks a square. */
static uint64_t attackers(const sakmak_reader *reader, int kind, int side, int square,
                          uint64_t occupied) {
    return attacks(reader, kind, !side, square, occupied);
}

static uint64_t attacked_by(const sakmak_reader *reader, const board *p, int side,
                            uint64_t occupied) {
    uint64_t reached = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint64_t men = p->side[side] & p->kind[kind]; men; men &= men - 1)
            reached |= attacks(reader, kind, side, first(men), occupied);
    return reached;
}

/* The squares on which the swept piece leaves no attack on a king by fixed pieces of a side. */
static uint64_t safe_squares(const sakmak_reader *reader, const board *p, int by, int king,
                             uint64_t occupied) {
    uint64_t safe = ~(uint64_t)0;
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t men = p->side[by] & p->kind[kind] & attackers(reader, kind, by, king, occupied);
        for (; men; men &= men - 1) {
            int from = first(men);
            uint64_t between = 0;
            /* Squares on the line between them that each reaches with the other one in the way. */
            if (kind == ROOK)
                between =
                    rook_attacks(from, (uint64_t)1 << king) & rook_attacks(king, men & (0 - men));
            if (kind == ROOK && from / 8 == king / 8) between &= (uint64_t)0xFF << (king & 56);
            if (kind == ROOK && from % 8 == king % 8) between &= 0x0101010101010101u << king % 8;
            safe &= between;
        }
    }
    return safe;
}

static shape shape_of(const sakmak_reader *reader, const table *t, const packed_file *f,
                      uint64_t tile) {
    board p;
    shape s = {0, 0, 0};
    int eight = t->symmetries == 8, side = BLACK, kind = KING, lowest = 0, end = SQUARES, men = 1;
    uint64_t occupied = 0, white_king;
    memset(&p, 0, sizeof p);
    if (f->swept != BLACK_KING) {
        const group *g = &t->groups[f->swept];
        side = g->side, kind = g->kind, lowest = g->lowest;
        if (kind == PAWN) end = lowest + 24;
    }
    for (int i = f->piece_count; i-- > 0; tile /= f->radix[i]) {
        uint64_t number = tile % f->radix[i], set = 0;
        men += f->men[i];
        if (f->piece[i] == BLACK_KING) {
            set = (uint64_t)1 << number;
            p.side[BLACK] |= set;
            p.kind[KING] |= set;
        } else {
            const group *g = &t->groups[f->piece[i]];
            int place = g->kind == PAWN ? 23 : SQUARES - 1;
            for (int k = f->men[i]; k; k--) {
                while (reader->choose[place][k] > number) place--;
                number -= reader->choose[place][k];
                set |= (uint64_t)1 << (g->lowest + place);
            }
            if (f->piece[i] == f->swept) end = first(set);
            p.side[g->side] |= set;
            p.kind[g->kind] |= set;
        }
        occupied |= set;
    }
    white_king = (uint64_t)1 << reader->fixed_square[eight][tile];
    occupied |= white_king;
    p.side[WHITE] |= white_king;
    p.kind[KING] |= white_king;
    if (count(occupied) != men) return s;

    uint64_t pairs = reader->pairs[eight][first(white_king)],
             black_king = p.kind[KING] & p.side[BLACK];
    s.attacked = attacked_by(reader, &p, !side, occupied);
    uint64_t guarded = p.side[kind == KING ? !side : side] & ~p.kind[KING];
    for (; guarded; guarded &= guarded - 1)
        s.guarding |= attackers(reader, kind, side, first(guarded), occupied);
    s.kept =
        ~occupied & (end > lowest ? ~(uint64_t)0 >> (SQUARES - end) : 0) & ~(uint64_t)0 << lowest;
    if (f->swept == BLACK_KING)
        s.kept &= pairs;
    else if (!(black_king & pairs))
        s.kept = 0;
    /* The side that is not to move must not be in check. */
    if (f->kept == WHITE && f->swept == BLACK_KING) {
        s.kept &= ~s.attacked;
    } else {
        int king = first(f->kept == WHITE ? black_king : white_king);
        s.kept &= safe_squares(reader, &p, f->kept, king, occupied);
        if (side == f->kept) s.kept &= ~attackers(reader, kind, side, king, occupied);
    }
    return s;
}

/* The ones among the first bits of a set. */
static unsigned ones(const uint8_t *set, unsigned bits) {
    unsigned sum = 0;
    for (; bits >= 8; bits -= 8) sum += (unsigned)count(*set++);
    return bits ? sum + (unsigned)count(*set & ((1u << bits) - 1)) : sum;
}

/* The bytes of a block. Returns 0 or an error. */
static int find_block(const packed_file *f, uint64_t block, const uint8_t **begin,
                      const uint8_t **end) {
    const uint8_t *offset = f->offsets + 6 * (block / ROW_BLOCKS);
    uint64_t from = load(offset, 6), to = load(offset + 6, 6),
             left = f->blocks - block / ROW_BLOCKS * ROW_BLOCKS;
    if (from > to || to > f->row_bytes || to - from < 5) return SAKMAK_READER_BROKEN_FILE;
    const uint8_t *row = f->rows + from, *row_end = f->rows + to, *at = row + 7;
    *begin = *end = row;
    if (row[4] == 128) return 0;
    unsigned most = ROW_BLOCKS, blocks = left < most ? (unsigned)left : most;
    unsigned index = block % ROW_BLOCKS;
    unsigned low_bits = row[4] & 63, with_bytes = blocks, before = index;
    if (to - from < 7 || row[4] >> 7 || low_bits > 15) return SAKMAK_READER_BROKEN_FILE;
    if (row[4] & 64) {
        if ((uint64_t)(row_end - at) < (blocks + 7) / 8) return SAKMAK_READER_BROKEN_FILE;
        if (!(at[index / 8] >> index % 8 & 1)) return 0;
        with_bytes = ones(at, blocks);
        before = ones(at, index);
        at += (blocks + 7) / 8;
    }
    unsigned plane = (with_bytes + 7) / 8;
    if ((uint64_t)(row_end - at) < low_bits * plane + row[6]) return SAKMAK_READER_BROKEN_FILE;
    uint64_t start = (uint64_t)before * row[5], length = row[5];
    for (unsigned bit = 0; bit < low_bits; bit++, at += plane) {
        start += (uint64_t)ones(at, before) << bit;
        length += (uint64_t)(at[before / 8] >> before % 8 & 1) << bit;
    }
    for (unsigned bit = 0, seen = 0;; bit++) {
        if (bit == 8u * row[6]) return SAKMAK_READER_BROKEN_FILE;
        if (at[bit / 8] >> bit % 8 & 1) {
            if (seen++ == before) break;
        } else {
            *(seen < before ? &start : &length) += (uint64_t)1 << low_bits;
        }
    }
    at += row[6];
    if (start + length > (uint64_t)(row_end - at)) return SAKMAK_READER_BROKEN_FILE;
    *begin = at + start;
    *end = *begin + length;
    return 0;
}

/* The symbols of a block. */
typedef struct {
    const uint8_t *at, *end;
    uint32_t state;
} symbols;

static inline int symbol(symbols *s, const uint8_t *distribution) {
    while (s->state < (uint32_t)1 << 23 && s->at < s->end) s->state = s->state << 8 | *s->at++;
    uint32_t place = s->state & 16383;
    for (int i = 0;; i++) {
        /* They sum up to 16,384. */
        uint32_t frequency = load16(distribution + 2 * i);
        if (place < frequency) {
            s->state = frequency * (s->state >> 14) + place;
            return distribution[32 + i];
        }
        place -= frequency;
    }
}

static int literal(symbols *s, const uint8_t *distributions, int digits) {
    int digit = symbol(s, distributions), code = digit;
    for (int n = 1; n < digits; n++) {
        digit = symbol(s, distributions + DISTRIBUTION * (1 + 16 * (n - 1) + digit));
        code = 16 * code + digit;
    }
    return code;
}

/* 0 for a draw, 1 for a win, 2 for a loss. */
static inline int outcome(int wins, int code) { return (code > 0) + (code > wins); }

static inline int kind_of(int wins, int code) {
    return code == 0 ? 0 : code > wins ? 1 : code < 8 ? 2 : 3;
}

static inline int shifted(const packed_file *f, int code, int from, int to) {
    if (from == to) return code;
    int kind = outcome(f->wins, code), moved = code + to - from;
    if (!kind || outcome(f->wins, from) != kind || outcome(f->wins, to) != kind) return to;
    return moved >= 0 && moved < f->codes && outcome(f->wins, moved) == kind ? moved : code;
}

static inline unsigned apart(int a, int b) {
    int difference = a > b ? a - b : b - a;
    return difference > 3 ? 3 : difference > 1 ? 2 : (unsigned)difference;
}

/* Decodes the codes of a block up to a square of a tile. Returns 0 or an error. */
static int decode(const sakmak_reader *reader, const table *t, const packed_file *f, uint64_t block,
                  int tile, int square, uint16_t codes[64][SQUARES]) {
    uint64_t missed[64];
    symbols s = {NULL, NULL, 0};
    int error = find_block(f, block, &s.at, &s.end);
    if (error < 0) return error;
    int base = literal(&s, f->base_digits, f->digits), wins = f->wins;
    if (base >= f->codes) return SAKMAK_READER_BROKEN_FILE;
    for (int now = 0; now <= tile; now++) {
        int reference = f->references[now], last = now == tile ? square : SQUARES - 1;
        shape form = shape_of(reader, t, f, block * (uint64_t)f->block_tiles + (uint64_t)now);
        const uint16_t *above = codes[reference == NO_REFERENCE ? now : reference];
        uint64_t missed_above = reference == NO_REFERENCE ? 0 : missed[reference];
        uint16_t *mine = codes[now];
        missed[now] = 0;
        for (int q = 0; q < SQUARES; q++)
            mine[q] = reference == NO_REFERENCE ? (uint16_t)base : above[q];
        for (int q = 0; form.kept && q <= last; q++) {
            const uint8_t *nearby = f->nearby[q];
            int n1 = mine[nearby[0]], n2 = mine[nearby[1]], n3 = mine[nearby[2]], up = above[q];
            int u1 = above[nearby[0]], predicted = n1;
            if (reference != NO_REFERENCE) predicted = shifted(f, up, u1, n1);
            if (!(form.kept >> q & 1)) {
                mine[q] = (uint16_t)predicted;
                continue;
            }
            int beyond = f->beyond[q], u2 = above[nearby[1]], next = above[beyond],
                n4 = mine[nearby[3]];
            unsigned misses = (missed[now] >> nearby[0] & 1) + (missed[now] >> nearby[1] & 1),
                     context;
            unsigned around =
                (unsigned)(form.attacked >> q & 1) | (unsigned)(form.guarding >> q & 1) << 1;
            if (reference != NO_REFERENCE) {
                misses +=
                    (unsigned)(missed_above >> q & 1) + (unsigned)(missed_above >> beyond & 1);
                context = apart(n1, u1) | apart(n2, u2) << 2 | (unsigned)(up == u1) << 4 |
                          (unsigned)(n1 == up) << 5 | (unsigned)(n2 == up) << 6 |
                          (unsigned)(n1 == n2) << 7 | (unsigned)(n3 == n1) << 8 |
                          (unsigned)kind_of(wins, predicted) << 9 | (unsigned)(next == up) << 11 |
                          (unsigned)(u2 == up) << 12 | around << 13;
                context |= (misses < 3 ? misses : 3) << 15;
            } else {
                context = apart(n1, n2) | apart(n1, n3) << 2 | (unsigned)(n2 == n3) << 4 |
                          (unsigned)(n1 == n4) << 5 | (unsigned)(n1 == base) << 6 |
                          (unsigned)kind_of(wins, n1) << 7 | (unsigned)kind_of(wins, n2) << 9 |
                          around << 11;
                context |= (misses < 3 ? misses : 3) << 13 | 131072;
            }
            const uint8_t *distribution =
                f->distributions + DISTRIBUTION * load16(f->contexts + 2 * context);
            int which = symbol(&s, distribution), code;
            switch (which) {
            case 0: code = predicted; break;
            case 1: code = reference != NO_REFERENCE ? up : n2; break;
            case 2: code = reference != NO_REFERENCE ? n1 : n3; break;
            case 3: code = reference != NO_REFERENCE ? n2 : n4; break;
            case 4:
                code = reference != NO_REFERENCE ? shifted(f, up, u2, n2) : mine[nearby[4]];
                break;
            case 5: code = reference != NO_REFERENCE ? n3 : mine[nearby[5]]; break;
            case 6: code = reference != NO_REFERENCE ? next : base; break;
            case 13: code = 0; break;
            case 14: code = 1 + (reference != NO_REFERENCE ? n1 : n3); break;
            case 15: code = literal(&s, f->literal_digits, f->digits); break;
            default: code = predicted + (which % 2 ? 1 : -1) * ((which - 5) / 2); break;
            }
            if (code < 0 || code >= f->codes) return SAKMAK_READER_BROKEN_FILE;
            mine[q] = (uint16_t)code;
            missed[now] |= (uint64_t)(code != predicted) << q;
        }
    }
    return 0;
}

/* The index of the code of a position: 64 times the tile, plus the square. */
static uint64_t locate(const sakmak_reader *reader, const table *t, const packed_file *f,
                       const board *p) {
    int eight = t->symmetries == 8, white = first(p->kind[KING] & p->side[WHITE]);
    int black = first(p->kind[KING] & p->side[BLACK]), square = 0;
    const uint8_t *image = reader->image[reader->symmetry[eight][white][black]];
    uint64_t tile = reader->fixed[eight][image[white]];
    for (int i = -1; i < f->piece_count; i++) {
        uint8_t piece = i < 0 ? f->swept : f->piece[i];
        uint64_t number = image[black];
        if (piece != BLACK_KING) {
            const group *g = &t->groups[piece];
            uint64_t men = p->side[g->side] & p->kind[g->kind], mapped = 0;
            for (; men; men &= men - 1) mapped |= (uint64_t)1 << image[first(men)];
            if (i < 0)
                mapped &= 0 - mapped;
            else if (piece == f->swept)
                mapped &= mapped - 1;
            number = i < 0 ? (uint64_t)first(mapped) : 0;
            for (int k = 1; i >= 0 && mapped; mapped &= mapped - 1, k++)
                number += reader->choose[first(mapped) - g->lowest][k];
        }
        if (i < 0)
            square = (int)number;
        else
            tile = tile * f->radix[i] + number;
    }
    return tile * SQUARES + (uint64_t)square;
}

static int value_of_code(const packed_file *f, int code) {
    int kind = outcome(f->wins, code);
    return kind == 0 ? 0 : kind == 1 ? MATE - code : code - f->wins - 1 - MATE;
}

/* The value of the code of a position with the kept side to move. Returns 0 or an error. */
static int stored_value(const sakmak_reader *reader, const table *t, const packed_file *f,
                        const board *p, int *value) {
    uint16_t codes[64][SQUARES];
    uint64_t at = locate(reader, t, f, p), block_codes = SQUARES * (uint64_t)f->block_tiles;
    int tile = (int)(at % block_codes / SQUARES), square = (int)(at % SQUARES);
    int error = decode(reader, t, f, at / block_codes, tile, square, codes);
    if (error < 0) return error;
    *value = value_of_code(f, codes[tile][square]);
    return 0;
}

/* A move; of a quiet one also where the code of the position after it is, its value, and the most
 * that the move can be worth. */
typedef struct {
    uint8_t kind, becomes, from, to;
    int stored, bound;
    uint64_t at;
} move;

/* The moves of a position that leave no king in check, quiet ones only if wanted. */
static int legal_moves(const sakmak_reader *reader, const board *p, int quiet_too, move *moves) {
    uint64_t mine = p->side[p->turn], other = p->side[!p->turn], occupied = mine | other;
    int found = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint64_t men = mine & p->kind[kind]; men; men &= men - 1) {
            int from = first(men);
            uint64_t to = attacks(reader, kind, p->turn, from, occupied) & ~mine;
            if (kind == PAWN) {
                uint64_t ahead =
                    p->turn == WHITE ? (uint64_t)1 << from << 8 : (uint64_t)1 << from >> 8;
                to = (to & other) | (ahead & ~occupied);
            }
            for (; to; to &= to - 1) {
                uint64_t one = to & (0 - to);
                int promotes =
                    kind == PAWN &&
                    (one & (p->turn == WHITE ? (uint64_t)0xFF << 40 : (uint64_t)0xFF << 16));
                if (!quiet_too && !promotes && !(one & other)) continue;
                move m = {(uint8_t)kind,
                          (uint8_t)(promotes ? MET : kind),
                          (uint8_t)from,
                          (uint8_t)first(to),
                          0,
                          0,
                          0};
                board after = played(p, men & (0 - men), one, m.becomes);
                if (!in_check(reader, &after, p->turn) && found < MOST_MOVES) moves[found++] = m;
            }
        }
    return found;
}

static int value_of(const sakmak_reader *reader, int metric, board p, int *value);

/* The best of a value, or of none if it is the worst, and of the captures and promotions among
 * moves. */
static int best_conversion(const sakmak_reader *reader, const table *t, int metric, int own_metric,
                           const board *p, const move *moves, int count_of, int *best) {
    for (int i = 0; i < count_of; i++) {
        int value;
        if (moves[i].kind == moves[i].becomes && !(p->side[!p->turn] >> moves[i].to & 1)) continue;
        board after =
            played(p, (uint64_t)1 << moves[i].from, (uint64_t)1 << moves[i].to, moves[i].becomes);
        uint32_t keys[2] = {side_key(&after, WHITE), side_key(&after, BLACK)};
        int error = value_of(reader, metric, after, &value);
        if (error < 0) return error;
        value = before_move(carried(own_metric, t->side_key, keys, after.turn, value));
        value = clamped(own_metric, t->side_key, p->turn, value);
        if (value > *best) *best = value;
    }
    return 0;
}

/* Betters the value of a code by captures and promotions, if the file leaves them out. */
static int with_conversions(const sakmak_reader *reader, const table *t, const packed_file *f,
                            int metric, int own_metric, const board *p, int *value) {
    move moves[MOST_MOVES];
    /* A bare king does not win. */
    if (!f->dont_care || (!*value && men_in(t->side_key[p->turn]) == 1)) return 0;
    int found = legal_moves(reader, p, 0, moves);
    return best_conversion(reader, t, metric, own_metric, p, moves, found, value);
}

static board after_quiet(const board *p, const move *m) {
    return played(p, (uint64_t)1 << m->from, (uint64_t)1 << m->to, m->kind);
}

/* Leaves the quiet moves with their bounds; each block is decoded once. Returns how many, or an
 * error. */
static int bounded_moves(const sakmak_reader *reader, const table *t, const packed_file *f,
                         int own_metric, const board *p, move *moves, int found) {
    uint16_t codes[64][SQUARES];
    uint64_t block_codes = SQUARES * (uint64_t)f->block_tiles;
    int quiet = 0;
    for (int i = 0; i < found; i++) {
        if (moves[i].kind != moves[i].becomes || p->side[!p->turn] >> moves[i].to & 1) continue;
        board after = after_quiet(p, &moves[i]);
        moves[quiet] = moves[i];
        moves[quiet++].at = locate(reader, t, f, &after);
    }
    for (int i = 0; i < quiet; i++) {
        uint64_t block = moves[i].at / block_codes, last = moves[i].at;
        int known = 0;
        for (int j = 0; j < quiet; j++) {
            if (moves[j].at / block_codes != block) continue;
            known |= j < i;
            if (moves[j].at > last) last = moves[j].at;
        }
        if (known) continue;
        last %= block_codes;
        int error =
            decode(reader, t, f, block, (int)(last / SQUARES), (int)(last % SQUARES), codes);
        if (error < 0) return error;
        for (int j = i; j < quiet; j++) {
            if (moves[j].at / block_codes != block) continue;
            uint64_t place = moves[j].at % block_codes;
            moves[j].stored = value_of_code(f, codes[place / SQUARES][place % SQUARES]);
            moves[j].bound =
                clamped(own_metric, t->side_key, p->turn, before_move(moves[j].stored));
        }
    }
    return quiet;
}

/* The value with the other side to move than the one that is kept: the best of all moves. */
static int value_by_moves(const sakmak_reader *reader, const table *t, const packed_file *f,
                          int metric, int own_metric, const board *p, int *value) {
    move moves[MOST_MOVES];
    int found = legal_moves(reader, p, 1, moves);
    *value = -MATE - 1;
    if (!found) {
        *value = in_check(reader, p, p->turn) ? -MATE : 0;
        return 0;
    }
    int error = best_conversion(reader, t, metric, own_metric, p, moves, found, value);
    if (error < 0 || (!*value && men_in(t->side_key[p->turn]) == 1)) return error;
    int quiet = bounded_moves(reader, t, f, own_metric, p, moves, found);
    /* A code is never better than the value, so a move is at most as good as its bound. */
    while (quiet > 0) {
        move *next = moves;
        for (move *m = moves; m < moves + quiet; m++)
            if (m->bound > next->bound) next = m;
        if (next->bound <= *value) break;
        int stored = next->stored;
        board after = after_quiet(p, next);
        error = with_conversions(reader, t, f, metric, own_metric, &after, &stored);
        if (error < 0) return error;
        stored = clamped(own_metric, t->side_key, p->turn, before_move(stored));
        if (stored > *value) *value = stored;
        *next = moves[--quiet];
    }
    return quiet < 0 ? quiet : 0;
}

/* The value of a legal position by a metric. Returns 0 or an error. */
static int value_of(const sakmak_reader *reader, int metric, board p, int *value) {
    *value = 0;
    if ((p.side[WHITE] | p.side[BLACK]) == p.kind[KING]) return 0;
    const table *t = table_of(reader, &p);
    if (!t) return SAKMAK_READER_MISSING;
    int own_metric = deciding_metric(t, metric);
    const packed_file *f = t->packed[own_metric];
    if (!f) return SAKMAK_READER_MISSING;
    if (p.turn != f->kept) return value_by_moves(reader, t, f, metric, own_metric, &p, value);
    int error = stored_value(reader, t, f, &p, value);
    return error < 0 ? error : with_conversions(reader, t, f, metric, own_metric, &p, value);
}

/* The board of a legal position. Returns 0 or an error. */
static int legal_board(const sakmak_reader *reader, int rule,
                       const sakmak_reader_position *position, board *p) {
    int error = to_board(position, MOST_MEN, p);
    if (error < 0) return error;
    if (in_check(reader, p, !p->turn)) return SAKMAK_READER_BAD_POSITION;
    return rule < 0 || rule > RULES ? SAKMAK_READER_MISSING : 0;
}

static int in_range(counter now) {
    return now.limit >= 0 && now.limit <= SAKMAK_READER_COUNT_MAX && now.count >= 0 &&
           now.count <= SAKMAK_READER_COUNT_MAX;
}

static int without_count(int value) {
    return value > 0 ? SAKMAK_READER_WIN : value < 0 ? SAKMAK_READER_LOSS : SAKMAK_READER_DRAW;
}

int sakmak_reader_distance(const sakmak_reader *reader, int rule,
                           const sakmak_reader_position *position, int *moves) {
    board p;
    int value, error = legal_board(reader, rule, position, &p);
    if (error >= 0) error = value_of(reader, rule, p, &value);
    if (error < 0) return error;
    *moves = moves_of(value);
    return without_count(value);
}

/* The board of a legal position under a count, and the count. Returns 0 or an error. */
static int counted_board(const sakmak_reader *reader, int rule,
                         const sakmak_reader_position *position, int limit, int count_now, board *p,
                         counter *now) {
    int error = legal_board(reader, rule, position, p);
    if (error < 0) return error;
    now->limit = limit;
    now->count = count_now;
    return in_range(*now) ? 0 : SAKMAK_READER_BAD_ARGUMENT;
}

/* The category under a count, or under one that starts here, from the distances to mate and by the
 * rule. */
static int category_under(int rule, const uint32_t keys[2], int turn, counter now, int mate,
                          int counted) {
    int attacker = mate > 0 ? turn : !turn, in_time = counted != 0;
    if (!mate) return SAKMAK_READER_DRAW;
    if (honour_against(rule, keys, attacker) != NO_COUNT) {
        if (!now.limit) now = fresh_count(rule, keys, turn);
        if (moves_of(counted) > moves_within(now, attacker == turn)) in_time = 0;
        /* Past the limit the draw is claimed, but not by a side that is mated. */
        if (now.count > now.limit && mate != -MATE && !moves_of(counted)) in_time = 0;
    }
    if (in_time) return without_count(mate);
    return mate > 0 ? SAKMAK_READER_CURSED_WIN : SAKMAK_READER_BLESSED_LOSS;
}

int sakmak_reader_category(const sakmak_reader *reader, int rule,
                           const sakmak_reader_position *position, int limit, int count_now) {
    board p;
    counter now;
    int mate, counted;
    int error = counted_board(reader, rule, position, limit, count_now, &p, &now);
    if (error < 0) return error;
    if (rule == SAKMAK_READER_NO_COUNT) return SAKMAK_READER_MISSING;
    const uint32_t keys[2] = {side_key(&p, WHITE), side_key(&p, BLACK)};

    int fresh = wdl(reader, rule - 1, p);
    if (fresh >= 0) {
        int attacker = fresh > SAKMAK_READER_DRAW ? p.turn : !p.turn;
        int most = moves_left(rule - 1, keys, attacker, p.turn);
        int left = now.limit ? moves_within(now, attacker == p.turn) : most;
        int decides = fresh == SAKMAK_READER_WIN || fresh == SAKMAK_READER_LOSS;
        if (fresh == SAKMAK_READER_DRAW || most < 0 || (decides ? left >= most : left <= most))
            return fresh;
    }

    error = value_of(reader, 0, p, &mate);
    if (error < 0 || !mate) return error < 0 ? error : SAKMAK_READER_DRAW;
    error = value_of(reader, rule, p, &counted);
    return error < 0 ? error : category_under(rule - 1, keys, p.turn, now, mate, counted);
}

/* ---- Root moves ---- */

/* The category of a move before which the draw may be claimed: past its limit, a count that binds
 * the winner makes every win too late. */
static int before_claim(int rule, const uint32_t keys[2], int turn, counter now, int category) {
    if (category != SAKMAK_READER_WIN && category != SAKMAK_READER_LOSS) return category;
    int wins = category == SAKMAK_READER_WIN;
    if (!now.limit) now = fresh_count(rule, keys, turn);
    if (now.count <= now.limit || !honour_against(rule, keys, wins ? turn : !turn)) return category;
    return wins ? SAKMAK_READER_CURSED_WIN : SAKMAK_READER_BLESSED_LOSS;
}

static int moves_or_none(int value) { return value ? moves_of(value) : -1; }

/* Rates a move under the better one of some counts. Returns 0 or an error. */
static int rate(const sakmak_reader *reader, int rule, const board *p, const move *played_move,
                const counter *counts, int number, sakmak_reader_move *rated) {
    board after = played(p, (uint64_t)1 << played_move->from, (uint64_t)1 << played_move->to,
                         played_move->becomes);
    const uint32_t before[2] = {side_key(p, WHITE), side_key(p, BLACK)};
    const uint32_t reached[2] = {side_key(&after, WHITE), side_key(&after, BLACK)};
    counter now = counts[0];
    int mate, counted = 0, in_time, error = value_of(reader, 0, after, &mate);
    if (error >= 0 && mate) error = value_of(reader, rule, after, &counted);
    if (error < 0) return error;
    rated->from = played_move->from;
    rated->to = played_move->to;
    rated->promotes = played_move->becomes != played_move->kind;
    rated->category = -1;
    for (int i = 0; i < number; i++) {
        counter then = next_count(rule - 1, counts[i], before, reached, after.turn);
        int category = category_under(rule - 1, reached, after.turn, then, mate, counted);
        category =
            before_claim(rule - 1, before, p->turn, counts[i], SAKMAK_READER_WIN - category);
        if (category <= rated->category) continue;
        rated->category = category;
        now = then;
    }
    rated->mate = moves_or_none(before_move(mate));
    rated->counted =
        moves_or_none(before_move(carried(rule, before, reached, after.turn, counted)));
    rated->mate_in_time = -1;
    if (rated->category != SAKMAK_READER_WIN && rated->category != SAKMAK_READER_LOSS) return 0;
    error = value_of(reader, rule ? RULES + rule : 0, after, &in_time);
    /* The length is unknown without its file, and if the count is too short for it. */
    if (error == SAKMAK_READER_MISSING) return 0;
    if (error < 0) return error;
    if (category_under(rule - 1, reached, after.turn, now, mate, in_time) ==
        SAKMAK_READER_WIN - rated->category)
        rated->mate_in_time = moves_or_none(before_move(in_time));
    return 0;
}

/* A greater number for a quicker win and a slower loss. */
static int worth(int category, int moves) {
    if (moves < 0) return 0;
    return category > SAKMAK_READER_DRAW ? MATE - moves : moves - MATE;
}

/* Whether a move comes before another one. */
static int precedes(const sakmak_reader_move *a, const sakmak_reader_move *b) {
    int category = a->category, by_count = category != SAKMAK_READER_CURSED_WIN;
    const int differences[] = {
        category - b->category,
        worth(category, a->mate_in_time) - worth(category, b->mate_in_time),
        by_count * (worth(category, a->counted) - worth(category, b->counted)),
        worth(category, a->mate) - worth(category, b->mate),
        /* The order of their names. */
        b->from % 8 - a->from % 8,
        b->from - a->from,
        b->to % 8 - a->to % 8,
        b->to - a->to,
    };
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i]) return differences[i] > 0;
    return 0;
}

int sakmak_reader_rank(const sakmak_reader *reader, int rule,
                       const sakmak_reader_position *position, int limit, int count_now,
                       sakmak_reader_move *ranked) {
    board p;
    counter counts[2] = {{0, 0}, {0, 0}};
    move moves[MOST_MOVES];
    int error = counted_board(reader, rule, position, limit, count_now, &p, &counts[0]);
    if (error < 0) return error;
    const uint32_t keys[2] = {side_key(&p, WHITE), side_key(&p, BLACK)};
    if (!limit) counts[0] = fresh_count(rule - 1, keys, p.turn);
    /* A side that alone may count can stop its count, and must before it wins. */
    int stops =
        counts[0].limit && men_in(keys[p.turn]) > 1 && !honour_against(rule - 1, keys, p.turn);
    int found = legal_moves(reader, &p, 1, moves);
    for (int i = 0; i < found; i++) {
        sakmak_reader_move rated;
        error = rate(reader, rule, &p, &moves[i], counts, stops ? 2 : 1, &rated);
        if (error < 0) return error;
        int at = i;
        for (; at > 0 && precedes(&rated, &ranked[at - 1]); at--) ranked[at] = ranked[at - 1];
        ranked[at] = rated;
    }
    return found;
}

/* ---- Counts ---- */

/* Describes a count. Returns 1, or 0 if there is none. */
static int describe(int rule, const uint32_t keys[2], int turn, counter now,
                    sakmak_reader_count *description) {
    int *left = description->moves_left;
    for (int side = WHITE; side <= BLACK; side++) {
        int bound = now.limit && honour_against(rule, keys, side) != NO_COUNT;
        left[side] = bound ? moves_within(now, side == turn) : -1;
    }
    int last = now.limit ? now.limit / 2 + !COUNTING[rule].last_given : 0;
    int called = (now.count + (left[turn] >= 0 && left[!turn] < 0)) / 2;
    description->limit = now.limit;
    description->count = now.count;
    description->last_call = last;
    description->called = called < last ? called : last;
    return now.limit > 0;
}

int sakmak_reader_describe_count(int rule, const sakmak_reader_position *position, int limit,
                                 int count_now, sakmak_reader_count *description) {
    board p;
    counter now = {limit, count_now};
    int error = to_board(position, SQUARES, &p);
    if (error < 0) return error;
    if (rule < 0 || rule > RULES || !in_range(now)) return SAKMAK_READER_BAD_ARGUMENT;
    const uint32_t keys[2] = {side_key(&p, WHITE), side_key(&p, BLACK)};
    if (!limit || honour(rule - 1, keys) == NO_COUNT) now = fresh_count(rule - 1, keys, p.turn);
    return describe(rule - 1, keys, p.turn, now, description);
}

int sakmak_reader_next_count(int rule, const sakmak_reader_position *before,
                             const sakmak_reader_position *after,
                             sakmak_reader_count *description) {
    board p, reached;
    counter now = {description->limit, description->count};
    int error = to_board(before, SQUARES, &p);
    if (error >= 0) error = to_board(after, SQUARES, &reached);
    if (error < 0) return error;
    if (rule < 0 || rule > RULES || !in_range(now)) return SAKMAK_READER_BAD_ARGUMENT;
    const uint32_t old[2] = {side_key(&p, WHITE), side_key(&p, BLACK)};
    const uint32_t keys[2] = {side_key(&reached, WHITE), side_key(&reached, BLACK)};
    now = next_count(rule - 1, now, old, keys, reached.turn);
    return describe(rule - 1, keys, reached.turn, now, description);
}

static void free_packed(packed_file *f) {
    if (f) free(f->model);
    free(f);
}

static int are_distributions(const uint8_t *at, uint64_t number) {
    for (; number; number--, at += DISTRIBUTION) {
        uint32_t sum = 0, wrong = 0;
        for (int i = 0; i < 16; i++) {
            sum += load16(at + 2 * i);
            wrong |= !load16(at + 2 * i) || at[32 + i] > 15;
        }
        if (sum != 16384 || wrong) return 0;
    }
    return 1;
}

/* Decompresses and checks the model of a file. Returns 0 or an error. */
static int read_model(packed_file *f, sakmak_reader_zstd *zstd, const uint8_t *from, size_t size) {
    static const int8_t steps[8][2] = {{-1, 0}, {0, -1}, {-1, -1}, {1, -1},
                                       {-2, 0}, {0, -2}, {-2, -1}, {2, -1}};
    const size_t digits = 1 + 16 * ((size_t)f->digits - 1), tiles = (size_t)f->block_tiles;
    const size_t rest = 11 + tiles + 2 * CONTEXTS + 2 * DISTRIBUTION * digits;
    const size_t capacity = rest + DISTRIBUTION * 16384;
    uint8_t *model = (uint8_t *)malloc(capacity);
    if (!model) return SAKMAK_READER_NO_MEMORY;
    f->model = model;
    size_t length = zstd(model, capacity, from, size);
    if (length > capacity || length < rest || model[8] != tiles) return SAKMAK_READER_BROKEN_FILE;
    f->references = model + 9;
    f->distributions = model + 11 + tiles;
    uint32_t distributions = load16(f->distributions - 2);
    if (length != rest + DISTRIBUTION * (size_t)distributions || !distributions)
        return SAKMAK_READER_BROKEN_FILE;
    model = (uint8_t *)realloc(model, length);
    if (model) {
        f->model = model;
        f->references = model + 9;
        f->distributions = model + 11 + tiles;
    }
    f->contexts = f->distributions + DISTRIBUTION * distributions;
    f->base_digits = f->contexts + 2 * CONTEXTS;
    f->literal_digits = f->base_digits + DISTRIBUTION * digits;
    unsigned seen = 0;
    for (int i = 0; i < 8; i++) {
        if (f->model[i] > 7) return SAKMAK_READER_BROKEN_FILE;
        seen |= 1u << f->model[i];
    }
    for (size_t tile = 0; tile < tiles; tile++)
        if (f->references[tile] != NO_REFERENCE && f->references[tile] >= tile) seen = 0;
    for (int i = 0; i < CONTEXTS; i++)
        if (load16(f->contexts + 2 * i) >= distributions) seen = 0;
    if (seen != 255 || !are_distributions(f->distributions, distributions) ||
        !are_distributions(f->base_digits, 2 * digits))
        return SAKMAK_READER_BROKEN_FILE;
    for (int q = 0; q < SQUARES; q++) {
        int found = 0;
        f->beyond[q] = (uint8_t)q;
        for (int i = 0; i < 8 && found < 6; i++) {
            const int8_t *step = steps[f->model[i]];
            int file = q % 8 + step[0], rank = q / 8 + step[1];
            if (file < 0 || file > 7 || rank < 0) continue;
            int across = q % 8 - step[0], ahead = q / 8 - step[1];
            if (!found && across >= 0 && across < 8 && ahead < 8)
                f->beyond[q] = (uint8_t)(8 * ahead + across);
            f->nearby[q][found++] = (uint8_t)(8 * rank + file);
        }
        for (int i = found; i < 6; i++) f->nearby[q][i] = i ? f->nearby[q][i - 1] : (uint8_t)q;
    }
    return 0;
}

/* Reads the header of a packed file of a table. Returns 0 or an error. */
static int read_packed(const sakmak_reader *reader, const table *t, const uint8_t *bytes,
                       size_t size, packed_file *f) {
    const int eight = t->symmetries == 8;
    uint64_t wins = load32(bytes + 48), losses = load32(bytes + 52), model = load32(bytes + 44);
    uint64_t slots = eight ? 462 : 1806, reserved = bytes[34];
    for (int i = 0; i < 5; i++) reserved |= load64(bytes + 80 + 8 * i);
    for (int g = 0; g < t->group_count; g++) slots *= t->groups[g].combinations;
    uint64_t codes = 1 + wins + (losses == UINT32_MAX ? 0 : losses + 1);
    f->kept = bytes[32];
    f->block_tiles = bytes[33];
    f->dont_care = bytes[35];
    f->swept = bytes[36];
    f->wins = (int)wins;
    f->codes = (int)codes;
    f->digits = codes <= 256 ? 2 : codes <= 4096 ? 3 : 4;
    if (f->kept > 1 || (f->kept && t->symmetric) || !f->block_tiles || f->block_tiles > 64 ||
        reserved || f->dont_care > 1 || codes > 65536 || load64(bytes + 24) != slots ||
        (f->swept != BLACK_KING && f->swept >= t->group_count))
        return SAKMAK_READER_BROKEN_FILE;

    int among = f->swept != BLACK_KING && t->groups[f->swept].men > 1;
    unsigned seen = f->swept == BLACK_KING ? 256 : among ? 0 : 1u << f->swept;
    f->piece_count = (uint8_t)(t->group_count + among);
    f->tiles = eight ? 10 : 32;
    for (int i = 0; i < 7; i++) {
        uint8_t piece = bytes[37 + i];
        if (i >= f->piece_count) {
            if (piece) return SAKMAK_READER_BROKEN_FILE;
            continue;
        }
        unsigned bit = piece == BLACK_KING ? 256 : piece < t->group_count ? 1u << piece : 0;
        if (!bit || seen & bit) return SAKMAK_READER_BROKEN_FILE;
        seen |= bit;
        f->piece[i] = piece;
        f->men[i] = (uint8_t)(piece == BLACK_KING ? 1 : t->groups[piece].men - (piece == f->swept));
        f->radix[i] = SQUARES;
        if (piece != BLACK_KING)
            f->radix[i] = reader->choose[t->groups[piece].kind == PAWN ? 24 : SQUARES][f->men[i]];
        f->tiles *= f->radix[i];
    }
    f->blocks = (f->tiles + (uint64_t)f->block_tiles - 1) / (uint64_t)f->block_tiles;
    f->row_bytes = load64(bytes + size - 16);
    uint64_t offsets = 6 * ((f->blocks + ROW_BLOCKS - 1) / ROW_BLOCKS + 1);
    if (f->row_bytes > size || model > size || offsets > size ||
        HEADER + model + f->row_bytes + offsets + 16 != size)
        return SAKMAK_READER_BROKEN_FILE;
    f->rows = bytes + HEADER + model;
    f->offsets = f->rows + f->row_bytes;
    return read_model(f, reader->zstd, bytes + HEADER, (size_t)model);
}

/* Takes a packed file into a table. Returns 1 or an error. */
static int add_packed(const sakmak_reader *reader, table *t, int metric, const uint8_t *bytes,
                      size_t size) {
    packed_file *f = (packed_file *)calloc(1, sizeof *f);
    int error = f ? read_packed(reader, t, bytes, size, f) : SAKMAK_READER_NO_MEMORY;
    if (error < 0)
        free_packed(f);
    else
        t->packed[metric] = f;
    return error < 0 ? error : 1;
}

int sakmak_reader_largest_root(const sakmak_reader *reader, int rule) {
    int largest = 0;
    for (size_t i = 0; rule > 0 && rule <= RULES && i < reader->places; i++) {
        const table *t = reader->tables[i];
        if (t && t->men > largest && t->packed[0] && t->packed[deciding_metric(t, rule)])
            largest = t->men;
    }
    return largest;
}

/* ---- Files ---- */

/* The table of the material with this name in a header, made if it is new. Returns 0 or an error.
 */
static int table_named(sakmak_reader *reader, const uint8_t *name, table **found) {
    int men[2][KINDS] = {{0}}, total[2] = {0}, side = WHITE, at = 0;
    for (const char *last = LETTERS; at < 16 && name[at]; at++) {
        if (name[at] == 'v' && side == WHITE) {
            side = BLACK, last = LETTERS;
            continue;
        }
        const char *letter = strchr(last, name[at]);
        if (!letter) return SAKMAK_READER_BROKEN_FILE;
        last = letter;
        men[side][letter - LETTERS]++;
        total[side]++;
    }
    for (; at < 16; at++)
        if (name[at]) return SAKMAK_READER_BROKEN_FILE;
    if (men[WHITE][KING] != 1 || men[BLACK][KING] != 1 || total[WHITE] + total[BLACK] < 3 ||
        total[WHITE] + total[BLACK] > MOST_MEN)
        return SAKMAK_READER_BROKEN_FILE;
    uint32_t keys[2];
    for (side = WHITE; side <= BLACK; side++) {
        keys[side] = (uint32_t)total[side];
        for (int kind = ROOK; kind < KINDS; kind++)
            keys[side] = keys[side] << 3 | (uint32_t)men[side][kind];
    }
    if (keys[BLACK] > keys[WHITE]) return SAKMAK_READER_BROKEN_FILE;

    uint32_t key = material_key(keys[WHITE], keys[BLACK]);
    *found = reader->tables[place_of(reader, key)];
    if (*found) return 0;
    if (2 * (reader->table_count + 1) > reader->places) {
        table **old = reader->tables;
        size_t places = reader->places;
        reader->tables = (table **)calloc(2 * places, sizeof *old);
        if (!reader->tables) {
            reader->tables = old;
            return SAKMAK_READER_NO_MEMORY;
        }
        reader->places = 2 * places;
        for (size_t i = 0; i < places; i++)
            if (old[i]) reader->tables[place_of(reader, old[i]->key)] = old[i];
        free(old);
    }
    table *t = (table *)calloc(1, sizeof *t);
    if (!t) return SAKMAK_READER_NO_MEMORY;
    t->key = key;
    t->side_key[WHITE] = keys[WHITE];
    t->side_key[BLACK] = keys[BLACK];
    t->men = total[WHITE] + total[BLACK];
    t->symmetric = keys[WHITE] == keys[BLACK];
    int upright = men[WHITE][KHON] + men[BLACK][KHON] + men[WHITE][PAWN] + men[BLACK][PAWN];
    t->symmetries = upright ? 2 : 8;
    /* Pawns, then larger groups, then the order of kinds, then White's. */
    for (int pawns = 1; pawns >= 0; pawns--)
        for (int number = MOST_MEN - 2; number; number--)
            for (int kind = pawns ? PAWN : ROOK; kind < (pawns ? KINDS : PAWN); kind++)
                for (side = WHITE; side <= BLACK; side++) {
                    if (men[side][kind] != number) continue;
                    group *g = &t->groups[t->group_count++];
                    g->side = (uint8_t)side;
                    g->kind = (uint8_t)kind;
                    g->men = (uint8_t)number;
                    g->lowest = (uint8_t)(pawns ? 16 + 8 * side : 0);
                    g->combinations = reader->choose[pawns ? 24 : SQUARES][number];
                }
    reader->tables[place_of(reader, key)] = t;
    reader->table_count++;
    *found = t;
    return 0;
}

int sakmak_reader_add_bytes(sakmak_reader *reader, const void *data, size_t size, int flags) {
    const uint8_t *bytes = (const uint8_t *)data;
    table *t;
    /* No object is larger. */
    if (size > PTRDIFF_MAX) return SAKMAK_READER_BAD_ARGUMENT;
    int packed = size >= HEADER + 16 && !memcmp(bytes, "\x89SAKPAK\n", 8);
    if (!packed && (size < HEADER + 16 || memcmp(bytes, "\x89SAKMKV\n", 8)))
        return SAKMAK_READER_BROKEN_FILE;
    if (load32(bytes + 8) != 2) return SAKMAK_READER_OTHER_VERSION;
    if (load64(bytes + HEADER - 8) != xxh3_header(bytes)) return SAKMAK_READER_BROKEN_FILE;
    uint32_t metric = load32(bytes + 12);
    if (packed) metric = metric > MATES_IN_TIME ? metric - MATES_IN_TIME + RULES : metric - 1;
    if (metric >= METRICS || (!packed && (!metric || metric > RULES)) ||
        load64(bytes + 16) != FINGERPRINTS[metric])
        return SAKMAK_READER_OTHER_FILE;
    if (packed && !reader->zstd) return SAKMAK_READER_NO_ZSTD;
    int error = table_named(reader, bytes + (packed ? 56 : 24), &t);
    if (error < 0) return error;
    if (packed ? t->packed[metric] != NULL : t->wdl[metric - 1] != NULL) return 0;
    if (flags & SAKMAK_READER_CHECKSUMS && load64(bytes + size - 8) != xxh3(bytes, size - 8))
        return SAKMAK_READER_BROKEN_FILE;
    if (packed) return add_packed(reader, t, (int)metric, bytes, size);
    return add_wdl(reader, t, (int)metric - 1, bytes, size);
}

sakmak_reader *sakmak_reader_new(sakmak_reader_zstd *zstd) {
    static const int8_t steps[KINDS][9][2] = {
        {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}},
        {{0}},
        {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}},
        {{1, 1}, {-1, 1}, {0, 1}, {1, -1}, {-1, -1}},
        {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}},
        {{1, 1}, {-1, 1}},
    };
    sakmak_reader *reader = (sakmak_reader *)calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->zstd = zstd;
    reader->places = 64;
    reader->tables = (table **)calloc(reader->places, sizeof *reader->tables);
    if (!reader->tables) {
        free(reader);
        return NULL;
    }
    for (int n = 0; n <= SQUARES; n++) {
        reader->choose[n][0] = 1;
        for (int k = 1; n && k < MOST_MEN - 1; k++)
            reader->choose[n][k] = reader->choose[n - 1][k - 1] + reader->choose[n - 1][k];
    }
    for (int q = 0; q < SQUARES; q++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int side = 0; side < 2; side++)
                for (const int8_t *step = steps[kind][0]; step[0] || step[1]; step += 2) {
                    int file = q % 8 + step[0], rank = q / 8 + (side ? -step[1] : step[1]);
                    if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
                        reader->attacks[kind][side][q] |= (uint64_t)1 << (8 * rank + file);
                }
    for (int symmetry = 0; symmetry < 8; symmetry++)
        for (int q = 0; q < SQUARES; q++) {
            int image = q ^ (symmetry & 1 ? 7 : 0) ^ (symmetry & 2 ? 56 : 0);
            reader->image[symmetry][q] =
                (uint8_t)(symmetry & 4 ? image >> 3 | (image & 7) << 3 : image);
        }
    for (int eight = 0; eight < 2; eight++)
        for (int fixed = 0, number = 0; fixed < SQUARES; fixed++) {
            int least_fixed = fixed;
            for (int swept = 0; swept < SQUARES; swept++) {
                int least = SQUARES * SQUARES;
                for (int symmetry = 0; symmetry < (eight ? 8 : 2); symmetry++) {
                    const uint8_t *image = reader->image[symmetry];
                    int pair = SQUARES * image[fixed] + image[swept];
                    if (pair >= least) continue;
                    least = pair;
                    reader->symmetry[eight][fixed][swept] = (uint8_t)symmetry;
                }
                int apart = fixed != swept && !(reader->attacks[KING][WHITE][fixed] >> swept & 1);
                if (least == SQUARES * fixed + swept && apart)
                    reader->pairs[eight][fixed] |= (uint64_t)1 << swept;
                if (least / SQUARES < least_fixed) least_fixed = least / SQUARES;
            }
            reader->fixed[eight][fixed] = (uint8_t)number;
            if (least_fixed == fixed) reader->fixed_square[eight][number++] = (uint8_t)fixed;
        }
    return reader;
}

#if !defined(SAKMAK_READER_NO_FILES)

static void unmap(const mapping *m) {
#if defined(_WIN32)
    UnmapViewOfFile(m->bytes);
#else
    munmap(m->bytes, m->size);
#endif
}

/* Maps a file into memory. Returns 0 or an error. */
static int map_file(const char *path, mapping *m) {
#if defined(_WIN32)
    LARGE_INTEGER size;
    HANDLE view = NULL, file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                           NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) return SAKMAK_READER_BAD_DIRECTORY;
    m->bytes = NULL;
    int sized = GetFileSizeEx(file, &size);
    if (sized && !size.QuadPart) {
        CloseHandle(file);
        return SAKMAK_READER_BROKEN_FILE;
    }
    if (sized && (uint64_t)size.QuadPart <= SIZE_MAX)
        view = CreateFileMappingA(file, NULL, PAGE_READONLY, 0, 0, NULL);
    if (view) m->bytes = MapViewOfFile(view, FILE_MAP_READ, 0, 0, 0);
    m->size = (size_t)size.QuadPart;
    if (view) CloseHandle(view);
    CloseHandle(file);
    return m->bytes ? 0 : SAKMAK_READER_BAD_DIRECTORY;
#else
    struct stat status;
    /* A pipe is not waited for. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), result = SAKMAK_READER_BAD_DIRECTORY;
    if (file < 0) return result;
    if (!fstat(file, &status)) {
        if (!S_ISREG(status.st_mode) || !status.st_size) {
            result = SAKMAK_READER_BROKEN_FILE;
        } else if ((uint64_t)status.st_size <= SIZE_MAX) {
            m->size = (size_t)status.st_size;
            m->bytes = mmap(NULL, m->size, PROT_READ, MAP_SHARED, file, 0);
            if (m->bytes != MAP_FAILED) result = 0;
        }
    }
    close(file);
    return result;
#endif
}

/* Notes a refused file, whose path is taken. Returns 0 or an error. */
static int note_refused(sakmak_reader *reader, char *path, int error) {
    size_t files = (size_t)reader->refused_count + 1;
    refused_file *all = (refused_file *)realloc(reader->refused, files * sizeof *all);
    if (!all) {
        free(path);
        return SAKMAK_READER_NO_MEMORY;
    }
    reader->refused = all;
    all[reader->refused_count].path = path;
    all[reader->refused_count++].error = error;
    return 0;
}

/* Adds the file of a directory with this name. Returns 1, 0 if it was not needed or is refused, or
 * an error after which no other file should be added. */
static int add_file(sakmak_reader *reader, const char *directory, const char *name, int flags) {
    size_t length = strlen(name), before = strlen(directory);
    const char *suffix = length < 4 ? "" : name + length - 4;
    int solved = !strcmp(suffix, ".smt");
    if (!solved && strcmp(suffix, ".smv") && strcmp(suffix, ".smp")) return 0;
    mapping *m = (mapping *)malloc(sizeof *m);
    char *path = (char *)malloc(before + length + 2);
    int result = SAKMAK_READER_NO_MEMORY;
    if (m && path) {
        memcpy(path, directory, before);
        path[before] = '/';
        memcpy(path + before + 1, name, length + 1);
        result = solved ? SAKMAK_READER_SOLVED_FILE : map_file(path, m);
        if (!result) {
            result = sakmak_reader_add_bytes(reader, m->bytes, m->size, flags);
            if (result <= 0) unmap(m);
        }
    }
    if (result > 0) {
        m->next = reader->mappings;
        reader->mappings = m;
        m = NULL;
    } else if (result < 0 && result != SAKMAK_READER_NO_MEMORY) {
        result = note_refused(reader, path, result);
        path = NULL;
    }
    free(m);
    free(path);
    return result;
}

int sakmak_reader_add_directory(sakmak_reader *reader, const char *path, int flags) {
    int added = 0, result = 0;
#if defined(_WIN32)
    WIN32_FIND_DATAA entry;
    size_t length = strlen(path);
    char *all = (char *)malloc(length + 3);
    if (!all) return SAKMAK_READER_NO_MEMORY;
    memcpy(all, path, length);
    memcpy(all + length, "/*", 3);
    HANDLE directory = FindFirstFileA(all, &entry);
    free(all);
    if (directory == INVALID_HANDLE_VALUE) return SAKMAK_READER_BAD_DIRECTORY;
    do {
        result = add_file(reader, path, entry.cFileName, flags);
        added += result > 0;
    } while (result >= 0 && FindNextFileA(directory, &entry));
    FindClose(directory);
#else
    DIR *directory = opendir(path);
    if (!directory) return SAKMAK_READER_BAD_DIRECTORY;
    for (struct dirent *entry; result >= 0 && (entry = readdir(directory));) {
        result = add_file(reader, path, entry->d_name, flags);
        added += result > 0;
    }
    closedir(directory);
#endif
    return result < 0 ? result : added;
}

int sakmak_reader_add_directories(sakmak_reader *reader, const char *list, int flags) {
#if defined(_WIN32)
    const char separator[] = ";";
#else
    const char separator[] = ":";
#endif
    int added = 0, result = 0;
    for (; result >= 0 && *list; list += *list != 0) {
        size_t length = strcspn(list, separator);
        char *path = (char *)malloc(length + 1);
        if (!path) return SAKMAK_READER_NO_MEMORY;
        memcpy(path, list, length);
        path[length] = 0;
        list += length;
        result = length ? sakmak_reader_add_directory(reader, path, flags) : 0;
        if (result > 0) added += result;
        if (result == SAKMAK_READER_BAD_DIRECTORY)
            result = note_refused(reader, path, result);
        else
            free(path);
    }
    return result < 0 ? result : added;
}

#else

int sakmak_reader_add_directory(sakmak_reader *reader, const char *path, int flags) {
    (void)reader, (void)path, (void)flags;
    return SAKMAK_READER_BAD_DIRECTORY;
}

int sakmak_reader_add_directories(sakmak_reader *reader, const char *list, int flags) {
    return sakmak_reader_add_directory(reader, list, flags);
}

#endif

int sakmak_reader_refused_count(const sakmak_reader *reader) { return reader->refused_count; }

const char *sakmak_reader_refused_file(const sakmak_reader *reader, int number, int *error) {
    if (number < 0 || number >= reader->refused_count) return NULL;
    if (error) *error = reader->refused[number].error;
    return reader->refused[number].path;
}

const char *sakmak_reader_refused(const sakmak_reader *reader, int *error) {
    int number = 0;
    if (error) *error = 0;
    while (number < reader->refused_count &&
           (reader->refused[number].error == SAKMAK_READER_OTHER_FILE ||
            reader->refused[number].error == SAKMAK_READER_SOLVED_FILE))
        number++;
    return sakmak_reader_refused_file(reader, number, error);
}

const char *sakmak_reader_error_text(int error) {
    switch (error) {
    case SAKMAK_READER_MISSING: return "no file for these pieces and this rule";
    case SAKMAK_READER_BAD_POSITION: return "no legal position";
    case SAKMAK_READER_BROKEN_FILE: return "damaged, or no table";
    case SAKMAK_READER_OTHER_FILE: return "of another variant or counting rule";
    case SAKMAK_READER_BAD_DIRECTORY: return "cannot be read";
    case SAKMAK_READER_NO_MEMORY: return "not enough memory";
    case SAKMAK_READER_NO_ZSTD: return "packed, and the program has no zstd";
    case SAKMAK_READER_OTHER_VERSION: return "of another format version";
    case SAKMAK_READER_BAD_ARGUMENT: return "a number out of range";
    case SAKMAK_READER_SOLVED_FILE: return "solved; packed files and WDL files are read";
    default: return "no error";
    }
}

int sakmak_reader_largest(const sakmak_reader *reader, int rule) {
    return rule < 1 || rule > RULES ? 0 : reader->largest[rule - 1];
}

void sakmak_reader_close(sakmak_reader *reader) {
    if (!reader) return;
    for (size_t i = 0; i < reader->places; i++) {
        table *t = reader->tables[i];
        for (int rule = 0; t && rule < RULES; rule++) free(t->wdl[rule]);
        for (int metric = 0; t && metric < METRICS; metric++) free_packed(t->packed[metric]);
        free(t);
    }
#if !defined(SAKMAK_READER_NO_FILES)
    for (mapping *m = reader->mappings, *next; m; m = next) {
        next = m->next;
        unmap(m);
        free(m);
    }
#endif
    for (int i = 0; i < reader->refused_count; i++) free(reader->refused[i].path);
    free(reader->tables);
    free(reader->refused);
    free(reader);
}
