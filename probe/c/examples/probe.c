/* Prints the category of a position, its distance to mate, and its moves, best first.
 *
 *     cc probe.c $(pkg-config --cflags --libs sakmak) -o probe
 */
#include <sakmak.h>
#include <stdio.h>

int main(void) {
    const char *fen = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21";
    sakmak_position position;
    sakmak_distance distance;
    sakmak_move moves[255];

    sakmak_tablebase *tables = sakmak_open("sakmak-tables");
    if (tables == NULL || sakmak_position_from_fen(fen, "makruk", &position) < 0) {
        fprintf(stderr, "%s\n", sakmak_last_error());
        return 1;
    }
    int category = sakmak_probe_category(tables, &position);
    int count = sakmak_moves(tables, &position, moves, 255);
    if (category < 0 || count < 0 || sakmak_probe_distance(tables, &position, &distance) < 0) {
        fprintf(stderr, "%s\n", sakmak_last_error());
        return 1;
    }
    printf("%s, mate in %d plies\n", sakmak_category_name(category), distance.dtm_plies);
    for (int i = 0; i < count; i++)
        printf("%s %s\n", moves[i].san, sakmak_category_name(moves[i].category));
    sakmak_close(tables);
    return 0;
}
