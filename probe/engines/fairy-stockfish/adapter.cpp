// Files of tables in the program and in folders, read by sakmak_reader.c.
// Fairy-Stockfish is under the GPL, version 3 or later, and so is a program with both.
#include "adapter.h"

#include "sakmak_reader.h"
#include "thread.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#ifdef SAKMAK_EMBEDDED
#include "incbin/incbin.h"
// Files one behind the other, each behind its length in eight bytes.
INCBIN(Sakmak, "sakmak.files");
#endif
#ifdef SAKMAK_ZSTD
#include <zstd.h>
static sakmak_reader_zstd *const zstd = ZSTD_decompress;
#else
// Packed files are refused.
static sakmak_reader_zstd *const zstd = nullptr;
#endif

// Root moves are then shown with the scores of their ranks.
namespace Stockfish::Tablebases { extern bool RootInTB; }
namespace Stockfish::Sakmak {

int SearchMen = 0;
Depth SearchDepth = 0;
static sakmak_reader *reader = nullptr;
static int rule = SAKMAK_READER_MAKRUK;
// Whether a mate that comes too late for the count is a draw.
static bool counting = true;

// A reader with the files in the program. incbin's gSakmakEnd is no address of the end: its bytes are
// behind the data, so the size tells it.
static sakmak_reader *embedded() {
    sakmak_reader *opened = sakmak_reader_new(zstd);
#ifdef SAKMAK_EMBEDDED
    const unsigned char *at = gSakmakData, *const end = at + gSakmakSize;
    while (opened && at < end) {
        std::size_t size = 0;
        for (int i = 7; i >= 0; i--) size = size << 8 | at[i];
        const int added = sakmak_reader_add_bytes(opened, at + 8, size, 0);
        if (added < 0)
            sync_cout << "info string Sakmak: embedded file: " << sakmak_reader_error_text(added) << sync_endl;
        at += 8 + size;
    }
#endif
    return opened;
}

// Reports the men of tables by variant, and the refused files by reason: the first one and how many more.
static void report() {
    bool any = false;
    for (const auto &[variant, of] : {std::pair("makruk", SAKMAK_READER_MAKRUK), {"cambodian", SAKMAK_READER_OUK}}) {
        const int root = sakmak_reader_largest_root(reader, of), wdl = sakmak_reader_largest(reader, of);
        const auto men = [](int men) { return men ? "up to " + std::to_string(men) + " men" : "none"; };
        if (!root && !wdl) continue;
        any = true;
        sync_cout << "info string SakmakPath: " << variant << ": root " << men(root) << ", WDL files " << men(wdl)
                  << sync_endl;
    }
    if (!any) sync_cout << "info string SakmakPath: no tables of makruk or cambodian" << sync_endl;
    std::map<int, std::vector<std::string>> refused;
    int error = 0;
    for (int file = 0; const char *path = sakmak_reader_refused_file(reader, file, &error); file++)
        refused[error].push_back(path);
    for (const auto &[reason, paths] : refused) {
        const std::string others = paths.size() > 1 ? " and " + std::to_string(paths.size() - 1) + " more" : "";
        sync_cout << "info string SakmakPath: not read: " << paths[0] << others << ": "
                  << sakmak_reader_error_text(reason) << sync_endl;
    }
}

static void open(const UCI::Option &paths) {
    Threads.main()->wait_for_search_finished();
    sakmak_reader_close(reader);
    reader = embedded();
    if (!reader || std::string(paths) == "<empty>") return;
    sakmak_reader_add_directories(reader, std::string(paths).c_str(), SAKMAK_READER_CHECKSUMS);
    report();
}

// A set of squares with a bit for each of 64: with LARGEBOARDS a rank of a Bitboard has twelve.
static std::uint64_t squares(Bitboard set) {
#ifdef LARGEBOARDS
    std::uint64_t bits = 0;
    while (set) {
        const Square square = pop_lsb(set);
        bits |= std::uint64_t(1) << (8 * rank_of(square) + file_of(square));
    }
    return bits;
#else
    return set;
#endif
}

static sakmak_reader_position converted(const Position &pos) {
    sakmak_reader_position to{};
    to.white = squares(pos.pieces(WHITE));
    to.black = squares(pos.pieces(BLACK));
    to.kings = squares(pos.pieces(KING));
    to.rooks = squares(pos.pieces(ROOK));
    to.knights = squares(pos.pieces(KNIGHT));
    to.khons = squares(pos.pieces(KHON));
    to.mets = squares(pos.pieces(MET));
    to.pawns = squares(pos.pieces(PAWN));
    to.turn = pos.side_to_move() == WHITE ? 0 : 1;
    return to;
}

// The category if nobody counts: a mate that comes too late is a mate.
static int uncounted(int category) {
    if (category == SAKMAK_READER_CURSED_WIN) return SAKMAK_READER_WIN;
    return category == SAKMAK_READER_BLESSED_LOSS ? int(SAKMAK_READER_LOSS) : category;
}

// The category under the running count, or without one; an error if it is not known, or if a piece may
// still leap.
static int category(const Position &pos) {
    if (pos.gates(WHITE) | pos.gates(BLACK)) return SAKMAK_READER_MISSING;
    const sakmak_reader_position position = converted(pos);
    if (!counting) return uncounted(sakmak_reader_wdl(reader, rule, &position));
    const int limit = pos.counting_limit(0);
    return sakmak_reader_category(reader, rule, &position, limit, limit ? pos.counting_ply(0) : 0);
}

// The value of a category for the side to move, `ply` plies from the root.
static Value value(int category, int ply) {
    if (category == SAKMAK_READER_WIN) return VALUE_MATE_IN_MAX_PLY - ply - 1;
    if (category == SAKMAK_READER_LOSS) return VALUE_MATED_IN_MAX_PLY + ply + 1;
    return Value(VALUE_DRAW + category - SAKMAK_READER_DRAW);
}

void add_options(UCI::OptionsMap &options) {
    reader = embedded();
#ifdef SAKMAK_EMBEDDED
    if (reader) report();
#endif
    options["SakmakPath"] << UCI::Option("<empty>", open);
    options["SakmakProbeDepth"] << UCI::Option(1, 1, 100);
    options["SakmakProbeLimit"] << UCI::Option(8, 0, 8);
    options["SakmakCounting"] << UCI::Option(true);
}

// The rank of the move to a position: first what it is worth, then how soon it makes progress. `converts`
// is set for captures and promotions. Negative if the distances are missing.
static int rank(const Position &after, bool converts) {
    const sakmak_reader_position position = converted(after);
    const int reply = category(after);
    if (reply < 0) return reply;
    const int mine = SAKMAK_READER_WIN - reply;
    int moves = 0;
    // A win is as near as the moves of the count to mate or to the next count, a win that comes too
    // late as near as mate.
    const int metric = counting && mine != SAKMAK_READER_CURSED_WIN ? rule : int(SAKMAK_READER_NO_COUNT);
    if (mine == SAKMAK_READER_DRAW || mine == SAKMAK_READER_BLESSED_LOSS) return 10000 * mine + 5000;
    const int known = sakmak_reader_distance(reader, metric, &position, &moves);
    if (known < 0) return known;
    if (mine == SAKMAK_READER_LOSS) return 10000 * mine + moves;
    return 10000 * mine + 9999 - (converts && mine == SAKMAK_READER_WIN ? 0 : 1 + moves);
}

// The same by WDL files alone: no count leaves more moves than a fresh one, so a move that does not win
// with that does not win. A capture or promotion that wins under the count that runs then is progress.
static int rank_by_wdl(const Position &after, bool converts) {
    const sakmak_reader_position position = converted(after);
    const int known = category(after);
    const int fresh = known >= 0 ? known : sakmak_reader_wdl(reader, rule, &position);
    const int reply = counting ? fresh : uncounted(fresh);
    if (reply < 0) return reply;
    return 10000 * (SAKMAK_READER_WIN - reply) + (converts && known == SAKMAK_READER_LOSS);
}

// Ranks all root moves. False, and nothing changed, if one is not known.
static bool rank_by(int (*rank)(const Position &, bool), Position &pos, Search::RootMoves &moves) {
    std::vector<int> ranks;
    for (const Search::RootMove &move : moves) {
        const Move m = move.pv[0];
        const bool converts = pos.capture(m) || type_of(m) == PROMOTION || type_of(m) == PIECE_PROMOTION;
        StateInfo st;
        pos.do_move(m, st);
        ranks.push_back(rank(pos, converts));
        pos.undo_move(m);
        if (ranks.back() < 0) return false;
    }
    for (std::size_t i = 0; i < moves.size(); i++)
        moves[i].tbRank = ranks[i], moves[i].tbScore = value(ranks[i] / 10000, 0);
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto &a, const auto &b) { return a.tbRank > b.tbRank; });
    return true;
}

void rank_root_moves(Position &pos, Search::RootMoves &moves) {
    const bool makruk = Options["UCI_Variant"] == "makruk";
    SearchMen = 0;
    if (!reader || !(makruk || Options["UCI_Variant"] == "cambodian")) return;
    // A file of variants may give the name other rules of counting.
    if (pos.counting_rule() != (makruk ? MAKRUK_COUNTING : CAMBODIAN_COUNTING)) return;
    rule = makruk ? SAKMAK_READER_MAKRUK : SAKMAK_READER_OUK;
    SearchDepth = int(Options["SakmakProbeDepth"]);
    counting = bool(Options["SakmakCounting"]);
    const int men = std::max(sakmak_reader_largest(reader, rule), sakmak_reader_largest_root(reader, rule));
    SearchMen = std::min(men, int(Options["SakmakProbeLimit"]));
    if (pos.count<ALL_PIECES>() > SearchMen || pos.gates(WHITE) | pos.gates(BLACK)) return;
    if (rank_by(rank, pos, moves)) {
        Tablebases::RootInTB = true;
        SearchMen = 0;  // The ranks lead to the end of the game.
    } else
        rank_by(rank_by_wdl, pos, moves);
}

bool probe(const Position &pos, int ply, Value &lower, Value &upper) {
    const int known = category(pos);
    if (known < 0) return false;
    lower = upper = value(known, ply);
    if (known == SAKMAK_READER_WIN) upper = VALUE_INFINITE;
    if (known == SAKMAK_READER_LOSS) lower = -VALUE_INFINITE;
    return true;
}

}  // namespace Stockfish::Sakmak
