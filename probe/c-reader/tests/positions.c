/* Holds the reader to the library on random legal positions, or to answers that were recorded.
 *
 *     positions record DIR NUMBER FILE   takes positions of all materials with a file in DIR,
 * writes them with the answers of libsakmak, and times both; needs -DWITH_LIBRARY and libsakmak
 *     positions replay DIR FILE THREADS  compares the reader with the answers, in several threads
 */
#define _POSIX_C_SOURCE 200809L

#include "../sakmak_reader.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef __wasm__
#include <pthread.h>
#endif
#ifdef WITH_LIBRARY
#include <sakmak.h>
#endif

/* Declared in zstd.h; libzstd is a part of libsakmak.a. */
size_t ZSTD_decompress(void *to, size_t capacity, const void *from, size_t size);

enum { ROUNDS = 5, MOST_TIMED = 5000, MOST_RANKED = 200, MOST_FILES = 4096, MOST_THREADS = 16 };

/* The least limit of a board's honour. There the library's number called is that of the loser. */
enum { BOARDS_LIMIT = 126 };

/* The questions about a position. */
enum { WDL, DISTANCE, CATEGORY, RANK, COUNT, QUESTIONS };

/* A question and its answer: a category, in RANK that of the best move, in COUNT whether there is a
 * count. `moves` are those of a distance, or a hash of all ranked moves or of the count, which
 * binds the attacker. */
typedef struct {
    sakmak_reader_position position;
    int question, rule, limit, count;
    int answer, moves, attacker;
} row;

static void fail(const char *text, const char *about) {
    fprintf(stderr, "%s: %s\n", about, text);
    exit(1);
}

/* Adds the files of a directory. */
static int add(sakmak_reader *reader, const char *path, int flags) {
#ifndef __wasm__
    return sakmak_reader_add_directory(reader, path, flags);
#else
    /* Files cannot be mapped there: their bytes are kept until the program ends. */
    int added = 0;
    char full[4096];
    DIR *directory = opendir(path);
    if (!directory) fail("not a directory", path);
    for (struct dirent *entry; (entry = readdir(directory));) {
        snprintf(full, sizeof full, "%s/%s", path, entry->d_name);
        const char *end = full + strlen(full) - 4;
        if (strlen(entry->d_name) < 4 || (strcmp(end, ".smv") && strcmp(end, ".smp"))) continue;
        FILE *file = fopen(full, "rb");
        if (!file || fseek(file, 0, SEEK_END)) fail("cannot be read", full);
        size_t size = (size_t)ftell(file);
        uint8_t *bytes = malloc(size);
        rewind(file);
        if (!bytes || fread(bytes, 1, size, file) != size) fail("cannot be read", full);
        fclose(file);
        int result = sakmak_reader_add_bytes(reader, bytes, size, flags);
        if (result < 0 && result != SAKMAK_READER_OTHER_FILE) fail("refused", full);
        added += result > 0;
    }
    closedir(directory);
    return added;
#endif
}

static sakmak_reader *opened(const char *path, int flags) {
    sakmak_reader *reader = sakmak_reader_new(ZSTD_decompress);
    if (!reader) fail("no memory", path);
    if (add(reader, path, flags) <= 0) fail("no files", path);
    if (sakmak_reader_refused(reader, NULL)) fail("refused", sakmak_reader_refused(reader, NULL));
    return reader;
}

static int hashed(const int *numbers, int count) {
    unsigned hash = 0;
    for (int i = 0; i < count; i++) hash = (hash ^ (unsigned)numbers[i]) * 16777619u;
    return (int)(hash >> 1);
}

static int ask_rank(const sakmak_reader *reader, const row *r, int *hash) {
    sakmak_reader_move ranked[SAKMAK_READER_MOVES_MAX];
    int found = sakmak_reader_rank(reader, r->rule, &r->position, r->limit, r->count, ranked);
    *hash = 0;
    for (int i = 0; i < found; i++) {
        const sakmak_reader_move *m = &ranked[i];
        int all[] = {*hash,   m->from,    m->to,          m->promotes, m->category,
                     m->mate, m->counted, m->mate_in_time};
        *hash = hashed(all, 8);
    }
    return found > 0 ? ranked[0].category : found < 0 ? found : SAKMAK_READER_DRAW;
}

static int ask_count(const row *r, int *hash) {
    sakmak_reader_count c;
    int found = sakmak_reader_describe_count(r->rule, &r->position, r->limit, r->count, &c);
    if (found <= 0) return found;
    int called = c.limit < BOARDS_LIMIT ? c.called : 0;
    int all[] = {c.limit, c.count, c.last_call, called, c.moves_left[r->attacker]};
    *hash = hashed(all, 5);
    return found;
}

/* The answer, and its moves or its hash. */
static int ask(const sakmak_reader *reader, const row *r, int *moves) {
    *moves = 0;
    if (r->question == RANK) return ask_rank(reader, r, moves);
    if (r->question == COUNT) return ask_count(r, moves);
    if (r->question == WDL) return sakmak_reader_wdl(reader, r->rule, &r->position);
    if (r->question == DISTANCE)
        return sakmak_reader_distance(reader, r->rule, &r->position, moves);
    return sakmak_reader_category(reader, r->rule, &r->position, r->limit, r->count);
}

#ifdef WITH_LIBRARY
static const char *const RULES[] = {"dtm", "makruk", "makruk-khon-first", "ouk", "ouk-traditional"};

/* The files in a directory: material, what they answer, and the rule. */
static struct {
    char name[64];
    int question, rule;
} files[MOST_FILES];
static int file_count;

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void list(const char *path) {
    DIR *directory = opendir(path);
    if (!directory) fail("not a directory", path);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char *dot = strchr(entry->d_name, '.'), *end = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(end, ".smv") && strcmp(end, ".smp")) || strlen(entry->d_name) >= 64 ||
            file_count == MOST_FILES)
            continue;
        for (int rule = 0; rule < 5; rule++)
            if (strlen(RULES[rule]) == (size_t)(end - dot - 1) &&
                !strncmp(dot + 1, RULES[rule], strlen(RULES[rule]))) {
                strcpy(files[file_count].name, entry->d_name);
                files[file_count].question = strcmp(end, ".smv") ? DISTANCE : WDL;
                files[file_count++].rule = rule;
            }
    }
    closedir(directory);
    if (!file_count) fail("no files of tables", path);
}

/* A random position of a material; not always legal. The stronger side may be Black. */
static sakmak_reader_position placed(const char *name) {
    sakmak_reader_position p;
    memset(&p, 0, sizeof p);
    uint64_t used = 0, *const kinds[] = {&p.kings, &p.rooks, &p.knights,
                                         &p.khons, &p.mets,  &p.pawns};
    int black = (int)(next() & 1);
    p.turn = (int)(next() & 1);
    for (; *name != '.'; name++) {
        if (*name == 'v') {
            black = !black;
            continue;
        }
        int square, pawn = *name == 'P';
        do square = (int)(next() & 63);
        while (used >> square & 1 || (pawn && (square / 8 < 2 + black || square / 8 > 4 + black)));
        used |= (uint64_t)1 << square;
        *(black ? &p.black : &p.white) |= (uint64_t)1 << square;
        *kinds[strchr("KRNSMP", *name) - "KRNSMP"] |= (uint64_t)1 << square;
    }
    return p;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static sakmak_position of_library(const row *r) {
    const sakmak_reader_position *p = &r->position;
    int without = r->question == RANK ? SAKMAK_MAKRUK + SAKMAK_UNCOUNTED : SAKMAK_MAKRUK;
    return (sakmak_position){p->white,
                             p->black,
                             p->kings,
                             p->rooks,
                             p->knights,
                             p->khons,
                             p->mets,
                             p->pawns,
                             (uint8_t)p->turn,
                             (uint8_t)(r->rule ? r->rule : without),
                             (uint16_t)r->limit,
                             (uint16_t)r->count,
                             0};
}

static int ask_library_rank(sakmak_tablebase *tables, const sakmak_position *p, row *r) {
    sakmak_move ranked[SAKMAK_READER_MOVES_MAX];
    int found = sakmak_moves(tables, p, ranked, SAKMAK_READER_MOVES_MAX);
    for (int i = 0; i < found; i++) {
        const sakmak_move *m = &ranked[i];
        int all[] = {r->moves,
                     m->from,
                     m->to,
                     m->promotion == SAKMAK_MET,
                     m->category,
                     m->distance.dtm_moves,
                     m->distance.counted,
                     m->mate_in_time};
        r->moves = hashed(all, 8);
    }
    r->answer = found > 0 ? ranked[0].category : SAKMAK_DRAW;
    return found;
}

static int ask_library_count(sakmak_tablebase *tables, const sakmak_position *p, row *r) {
    sakmak_count c;
    int found = r->answer = sakmak_probe_count(tables, p, &c);
    if (found <= 0) return found;
    int called = c.limit_plies < BOARDS_LIMIT ? c.called : 0;
    int all[] = {c.limit_plies, c.plies, c.limit, called, c.moves_left};
    r->moves = hashed(all, 5);
    r->attacker = c.attacker;
    return found;
}

/* Asks the library. Returns 0 if the position is not legal or cannot have the count. */
static int ask_library(sakmak_tablebase *tables, row *r, sakmak_position *p) {
    sakmak_distance distance;
    int error = 0;
    *p = of_library(r);
    r->moves = 0;
    if (r->question == WDL) {
        r->answer = error = sakmak_probe_wdl(tables, p);
    } else if (r->question == CATEGORY) {
        r->answer = error = sakmak_probe_category(tables, p);
    } else if (r->question == RANK) {
        error = ask_library_rank(tables, p, r);
    } else if (r->question == COUNT) {
        error = ask_library_count(tables, p, r);
    } else {
        error = sakmak_probe_distance(tables, p, &distance);
        if (!error) {
            int drawn = (r->rule ? distance.counted : distance.dtm_moves) < 0;
            r->moves = drawn ? 0 : r->rule ? distance.counted : distance.dtm_moves;
            r->answer = drawn ? SAKMAK_DRAW : distance.dtm_plies % 2 ? SAKMAK_WIN : SAKMAK_LOSS;
        }
    }
    /* Of a count the library looks up who wins, the reader does not. */
    int needed = r->question != COUNT && error == SAKMAK_MISSING_TABLE;
    if (needed || error == SAKMAK_BROKEN_FILE)
        fail(sakmak_last_error(), "the library");
    return error >= 0;
}

/* The processor time of the first WDL rows as batches, one for each rule. */
static double batch_seconds(const sakmak_reader *reader, const row *rows, long asked) {
    double sum = 0;
    for (int rule = 1; rule < 5; rule++) {
        sakmak_reader_position *positions = malloc((size_t)asked * sizeof *positions);
        int *categories = malloc((size_t)asked * sizeof *categories), number = 0;
        if (!positions || !categories) fail("no memory", "batches");
        for (long i = 0, left = asked; left; i++) {
            if (rows[i].question != WDL) continue;
            left--;
            if (rows[i].rule == rule) positions[number++] = rows[i].position;
        }
        double began = seconds();
        sakmak_reader_wdl_batch(reader, rule, positions, number, categories);
        sum += seconds() - began;
        free(positions);
        free(categories);
    }
    return sum;
}

static int record(const char *path, int number, const char *to) {
    static const int limits[] = {0, 128, 126, 88, 86, 64, 62, 44, 42, 32, 30, 16, 14};
    static const char *const names[] = {"WDL", "distance", "category", "rank", "count"};
    sakmak_tablebase *tables = sakmak_open(path);
    sakmak_reader *reader = opened(path, SAKMAK_READER_CHECKSUMS);
    row *rows = calloc((size_t)number, sizeof *rows);
    sakmak_position *positions = calloc((size_t)number, sizeof *positions);
    long each[QUESTIONS][5] = {{0}}, sum = 0, wrong = 0;
    if (!tables || !rows || !positions) fail("cannot be opened", path);
    list(path);
    for (int i = 0; i < number;) {
        int file = (int)(next() % (uint64_t)file_count);
        row *r = &rows[i];
        /* A distance takes fifty times as long. */
        if (files[file].question == DISTANCE && next() % 8) continue;
        r->position = placed(files[file].name);
        r->question = files[file].question;
        r->rule = files[file].rule;
        r->limit = r->count = 0;
        if (r->question == DISTANCE && next() % 4 == 0) r->question = RANK;
        if (r->question == DISTANCE && r->rule && next() % 4) r->question = CATEGORY;
        if (r->rule && next() % 32 == 0) r->question = COUNT;
        /* Mate decides for these men under each rule. */
        if (r->question == RANK && strstr(files[file].name, "vK.") &&
            !strchr(files[file].name, 'P'))
            r->rule = (int)(next() % 5);
        int counted = r->question >= CATEGORY;
        /* Few limits are possible. */
        for (int again = counted ? 10 : 1; again; again--) {
            if (counted) {
                r->limit = limits[next() % (sizeof limits / sizeof *limits)];
                /* Often near the end. */
                int last = r->limit + 2, first = next() % 4 ? 0 : last - 3;
                r->count = r->limit ? first + (int)(next() % (uint64_t)(last - first)) : 0;
            }
            if (!ask_library(tables, r, &positions[i])) continue;
            each[r->question][rows[i++].answer]++;
            break;
        }
    }
    FILE *file = fopen(to, "wb");
    if (!file || fwrite(rows, sizeof *rows, (size_t)number, file) != (size_t)number || fclose(file))
        fail("cannot be written", to);
    printf("%d positions of %d files\n", number, file_count);
    for (int question = 0; question < QUESTIONS; question++) {
        long *of = each[question], all = of[0] + of[1] + of[2] + of[3] + of[4];
        long most = question == WDL ? all : question == RANK ? MOST_RANKED : MOST_TIMED;
        long asked = all < most ? all : most;
        double own[ROUNDS], library[ROUNDS], batch[ROUNDS];
        int moves;
        if (!all) continue;
        for (int round = 0; round < ROUNDS; round++) {
            double began = seconds();
            long left = asked;
            for (int i = 0; left; i++)
                if (rows[i].question == question) sum += ask(reader, &rows[i], &moves), left--;
            own[round] = seconds() - began;
            began = seconds();
            left = asked;
            for (int i = 0; left; i++) {
                row again = rows[i];
                if (again.question != question) continue;
                wrong +=
                    !ask_library(tables, &again, &positions[i]) || again.answer != rows[i].answer;
                sum -= again.answer;
                left--;
            }
            library[round] = seconds() - began;
            if (question == WDL) batch[round] = batch_seconds(reader, rows, asked);
        }
        qsort(own, ROUNDS, sizeof *own, ascending);
        qsort(library, ROUNDS, sizeof *library, ascending);
        if (question == WDL) {
            qsort(batch, ROUNDS, sizeof *batch, ascending);
            printf("WDL in batches: reader %.0f ns a probe\n",
                   1e9 * batch[ROUNDS / 2] / (double)asked);
        }
        printf("%-8s  reader %6.0f ns, library %6.0f ns a probe, medians of %d runs; ",
               names[question], 1e9 * own[ROUNDS / 2] / (double)asked,
               1e9 * library[ROUNDS / 2] / (double)asked, ROUNDS);
        if (question == COUNT)
            printf("%ld without a count, %ld with one\n", of[0], of[1]);
        else
            printf("%ld losses, %ld blessed, %ld draws, %ld cursed, %ld wins\n", of[0], of[1],
                   of[2], of[3], of[4]);
    }
    if (sum) printf("the sums of the answers differ by %ld\n", sum);
    free(rows);
    free(positions);
    sakmak_reader_close(reader);
    sakmak_close(tables);
    return wrong != 0;
}
#endif

/* The part of the rows that a thread compares. */
typedef struct {
    const sakmak_reader *reader;
    const row *rows;
    long count, wrong;
} part;

/* Compares batches too, of up to 100 rows in which the rule stays the same. */
static void *compare(void *argument) {
    part *mine = argument;
    sakmak_reader_position batch[100];
    int categories[100], number = 0;
    for (long i = 0; i < mine->count; i++) {
        const row *r = &mine->rows[i];
        int moves, found = ask(mine->reader, r, &moves);
        if (r->question == WDL) batch[number++] = r->position;
        if (number == 100 || i + 1 == mine->count || r[1].question != WDL || r[1].rule != r->rule) {
            const row *first = r + (r->question == WDL) - number;
            sakmak_reader_wdl_batch(mine->reader, first->rule, batch, number, categories);
            for (int j = 0; j < number; j++) mine->wrong += categories[j] != first[j].answer;
            number = 0;
        }
        if ((found != r->answer || moves != r->moves) && !mine->wrong++)
            fprintf(stderr, "question %d, rule %d: %d in %d, recorded %d in %d\n", r->question,
                    r->rule, found, moves, r->answer, r->moves);
    }
    return NULL;
}

static int replay(const char *path, const char *from, int threads) {
    FILE *file = fopen(from, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail("cannot be read", from);
    long number = ftell(file) / (long)sizeof(row), wrong = 0;
    row *rows = malloc((size_t)number * sizeof *rows);
    rewind(file);
    if (!rows || fread(rows, sizeof *rows, (size_t)number, file) != (size_t)number)
        fail("cannot be read", from);
    fclose(file);
    sakmak_reader *reader = opened(path, 0);
    part parts[MOST_THREADS];
    for (int i = 0; i < threads; i++) {
        long begin = number * i / threads;
        parts[i] = (part){reader, rows + begin, number * (i + 1) / threads - begin, 0};
    }
#ifdef __wasm__
    compare(&parts[0]);
#else
    pthread_t running[MOST_THREADS];
    for (int i = 0; i < threads; i++)
        if (pthread_create(&running[i], NULL, compare, &parts[i])) fail("no thread", from);
    for (int i = 0; i < threads; i++) pthread_join(running[i], NULL);
#endif
    for (int i = 0; i < threads; i++) wrong += parts[i].wrong;
    printf("%ld positions in %d threads: %ld differences\n", number, threads, wrong);
    sakmak_reader_close(reader);
    free(rows);
    return wrong != 0 || number == 0;
}

int main(int argc, char **argv) {
    if (argc == 5 && !strcmp(argv[1], "replay") && atoi(argv[4]) >= 1 &&
        atoi(argv[4]) <= MOST_THREADS)
        return replay(argv[2], argv[3], atoi(argv[4]));
#ifdef WITH_LIBRARY
    if (argc == 5 && !strcmp(argv[1], "record") && atoi(argv[3]) > 0)
        return record(argv[2], atoi(argv[3]), argv[4]);
#endif
    fputs("usage: positions record DIR NUMBER FILE | positions replay DIR FILE THREADS\n", stderr);
    return 2;
}
