/* Sakmak: endgame tablebases for Makruk and Ouk Chatrang, for C and C++.
 *
 * Open a tablebase, parse a FEN or fill in a position from bitboards, then probe:
 *
 *     sakmak_tablebase *tables = sakmak_open("sakmak-tables");
 *     sakmak_position position;
 *     if (sakmak_position_from_fen(fen, "makruk", &position) < 0 ||
 *         (category = sakmak_probe_category(tables, &position)) < 0)
 *         puts(sakmak_last_error());
 *
 * Results are for the side to move. Janggi, Rek and Min Rek Chanh have functions of their own:
 * sakmak_probe_variant.
 *
 * Errors: a function that returns int returns a negative number, one of enum sakmak_error, if
 * it fails, and leaves its output unchanged. No function throws or ends the program. One thing does
 * end it: a bus error of the system if a mapped file is truncated while it is open, as cp does before
 * it writes, or if its drive fails. Replace tables by renaming new files over them (mv), which is safe
 * at any time, or open them with the access "read".
 *
 * Pointers: null is refused with SAKMAK_BAD_ARGUMENT unless a function allows it. Any other
 * pointer must be valid for its type.
 *
 * Threads: every function may be called from any thread at any time, also with the same
 * tablebase. The exception is sakmak_close. Positions and buffers belong to the caller. During
 * a call no other thread may write to them.
 *
 * Processes: a child of fork() must open its own tablebases. A call there with a tablebase of the
 * parent never waits for the parent's threads, and may return SAKMAK_OTHER_PROCESS. sakmak_close
 * frees nothing there.
 *
 * Linking: `pkg-config --cflags --libs sakmak`, or -lsakmak. The static library also needs
 * `pkg-config --static`, which is -lpthread -ldl -lm on Linux.
 */
#ifndef SAKMAK_H
#define SAKMAK_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header. Until 1.0 a new minor version may break programs. */
#define SAKMAK_VERSION_MAJOR 0
#define SAKMAK_VERSION_MINOR 2
#define SAKMAK_VERSION_PATCH 0
#define SAKMAK_VERSION "0.2.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, to compare with SAKMAK_VERSION. */
const char *sakmak_version(void);

/* The tables of some directories. */
typedef struct sakmak_tablebase sakmak_tablebase;

/* Sides. */
enum sakmak_side { SAKMAK_WHITE = 0, SAKMAK_BLACK = 1 };

/* Kinds of pieces. A bishop of chess is a SAKMAK_KHON, a queen a SAKMAK_MET. */
enum sakmak_kind {
    SAKMAK_NONE = 0,
    SAKMAK_KING = 1,
    SAKMAK_ROOK = 2,
    SAKMAK_KNIGHT = 3,
    SAKMAK_KHON = 4,
    SAKMAK_MET = 5,
    SAKMAK_PAWN = 6
};

/* Counting rules. A rule determines the variant too. The numbers never change. */
enum sakmak_counting {
    SAKMAK_MAKRUK = 1,
    SAKMAK_MAKRUK_KHON_FIRST = 2,
    SAKMAK_OUK = 3,
    SAKMAK_OUK_TRADITIONAL = 4,
    SAKMAK_KAR_OUK = 5, /* the first check wins: mate is the check throughout */
    SAKMAK_SITTUYIN = 6,
    SAKMAK_AI_WOK = 7,
    SAKMAK_SHATRANJ = 8, /* stalemate and a bare king lose: mate is either throughout */
    SAKMAK_ASEAN = 9,
    SAKMAK_MAKPONG = 10,
    SAKMAK_CHESS = 11,
    SAKMAK_FIFTY_MOVES = 12, /* chess: the limit is 100 plies, the count starts at a capture */
    /* Added to any of them: nobody counts. Every mate is in time, a count of the position is ignored, and
     * no table of counted distance is needed. Its name is that of the variant and "-none": "makruk-none". */
    SAKMAK_UNCOUNTED = 128
};

/* Categories: the result for the side to move under the count that runs in the position. If no
 * count runs, one starts there. A greater number is better. */
enum sakmak_category {
    SAKMAK_LOSS = 0,         /* the opponent mates in time */
    SAKMAK_BLESSED_LOSS = 1, /* the opponent forces mate, but too late */
    SAKMAK_DRAW = 2,         /* neither side forces mate */
    SAKMAK_CURSED_WIN = 3,   /* the side to move forces mate, but too late */
    SAKMAK_WIN = 4           /* the side to move mates in time */
};

/* Kinds of counts. */
enum sakmak_honour {
    SAKMAK_PIECES_HONOUR = 1, /* sak mak, against a bare king */
    SAKMAK_BOARDS_HONOUR = 2, /* sak kradan, the board's */
    SAKMAK_FIFTY_MOVES_HONOUR = 3 /* the fifty-move rule of chess */
};

/* Errors. */
enum sakmak_error {
    SAKMAK_BAD_ARGUMENT = -1,     /* a null pointer, text that is not UTF-8, a number or a field of
                                     a position with a value that is not allowed */
    SAKMAK_BAD_FEN = -2,          /* not a FEN, or a count that these pieces cannot have */
    SAKMAK_ILLEGAL_POSITION = -3, /* the position is illegal */
    SAKMAK_LEAP_RIGHTS = -4,      /* a first-move leap is still allowed; tables have none */
    SAKMAK_TOO_MANY_MEN = -5,     /* more men than any table has, kings included */
    SAKMAK_MISSING_TABLE = -6,    /* the table is in no directory. If only the table of counted distance is missing,
                                     a position with SAKMAK_UNCOUNTED has an answer */
    SAKMAK_BAD_DIRECTORY = -7,    /* the directory cannot be read */
    SAKMAK_BROKEN_FILE = -8,      /* a table is damaged, or contradicts another one */
    SAKMAK_INTERNAL = -9,         /* an internal error of this library */
    SAKMAK_OTHER_PROCESS = -10,   /* the tablebase was opened before a fork() */
    SAKMAK_CHANGED_FILE = -11,    /* a file was written to while it was open: close the tablebase
                                     and open it again */
    SAKMAK_NO_MEMORY = -12        /* the memory left is smaller than the cache requested */
};

/* Sizes of buffers, in bytes. */
enum { SAKMAK_FEN_SIZE = 128, SAKMAK_ERROR_SIZE = 1024 };

/* Maximum number of positions in one call of sakmak_probe_wdl_batch. */
enum { SAKMAK_BATCH_MAX = 1 << 24 };

/* A position as bitboards: bit 0 is a1, bit 1 is b1, bit 63 is h8. Every piece is in the
 * bitboard of its side and in the bitboard of its kind: bishops of chess in `khons`, queens in `mets`. Set all
 * fields to 0 first. */
typedef struct sakmak_position {
    uint64_t white;
    uint64_t black;
    uint64_t kings;
    uint64_t rooks;
    uint64_t knights;
    uint64_t khons;
    uint64_t mets;
    uint64_t pawns;
    uint8_t turn;         /* the side to move, enum sakmak_side */
    uint8_t counting;     /* enum sakmak_counting */
    uint16_t count_limit; /* in plies, the fourth field of a FEN; 0 if no count runs */
    uint16_t count;       /* in plies, the fifth field */
    uint16_t en_passant;  /* the square that a pawn has just passed over, where it may be captured; else 0 */
} sakmak_position;

/* Distances with best play of both sides; -1 for a draw. */
typedef struct sakmak_distance {
    int32_t dtm_plies; /* to mate, without a count: odd for a win, even for a loss */
    int32_t dtm_moves; /* to mate, in moves of the side that mates */
    int32_t counted;   /* in moves of the attacker, to mate or to a change of phase into a
                          position that is won there; -1 if no count leaves enough moves */
} sakmak_distance;

/* A count. Numbers are in moves unless stated otherwise. */
typedef struct sakmak_count {
    uint8_t honour;       /* enum sakmak_honour */
    uint8_t running;      /* 1 if it runs already, 0 if it starts in this position */
    uint8_t attacker;     /* the side that must mate in time, enum sakmak_side */
    uint8_t runner;       /* the side that counts */
    uint16_t limit;       /* the number at which the count ends */
    uint16_t called;      /* the last number that the runner called */
    uint16_t moves_left;  /* moves left to the attacker for a mate in time */
    uint16_t limit_plies; /* the limit in plies, as in sakmak_position */
    uint16_t plies;       /* the count in plies */
    uint16_t reserved;    /* 0 */
} sakmak_count;

/* A legal move, and its value for the side that plays it. */
typedef struct sakmak_move {
    uint8_t from;             /* 0 is a1, 63 is h8 */
    uint8_t to;
    uint8_t promotion;        /* what a pawn becomes, or SAKMAK_NONE */
    uint8_t category;         /* enum sakmak_category */
    sakmak_distance distance; /* from the position before the move, the move included */
    int32_t mate_in_time;     /* as sakmak_probe_mate_in_time, the move included */
    char uci[8];              /* for example "g5g6m" */
    char san[16];             /* for example "g6=M+" */
} sakmak_move;

/* A legal move of a board game, and its value for the side that plays it. */
typedef struct sakmak_variant_move {
    uint8_t category;    /* SAKMAK_WIN, SAKMAK_DRAW or SAKMAK_LOSS */
    uint8_t reserved[3]; /* 0 */
    int32_t plies;       /* to the end of best play, the move included; -1 for a draw */
    char text[16];       /* the squares that the man leaves and reaches, for example "e2e10"; equal squares are a
                            pass, and "!" after them is an order to rek, as in "a2a3!" of min-rek-chanh-called */
} sakmak_variant_move;

/* Opens the tables of one directory: on Unix a path in any encoding, elsewhere in UTF-8. The path is
 * not a list as in PATH: sakmak_add_directory adds other directories. Null opens a tablebase without a
 * directory. Each file is opened when it is first needed. Returns null if the directory cannot be
 * read. Free with sakmak_close. */
sakmak_tablebase *sakmak_open(const char *directory);

/* sakmak_open with an access, which is how files are read:
 *
 *     "mapped"  mapped into memory: fastest. A file that is truncated while it is open may end
 *               the program with a bus error. A file that is overwritten is
 *               SAKMAK_CHANGED_FILE; a WDL file may return wrong results before, for a second
 *               and up to 31 further lookups of the thread.
 *     "read"    read on demand, WDL files as a whole when they are opened: slower. A file that is
 *               truncated or overwritten is SAKMAK_CHANGED_FILE; a WDL file is not affected.
 *
 * With either access, a packed file of up to 2 MiB is read into memory when it is opened, and is not
 * affected.
 *
 * Null means the value of the environment variable SAKMAK_ACCESS, or "mapped" if the variable is unset
 * or empty; sakmak_open uses it too. Returns null for any other access. */
sakmak_tablebase *sakmak_open_with(const char *directory, const char *access);

/* The same tables with a budget of lookups. With the result, sakmak_probe_mate_in_time, sakmak_best_move,
 * sakmak_moves and sakmak_counted_line also search for mates in time whose lengths are not in the tables: of
 * the position, after its moves, along the line. `lookups` is the maximum number of positions that one call
 * looks up for that, each in some microseconds; a tablebase of sakmak_open has 0. SAKMAK_THOROUGH is for one
 * answer that a person waits for, at most about a second. What is found is kept: asked again with the same
 * budget or a smaller one, it is not searched again.
 *
 * Costs no more than a small allocation. Both tablebases share files, directories and caches, and each is freed
 * with sakmak_close, in any order. Returns null if `tables` is null. */
enum { SAKMAK_THOROUGH = 100000 };
sakmak_tablebase *sakmak_searching(const sakmak_tablebase *tables, uint32_t lookups);

/* Sets the size in bytes of the cache of decoded blocks and values, which all variants share. The default is
 * 64 MiB. Empties the cache. If the machine has less memory left, returns SAKMAK_NO_MEMORY and changes nothing.
 * Waits for running probes. Returns 0 or an error. */
int sakmak_set_cache(sakmak_tablebase *tables, size_t bytes);

/* The maximum number of men, kings included, of a table that may answer under a counting rule, an
 * enum sakmak_counting; 0 if no table may. A position with more men is not worth a probe. Lists the
 * directories again and opens files, the largest materials first, until one is sound: refused files,
 * such as files of another version, do not count. Returns the number or an error. */
int sakmak_largest(const sakmak_tablebase *tables, int counting);

/* sakmak_largest of WDL files alone, which answer sakmak_probe_wdl; and of materials with tables of both
 * distances, which answer sakmak_probe_category and sakmak_moves. */
int sakmak_largest_wdl(const sakmak_tablebase *tables, int counting);
int sakmak_largest_root(const sakmak_tablebase *tables, int counting);

/* Opens the files of all tables of at most `men` men, kings included, that may answer under a counting
 * rule, and reads and checks all bytes of WDL files. So no probe of a search waits for that; otherwise a
 * row of a WDL file is read and checked when a probe first needs it. Returns the number of tables or an
 * error. After the error of a broken file the other files are open all the same, and sakmak_refused_files
 * has each refused file. */
int sakmak_prepare(const sakmak_tablebase *tables, int counting, int men);

/* The table files in all directories, in search order: one path a line. Reads the directories again.
 * Writes as sakmak_line. */
int sakmak_table_files(const sakmak_tablebase *tables, char *lines, size_t size);

/* Adds a directory. Directories are searched in the order in which they were added. Files that
 * were missing are searched for again. Waits for running probes. Returns 0 or an error. */
int sakmak_add_directory(sakmak_tablebase *tables, const char *directory);

/* Closes a tablebase. Does nothing for null.
 * Threads: no other call with this tablebase may be running or follow. */
void sakmak_close(sakmak_tablebase *tables);

/* The number of a counting rule by its name, such as "ouk-traditional", in any letter case, with hyphens,
 * underscores or blanks. The name of a variant, such as "cambodian", means its usual rule; with "-none" after
 * it nobody counts. Null means "makruk". Returns an enum sakmak_counting or an error. */
int sakmak_counting_named(const char *counting);

/* Parses a FEN as Fairy-Stockfish writes it, with underscores or blanks, or "startpos". `counting`
 * is as in sakmak_counting_named. Only the board and the side to move are required. Returns 0 or
 * an error. */
int sakmak_position_from_fen(const char *fen, const char *counting, sakmak_position *position);

/* The FEN of a position, all six fields; the move number is 1. SAKMAK_FEN_SIZE bytes are enough.
 * Writes as sakmak_line. */
int sakmak_fen(const sakmak_position *position, char *fen, size_t size);

/* The square of this name, for example 12 for "e2". Returns the square or an error. */
int sakmak_square_named(const char *name);

/* The category of a position. Reads only the WDL file if no count runs, if the count has just started, or
 * if a fresh count decides nothing; otherwise the tables of both distances. Returns an enum sakmak_category
 * or an error. */
int sakmak_probe_category(const sakmak_tablebase *tables, const sakmak_position *position);

/* The category of a position at a fresh count; a running count is ignored. Made for every node of a
 * search: needs less than a microsecond with a WDL file. Without one it reads the tables. Returns an
 * enum sakmak_category or an error. */
int sakmak_probe_wdl(const sakmak_tablebase *tables, const sakmak_position *position);

/* Another name of sakmak_probe_category, for a search beside sakmak_probe_wdl. */
int sakmak_probe_wdl_counted(const sakmak_tablebase *tables, const sakmak_position *position);

/* sakmak_probe_wdl for many positions, for example all successors of a node, in half the time
 * of single calls. Writes `count` results to `categories`, each an enum sakmak_category or the
 * error of its position; then sakmak_last_error describes one of these errors. Returns 0, or an error of
 * the whole call, such as SAKMAK_BAD_ARGUMENT for a count above SAKMAK_BATCH_MAX. After SAKMAK_INTERNAL
 * some of the results may be written. */
int sakmak_probe_wdl_batch(const sakmak_tablebase *tables, const sakmak_position *positions,
                           size_t count, int *categories);

/* The shortest mate in time, in moves of the side that mates; -1 if no mate is in time, or if the
 * number is not known: its tables are missing, or the running count is so short that another must
 * replace it on the way. Then sakmak_searching finds it. Returns 0 or an error. */
int sakmak_probe_mate_in_time(const sakmak_tablebase *tables, const sakmak_position *position,
                              int32_t *moves);

/* The distances of a position. Returns 0 or an error. */
int sakmak_probe_distance(const sakmak_tablebase *tables, const sakmak_position *position,
                          sakmak_distance *distance);

/* The count that runs in a position, or the count that starts there. Reads a table only if either
 * side may count. Returns 1, or 0 if no count applies, or an error. */
int sakmak_probe_count(const sakmak_tablebase *tables, const sakmak_position *position,
                       sakmak_count *count);

/* The best move. Playing it every time keeps the category of the position. Returns 1, or 0 if
 * the game is over, or an error. */
int sakmak_best_move(const sakmak_tablebase *tables, const sakmak_position *position,
                     sakmak_move *move);

/* The legal moves, best first: by category; wins and losses in time by the mate in time if its
 * length is known, otherwise by the moves needed of the count. Writes at most `capacity` of them.
 * Returns the number of moves, at most 255, or an error. `moves` may be null if `capacity` is 0. */
int sakmak_moves(const sakmak_tablebase *tables, const sakmak_position *position,
                 sakmak_move *moves, size_t capacity);

/* Best play to mate without a count, in UCI, separated by spaces; empty for a draw. Writes at
 * most `size` bytes, the last one a zero. Returns the length of the whole line without the
 * zero, or an error. `line` may be null if `size` is 0. */
int sakmak_line(const sakmak_tablebase *tables, const sakmak_position *position, char *line,
                size_t size);

/* Best play under the count, to mate or to the draw; otherwise as sakmak_line. */
int sakmak_counted_line(const sakmak_tablebase *tables, const sakmak_position *position,
                        char *line, size_t size);

/* Board games: Janggi, Rek, Min Rek Chanh. Their boards and men do not fit into a sakmak_position, and
 * nothing is counted, so these three functions take the name of the variant and a FEN:
 *
 *     "janggi", "janggi-casual", "janggi-seed", "rek", "rek-unit", "rek-king-by-group", "min-rek-chanh",
 *     "min-rek-chanh-any", "min-rek-chanh-called", "min-rek-chanh-draw"
 *
 * A name may be in any letter case, with hyphens, underscores or blanks; "janggitraditional" and "janggicasual" of
 * Fairy-Stockfish are the first two. Their tables are the files janggi/KRvK.smg and so on in the directories of the
 * tablebase, which are opened, cached, watched and refused as those of other variants. A position in a cached
 * block of 16,384 positions needs one or two microseconds, in another block some ten. sakmak_largest,
 * sakmak_prepare and sakmak_table_files ignore these files. In a child of fork() all three return
 * SAKMAK_OTHER_PROCESS for a tablebase of the parent. */

/* The result of a position: SAKMAK_WIN, SAKMAK_DRAW or SAKMAK_LOSS, or an error. Writes the plies to the end of
 * best play, -1 for a draw; `plies` may be null. */
int sakmak_probe_variant(const sakmak_tablebase *tables, const char *variant, const char *fen,
                         int32_t *plies);

/* The legal moves, best first; none if the game is over. Writes at most `capacity` of them; a capacity of 1
 * is the best move. Returns the number of moves, or an error. `moves` may be null if `capacity` is 0. */
int sakmak_variant_moves(const sakmak_tablebase *tables, const char *variant, const char *fen,
                         sakmak_variant_move *moves, size_t capacity);

/* Best play to the end, at most 400 moves separated by spaces; empty for a draw. Writes as sakmak_line. */
int sakmak_variant_line(const sakmak_tablebase *tables, const char *variant, const char *fen,
                        char *line, size_t size);

/* The files that were refused when they were opened, and that another file replaces: a file of the
 * same table in a later directory, the packed file instead of the solved one, or tables instead of a
 * WDL file. A refused file without a replacement is the error of the probe, and is listed once
 * sakmak_prepare or sakmak_largest has tried it. One line for each file, with its path and the
 * reason; empty without such files. Writes as sakmak_line. */
int sakmak_refused_files(const sakmak_tablebase *tables, char *lines, size_t size);

/* The message of the last error in this thread, one line of English; empty if there was none.
 * Valid until the next error in this thread, or the end of the thread. */
const char *sakmak_last_error(void);

/* The message of sakmak_last_error in a buffer of the caller. SAKMAK_ERROR_SIZE bytes are enough for
 * most messages. Writes as sakmak_line. */
int sakmak_error_text(char *text, size_t size);

/* The name of a category, for example "cursed-win"; null for any other number. */
const char *sakmak_category_name(int category);

#ifdef __cplusplus
}
#endif

#endif
