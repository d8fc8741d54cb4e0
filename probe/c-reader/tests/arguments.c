/* Arguments without a meaning and files that are no tables, for a build with sanitizers: each is
 * refused, with a reason. DIR has WDL and packed files of Makruk. usage: arguments DIR */
#include "../sakmak_reader.c"

#include <limits.h>
#include <stdio.h>

/* Declared in zstd.h; libzstd is a part of libsakmak.a. */
size_t ZSTD_decompress(void *to, size_t capacity, const void *from, size_t size);

#define CHECK(holds)                                                                               \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #holds);                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const int NUMBERS[] = {INT_MIN, INT_MIN + 1, -65536, -65535,      -6,     -5,  -1,
                              0,       1,           2,      3,           4,      5,   6,
                              63,      64,          128,    129,         255,    256, 32767,
                              32768,   65535,       65536,  INT_MAX - 1, INT_MAX};
enum { COUNT = sizeof NUMBERS / sizeof *NUMBERS };

/* White: Kc2, Rg8; Black: Kd4, Mb4. */
static sakmak_reader_position rook_and_met(void) {
    sakmak_reader_position p;
    memset(&p, 0, sizeof p);
    p.white = (uint64_t)1 << 10 | (uint64_t)1 << 62;
    p.black = (uint64_t)1 << 27 | (uint64_t)1 << 25;
    p.kings = (uint64_t)1 << 10 | (uint64_t)1 << 27;
    p.rooks = (uint64_t)1 << 62;
    p.mets = (uint64_t)1 << 25;
    return p;
}

static void check_numbers(const sakmak_reader *reader) {
    sakmak_reader_position p = rook_and_met(), turned = p;
    int fresh = sakmak_reader_category(reader, 1, &p, 0, 0), moves = 77, category = 7;
    sakmak_reader_move ranked[SAKMAK_READER_MOVES_MAX];
    sakmak_reader_count count_of;
    CHECK(fresh >= 0 && sakmak_reader_wdl(reader, 1, &p) == fresh);
    for (int i = 0; i < COUNT; i++) {
        int number = NUMBERS[i], known = number >= 1 && number <= RULES;
        int in_range = number >= 0 && number <= SAKMAK_READER_COUNT_MAX;
        /* Rules. */
        CHECK(known || sakmak_reader_wdl(reader, number, &p) == SAKMAK_READER_MISSING);
        CHECK(known || sakmak_reader_category(reader, number, &p, 64, 9) == SAKMAK_READER_MISSING);
        CHECK(known || !number ||
              sakmak_reader_distance(reader, number, &p, &moves) == SAKMAK_READER_MISSING);
        CHECK(known || !number ||
              sakmak_reader_rank(reader, number, &p, 0, 0, ranked) == SAKMAK_READER_MISSING);
        CHECK(known || sakmak_reader_describe_count(number, &p, 0, 0, &count_of) ==
                           (number ? SAKMAK_READER_BAD_ARGUMENT : 0));
        CHECK(known || (!sakmak_reader_largest(reader, number) &&
                        !sakmak_reader_largest_root(reader, number)));
        /* Limits and counts. */
        for (int j = 0; j < COUNT; j++) {
            int count_now = NUMBERS[j],
                counts = count_now >= 0 && count_now <= SAKMAK_READER_COUNT_MAX;
            int found = sakmak_reader_category(reader, 1, &p, number, count_now);
            CHECK(in_range && counts ? found >= 0 : found == SAKMAK_READER_BAD_ARGUMENT);
            CHECK(number || !counts || found == fresh);
            found = sakmak_reader_rank(reader, 1, &p, number, count_now, ranked);
            CHECK(in_range && counts ? found > 0 : found == SAKMAK_READER_BAD_ARGUMENT);
            CHECK(sakmak_reader_describe_count(1, &p, number, count_now, &count_of) ==
                  (in_range && counts ? 1 : SAKMAK_READER_BAD_ARGUMENT));
            count_of.limit = number;
            count_of.count = count_now;
            found = sakmak_reader_next_count(1, &p, &p, &count_of);
            CHECK(found == (in_range && counts ? 1 : SAKMAK_READER_BAD_ARGUMENT));
        }
        /* The side to move. */
        turned.turn = number;
        CHECK((sakmak_reader_wdl(reader, 1, &turned) == SAKMAK_READER_BAD_POSITION) ==
              (number < 0 || number > 1));
        CHECK(sakmak_reader_distance(reader, 1, &turned, &moves) < 0 || !(number & ~1));
        CHECK(sakmak_reader_rank(reader, 1, &turned, 0, 0, ranked) < 0 || !(number & ~1));
        CHECK((sakmak_reader_describe_count(1, &turned, 0, 0, &count_of) < 0) ==
              (number < 0 || number > 1));
        CHECK(sakmak_reader_category(reader, 1, &turned, 0, 0) < 0 || !(number & ~1));
        /* Positions of a batch, files, errors. */
        if (number < 0 || number > SAKMAK_READER_BATCH_MAX) {
            CHECK(sakmak_reader_wdl_batch(reader, 1, &p, number, &category) ==
                  SAKMAK_READER_BAD_ARGUMENT);
            CHECK(!sakmak_reader_refused_file(reader, number, &moves));
        }
        CHECK(*sakmak_reader_error_text(number));
    }
    CHECK(sakmak_reader_wdl_batch(reader, 1, &p, SAKMAK_READER_BATCH_MAX + 1, &category) ==
          SAKMAK_READER_BAD_ARGUMENT);
    CHECK(sakmak_reader_wdl_batch(reader, 1, &p, 0, &category) == 0 && category == 7);
    CHECK(sakmak_reader_wdl_batch(reader, 1, &p, 1, &category) == 0 && category == fresh);
    /* Squares: the error of a bitboard with any one more. */
    for (int square = 0; square < SQUARES; square++) {
        sakmak_reader_position more = p;
        more.pawns |= (uint64_t)1 << square;
        CHECK(sakmak_reader_wdl(reader, 1, &more) == SAKMAK_READER_BAD_POSITION);
        more = p;
        more.white |= (uint64_t)1 << square;
        CHECK((sakmak_reader_wdl(reader, 1, &more) == SAKMAK_READER_BAD_POSITION) ==
              !(p.white >> square & 1));
    }
    /* Men. */
    memset(&turned, 0xFF, sizeof turned);
    CHECK(sakmak_reader_wdl(reader, 1, &turned) == SAKMAK_READER_MISSING);
    memset(&turned, 0, sizeof turned);
    CHECK(sakmak_reader_wdl(reader, 1, &turned) == SAKMAK_READER_BAD_POSITION);
}

/* Checks the count after a move. */
static void check_next(int rule, const sakmak_reader_position *before,
                       const sakmak_reader_position *after, int limit, int count_now,
                       int limit_after, int count_after) {
    sakmak_reader_count c = {limit, count_now, 0, 0, {0, 0}};
    CHECK(sakmak_reader_next_count(rule, before, after, &c) == (limit_after > 0));
    CHECK(c.limit == limit_after && c.count == count_after);
}

static void check_counts(void) {
    sakmak_reader_position met = rook_and_met(), moved = met, bare = met, runs, start;
    sakmak_reader_count c;
    moved.turn = 1;
    bare.black &= bare.kings;
    bare.mets = 0;
    runs = bare;
    runs.turn = 1;
    CHECK(sakmak_reader_describe_count(1, &met, 0, 0, &c) == 1 && c.limit == 128 && c.count == 0);
    CHECK(c.last_call == 64 && c.called == 0 && c.moves_left[0] == 65 && c.moves_left[1] == 64);
    CHECK(sakmak_reader_describe_count(1, &runs, 0, 0, &c) == 1 && c.limit == 32 && c.count == 6);
    CHECK(c.last_call == 16 && c.called == 3 && c.moves_left[0] == 13 && c.moves_left[1] == -1);
    CHECK(sakmak_reader_describe_count(1, &bare, 0, 0, &c) == 1 && c.count == 5 && c.called == 3);
    CHECK(sakmak_reader_describe_count(0, &bare, 0, 0, &c) == 0);
    CHECK(c.limit == 0 && c.moves_left[0] == -1);
    /* It goes on, starts with a capture, and starts when a side that may count is to move. */
    check_next(1, &met, &moved, 128, 10, 128, 11);
    check_next(1, &met, &runs, 128, 10, 32, 6);
    check_next(1, &met, &moved, 0, 0, 128, 0);
    check_next(1, &bare, &runs, 0, 0, 32, 6);
    check_next(1, &runs, &bare, 0, 0, 0, 0);
    check_next(0, &met, &moved, 128, 10, 0, 0);
    /* In Ouk the count that ends sooner is kept. */
    check_next(3, &met, &runs, 126, 10, 30, 6);
    check_next(3, &met, &runs, 126, 110, 126, 111);
    /* 32 men: no count with pawns, and without them the board's honour in Makruk alone. */
    memset(&start, 0, sizeof start);
    start.white = 0xFF00FF;
    start.black = start.white << 40;
    start.kings = (uint64_t)1 << 4 | (uint64_t)1 << 60;
    start.pawns = (uint64_t)0xFF << 16 | (uint64_t)0xFF << 40;
    start.rooks = (start.white | start.black) & ~start.kings & ~start.pawns;
    CHECK(sakmak_reader_describe_count(1, &start, 0, 0, &c) == 0);
    start.mets = start.pawns;
    start.pawns = 0;
    CHECK(sakmak_reader_describe_count(1, &start, 0, 0, &c) == 1 && c.limit == 128 && c.count == 0);
    CHECK(sakmak_reader_describe_count(3, &start, 0, 0, &c) == 0);
}

/* The bytes of a file, whose number goes to `size`. */
static uint8_t *bytes_of(const char *directory, const char *name, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    CHECK(file && !fseek(file, 0, SEEK_END));
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    CHECK(bytes && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static void check_sizes(const char *directory) {
    size_t size;
    uint8_t *bytes = bytes_of(directory, "KRvK.makruk.smv", &size);
    sakmak_reader *reader = sakmak_reader_new(NULL);
    CHECK(reader);
    for (int bit = 0; bit < 8; bit++) {
        CHECK(sakmak_reader_add_bytes(reader, bytes, SIZE_MAX - ((size_t)1 << bit) + 1, 0) ==
              SAKMAK_READER_BAD_ARGUMENT);
        CHECK(sakmak_reader_add_bytes(reader, bytes, (SIZE_MAX >> 1) + ((size_t)1 << bit), 0) ==
              SAKMAK_READER_BAD_ARGUMENT);
        CHECK(sakmak_reader_add_bytes(reader, bytes, size >> (bit + 1), 0) ==
              SAKMAK_READER_BROKEN_FILE);
    }
    CHECK(sakmak_reader_add_bytes(reader, "", 0, 0) == SAKMAK_READER_BROKEN_FILE);
    CHECK(sakmak_reader_add_bytes(reader, bytes, size, INT_MIN) == 1);
    CHECK(sakmak_reader_add_bytes(reader, bytes, size, INT_MAX) == 0);
    sakmak_reader_close(reader);
    free(bytes);
}

/* Every file that is not read is named with its reason, and none counts. */
static void check_refused(const char *from) {
    static const struct {
        const char *name;
        int error;
    } files[] = {
        {"KNvK.makruk.smv", SAKMAK_READER_OTHER_VERSION},
        {"KMvK.makruk.smv", SAKMAK_READER_OTHER_FILE},
        {"KRvK.makruk.smv", SAKMAK_READER_BROKEN_FILE},
        {"KRvKM.dtm.smp", SAKMAK_READER_NO_ZSTD},
        {"KRvKR.dtm.smp", SAKMAK_READER_OTHER_VERSION},
        {"KSvK.dtm.smt", SAKMAK_READER_SOLVED_FILE},
        {"KPvK.makruk.smv", SAKMAK_READER_BROKEN_FILE}, /* a pipe, which is not waited for */
        {"KPvK.ouk.smv", SAKMAK_READER_BROKEN_FILE},    /* a directory */
        {"KPvK.dtm.smp", SAKMAK_READER_BROKEN_FILE},    /* sparse, a terabyte */
        {"KSvK.makruk.smv", SAKMAK_READER_BROKEN_FILE}, /* empty */
        {"KSvK.ouk.smv", SAKMAK_READER_BAD_DIRECTORY}}; /* a dangling link */
    enum { FILES = sizeof files / sizeof *files, PIPE = 6, FOLDER, SPARSE, EMPTY, DANGLING };
    char directory[] = "/tmp/sakmak-reader-XXXXXX", path[64];
    size_t sizes[2];
    uint8_t *whole[2] = {bytes_of(from, "KRvK.makruk.smv", &sizes[0]),
                         bytes_of(from, "KRvKM.dtm.smp", &sizes[1])};
    CHECK(mkdtemp(directory));
    for (int i = 0; i < FILES; i++) {
        int packed = strstr(files[i].name, ".smp") != NULL, file;
        uint8_t *bytes = whole[packed];
        size_t size = sizes[packed];
        uint64_t fingerprint = load64(bytes + 16);
        snprintf(path, sizeof path, "%s/%s", directory, files[i].name);
        if (i == PIPE) CHECK(!mkfifo(path, 0600));
        if (i == FOLDER) CHECK(!mkdir(path, 0700));
        if (i == DANGLING) CHECK(!symlink("nowhere", path));
        if (i == PIPE || i == FOLDER || i == DANGLING) continue;
        bytes[8] = files[i].error == SAKMAK_READER_OTHER_VERSION ? 1 : 2;
        if (files[i].error == SAKMAK_READER_OTHER_FILE) bytes[16] ^= 1;
        uint64_t checksum = xxh3_header(bytes);
        for (int j = 0; j < 8; j++) bytes[HEADER - 8 + j] = (uint8_t)(checksum >> 8 * j);
        if (files[i].error == SAKMAK_READER_BROKEN_FILE) bytes[100] ^= 1;
        CHECK((file = open(path, O_CREAT | O_WRONLY, 0600)) >= 0);
        if (i != SPARSE && i != EMPTY) CHECK(write(file, bytes, size) == (ssize_t)size);
        if (i == SPARSE) CHECK(!ftruncate(file, (off_t)1 << 40));
        close(file);
        if (files[i].error == SAKMAK_READER_BROKEN_FILE) bytes[100] ^= 1;
        if (load64(bytes + 16) != fingerprint) bytes[16] ^= 1;
    }
    alarm(10); /* ends a program that waits */
    sakmak_reader *reader = sakmak_reader_new(NULL);
    CHECK(reader && sakmak_reader_add_directory(reader, directory, 0) == 0);
    alarm(0);
    CHECK(!sakmak_reader_largest(reader, 1) && !sakmak_reader_largest_root(reader, 1));
    int seen = 0, error = 7, number = 0;
    for (const char *name; (name = sakmak_reader_refused_file(reader, number, &error)); number++)
        for (int i = 0; i < FILES; i++) {
            if (strcmp(strrchr(name, '/') + 1, files[i].name)) continue;
            if (error != files[i].error)
                fprintf(stderr, "%s: %s\n", name, sakmak_reader_error_text(error));
            CHECK(error == files[i].error);
            seen++;
        }
    CHECK(number == FILES && seen == FILES && sakmak_reader_refused_count(reader) == FILES);
    CHECK(sakmak_reader_refused(reader, &error) && error != SAKMAK_READER_OTHER_FILE);
    CHECK(sakmak_reader_refused(reader, NULL));
    sakmak_reader_close(reader);
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[i].name);
        CHECK(!remove(path));
    }
    CHECK(!rmdir(directory));
    free(whole[0]);
    free(whole[1]);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: arguments DIR\n", stderr);
        return 2;
    }
    sakmak_reader *reader = sakmak_reader_new(ZSTD_decompress);
    CHECK(reader && sakmak_reader_add_directory(reader, argv[1], 0) > 0);
    int error = 7;
    CHECK(!sakmak_reader_refused(reader, &error) && error == 0);
    CHECK(sakmak_reader_largest(reader, SAKMAK_READER_MAKRUK) >= 4);
    check_numbers(reader);
    check_counts();
    check_sizes(argv[1]);
    check_refused(argv[1]);
    char list[4096];
    snprintf(list, sizeof list, "%s:%s", argv[1], argv[1]);
    CHECK(sakmak_reader_add_directory(reader, list, 0) == SAKMAK_READER_BAD_DIRECTORY);
    sakmak_reader_close(reader);
    /* A list: empty, with a directory twice, with one that does not exist. */
    reader = sakmak_reader_new(ZSTD_decompress);
    CHECK(reader && sakmak_reader_add_directories(reader, "", 0) == 0);
    int alone = sakmak_reader_add_directory(reader, argv[1], 0), refused;
    sakmak_reader_close(reader);
    reader = sakmak_reader_new(ZSTD_decompress);
    snprintf(list, sizeof list, "/nowhere::%s:%s:", argv[1], argv[1]);
    CHECK(reader && sakmak_reader_add_directories(reader, list, 0) == alone);
    refused = sakmak_reader_refused_count(reader);
    CHECK(refused > 0 && !strcmp(sakmak_reader_refused_file(reader, 0, &error), "/nowhere"));
    CHECK(error == SAKMAK_READER_BAD_DIRECTORY);
    sakmak_reader_close(reader);
    puts("arguments at their limits, and files that are no tables: refused");
    return 0;
}
