/* Prints what tables know of a position: its category, distances and count, and its moves, best
 * first.
 *
 *     cc -std=c99 -DSAKMAK_ZSTD example.c sakmak_reader.c -lzstd -o example
 *     ./example sakmak-tables "8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1"
 *
 * The first argument is a directory or a list of directories, the third may be a counting rule.
 * Without zstd packed files are not read, and the category is all that it prints. */
#include "sakmak_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SAKMAK_ZSTD
#include <zstd.h>
static sakmak_reader_zstd *const zstd = ZSTD_decompress;
#else
static sakmak_reader_zstd *const zstd = NULL;
#endif

static const char *const RULES[] = {"none", "makruk", "makruk-khon-first", "ouk",
                                    "ouk-traditional"};
static const char *const CATEGORIES[] = {"loss", "blessed loss", "draw", "cursed win", "win"};

/* Fills a position from a FEN, with its count in plies. Returns 0 if it is not a FEN, or if a king
 * or a met may still leap: tables have no such positions. */
static int parsed(const char *fen, sakmak_reader_position *position, int *limit, int *count) {
    uint64_t *const kinds[] = {&position->kings, &position->rooks, &position->knights,
                               &position->khons, &position->mets,  &position->pawns};
    static const char letters[] = "KRNSMPkrnsmp";
    char men[100], turn, leaps[8] = "-", ends[8] = "-";
    int rank = 7, file = 0;
    memset(position, 0, sizeof *position);
    *count = 0;
    if (sscanf(fen, "%99s %c %7s %7s %d", men, &turn, leaps, ends, count) < 2) return 0;
    *limit = atoi(ends);
    position->turn = turn == 'b';
    for (const char *at = men; *at; at++) {
        const char *letter = strchr(letters, *at);
        if (*at == '/') {
            if (file != 8 || rank-- == 0) return 0;
            file = 0;
        } else if (*at >= '1' && *at <= '8') {
            file += *at - '0';
        } else if (letter && file < 8) {
            uint64_t square = (uint64_t)1 << (8 * rank + file++);
            *(letter - letters < 6 ? &position->white : &position->black) |= square;
            *kinds[(letter - letters) % 6] |= square;
        } else if (*at != '~') { /* ~ marks a promoted pawn */
            return 0;
        }
    }
    return rank == 0 && file == 8 && strchr("wb", turn) && !strcmp(leaps, "-");
}

static void print_distance(const char *name, int moves) {
    if (moves >= 0) printf(", %s %d", name, moves);
}

int main(int argc, char **argv) {
    sakmak_reader_position position;
    sakmak_reader_count count;
    sakmak_reader_move moves[SAKMAK_READER_MOVES_MAX];
    int limit, plies, rule = SAKMAK_READER_MAKRUK, error;
    if (argc > 3)
        for (rule = 0; rule < 5 && strcmp(argv[3], RULES[rule]);) rule++;
    if (argc < 3 || argc > 4 || rule == 5) {
        fputs("usage: example DIRECTORIES FEN [RULE]\n", stderr);
        return 2;
    }
    if (!parsed(argv[2], &position, &limit, &plies)) {
        fprintf(stderr, "not a FEN without leaps: %s\n", argv[2]);
        return 2;
    }
    sakmak_reader *reader = sakmak_reader_new(zstd);
    if (!reader || sakmak_reader_add_directories(reader, argv[1], SAKMAK_READER_CHECKSUMS) < 0) {
        fputs("not enough memory\n", stderr);
        return 1;
    }
    for (int i = 0; i < sakmak_reader_refused_count(reader); i++) {
        const char *path = sakmak_reader_refused_file(reader, i, &error);
        fprintf(stderr, "not read: %s: %s\n", path, sakmak_reader_error_text(error));
    }

    int category = sakmak_reader_category(reader, rule, &position, limit, plies);
    int found = sakmak_reader_rank(reader, rule, &position, limit, plies, moves);
    if (category >= 0) printf("category: %s\n", CATEGORIES[category]);
    for (int metric = 0; metric <= rule; metric += rule ? rule : 1) {
        int distance, known = sakmak_reader_distance(reader, metric, &position, &distance);
        if (known < 0) continue;
        printf("%s: %s", metric ? "counted distance" : "distance to mate", CATEGORIES[known]);
        printf(known == SAKMAK_READER_DRAW ? "\n" : " in %d\n", distance);
    }
    if (sakmak_reader_describe_count(rule, &position, limit, plies, &count) > 0) {
        printf("count: ply %d of %d, %d of %d called", count.count, count.limit, count.called,
               count.last_call);
        print_distance("moves left to White", count.moves_left[0]);
        print_distance("moves left to Black", count.moves_left[1]);
        puts(limit ? "" : ", starts here");
    }
    for (int i = 0; i < found; i++) {
        const sakmak_reader_move *m = &moves[i];
        printf("%c%d%c%d%s: %s", 'a' + m->from % 8, m->from / 8 + 1, 'a' + m->to % 8, m->to / 8 + 1,
               m->promotes ? "m" : "", CATEGORIES[m->category]);
        print_distance("mate", m->mate);
        print_distance("counted", m->counted);
        print_distance("mate in time", m->mate_in_time);
        puts("");
    }
    error = category < 0 && found < 0 ? found : 0;
    if (error) fprintf(stderr, "no answer: %s\n", sakmak_reader_error_text(error));
    sakmak_reader_close(reader);
    return error != 0;
}
