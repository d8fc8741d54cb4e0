// Fairy-Stockfish is under the GPL, version 3 or later, and so is a program with both.
#include "adapter.h"

#include "thread.h"

#include <sakmak.hpp>
#include <sstream>
#include <utility>

// Root moves are then shown with the scores of their ranks.
namespace Stockfish::Tablebases { extern bool RootInTB; }
namespace Stockfish::Sakmak {

static_assert(sizeof(Bitboard) == sizeof(std::uint64_t), "build without largeboards");

int SearchMen = 0;
Depth SearchDepth = 0;
static std::optional<sakmak::Tablebase> tables;
static sakmak_counting counting = SAKMAK_MAKRUK;

// What the tables have for a variant, in words; none if there is no table for it.
static std::string found(const char *variant, sakmak_counting rule) {
    const int root = tables->largest_root(rule).value_or(0);
    const int wdl = tables->largest_wdl(rule).value_or(0);
    if (!tables->largest(rule).value_or(0)) return "";
    const auto men = [](int men) { return men ? "up to " + std::to_string(men) + " men" : "none"; };
    return std::string(variant) + ": root " + men(root) + ", WDL files " + men(wdl);
}

// Opens the tables and all their files, so that no search waits for that, and says what they have.
static void open(const UCI::Option &paths) {
    Threads.main()->wait_for_search_finished();
    tables.reset();
    if (std::string(paths) == "<empty>") return;
    if (auto opened = sakmak::Tablebase::open(nullptr)) tables = std::move(*opened);
    std::istringstream list(paths);
    for (std::string path; std::getline(list, path, UCI::SepChar);)
        if (!tables || !tables->add_directory(path.c_str()))
            sync_cout << "info string SakmakPath: " << sakmak::error_message() << sync_endl;
    if (!tables) return;
    bool any = false;
    for (const auto &[variant, rule] : {std::pair("makruk", SAKMAK_MAKRUK), {"cambodian", SAKMAK_OUK}}) {
        if (!tables->prepare(rule, 8))
            sync_cout << "info string SakmakPath: " << sakmak::error_message() << sync_endl;
        const std::string what = found(variant, rule);
        any |= !what.empty();
        if (!what.empty()) sync_cout << "info string SakmakPath: " << what << sync_endl;
    }
    if (!any) sync_cout << "info string SakmakPath: no tables of makruk or cambodian" << sync_endl;
}

// The position with its count as numbers. None if a piece may still leap.
static std::optional<sakmak::Position> converted(const Position &pos) {
    if (pos.gates(WHITE) | pos.gates(BLACK)) return std::nullopt;
    sakmak::Position to{};
    to.white = pos.pieces(WHITE);
    to.black = pos.pieces(BLACK);
    to.kings = pos.pieces(KING);
    to.rooks = pos.pieces(ROOK);
    to.knights = pos.pieces(KNIGHT);
    to.khons = pos.pieces(KHON);
    to.mets = pos.pieces(MET);
    to.pawns = pos.pieces(PAWN);
    to.turn = pos.side_to_move() == WHITE ? SAKMAK_WHITE : SAKMAK_BLACK;
    to.counting = counting;
    to.count_limit = static_cast<std::uint16_t>(pos.counting_limit(0));
    to.count = to.count_limit ? static_cast<std::uint16_t>(pos.counting_ply(0)) : 0;
    return to;
}

// The value of a category for the side to move, `ply` plies from the root.
static Value value(int category, int ply) {
    if (category == SAKMAK_WIN) return VALUE_MATE_IN_MAX_PLY - ply - 1;
    if (category == SAKMAK_LOSS) return VALUE_MATED_IN_MAX_PLY + ply + 1;
    return Value(VALUE_DRAW + category - SAKMAK_DRAW);
}

// The value of a root move: a mate if its length is known.
static Value value(const sakmak::Move &move) {
    const int plies = 2 * move.mate_in_time - (move.category == SAKMAK_WIN);
    if (move.mate_in_time < 0 || plies >= MAX_PLY) return value(move.category, 0);
    return move.category == SAKMAK_WIN ? mate_in(plies) : mated_in(plies);
}

// Whether two neighbours in the order of moves are equally good: both keep the result and, if there
// is a mate, make the same progress: to it if its length is known, else of the count.
static bool equal(const sakmak::Move &one, const sakmak::Move &other) {
    if (one.category != other.category) return false;
    if (one.category == SAKMAK_DRAW || one.category == SAKMAK_BLESSED_LOSS) return true;
    return one.mate_in_time == other.mate_in_time && one.distance.dtm_plies == other.distance.dtm_plies
           && one.distance.counted == other.distance.counted;
}

void add_options(UCI::OptionsMap &options) {
    options["SakmakPath"] << UCI::Option("<empty>", open);
    options["SakmakProbeDepth"] << UCI::Option(1, 1, 100);
    options["SakmakLargest"] << UCI::Option(8, 0, 8);
}

void rank_root_moves(Position &pos, Search::RootMoves &moves) {
    const bool makruk = Options["UCI_Variant"] == "makruk";
    SearchMen = 0;
    if (!tables || !(makruk || Options["UCI_Variant"] == "cambodian")) return;
    counting = makruk ? SAKMAK_MAKRUK : SAKMAK_OUK;
    SearchDepth = int(Options["SakmakProbeDepth"]);
    SearchMen = std::min(tables->largest(counting).value_or(0), int(Options["SakmakLargest"]));
    const auto position = converted(pos);
    if (!position || pos.count<ALL_PIECES>() > SearchMen) return;
    // A few look-ups for each move: nothing is searched for it.
    const auto ranked = tables->moves(*position);
    if (!ranked) return;
    int rank = 0;
    for (auto one = ranked->begin(); one != ranked->end(); ++one) {
        if (one != ranked->begin() && !equal(one[-1], *one)) --rank;
        for (Search::RootMove &move : moves)
            if (from_sq(move.pv[0]) == one->from && to_sq(move.pv[0]) == one->to)
                move.tbRank = rank, move.tbScore = value(*one);
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto &a, const auto &b) { return a.tbRank > b.tbRank; });
    Tablebases::RootInTB = true;
    SearchMen = 0;  // The ranks lead to the end of the game.
}

bool probe(const Position &pos, int ply, Value &lower, Value &upper) {
    const auto position = converted(pos);
    if (!position) return false;
    const auto category = tables->wdl_counted(*position);
    if (!category) return false;
    lower = upper = value(*category, ply);
    if (*category == SAKMAK_WIN) upper = VALUE_INFINITE;
    if (*category == SAKMAK_LOSS) lower = -VALUE_INFINITE;
    return true;
}

}  // namespace Stockfish::Sakmak
