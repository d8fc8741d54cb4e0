/* The results of positions.tsv from C, from several threads at once, and the errors that a
 * caller may make; directories in any encoding; forks.
 *
 * usage: positions TABLES POSITIONS
 */
/* For mkdtemp, mkfifo, symlink, truncate and usleep. */
#define _DEFAULT_SOURCE

#include <sakmak.h>

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define FORKS 20
#define ROWS 2000
#define FIELDS 7

#define CHECK(holds)                                                                         \
    do {                                                                                     \
        if (!(holds)) {                                                                      \
            fprintf(stderr, "%s:%d: failed: %s (last error: %s)\n", __FILE__, __LINE__,      \
                    #holds, sakmak_last_error());                                            \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

/* A row of positions.tsv: fen, counting, category, plies, counted moves, best move. */
struct row {
    char text[256];
    char *fields[FIELDS];
};

static struct row rows[ROWS];
static int row_count;

static void read_rows(const char *path) {
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (row_count < ROWS && fgets(rows[row_count].text, sizeof rows[0].text, file)) {
        struct row *row = &rows[row_count];
        char *text = row->text;
        if (text[0] == '#') continue;
        text[strcspn(text, "\n")] = 0;
        for (int field = 0; field < FIELDS; field++) {
            CHECK(text != NULL);
            row->fields[field] = text;
            text = strchr(text, '\t');
            if (text != NULL) *text++ = 0;
        }
        CHECK(text == NULL);
        row_count++;
    }
    CHECK(feof(file) && row_count > 100);
    fclose(file);
}

static int number(const char *text) { return strcmp(text, "-") == 0 ? -1 : atoi(text); }

static void check_row(const sakmak_tablebase *tables, const struct row *row) {
    sakmak_position position;
    CHECK(sakmak_position_from_fen(row->fields[0], row->fields[1], &position) == 0);
    CHECK(position.counting == sakmak_counting_named(row->fields[1]));
    int category = sakmak_probe_category(tables, &position);
    CHECK(category >= 0 && strcmp(sakmak_category_name(category), row->fields[2]) == 0);
    CHECK(sakmak_probe_wdl_counted(tables, &position) == category);
    char fresh[128];
    snprintf(fresh, sizeof fresh, "%s", row->fields[0]);
    *strchr(strchr(fresh, ' ') + 1, ' ') = 0;
    sakmak_position uncounted;
    CHECK(sakmak_position_from_fen(fresh, row->fields[1], &uncounted) == 0);
    int wdl = sakmak_probe_wdl(tables, &position);
    CHECK(wdl >= 0 && wdl == sakmak_probe_category(tables, &uncounted));
    sakmak_position unknown = position;
    unknown.counting = 99;
    const sakmak_position three[] = {position, unknown, uncounted};
    int wdl_batch[] = {99, 99, 99};
    CHECK(sakmak_probe_wdl_batch(tables, three, 3, wdl_batch) == 0);
    CHECK(wdl_batch[0] == wdl && wdl_batch[1] == SAKMAK_BAD_ARGUMENT && wdl_batch[2] == wdl);
    CHECK(strstr(sakmak_last_error(), "99") != NULL);
    CHECK(sakmak_probe_wdl_batch(tables, three, 3, NULL) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_probe_wdl_batch(tables, NULL, 1, wdl_batch) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_probe_wdl_batch(tables, NULL, 0, NULL) == 0);

    char fen[SAKMAK_FEN_SIZE];
    sakmak_position again;
    int written = sakmak_fen(&position, fen, sizeof fen);
    CHECK(written == (int)strlen(fen) && written < SAKMAK_FEN_SIZE);
    CHECK(sakmak_position_from_fen(fen, row->fields[1], &again) == 0);
    CHECK(memcmp(&position, &again, sizeof again) == 0);
    sakmak_count count;
    int counted = sakmak_probe_count(tables, &position, &count);
    CHECK(counted == 0 || counted == 1);
    // In Kar Ouk a count may run that decides nothing.
    CHECK(counted == 1 || position.count_limit == 0 || position.counting == SAKMAK_KAR_OUK);
    if (counted == 1) {
        CHECK(count.running == (position.count_limit > 0) && count.attacker != count.runner);
        CHECK(!count.running || (count.limit_plies == position.count_limit &&
                                 count.plies == position.count));
    }

    sakmak_distance distance;
    CHECK(sakmak_probe_distance(tables, &position, &distance) == 0);
    int plies = number(row->fields[3]);
    CHECK(distance.dtm_plies == plies && distance.counted == number(row->fields[4]));
    CHECK(distance.dtm_moves == (plies < 0 ? -1 : (plies + 1) / 2));
    int32_t mate_in_time = 0, without = 0;
    sakmak_tablebase *searching = sakmak_searching(tables, SAKMAK_THOROUGH);
    CHECK(sakmak_probe_mate_in_time(searching, &position, &mate_in_time) == 0);
    int plies_in_time = number(row->fields[5]);
    CHECK(mate_in_time == (plies_in_time < 0 ? -1 : (plies_in_time + 1) / 2));
    CHECK(sakmak_probe_mate_in_time(tables, &position, &without) == 0);
    CHECK(without == -1 || without == mate_in_time);
    CHECK(sakmak_probe_mate_in_time(tables, &position, NULL) == SAKMAK_BAD_ARGUMENT);

    sakmak_move best, moves[256];
    CHECK(sakmak_best_move(tables, &position, &best) >= 0);
    CHECK(sakmak_moves(tables, &position, moves, 256) == 0 ||
          (memcmp(&best, &moves[0], sizeof best) == 0 && best.category == category));
    int found = sakmak_best_move(searching, &position, &best);
    int legal = sakmak_moves(searching, &position, moves, 256);
    CHECK(found == (legal > 0));
    CHECK(strcmp(found ? best.uci : "-", row->fields[6]) == 0);
    if (found) {
        CHECK(best.mate_in_time == mate_in_time);
        CHECK(memcmp(&best, &moves[0], sizeof best) == 0);
        CHECK(best.category == category && strlen(best.san) > 1);
        CHECK(best.uci[0] == 'a' + best.from % 8 && best.uci[3] == '1' + best.to / 8);
        CHECK((best.promotion == SAKMAK_MET) == (best.uci[4] == 'm'));
    }

    char line[4096];
    int length = sakmak_line(tables, &position, line, sizeof line);
    CHECK(length == (int)strlen(line) && (plies > 0) == (length > 0));
    CHECK(sakmak_line(tables, &position, NULL, 0) == length);
    length = sakmak_counted_line(searching, &position, line, sizeof line);
    CHECK(length == (int)strlen(line));
    if (length > 0) CHECK(strncmp(line, best.uci, strlen(best.uci)) == 0);
    char cut[4] = "xxx";
    CHECK(sakmak_counted_line(searching, &position, cut, 3) == length);
    CHECK(strncmp(cut, line, 2) == 0 && strlen(cut) <= 2);
    sakmak_close(searching);
}

static void *check_rows(void *tables) {
    for (int row = 0; row < row_count; row++) check_row(tables, &rows[row]);
    return NULL;
}

/* A position filled in as an engine would, without text. */
static sakmak_position rook_ending(void) {
    sakmak_position position;
    memset(&position, 0, sizeof position);
    position.white = UINT64_C(1) << 4 | UINT64_C(1) << 12; /* Ke1, Re2 */
    position.black = UINT64_C(1) << 35;                    /* Kd5 */
    position.kings = UINT64_C(1) << 4 | UINT64_C(1) << 35;
    position.rooks = UINT64_C(1) << 12;
    position.turn = SAKMAK_BLACK;
    position.counting = SAKMAK_MAKRUK;
    position.count_limit = 32;
    position.count = 6;
    return position;
}

static void check_bitboards(const sakmak_tablebase *tables) {
    sakmak_position position = rook_ending(), read;
    CHECK(sakmak_position_from_fen("8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1", NULL, &read) == 0);
    CHECK(memcmp(&position, &read, sizeof read) == 0);
    CHECK(sakmak_probe_category(tables, &position) == SAKMAK_BLESSED_LOSS);
    position.count = 4;
    CHECK(sakmak_probe_category(tables, &position) == SAKMAK_LOSS);
    position.count_limit = position.count = 0;
    CHECK(sakmak_probe_category(tables, &position) >= 0);
}

/* The count as a player sees it, squares by name, and text in buffers that are too small. */
static void check_names(const sakmak_tablebase *tables) {
    sakmak_position position = rook_ending();
    sakmak_count count;
    CHECK(sakmak_probe_count(tables, &position, &count) == 1);
    CHECK(count.honour == SAKMAK_PIECES_HONOUR && count.running == 1);
    CHECK(count.attacker == SAKMAK_WHITE && count.runner == SAKMAK_BLACK);
    CHECK(count.limit == 16 && count.called == 3 && count.moves_left == 13);
    CHECK(sakmak_probe_count(tables, &position, NULL) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_square_named("a1") == 0 && sakmak_square_named("h8") == 63);
    CHECK(sakmak_square_named("i1") == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_square_named(NULL) == SAKMAK_BAD_ARGUMENT);
    char fen[8] = "xxxxxxx", message[SAKMAK_ERROR_SIZE];
    CHECK(sakmak_fen(&position, fen, sizeof fen) > (int)sizeof fen);
    CHECK(strcmp(fen, "8/8/8/3") == 0);
    CHECK(sakmak_fen(NULL, fen, sizeof fen) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_error_text(message, sizeof message) == (int)strlen("position is null"));
    CHECK(strcmp(message, "position is null") == 0);
    CHECK(sakmak_category_name(5) == NULL && sakmak_category_name(-1) == NULL);
    CHECK(strcmp(sakmak_category_name(SAKMAK_CURSED_WIN), "cursed-win") == 0);
}

/* The tables there are, and the size of caches, which changes no result. */
static void check_tables(sakmak_tablebase *tables) {
    char files[1 << 14];
    int length = sakmak_table_files(tables, files, sizeof files);
    CHECK(length == (int)strlen(files) && strstr(files, "/KRvK.dtm.smt") != NULL);
    CHECK(sakmak_largest(tables, SAKMAK_MAKRUK) == 4);
    CHECK(sakmak_largest_wdl(tables, SAKMAK_MAKRUK) == 4);
    CHECK(sakmak_largest_wdl(tables, SAKMAK_OUK_TRADITIONAL) == 0);
    CHECK(sakmak_largest_root(tables, SAKMAK_MAKRUK) == 4);
    CHECK(sakmak_largest_root(NULL, SAKMAK_MAKRUK) == SAKMAK_BAD_ARGUMENT);
    const int three = sakmak_prepare(tables, SAKMAK_MAKRUK, 3);
    CHECK(three > 0 && sakmak_prepare(tables, SAKMAK_MAKRUK, 8) > three);
    CHECK(sakmak_prepare(tables, SAKMAK_MAKRUK, -1) == 0);
    CHECK(sakmak_prepare(tables, 0, 8) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_largest(tables, 0) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_largest(tables, 1000) == SAKMAK_BAD_ARGUMENT);
    for (size_t bytes = 0; bytes <= 1 << 20; bytes += 1 << 20) {
        CHECK(sakmak_set_cache(tables, bytes) == 0);
        for (int row = 0; row < row_count; row += 37) check_row(tables, &rows[row]);
    }
    CHECK(sakmak_set_cache(NULL, 0) == SAKMAK_BAD_ARGUMENT);
    /* More than there is. The cache stays as it was. */
    const size_t sizes[] = {(size_t)1 << 50, SIZE_MAX / 2, SIZE_MAX};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        CHECK(sakmak_set_cache(tables, sizes[size]) == SAKMAK_NO_MEMORY);
        CHECK(strstr(sakmak_last_error(), "not enough memory") != NULL);
        check_row(tables, &rows[0]);
    }
    int category = 7;
    sakmak_position one = rook_ending();
    for (int bits = 24; bits < 64; bits++) {
        size_t count = ((size_t)1 << bits) + (bits == 24);
        CHECK(sakmak_probe_wdl_batch(tables, &one, count, &category) == SAKMAK_BAD_ARGUMENT);
        CHECK(strstr(sakmak_last_error(), "at most 16777216 positions") != NULL);
        CHECK(sakmak_probe_wdl_batch(tables, &one, SIZE_MAX - count, &category) ==
              SAKMAK_BAD_ARGUMENT);
    }
    CHECK(category == 7);
}

/* Integers at their limits: an error, or what the nearest sensible number is. */
static void check_numbers(const sakmak_tablebase *tables) {
    static const int numbers[] = {INT_MIN, INT_MIN + 1, -65536, -256, -1, 127, 255,
                                  256,     257,         65536,  65537, INT_MAX - 1, INT_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int number = numbers[i];
        CHECK(sakmak_largest(tables, number) == SAKMAK_BAD_ARGUMENT);
        CHECK(sakmak_largest_wdl(tables, number) == SAKMAK_BAD_ARGUMENT);
        CHECK(sakmak_largest_root(tables, number) == SAKMAK_BAD_ARGUMENT);
        CHECK(sakmak_prepare(tables, number, 4) == SAKMAK_BAD_ARGUMENT);
        CHECK((sakmak_prepare(tables, SAKMAK_MAKRUK, number) > 0) == (number > 0));
        CHECK(sakmak_category_name(number) == NULL);
        sakmak_position position = rook_ending();
        position.count_limit = position.count = (uint16_t)number;
        CHECK(sakmak_probe_category(tables, &position) == SAKMAK_BAD_FEN ||
              position.count_limit == 0);
        position = rook_ending();
        position.turn = (uint8_t)number;
        CHECK((sakmak_probe_category(tables, &position) == SAKMAK_BAD_ARGUMENT) ==
              (position.turn > SAKMAK_BLACK));
        position = rook_ending();
        position.counting = (uint8_t)number;
        CHECK((sakmak_probe_wdl(tables, &position) == SAKMAK_BAD_ARGUMENT) ==
              (position.counting < SAKMAK_MAKRUK || position.counting > SAKMAK_CHESS));
        sakmak_move move;
        char text[1] = {'x'};
        position = rook_ending();
        CHECK(sakmak_moves(tables, &position, &move, 0) > 0);
        CHECK(sakmak_line(tables, &position, text, 1) > 0 && text[0] == 0);
    }
}

/* Files that are no tables: a call refuses each at once, and none counts. */
static void check_no_tables(void) {
    static const char *const names[] = {"KRvK.dtm.smt", "KRvK.dtm.smp", "KRvK.makruk.smv"};
    enum { PIPE, FOLDER, DANGLING, EMPTY, SPARSE, VERSION_1, KINDS };
    static const char *const magics[] = {"\x89SAKMKT\n", "\x89SAKPAK\n", "\x89SAKMKV\n"};
    char own[] = "/tmp/sakmak-odd-XXXXXX", path[64], lines[1024];
    CHECK(mkdtemp(own) != NULL);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int name = 0; name < 3; name++) {
            snprintf(path, sizeof path, "%s/%s", own, names[name]);
            FILE *file = NULL;
            if (kind == PIPE) CHECK(mkfifo(path, 0600) == 0);
            if (kind == FOLDER) CHECK(mkdir(path, 0700) == 0);
            if (kind == DANGLING) CHECK(symlink("nowhere", path) == 0);
            if (kind >= EMPTY) CHECK((file = fopen(path, "wb")) != NULL);
            if (kind == VERSION_1)
                CHECK(fwrite(magics[name], 1, 8, file) == 8 && fputc(name ? 1 : 9, file) >= 0);
            if (file != NULL) CHECK(fclose(file) == 0);
            if (kind == SPARSE) CHECK(truncate(path, (off_t)1 << 40) == 0);
            if (kind == VERSION_1) CHECK(truncate(path, 4096) == 0);
        }
        alarm(10); /* ends a program that waits for ever */
        sakmak_tablebase *tables = sakmak_open(own);
        sakmak_position position = rook_ending();
        int expected = kind == DANGLING ? SAKMAK_MISSING_TABLE : SAKMAK_BROKEN_FILE;
        CHECK(sakmak_probe_category(tables, &position) == expected);
        CHECK(sakmak_probe_wdl(tables, &position) == expected);
        CHECK(sakmak_largest(tables, SAKMAK_MAKRUK) == 0);
        CHECK(sakmak_largest_wdl(tables, SAKMAK_MAKRUK) == 0);
        CHECK(sakmak_largest_root(tables, SAKMAK_MAKRUK) == 0);
        CHECK(sakmak_prepare(tables, SAKMAK_MAKRUK, 8) < 0 || kind == DANGLING);
        CHECK(sakmak_refused_files(tables, lines, sizeof lines) < (int)sizeof lines);
        for (int name = 0; name < 3 && kind != DANGLING; name++)
            CHECK(strstr(lines, names[name]) != NULL);
        alarm(0);
        sakmak_close(tables);
        for (int name = 0; name < 3; name++) {
            snprintf(path, sizeof path, "%s/%s", own, names[name]);
            CHECK(remove(path) == 0);
        }
    }
    CHECK(rmdir(own) == 0);
}

/* A position in which a king can be taken is illegal for every function. */
static void check_illegal(const sakmak_tablebase *tables) {
    sakmak_position bad = rook_ending();
    bad.black = bad.kings = UINT64_C(1) << 36; /* Ke5, with Re2 on its file */
    bad.kings |= UINT64_C(1) << 4;
    bad.turn = SAKMAK_WHITE;
    bad.count_limit = bad.count = 0;
    sakmak_distance distance;
    sakmak_move move;
    char line[64];
    int wdl;
    CHECK(sakmak_probe_category(tables, &bad) == SAKMAK_ILLEGAL_POSITION);
    CHECK(sakmak_probe_wdl(tables, &bad) == SAKMAK_ILLEGAL_POSITION);
    CHECK(sakmak_probe_wdl_batch(tables, &bad, 1, &wdl) == 0 && wdl == SAKMAK_ILLEGAL_POSITION);
    CHECK(sakmak_probe_distance(tables, &bad, &distance) == SAKMAK_ILLEGAL_POSITION);
    CHECK(sakmak_best_move(tables, &bad, &move) == SAKMAK_ILLEGAL_POSITION);
    CHECK(sakmak_moves(tables, &bad, &move, 1) == SAKMAK_ILLEGAL_POSITION);
    CHECK(sakmak_line(tables, &bad, line, sizeof line) == SAKMAK_ILLEGAL_POSITION);
    CHECK(sakmak_counted_line(tables, &bad, line, sizeof line) == SAKMAK_ILLEGAL_POSITION);
}

static void copy(const char *from, const char *to) {
    char bytes[4096];
    FILE *input = fopen(from, "rb"), *output = fopen(to, "wb");
    CHECK(input != NULL && output != NULL);
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, input)) > 0;)
        CHECK(fwrite(bytes, 1, length, output) == length);
    CHECK(fclose(input) == 0 && fclose(output) == 0);
}

/* With the access "read" a table that is emptied while it is open is an error, not a signal. An
 * empty file hides no other. */
static void check_access(const char *directory) {
    char own[] = "/tmp/sakmak-access-XXXXXX", from[4096], to[64];
    CHECK(sakmak_open_with(directory, "READ") == NULL);
    CHECK(strstr(sakmak_last_error(), "'READ'") != NULL);
    CHECK(mkdtemp(own) != NULL);
    snprintf(from, sizeof from, "%s/KRvK.dtm.smt", directory);
    snprintf(to, sizeof to, "%s/KRvK.dtm.smt", own);
    for (int by_environment = 0; by_environment < 2; by_environment++) {
        copy(from, to);
        if (by_environment) CHECK(setenv("SAKMAK_ACCESS", "read", 1) == 0);
        sakmak_tablebase *tables = by_environment ? sakmak_open(own) : sakmak_open_with(own, "read");
        CHECK(tables != NULL);
        sakmak_position position = rook_ending();
        CHECK(sakmak_probe_category(tables, &position) == SAKMAK_BLESSED_LOSS);
        CHECK(truncate(to, 0) == 0);
        position.turn = SAKMAK_WHITE;
        position.count_limit = position.count = 0;
        CHECK(sakmak_probe_category(tables, &position) == SAKMAK_CHANGED_FILE);
        CHECK(strstr(sakmak_last_error(), "changed while it was open") != NULL);
        sakmak_close(tables);
    }
    sakmak_tablebase *both = sakmak_open(own);
    sakmak_position position = rook_ending();
    char lines[256];
    CHECK(sakmak_refused_files(both, lines, sizeof lines) == 0 && lines[0] == 0);
    CHECK(sakmak_probe_category(both, &position) == SAKMAK_BROKEN_FILE);
    CHECK(sakmak_add_directory(both, directory) == 0);
    /* The category is in a WDL file there. */
    sakmak_distance distance;
    CHECK(sakmak_probe_distance(both, &position, &distance) == 0);
    CHECK(distance.dtm_plies > 0);
    CHECK(sakmak_refused_files(both, lines, sizeof lines) == (int)strlen(lines));
    CHECK(strncmp(lines, to, strlen(to)) == 0 && strchr(lines, '\n') == NULL);
    CHECK(sakmak_refused_files(NULL, lines, sizeof lines) == SAKMAK_BAD_ARGUMENT);
    sakmak_close(both);
    CHECK(setenv("SAKMAK_ACCESS", "unknown", 1) == 0);
    CHECK(sakmak_open(own) == NULL && strstr(sakmak_last_error(), "'unknown'") != NULL);
    CHECK(unsetenv("SAKMAK_ACCESS") == 0);
    CHECK(remove(to) == 0 && rmdir(own) == 0);
}

static void check_refusals(sakmak_tablebase *tables) {
    sakmak_position good = rook_ending(), bad;
    sakmak_distance distance;
    sakmak_move move;
    CHECK(sakmak_probe_category(NULL, &good) == SAKMAK_BAD_ARGUMENT);
    CHECK(strcmp(sakmak_last_error(), "tables is null") == 0);
    CHECK(sakmak_probe_category(tables, NULL) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_probe_distance(tables, &good, NULL) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_probe_distance(NULL, NULL, &distance) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_best_move(tables, &good, NULL) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_best_move(tables, NULL, &move) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_moves(tables, &good, NULL, 1) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_moves(tables, &good, NULL, 0) == sakmak_moves(tables, &good, &move, 1));
    CHECK(sakmak_line(tables, &good, NULL, 1) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_largest(tables, -1) == SAKMAK_BAD_ARGUMENT);
    CHECK(strcmp(sakmak_last_error(), "counting cannot be -1") == 0);
    CHECK(sakmak_counting_named(NULL) == SAKMAK_MAKRUK);
    CHECK(sakmak_counting_named("ouk-traditional") == SAKMAK_OUK_TRADITIONAL);
    CHECK(sakmak_counting_named("Makruk") == SAKMAK_MAKRUK);
    CHECK(sakmak_counting_named("cambodian") == SAKMAK_OUK);
    CHECK(sakmak_counting_named("karouk") == SAKMAK_KAR_OUK);
    CHECK(sakmak_counting_named("burmese") == SAKMAK_SITTUYIN);
    CHECK(sakmak_counting_named("ai-wok") == SAKMAK_AI_WOK);
    CHECK(sakmak_counting_named("shatranj") == SAKMAK_SHATRANJ);
    CHECK(sakmak_counting_named("asean") == SAKMAK_ASEAN);
    CHECK(sakmak_counting_named("makpong") == SAKMAK_MAKPONG);
    CHECK(sakmak_counting_named("ouk-none") == (SAKMAK_OUK | SAKMAK_UNCOUNTED));
    CHECK(sakmak_counting_named("none") == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_counting_named("xiangqi") == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_counting_named("\xff") == SAKMAK_BAD_ARGUMENT);

    CHECK(sakmak_position_from_fen("8/8/8/3k4/8/8/4M~3/4K3_b_-_128_6_1", NULL, &bad) == 0);
    /* The letters of chess are those of a met and a khon. */
    const char *chess = "8/8/8/3k4/8/8/4QB2/4K3 b - 88 8 1";
    const char *makruk = "8/8/8/3k4/8/8/4MS2/4K3 b - 88 8 1";
    sakmak_position by_chess;
    CHECK(sakmak_position_from_fen(chess, NULL, &by_chess) == 0);
    CHECK(sakmak_position_from_fen(makruk, NULL, &bad) == 0);
    CHECK(memcmp(&bad, &by_chess, sizeof bad) == 0);
    /* In chess too a bitboard has the pieces of its name, and a pawn may be captured in passing. */
    CHECK(sakmak_position_from_fen("8/8/8/1k1nqb2/2pP4/8/8/K3R3 b - d3 0 1", "chess", &by_chess) == 0);
    CHECK(by_chess.rooks == 1ull << 4 && by_chess.knights == 1ull << 35 && by_chess.mets == 1ull << 36);
    CHECK(by_chess.khons == 1ull << 37 && by_chess.en_passant == 19);
    char fen[SAKMAK_FEN_SIZE];
    CHECK(sakmak_fen(&by_chess, fen, sizeof fen) > 0 && strstr(fen, " b - d3 ") != NULL);
    by_chess.en_passant = 18;
    CHECK(sakmak_fen(&by_chess, fen, sizeof fen) == SAKMAK_BAD_ARGUMENT);
    CHECK(strcmp(sakmak_last_error(), "the field `en_passant` of the position cannot be 18") == 0);
    bad = good;
    CHECK(sakmak_position_from_fen("8 b", NULL, &bad) == SAKMAK_BAD_FEN);
    CHECK(sakmak_position_from_fen(NULL, NULL, &bad) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_position_from_fen("8/8/8/3k4/8/8/4R3/4K3 b", NULL, NULL) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_position_from_fen("8/8/8/3k4/8/8/4R3/4K3 b - 31 6 1", NULL, &bad) ==
          SAKMAK_BAD_FEN);
    CHECK(sakmak_position_from_fen("8/8/8/3kK3/8/8/4R3/8 b", NULL, &bad) ==
          SAKMAK_ILLEGAL_POSITION);
    CHECK(sakmak_position_from_fen("3k4/8/8/8/8/8/8/3K1R2 w D", "ouk", &bad) ==
          SAKMAK_LEAP_RIGHTS);
    CHECK(memcmp(&bad, &good, sizeof bad) == 0);

    sakmak_position pawn = {.white = 1ull << 4 | 1ull << 28, .black = 1ull << 60,
                            .kings = 1ull << 4 | 1ull << 60, .pawns = 1ull << 28,
                            .counting = SAKMAK_SITTUYIN};
    CHECK(sakmak_probe_wdl(tables, &pawn) == SAKMAK_ILLEGAL_POSITION);
    CHECK(strstr(sakmak_last_error(), "positions of sittuyin with pawns are refused") != NULL);

    bad.rooks = 0;
    CHECK(sakmak_probe_category(tables, &bad) == SAKMAK_ILLEGAL_POSITION);
    bad = good;
    bad.turn = 7;
    CHECK(sakmak_probe_category(tables, &bad) == SAKMAK_BAD_ARGUMENT);
    bad = good;
    bad.count = 999;
    CHECK(sakmak_probe_category(tables, &bad) == SAKMAK_BAD_FEN);
    CHECK(sakmak_position_from_fen("4k3/8/8/2R1R3/8/2N1N3/8/2K3M1 b", NULL, &bad) == 0);
    CHECK(sakmak_probe_category(tables, &bad) < 0);
    CHECK(sakmak_position_from_fen("3k4/8/8/8/8/8/4N3/2K3S1 w", NULL, &bad) == 0);
    CHECK(sakmak_probe_category(tables, &bad) == SAKMAK_MISSING_TABLE);
    CHECK(strstr(sakmak_last_error(), "KNSvK.dtm.smt") != NULL);

    /* The distance is there, the counted distance of Sittuyin is not. No call answers as if it were. */
    sakmak_move best;
    char line[64];
    int wdl;
    CHECK(sakmak_position_from_fen("8/8/4m3/3k4/8/4R3/8/4K3 w", NULL, &bad) == 0);
    bad.counting = SAKMAK_SITTUYIN;
    CHECK(sakmak_probe_category(tables, &bad) == SAKMAK_MISSING_TABLE);
    CHECK(strstr(sakmak_last_error(), "KRvKM.sittuyin.smt") != NULL);
    CHECK(strstr(sakmak_last_error(), "sittuyin-none needs none") != NULL);
    CHECK(sakmak_probe_wdl(tables, &bad) == SAKMAK_MISSING_TABLE);
    CHECK(sakmak_probe_wdl_counted(tables, &bad) == SAKMAK_MISSING_TABLE);
    CHECK(sakmak_probe_wdl_batch(tables, &bad, 1, &wdl) == 0 && wdl == SAKMAK_MISSING_TABLE);
    CHECK(sakmak_probe_distance(tables, &bad, &distance) == SAKMAK_MISSING_TABLE);
    CHECK(sakmak_best_move(tables, &bad, &best) == SAKMAK_MISSING_TABLE);
    CHECK(sakmak_line(tables, &bad, line, sizeof line) > 0);
    bad.counting |= SAKMAK_UNCOUNTED;
    CHECK(sakmak_probe_category(tables, &bad) == SAKMAK_WIN);
    CHECK(sakmak_probe_wdl(tables, &bad) == SAKMAK_WIN);
    CHECK(sakmak_probe_wdl_batch(tables, &bad, 1, &wdl) == 0 && wdl == SAKMAK_WIN);
    CHECK(sakmak_probe_distance(tables, &bad, &distance) == 0);
    CHECK(distance.dtm_moves > 0 && distance.counted == distance.dtm_moves);
    CHECK(sakmak_best_move(tables, &bad, &best) == 1 && best.category == SAKMAK_WIN);
    /* A count is ignored. */
    bad.count_limit = 128;
    bad.count = 127;
    CHECK(sakmak_probe_category(tables, &bad) == SAKMAK_WIN);
}

/* A directory whose name is not UTF-8. */
static void check_any_encoding(const char *directory) {
    char link[] = "/tmp/sakmak-\xe0\xb8-XXXXXX";
    CHECK(mkdtemp(link) != NULL && rmdir(link) == 0);
    CHECK(symlink(directory, link) == 0);
    sakmak_tablebase *opened = sakmak_open(link), *filled = sakmak_open(NULL);
    CHECK(opened != NULL && filled != NULL);
    CHECK(sakmak_add_directory(filled, link) == 0);
    sakmak_position position = rook_ending();
    CHECK(sakmak_probe_category(opened, &position) == SAKMAK_BLESSED_LOSS);
    CHECK(sakmak_probe_category(filled, &position) == SAKMAK_BLESSED_LOSS);
    CHECK(unlink(link) == 0);
    CHECK(sakmak_open(link) == NULL);
    CHECK(strstr(sakmak_last_error(), "cannot read the directory") != NULL);
    sakmak_close(opened);
    sakmak_close(filled);
}

/* A tablebase that threads of this process fill until `stop` is set. */
struct filled {
    sakmak_tablebase *tables;
    const char *directory;
    atomic_bool stop;
};

static void *fill(void *argument) {
    struct filled *filled = argument;
    for (int row = 0; !atomic_load(&filled->stop); row = (row + 7) % row_count) {
        sakmak_position position;
        CHECK(sakmak_position_from_fen(rows[row].fields[0], rows[row].fields[1], &position) == 0);
        CHECK(sakmak_probe_category(filled->tables, &position) >= 0);
        CHECK(sakmak_probe_wdl(filled->tables, &position) >= 0);
        if (row % 3 == 0) CHECK(sakmak_add_directory(filled->tables, filled->directory) == 0);
    }
    return NULL;
}

/* In a child: the parent's tablebase gives right results or an error, an own one all results.
 * Each child compares a share of the rows with all functions; together the children compare all. */
static void check_child(struct filled *parent, int fork_number) {
    alarm(120); /* ends a child that waits for ever */
    int code = sakmak_add_directory(parent->tables, parent->directory);
    CHECK(code == SAKMAK_OTHER_PROCESS);
    for (int row = 0; row < row_count; row++) {
        sakmak_position position;
        CHECK(sakmak_position_from_fen(rows[row].fields[0], rows[row].fields[1], &position) == 0);
        int wdl = sakmak_probe_wdl(parent->tables, &position);
        CHECK(wdl >= 0 || wdl == SAKMAK_OTHER_PROCESS);
        int category = sakmak_probe_category(parent->tables, &position);
        CHECK(category == SAKMAK_OTHER_PROCESS ||
              (category >= 0 && strcmp(sakmak_category_name(category), rows[row].fields[2]) == 0));
    }
    sakmak_close(parent->tables);
    CHECK(strstr(sakmak_last_error(), "internal error") == NULL);
    sakmak_tablebase *own = sakmak_open(parent->directory);
    CHECK(own != NULL);
    for (int row = fork_number; row < row_count; row += FORKS) check_row(own, &rows[row]);
    _exit(0);
}

static void check_forks(const char *directory) {
    for (int fork_number = 0; fork_number < FORKS; fork_number++) {
        struct filled filled = {.tables = sakmak_open(directory), .directory = directory};
        CHECK(filled.tables != NULL);
        pthread_t threads[THREADS];
        for (int thread = 0; thread < THREADS; thread++)
            CHECK(pthread_create(&threads[thread], NULL, fill, &filled) == 0);
        usleep(200 * fork_number);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) check_child(&filled, fork_number);
        atomic_store(&filled.stop, true);
        for (int thread = 0; thread < THREADS; thread++)
            CHECK(pthread_join(threads[thread], NULL) == 0);
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        sakmak_close(filled.tables);
    }
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    CHECK(strcmp(sakmak_version(), SAKMAK_VERSION) == 0);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SAKMAK_VERSION_MAJOR, SAKMAK_VERSION_MINOR,
             SAKMAK_VERSION_PATCH);
    CHECK(strcmp(version, SAKMAK_VERSION) == 0);
    read_rows(argv[2]);
    CHECK(sakmak_open("no/such/place") == NULL);
    sakmak_close(NULL);

    sakmak_tablebase *opened = sakmak_open(argv[1]), *filled = sakmak_open(NULL);
    CHECK(opened != NULL && filled != NULL);
    sakmak_position position = rook_ending();
    CHECK(sakmak_probe_category(filled, &position) == SAKMAK_MISSING_TABLE);
    CHECK(sakmak_add_directory(filled, "no/such/place") == SAKMAK_BAD_DIRECTORY);
    CHECK(sakmak_add_directory(filled, NULL) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_add_directory(filled, argv[1]) == 0);

    pthread_t threads[THREADS];
    for (int thread = 0; thread < THREADS; thread++)
        CHECK(pthread_create(&threads[thread], NULL, check_rows, opened) == 0);
    check_bitboards(filled);
    for (int thread = 0; thread < THREADS; thread++)
        CHECK(pthread_join(threads[thread], NULL) == 0);
    check_refusals(filled);
    check_names(filled);
    check_tables(filled);
    check_any_encoding(argv[1]);
    check_forks(argv[1]);
    check_illegal(filled);
    check_numbers(filled);
    check_no_tables();
    check_access(argv[1]);
    sakmak_close(opened);
    sakmak_close(filled);
    printf("%d positions from C, in %d threads\n", row_count, THREADS);
    return 0;
}
