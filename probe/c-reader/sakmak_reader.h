/* A reader of Sakmak's tables for engines: two files of C99 or C++11 without the library, under the
 * MIT licence or the Apache licence 2.0. README.md has an example.
 *
 * Files: the file of a material answers together with those of fewer men to which its captures and
 * promotions lead, so add all of them. A probe that needs one that was not added is
 * SAKMAK_READER_MISSING.
 *
 * Arguments: any int is an allowed value of an argument or a field, and one without a meaning is an
 * error. Pointers must be valid, unless a function allows null.
 *
 * Threads: a reader is filled by one thread and does not change after that. Any number of threads
 * may then probe it at the same time; no probe takes a lock, and nothing is global.
 *
 * Damage: what a file says is checked before it is used. A damaged file is refused when it is
 * added, or is an error of a probe, or, without SAKMAK_READER_CHECKSUMS, a wrong answer, but never
 * a read outside the file. */
#ifndef SAKMAK_READER_H
#define SAKMAK_READER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Files that were added. */
typedef struct sakmak_reader sakmak_reader;

/* A position as bitboards: bit 0 is a1, bit 1 is b1, bit 63 is h8. Every piece is in the bitboard
 * of its side and in that of its kind. */
typedef struct sakmak_reader_position {
    uint64_t white;
    uint64_t black;
    uint64_t kings;
    uint64_t rooks;
    uint64_t knights;
    uint64_t khons;
    uint64_t mets; /* promoted pawns too */
    uint64_t pawns;
    int turn; /* 0 White, 1 Black */
} sakmak_reader_position;

/* The counting rules whose files are read. Makruk and Ouk have the first of theirs. The numbers of
 * rules and categories are those of the library. */
enum sakmak_reader_rule {
    SAKMAK_READER_NO_COUNT = 0, /* for distances to mate */
    SAKMAK_READER_MAKRUK = 1,
    SAKMAK_READER_MAKRUK_KHON_FIRST = 2,
    SAKMAK_READER_OUK = 3,
    SAKMAK_READER_OUK_TRADITIONAL = 4
};

/* The result for the side to move. Greater is better. */
enum sakmak_reader_category {
    SAKMAK_READER_LOSS = 0,         /* the opponent mates in time */
    SAKMAK_READER_BLESSED_LOSS = 1, /* the opponent forces mate, but too late */
    SAKMAK_READER_DRAW = 2,         /* neither side forces mate */
    SAKMAK_READER_CURSED_WIN = 3,   /* the side to move forces mate, but too late */
    SAKMAK_READER_WIN = 4           /* the side to move mates in time */
};

enum sakmak_reader_error {
    SAKMAK_READER_MISSING = -1,       /* no file for these pieces and this rule was added */
    SAKMAK_READER_BAD_POSITION = -2,  /* not one king each, a square with two pieces, or a pawn
                                         where none can be */
    SAKMAK_READER_BROKEN_FILE = -3,   /* the file is damaged, or no file of a table */
    SAKMAK_READER_OTHER_FILE = -4,    /* a file of another variant or counting rule */
    SAKMAK_READER_BAD_DIRECTORY = -5, /* the directory or the file cannot be read */
    SAKMAK_READER_NO_MEMORY = -6,
    SAKMAK_READER_NO_ZSTD = -7,       /* a packed file, and the reader was made without zstd */
    SAKMAK_READER_OTHER_VERSION = -8, /* a file of another format version */
    SAKMAK_READER_BAD_ARGUMENT = -9,  /* a number outside the range that a function states */
    SAKMAK_READER_SOLVED_FILE = -10   /* a solved file, .smt */
};

/* An error in a few words to follow the name of a file, such as "damaged, or no table". */
const char *sakmak_reader_error_text(int error);

/* For files that are added: compare the checksum of the whole file, a few GB a second if it is in
 * memory. Without it only that of the header is compared. */
enum { SAKMAK_READER_CHECKSUMS = 1 };

/* The most positions of one call of sakmak_reader_wdl_batch, the greatest limit and count, and room
 * for the moves of any position that tables answer. */
enum {
    SAKMAK_READER_BATCH_MAX = 1 << 24,
    SAKMAK_READER_COUNT_MAX = 65535,
    SAKMAK_READER_MOVES_MAX = 128
};

/* Decompresses one zstd frame into at most `capacity` bytes, and returns how many there are, or
 * more than `capacity` after an error: the function ZSTD_decompress of libzstd. */
typedef size_t sakmak_reader_zstd(void *to, size_t capacity, const void *from, size_t size);

/* A reader without files; null without memory. `zstd` is used when packed files are added; if it is
 * null, they are refused. WDL files need none. */
sakmak_reader *sakmak_reader_new(sakmak_reader_zstd *zstd);

/* Adds the files of a directory: one directory a call. They are mapped into
 * memory, so they must not be overwritten while the reader is open; they may be removed or replaced
 * by renaming. Of two files for the same table the first one added answers. A file that cannot be
 * used is refused, and the others are added. Returns the number of files added, or an error. */
int sakmak_reader_add_directory(sakmak_reader *reader, const char *path, int flags);

/* Adds the files of all directories of a list, as UCI options of paths have them: separated by ':',
 * on Windows by ';'. A directory that cannot be read is listed with the refused files. Returns the
 * number of files added, or an error. */
int sakmak_reader_add_directories(sakmak_reader *reader, const char *list, int flags);

/* Adds a file whose bytes are in memory, for example in the program. They must stay there. Returns
 * 1, 0 if another file for the same table was added before, or the error of a refused file. */
int sakmak_reader_add_bytes(sakmak_reader *reader, const void *bytes, size_t size, int flags);

/* The number of refused files. They are all files of directories with the suffix of a table, .smv,
 * .smp or .smt, that were not added, unless another file for the same table was. */
int sakmak_reader_refused_count(const sakmak_reader *reader);

/* The path of a refused file, and the error: `number` is from 0 to below the number of refused
 * files, and null is returned for any other number. `error` may be null. */
const char *sakmak_reader_refused_file(const sakmak_reader *reader, int number, int *error);

/* The first of these files whose error is neither SAKMAK_READER_OTHER_FILE nor _SOLVED_FILE; null
 * without one. */
const char *sakmak_reader_refused(const sakmak_reader *reader, int *error);

/* The most men, kings included, of a WDL file under a rule; 0 if there is none. A position with
 * more is not worth a probe. */
int sakmak_reader_largest(const sakmak_reader *reader, int rule);

/* The category of a legal position under a counting rule, with a count that starts in it. In Ouk no
 * leap of a king or met may be left. Returns an enum sakmak_reader_category or an error. */
int sakmak_reader_wdl(const sakmak_reader *reader, int rule,
                      const sakmak_reader_position *position);

/* The same for several positions, such as those after all captures: faster than one by one, because
 * the accesses to memory overlap. `categories` gets a category or an error for each. Returns 0, or
 * SAKMAK_READER_BAD_ARGUMENT, and nothing is read or written, if `number` is negative or above
 * SAKMAK_READER_BATCH_MAX. */
int sakmak_reader_wdl_batch(const sakmak_reader *reader, int rule,
                            const sakmak_reader_position *positions, int number, int *categories);

/* The rest needs packed files: distances, and with them the root. A probe keeps nothing and takes
 * no memory but some 20 kB of stack. */

/* The most men, kings included, of a material whose packed files answer sakmak_reader_category
 * under any count; 0 if there is none. */
int sakmak_reader_largest_root(const sakmak_reader *reader, int rule);

/* The distance of a legal position with best play of both sides, in moves of the side that wins.
 * With SAKMAK_READER_NO_COUNT it is that to mate, with nothing counted. With a counting rule it is
 * the counted distance, to mate or to a change of the count into a position that is won there.
 * Returns SAKMAK_READER_LOSS, _DRAW or _WIN, or an error. */
int sakmak_reader_distance(const sakmak_reader *reader, int rule,
                           const sakmak_reader_position *position, int *moves);

/* The category of a legal position under the count that runs in it: its limit and its number in
 * plies, as in a FEN. A limit of 0 is a count that starts in the position, whatever its number.
 * Both are from 0 to SAKMAK_READER_COUNT_MAX, anything else is SAKMAK_READER_BAD_ARGUMENT; whether
 * these pieces can have the count is not checked. Reads the WDL file alone unless a fresh count
 * would decide and the running one leaves fewer moves; then, or without a WDL file, both distances.
 * Returns an enum sakmak_reader_category or an error. */
int sakmak_reader_category(const sakmak_reader *reader, int rule,
                           const sakmak_reader_position *position, int limit, int count);

/* A legal move, rated for the side that plays it. Distances are in moves of the side that wins, the
 * move itself included. */
typedef struct sakmak_reader_move {
    int from, to;     /* 0 is a1, 63 is h8 */
    int promotes;     /* 1 if a pawn becomes a met, else 0 */
    int category;     /* under the count, enum sakmak_reader_category */
    int mate;         /* distance to mate with nothing counted; -1 for a draw */
    int counted;      /* counted distance; -1 if no count leaves enough moves */
    int mate_in_time; /* shortest mate under the count; -1 without one, or if no table has it */
} sakmak_reader_move;

/* Ranks the legal moves of a position under the count that runs in it, with `limit` and `count` as
 * in sakmak_reader_category, best first. `moves` needs room for SAKMAK_READER_MOVES_MAX. Returns
 * the number of moves, 0 if the game is over, or an error if any move cannot be rated: packed files
 * of both distances are needed, those of mates in time only for `mate_in_time` and the order by it.
 * With SAKMAK_READER_NO_COUNT nothing is counted. Takes about 60 us with files of up to four men.
 *
 * Categories and order are those of the library's Tablebase::moves: by category, then by the
 * quicker win or slower loss, and playing the first move every time keeps the category. The reader
 * finds the moves itself, because it has a generator of moves for its tables anyway, and the rank
 * of a move depends on the count before it and the men that it takes: a caller would have to hand
 * in all of that for each move. An engine finds its own move by `from` and `to`, which are unique.
 */
int sakmak_reader_rank(const sakmak_reader *reader, int rule,
                       const sakmak_reader_position *position, int limit, int count,
                       sakmak_reader_move *moves);

/* A count. `limit` and `count` are in plies, as in a FEN and in sakmak_reader_category, the others
 * in moves, as players call them. */
typedef struct sakmak_reader_count {
    int limit;         /* 0 if there is no count */
    int count;
    int last_call;     /* the number at which the count ends */
    int called;        /* the last number called, or the one before the first */
    int moves_left[2]; /* of White and of Black to mate in time; -1 if the count does not bind it */
} sakmak_reader_count;

/* The count that runs in a position or, with a limit of 0, that starts there. The position may have
 * more men than any table. Where either side may count, `called` is that of the side to move.
 * Returns 1, or 0 if these men have no count, or an error. Needs no files. */
int sakmak_reader_describe_count(int rule, const sakmak_reader_position *position, int limit,
                                 int count, sakmak_reader_count *description);

/* Carries a count on through a move: `limit` and `count` are those before it, with a limit of 0 if
 * no count runs, and all fields become those after it. For each move of a game or a search. Returns
 * as sakmak_reader_describe_count. */
int sakmak_reader_next_count(int rule, const sakmak_reader_position *before,
                             const sakmak_reader_position *after,
                             sakmak_reader_count *description);

/* Closes a reader. Does nothing for null. */
void sakmak_reader_close(sakmak_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
