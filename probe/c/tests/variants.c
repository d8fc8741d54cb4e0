/* The answers of the program for board games from C, from several threads at once, and the errors
 * that a caller may make.
 *
 * usage: variants TABLES VARIANTS
 */
/* For fork, mkdtemp, mkfifo, symlink and truncate. */
#define _DEFAULT_SOURCE

#include <sakmak.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define ROWS 1000
#define FIELDS 6
#define MOVES 256

static const char *const GOOD = "3k5/9/9/9/4R4/9/9/9/N8/4K4 w";

#define CHECK(holds)                                                                         \
    do {                                                                                     \
        if (!(holds)) {                                                                      \
            fprintf(stderr, "%s:%d: failed: %s (last error: %s)\n", __FILE__, __LINE__,      \
                    #holds, sakmak_last_error());                                            \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

/* A row of variants.tsv: variant, fen, category, plies, moves, line. */
struct row {
    char *fields[FIELDS];
};

static struct row rows[ROWS];
static int row_count, errors;

static void read_rows(const char *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (fgets(text, sizeof text, file)) {
        CHECK(row_count < ROWS && strchr(text, '\n') != NULL);
        text[strcspn(text, "\n")] = 0;
        char *at = strdup(text);
        for (int field = 0; field < FIELDS; field++) {
            CHECK(at != NULL);
            rows[row_count].fields[field] = at;
            at = strchr(at, '\t');
            if (at != NULL) *at++ = 0;
        }
        CHECK(at == NULL);
        errors += strcmp(rows[row_count++].fields[2], "error") == 0;
    }
    CHECK(feof(file) && row_count > 500 && errors > 0 && errors < row_count / 2);
    fclose(file);
}

static void check_row(const sakmak_tablebase *tables, const struct row *row) {
    char *const *fields = row->fields;
    const char *variant = fields[0], *fen = fields[1];
    sakmak_variant_move moves[MOVES], best;
    int32_t plies = 99;
    int category = sakmak_probe_variant(tables, variant, fen, &plies);
    if (strcmp(fields[2], "error") == 0) {
        CHECK(category == SAKMAK_BAD_FEN || category == SAKMAK_ILLEGAL_POSITION);
        CHECK(plies == 99 && sakmak_variant_moves(tables, variant, fen, moves, MOVES) == category);
        CHECK(sakmak_variant_line(tables, variant, fen, NULL, 0) == category);
        return;
    }
    CHECK(category >= 0 && strcmp(sakmak_category_name(category), fields[2]) == 0);
    CHECK(plies == (strcmp(fields[3], "-") == 0 ? -1 : atoi(fields[3])));
    CHECK(sakmak_probe_variant(tables, variant, fen, NULL) == category);

    int count = sakmak_variant_moves(tables, variant, fen, moves, MOVES);
    CHECK(count >= 0 && count <= MOVES);
    const char *expected = fields[4];
    for (int i = 0; i < count; i++) {
        char text[64], shown[16] = "-";
        if (moves[i].plies >= 0) snprintf(shown, sizeof shown, "%d", moves[i].plies);
        int length = snprintf(text, sizeof text, "%s:%s:%s", moves[i].text,
                              sakmak_category_name(moves[i].category), shown);
        CHECK(strncmp(expected, text, (size_t)length) == 0);
        expected += length;
        CHECK(*expected++ == (i + 1 < count ? ' ' : 0));
    }
    if (count == 0) CHECK(strcmp(fields[4], "-") == 0);
    CHECK(sakmak_variant_moves(tables, variant, fen, NULL, 0) == count);
    CHECK(sakmak_variant_moves(tables, variant, fen, &best, 1) == count);
    if (count > 0) CHECK(memcmp(&best, &moves[0], sizeof best) == 0);

    char line[4096];
    int length = sakmak_variant_line(tables, variant, fen, line, sizeof line);
    CHECK(length == (int)strlen(line));
    CHECK(strcmp(length == 0 ? "-" : line, fields[5]) == 0);
}

static void *check_rows(void *tables) {
    for (int row = 0; row < row_count; row++) check_row(tables, &rows[row]);
    return NULL;
}

/* Calls that are refused, which leave their output unchanged. */
static void check_refusals(sakmak_tablebase *tables) {
    int32_t plies = 99;
    sakmak_variant_move move;
    CHECK(sakmak_probe_variant(NULL, "janggi", GOOD, &plies) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_probe_variant(tables, NULL, GOOD, &plies) == SAKMAK_BAD_ARGUMENT);
    CHECK(strcmp(sakmak_last_error(), "variant is null") == 0);
    CHECK(sakmak_probe_variant(tables, "janggi", NULL, &plies) == SAKMAK_BAD_ARGUMENT);
    CHECK(strcmp(sakmak_last_error(), "fen is null") == 0);
    CHECK(sakmak_probe_variant(tables, "makruk", GOOD, &plies) == SAKMAK_BAD_ARGUMENT);
    CHECK(strstr(sakmak_last_error(), "'makruk' is not a board game") && strstr(sakmak_last_error(), "janggi-seed"));
    CHECK(sakmak_probe_variant(tables, "janggi", "8/8 w", &plies) == SAKMAK_BAD_FEN);
    CHECK(strstr(sakmak_last_error(), "expected 10") != NULL);
    CHECK(sakmak_probe_variant(tables, "janggi", "\xff", &plies) == SAKMAK_BAD_ARGUMENT);
    const char *elephant = "3k5/9/9/9/4B4/9/9/9/9/4K4 w";
    CHECK(sakmak_probe_variant(tables, "janggi", elephant, &plies) == SAKMAK_MISSING_TABLE);
    CHECK(strstr(sakmak_last_error(), "no table KEvK of janggi in ") != NULL);
    CHECK(sakmak_probe_variant(tables, "janggi-casual", GOOD, &plies) == SAKMAK_MISSING_TABLE);
    CHECK(sakmak_variant_moves(tables, "janggi", GOOD, NULL, 1) == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak_variant_moves(tables, "janggi", elephant, &move, 1) == SAKMAK_MISSING_TABLE);
    CHECK(plies == 99);
    CHECK(sakmak_probe_variant(tables, "Min_Rek Chanh", "8/7k/8/8/8/8/K7/8 w", &plies) >= 0);
    /* Names and letters of Fairy-Stockfish and XBoard. */
    const char *horse = "3k5/9/9/9/4R4/9/9/9/H8/4K4 w 0 1";
    CHECK(sakmak_probe_variant(tables, "janggitraditional", horse, NULL) == SAKMAK_WIN);
    CHECK(sakmak_probe_variant(tables, "janggicasual", horse, NULL) == SAKMAK_MISSING_TABLE);
    CHECK(strstr(sakmak_last_error(), "of janggi-casual in ") != NULL);
    CHECK(sakmak_probe_variant(tables, "janggimodern", horse, NULL) == SAKMAK_BAD_ARGUMENT);
    CHECK(strstr(sakmak_last_error(), "'janggi-casual' has the same moves and no points") != NULL);
    sakmak_position position;
    CHECK(sakmak_position_from_fen(horse, "makruk", &position) == SAKMAK_BAD_FEN);
    CHECK(strstr(sakmak_last_error(), "the FEN looks like janggi") != NULL);
    for (size_t bytes = 0; bytes <= 1 << 20; bytes += 1 << 20) {
        CHECK(sakmak_set_cache(tables, bytes) == 0);
        for (int row = 0; row < row_count; row += 37) check_row(tables, &rows[row]);
    }
}

/* Damage in a file of the first directory; a table that only the second one has. */
static void check_damage(const char *directory) {
    char own[] = "/tmp/sakmak-boards-XXXXXX", from[4096], folder[64], to[128];
    CHECK(mkdtemp(own) != NULL);
    snprintf(folder, sizeof folder, "%s/janggi", own);
    snprintf(to, sizeof to, "%s/KRHvK.smg", folder);
    snprintf(from, sizeof from, "%s/janggi/KRHvK.smg", directory);
    CHECK(mkdir(folder, 0700) == 0);
    static unsigned char bytes[1 << 18];
    FILE *file = fopen(from, "rb");
    CHECK(file != NULL);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(length > 10000 && length < sizeof bytes);
    /* All blocks, behind the head. */
    for (size_t at = 1000; at < length; at++) bytes[at] ^= 0x55;
    for (int cut = 0; cut < 2; cut++) {
        CHECK((file = fopen(to, "wb")) != NULL);
        CHECK(fwrite(bytes, 1, cut ? length / 2 : length, file) > 0 && fclose(file) == 0);
        sakmak_tablebase *tables = sakmak_open(own);
        CHECK(sakmak_probe_variant(tables, "janggi", GOOD, NULL) == SAKMAK_BROKEN_FILE);
        CHECK(strstr(sakmak_last_error(), to) != NULL);
        CHECK(remove(to) == 0);
        sakmak_close(tables);
    }
    sakmak_tablebase *both = sakmak_open(own), *none = sakmak_open(NULL);
    CHECK(sakmak_probe_variant(both, "janggi", GOOD, NULL) == SAKMAK_MISSING_TABLE);
    CHECK(sakmak_probe_variant(none, "janggi", GOOD, NULL) == SAKMAK_MISSING_TABLE);
    CHECK(strstr(sakmak_last_error(), "there is no directory of tables") != NULL);
    CHECK(sakmak_add_directory(both, directory) == 0);
    CHECK(sakmak_probe_variant(both, "janggi", GOOD, NULL) == SAKMAK_WIN);
    sakmak_close(both);
    sakmak_close(none);
    CHECK(rmdir(folder) == 0 && rmdir(own) == 0);
}

/* Files that are no tables: a call refuses each at once. */
static void check_no_tables(void) {
    enum { PIPE, FOLDER, DANGLING, EMPTY, SPARSE, KINDS };
    char own[] = "/tmp/sakmak-boards-XXXXXX", folder[64], path[96], line[64];
    CHECK(mkdtemp(own) != NULL);
    snprintf(folder, sizeof folder, "%s/janggi", own);
    CHECK(mkdir(folder, 0700) == 0);
    for (int kind = 0; kind < KINDS; kind++) {
        snprintf(path, sizeof path, "%s/KRHvK.smg", folder);
        FILE *file = NULL;
        if (kind == PIPE) CHECK(mkfifo(path, 0600) == 0);
        if (kind == FOLDER) CHECK(mkdir(path, 0700) == 0);
        if (kind == DANGLING) CHECK(symlink("nowhere", path) == 0);
        if (kind >= EMPTY) CHECK((file = fopen(path, "wb")) != NULL && fclose(file) == 0);
        if (kind == SPARSE) CHECK(truncate(path, (off_t)1 << 40) == 0);
        alarm(10); /* ends a program that waits for ever */
        sakmak_tablebase *tables = sakmak_open(own);
        int code = sakmak_probe_variant(tables, "janggi", GOOD, NULL);
        CHECK(code == SAKMAK_BROKEN_FILE || (kind == DANGLING && code == SAKMAK_MISSING_TABLE));
        CHECK(sakmak_variant_moves(tables, "janggi", GOOD, NULL, 0) == code);
        CHECK(sakmak_variant_line(tables, "janggi", GOOD, line, sizeof line) == code);
        alarm(0);
        sakmak_close(tables);
        CHECK(remove(path) == 0);
    }
    CHECK(rmdir(folder) == 0 && rmdir(own) == 0);
}

static void check_fork(sakmak_tablebase *tables, const char *directory) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(120); /* ends a child that waits for ever */
        CHECK(sakmak_probe_variant(tables, "janggi", GOOD, NULL) == SAKMAK_OTHER_PROCESS);
        sakmak_tablebase *own = sakmak_open(directory);
        CHECK(sakmak_probe_variant(own, "janggi", GOOD, NULL) == SAKMAK_WIN);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    read_rows(argv[2]);
    sakmak_tablebase *tables = sakmak_open(argv[1]);
    CHECK(tables != NULL);
    pthread_t threads[THREADS];
    for (int thread = 0; thread < THREADS; thread++)
        CHECK(pthread_create(&threads[thread], NULL, check_rows, tables) == 0);
    for (int thread = 0; thread < THREADS; thread++)
        CHECK(pthread_join(threads[thread], NULL) == 0);
    check_refusals(tables);
    check_damage(argv[1]);
    check_no_tables();
    check_fork(tables, argv[1]);
    sakmak_close(tables);
    printf("%d positions of board games from C, in %d threads\n", row_count, THREADS);
    return 0;
}
