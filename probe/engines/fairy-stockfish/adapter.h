// Sakmak's tables in Fairy-Stockfish: options, the order of root moves, and probes in the search.
#ifndef SAKMAK_ADAPTER_H
#define SAKMAK_ADAPTER_H

#include "position.h"
#include "search.h"
#include "uci.h"

namespace Stockfish::Sakmak {

// The most men of a position that this search probes, 0 for none, and the least depth at which.
extern int SearchMen;
extern Depth SearchDepth;

// Adds SakmakPath, SakmakProbeDepth, SakmakProbeLimit and SakmakCounting.
void add_options(UCI::OptionsMap &options);

// At the start of a search: ranks the root moves by what the tables say under the running count, so
// that only those are searched that keep the result and make progress.
void rank_root_moves(Position &pos, Search::RootMoves &moves);

// Whether the search probes a position: it does after captures and moves of pawns.
inline bool applies(const Position &pos, Depth depth) {
    const int men = pos.count<ALL_PIECES>();
    return men <= SearchMen && pos.rule50_count() == 0 && (men < SearchMen || depth >= SearchDepth);
}

// The bounds of a position of the search under the running count. False if no table answers.
bool probe(const Position &pos, int ply, Value &lower, Value &upper);

}  // namespace Stockfish::Sakmak

#endif
