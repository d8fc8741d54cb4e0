/* Probes a position of Janggi. Compile and run as probe.c. */
#include <sakmak.h>
#include <stdio.h>

int main(void) {
    sakmak_tablebase *tables = sakmak_open("sakmak-tables");
    const char *fen = "3k5/9/9/9/4R4/9/9/9/N8/4K4 w";
    int32_t plies;
    sakmak_variant_move best;
    if (sakmak_probe_variant(tables, "janggi", fen, &plies) == SAKMAK_WIN &&
        sakmak_variant_moves(tables, "janggi", fen, &best, 1) > 0)
        printf("%s wins in %d plies\n", best.text, plies);
    else
        printf("%s\n", sakmak_last_error());
    sakmak_close(tables);
    return 0;
}
