/* Sakmak: endgame tablebases for Makruk and Ouk Chatrang, for programs in C.
 *
 * Open a tablebase, make a position of a FEN or fill one in from bitboards, ask:
 *
 *     sakmak_tablebase *tables = sakmak_open("sakmak-tables");
 *     sakmak_position position;
 *     if (sakmak_position_from_fen(fen, "makruk", &position) < 0 ||
 *         (category = sakmak_probe_category(tables, &position)) < 0)
 *         puts(sakmak_last_error());
 *
 * Results are for the side to move. A function that returns an int returns a negative
 * number, one of enum sakmak_error, when it fails; then what it was to write is as it was.
 * Pointers must be what their type says, or null: null is refused, anything else that
 * points nowhere is undefined behaviour. No function ends the program or throws.
 *
 * Every function may be called from any thread at any time, with the same tablebase too,
 * except that sakmak_close must be the last call with its tablebase. Positions and buffers
 * belong to the caller: while a call has them no other thread may write to them.
 *
 * Link with -lsakmak, the static library also with what the system wants:
 * -lpthread -ldl -lm on Linux.
 */
#ifndef SAKMAK_H
#define SAKMAK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tables in directories. */
typedef struct sakmak_tablebase sakmak_tablebase;

/* The side to move. */
enum sakmak_side { SAKMAK_WHITE = 0, SAKMAK_BLACK = 1 };

/* Men, as a pawn's promotion names them. */
enum sakmak_kind {
    SAKMAK_NONE = 0,
    SAKMAK_KING = 1,
    SAKMAK_ROOK = 2,
    SAKMAK_KNIGHT = 3,
    SAKMAK_KHON = 4,
    SAKMAK_MET = 5,
    SAKMAK_PAWN = 6
};

/* Ways of counting, and with each its game. The numbers never change. */
enum sakmak_counting {
    SAKMAK_MAKRUK = 1,
    SAKMAK_MAKRUK_KHON_FIRST = 2,
    SAKMAK_OUK = 3,
    SAKMAK_OUK_TRADITIONAL = 4
};

/* What a position is worth to the side to move, under the count that runs in it; with none
 * running, under one that starts there. The greater the better. */
enum sakmak_category {
    SAKMAK_LOSS = 0,         /* is mated in time */
    SAKMAK_BLESSED_LOSS = 1, /* mate can be forced against it, but not in time */
    SAKMAK_DRAW = 2,         /* nobody can force mate */
    SAKMAK_CURSED_WIN = 3,   /* can force mate, but not in time */
    SAKMAK_WIN = 4           /* mates in time */
};

/* Why a function failed. */
enum sakmak_error {
    SAKMAK_BAD_ARGUMENT = -1,     /* a null pointer, text that is not UTF-8, no such counting */
    SAKMAK_BAD_FEN = -2,          /* no FEN, or a count these men cannot have */
    SAKMAK_ILLEGAL_POSITION = -3, /* no game has the position */
    SAKMAK_LEAP_RIGHTS = -4,      /* a first-move leap is left, which tables know nothing of */
    SAKMAK_TOO_MANY_MEN = -5,     /* more men than any table has */
    SAKMAK_MISSING_TABLE = -6,    /* the table is in no directory */
    SAKMAK_BAD_DIRECTORY = -7,    /* the directory cannot be read */
    SAKMAK_BROKEN_FILE = -8,      /* a table is damaged, or contradicts another */
    SAKMAK_INTERNAL = -9          /* a fault of this library */
};

/* A position: sets of squares, bit 0 for a1, bit 1 for b1, to bit 63 for h8. Every man is in
 * the set of its side and in that of its kind. Fill it with zeros before filling it in. */
typedef struct sakmak_position {
    uint64_t white;
    uint64_t black;
    uint64_t kings;
    uint64_t rooks;
    uint64_t knights;
    uint64_t khons;
    uint64_t mets;
    uint64_t pawns;
    uint8_t turn;         /* enum sakmak_side */
    uint8_t counting;     /* enum sakmak_counting */
    uint16_t count_limit; /* in plies, as the fourth field of a FEN; 0 where no count runs */
    uint16_t count;       /* plies counted, as the fifth */
    uint16_t reserved;    /* 0 */
} sakmak_position;

/* How far the end is with best play, -1 where it cannot be forced. */
typedef struct sakmak_distance {
    int32_t plies;         /* to mate with no counting: odd if the mover wins, even if it loses */
    int32_t moves;         /* the same in moves of the side that mates */
    int32_t counted_moves; /* of the count: moves of the attacker until mate, or until a
                              change of phase into a position that is won there; -1 where no
                              count leaves enough */
} sakmak_distance;

/* A move, and what it is worth to the side that makes it. */
typedef struct sakmak_move {
    uint8_t from;             /* 0 for a1 to 63 for h8 */
    uint8_t to;
    uint8_t promotion;        /* enum sakmak_kind: SAKMAK_MET or SAKMAK_NONE */
    uint8_t category;         /* enum sakmak_category */
    sakmak_distance distance; /* from the position asked about, with this move */
    char uci[8];              /* as engines write it, "g5g6m" */
    char san[16];             /* as people write it, "g6=M+" */
} sakmak_move;

/* A tablebase of the tables in a directory; of none as yet if it is null. No file is opened
 * before it is needed. Null when there is no such directory. Give it back by sakmak_close.
 * Thread safety: any thread at any time. */
sakmak_tablebase *sakmak_open(const char *directory);

/* Adds a directory, searched after those named before. 0, or an error.
 * Thread safety: any thread at any time; waits for look-ups under way in this tablebase. */
int sakmak_add_directory(sakmak_tablebase *tables, const char *directory);

/* Closes a tablebase; nothing for null.
 * Thread safety: no other call with this tablebase may be under way or come later. */
void sakmak_close(sakmak_tablebase *tables);

/* The number of a way of counting by its name: makruk, makruk-khon-first, ouk or
 * ouk-traditional; null is makruk. Above 0, or an error.
 * Thread safety: any thread at any time. */
int sakmak_counting_named(const char *counting);

/* Reads a FEN as Fairy-Stockfish writes it, counted this way, see sakmak_counting_named.
 * Fields after the side to move may be left out. 0, or an error.
 * Thread safety: any thread at any time. */
int sakmak_position_from_fen(const char *fen, const char *counting, sakmak_position *position);

/* What the position is worth: an enum sakmak_category, or an error.
 * Thread safety: any thread at any time. */
int sakmak_probe_category(const sakmak_tablebase *tables, const sakmak_position *position);

/* What the position is worth at a fresh count, whatever count it says is running: an enum
 * sakmak_category, or an error. Where there is a verdict file that is by far the quickest,
 * and meant for every node of a search; else tables are asked.
 * Thread safety: any thread at any time. */
int sakmak_probe_wdl(const sakmak_tablebase *tables, const sakmak_position *position);

/* What many positions are worth at a fresh count: writes to `verdicts` for each of `count`
 * positions what sakmak_probe_wdl says of it. 0, or an error that is none of theirs; with
 * errors among the verdicts sakmak_last_error tells of one. For all moves of a position at
 * once: memory is asked for many positions at a time, about twice as quick as one by one.
 * Thread safety: any thread at any time. */
int sakmak_probe_wdl_batch(const sakmak_tablebase *tables, const sakmak_position *positions,
                          size_t count, int *verdicts);

/* How far the end is. 0, or an error.
 * Thread safety: any thread at any time. */
int sakmak_probe_distance(const sakmak_tablebase *tables, const sakmak_position *position,
                          sakmak_distance *distance);

/* The move to make: who makes it each time keeps what the position is worth. 1; 0 if the
 * game is over and there is no move; or an error.
 * Thread safety: any thread at any time. */
int sakmak_best_move(const sakmak_tablebase *tables, const sakmak_position *position,
                     sakmak_move *move);

/* The legal moves, best first; writes the first `capacity` of them. How many there are,
 * never above 255, or an error. `moves` may be null if the capacity is 0.
 * Thread safety: any thread at any time. */
int sakmak_moves(const sakmak_tablebase *tables, const sakmak_position *position,
                 sakmak_move *moves, size_t capacity);

/* Best play to mate as if nobody counted, empty for a draw: moves as engines write them, a
 * space between two. Writes as much as goes into `size` bytes, the last a zero. How many
 * bytes the whole line has without that zero, or an error. `line` may be null if the size
 * is 0.
 * Thread safety: any thread at any time. */
int sakmak_line(const sakmak_tablebase *tables, const sakmak_position *position, char *line,
                size_t size);

/* Best play under the count, to mate or until the game is drawn; as sakmak_line.
 * Thread safety: any thread at any time. */
int sakmak_counted_line(const sakmak_tablebase *tables, const sakmak_position *position,
                        char *line, size_t size);

/* What went wrong in this thread last, one line of text in English; empty if nothing has.
 * It stays until a function fails in the same thread again or the thread ends.
 * Thread safety: any thread at any time; each has its own. */
const char *sakmak_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
