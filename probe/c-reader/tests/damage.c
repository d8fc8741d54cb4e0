/* Probes damaged files, for a build with sanitizers: a file must be refused, or its probes must end
 * with an answer or an error. Every file is in memory of exactly its size, so a read outside is
 * found. The checksum of the header is made right again, and models are damaged after zstd too, or
 * else little behind them would be tried. usage: damage DIR SECONDS SEED */
#include "../sakmak_reader.c"

#include <stdio.h>
#include <time.h>

enum { MOST_FILES = 4096, MOST_SIZE = 4 << 20, WDL_PROBES = 200, PACKED_PROBES = 20 };

/* Declared in zstd.h; libzstd is a part of libsakmak.a. */
size_t ZSTD_decompress(void *to, size_t capacity, const void *from, size_t size);

static struct {
    char name[64];
    uint8_t *bytes;
    size_t size;
} files[MOST_FILES];
static int file_count;

static uint64_t state;
static uint64_t below(uint64_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % limit;
}

/* Reads the files of a directory that are not too large to be copied often. */
static void read_files(const char *path) {
    DIR *directory = opendir(path);
    if (!directory) return;
    for (struct dirent *entry; (entry = readdir(directory)) && file_count < MOST_FILES;) {
        char full[4096];
        size_t length = strlen(entry->d_name);
        if (length < 5 || length >= 64) continue;
        if (strcmp(entry->d_name + length - 4, ".smv") &&
            strcmp(entry->d_name + length - 4, ".smp"))
            continue;
        snprintf(full, sizeof full, "%s/%s", path, entry->d_name);
        FILE *file = fopen(full, "rb");
        if (!file) continue;
        fseek(file, 0, SEEK_END);
        long size = ftell(file);
        rewind(file);
        uint8_t *bytes = size > 0 && size <= MOST_SIZE ? malloc((size_t)size) : NULL;
        if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size) {
            strcpy(files[file_count].name, entry->d_name);
            files[file_count].bytes = bytes;
            files[file_count++].size = (size_t)size;
        } else {
            free(bytes);
        }
        fclose(file);
    }
    closedir(directory);
}

/* Changes up to seven bytes, most of them near the begin. */
static void damage(uint8_t *bytes, size_t size) {
    static const uint8_t edges[] = {0, 1, 0x7F, 0x80, 0xFF};
    for (uint64_t i = below(8); size && i < 8; i++) {
        uint64_t near = !below(3) ? HEADER : !below(2) ? 4096 : size;
        uint8_t *at = &bytes[below(near < size ? near : size)];
        *at = (uint8_t)(below(2) ? *at ^ 1 << below(8) : edges[below(sizeof edges)]);
    }
}

static int damage_models;
static size_t decompress(void *to, size_t capacity, const void *from, size_t size) {
    size_t length = ZSTD_decompress(to, capacity, from, size);
    if (!damage_models || length > capacity) return length;
    damage(to, length);
    return below(8) ? length : length - (size_t)below(length + 1);
}

/* Offset of the directory of White to move in a WDL file. */
static size_t directory(const uint8_t *bytes) {
    int categories = count(bytes[50]);
    return HEADER + 8 * (categories > 4 ? 3u : categories > 2 ? 2u : 1u) * load32(bytes + 64);
}

/* A damaged copy in memory of exactly its size. Some WDL files are damaged behind their patterns
 * alone, which may be most of the file. */
static uint8_t *damaged(int file, size_t *size) {
    *size = files[file].size;
    if (!below(4)) *size = (size_t)below(*size + 1);
    uint8_t *bytes = malloc(*size ? *size : 1);
    if (!bytes) exit(1);
    memcpy(bytes, files[file].bytes, *size);
    size_t from = strstr(files[file].name, ".smv") && !below(3) ? directory(files[file].bytes) : 0;
    if (from > *size) from = 0;
    if (!damage_models) damage(bytes + from, *size - from);
    if (*size >= HEADER && below(8)) {
        uint64_t checksum = xxh3_header(bytes);
        for (int i = 0; i < 8; i++) bytes[HEADER - 8 + i] = (uint8_t)(checksum >> (8 * i));
    }
    return bytes;
}

/* Exchanges the files that a reader has with those of another one, so that captures and promotions
 * lead from a damaged file to whole ones. */
static void exchange(sakmak_reader *reader, sakmak_reader *other) {
    for (size_t i = 0; i < reader->places; i++) {
        table *mine = reader->tables[i];
        table *theirs = mine ? other->tables[place_of(other, mine->key)] : NULL;
        for (int rule = 0; theirs && rule < RULES; rule++)
            if (mine->wdl[rule]) {
                wdl_file *file = mine->wdl[rule];
                mine->wdl[rule] = theirs->wdl[rule];
                theirs->wdl[rule] = file;
            }
        for (int metric = 0; theirs && metric < METRICS; metric++)
            if (mine->packed[metric]) {
                packed_file *file = mine->packed[metric];
                mine->packed[metric] = theirs->packed[metric];
                theirs->packed[metric] = file;
            }
    }
}

/* A random position of a material. */
static sakmak_reader_position placed(const char *name) {
    sakmak_reader_position p;
    memset(&p, 0, sizeof p);
    uint64_t *const kinds[] = {&p.kings, &p.rooks, &p.knights, &p.khons, &p.mets, &p.pawns};
    int black = (int)below(2);
    p.turn = (int)below(2);
    for (; *name && *name != '.'; name++) {
        const char *letter = strchr(LETTERS, *name);
        if (!letter) {
            black = !black;
            continue;
        }
        uint64_t one = (uint64_t)1
                       << (*name == 'P' ? 16 + 8 * black + (int)below(24) : (int)below(64));
        *(black ? &p.black : &p.white) |= one;
        *kinds[letter - LETTERS] |= one;
    }
    return p;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fputs("usage: damage DIR SECONDS SEED\n", stderr);
        return 2;
    }
    state = strtoull(argv[3], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    read_files(argv[1]);
    if (!file_count) {
        fprintf(stderr, "%s: no files\n", argv[1]);
        return 1;
    }
    sakmak_reader *whole = sakmak_reader_new(ZSTD_decompress);
    if (!whole) return 1;
    for (int i = 0; i < file_count; i++) {
        int added = sakmak_reader_add_bytes(whole, files[i].bytes, files[i].size, 0);
        if (added > 0 || added == SAKMAK_READER_OTHER_FILE) continue;
        fprintf(stderr, "%s: refused\n", files[i].name);
        return 1;
    }
    time_t end = time(NULL) + atoi(argv[2]);
    long tried = 0, refused = 0, answers = 0, errors = 0;
    do {
        int file = (int)below((uint64_t)file_count),
            flags = below(16) ? 0 : SAKMAK_READER_CHECKSUMS;
        size_t size;
        damage_models = !below(3);
        uint8_t *bytes = damaged(file, &size);
        sakmak_reader *reader = sakmak_reader_new(decompress);
        if (!reader) return 1;
        int added = sakmak_reader_add_bytes(reader, bytes, size, flags);
        exchange(reader, whole);
        int packed = strstr(files[file].name, ".smp") != NULL;
        for (int i = 0; added > 0 && i < (packed ? PACKED_PROBES : WDL_PROBES); i++) {
            sakmak_reader_position p = placed(files[file].name);
            int rule = below(8) ? (int)load32(bytes + 12) - packed : (int)below(8) - 1, moves;
            sakmak_reader_move ranked[SAKMAK_READER_MOVES_MAX];
            int limit = (int)below(129), count_now = (int)below(130);
            int answer = !packed    ? sakmak_reader_wdl(whole, rule, &p)
                         : !below(32)
                             ? sakmak_reader_rank(whole, rule, &p, limit, count_now, ranked)
                         : below(2) ? sakmak_reader_distance(whole, rule, &p, &moves)
                                    : sakmak_reader_category(whole, rule, &p, limit, count_now);
            if (answer < SAKMAK_READER_SOLVED_FILE || answer > SAKMAK_READER_MOVES_MAX) {
                fprintf(stderr, "%s: the answer %d\n", files[file].name, answer);
                return 1;
            }
            answer < 0 ? errors++ : answers++;
        }
        tried++;
        refused += added < 0;
        exchange(reader, whole);
        sakmak_reader_close(reader);
        free(bytes);
    } while (time(NULL) < end);
    sakmak_reader_close(whole);
    for (int i = 0; i < file_count; i++) free(files[i].bytes);
    printf("%ld damaged files of %d: %ld refused; %ld probes answered, %ld errors\n", tried,
           file_count, refused, answers, errors);
    return !refused || !answers || !errors;
}
