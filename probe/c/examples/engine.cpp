// Probes as an engine does: with positions filled in from its bitboards, without text.
//
//     c++ -std=c++17 engine.cpp $(pkg-config --cflags --libs sakmak) -o engine
#include <sakmak.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

// A board as an engine may have it.
struct Board {
    std::array<std::uint64_t, 2> sides{};  // white, black
    std::array<std::uint64_t, 6> kinds{};  // king, rook, knight, khon, met, pawn
    int turn = SAKMAK_WHITE;
    int count_limit = 0, count = 0;  // in plies; 0 if no count runs

    void put(int side, int kind, int file, int rank) {
        const std::uint64_t square = std::uint64_t{1} << (8 * rank + file);
        sides[side] |= square;
        kinds[kind - SAKMAK_KING] |= square;
    }
};

static sakmak::Position convert(const Board &board) {
    sakmak::Position position{};
    position.white = board.sides[SAKMAK_WHITE];
    position.black = board.sides[SAKMAK_BLACK];
    position.kings = board.kinds[0];
    position.rooks = board.kinds[1];
    position.knights = board.kinds[2];
    position.khons = board.kinds[3];
    position.mets = board.kinds[4];
    position.pawns = board.kinds[5];
    position.turn = static_cast<std::uint8_t>(board.turn);
    position.counting = SAKMAK_MAKRUK;
    position.count_limit = static_cast<std::uint16_t>(board.count_limit);
    position.count = static_cast<std::uint16_t>(board.count);
    return position;
}

// The score of a category for the side to move, in hundredths of a pawn.
static int score(int category) {
    static constexpr int SCORES[] = {-20000, -1, 0, 1, 20000};
    return SCORES[category];
}

static int fail() {
    std::fprintf(stderr, "%s\n", sakmak::error_message().c_str());
    return 1;
}

int main() {
    const auto tables = sakmak::Tablebase::open("sakmak-tables");
    if (!tables) return fail();
    const auto largest = tables->largest(SAKMAK_MAKRUK);
    if (!largest) return fail();
    std::printf("tables of up to %d men\n", *largest);

    // White: Ke3, Se2, Me1. Black: Ke5, who has counted 40 of 88 plies.
    Board board;
    board.put(SAKMAK_WHITE, SAKMAK_KING, 4, 2);
    board.put(SAKMAK_WHITE, SAKMAK_KHON, 4, 1);
    board.put(SAKMAK_WHITE, SAKMAK_MET, 4, 0);
    board.put(SAKMAK_BLACK, SAKMAK_KING, 4, 4);
    board.count_limit = 88;
    board.count = 40;

    // At the root: the moves under the running count, best first.
    const auto moves = tables->moves(convert(board));
    if (!moves) return fail();
    const sakmak::Move &best = moves->front();
    std::printf("best move %s, score %d, mate in time in %d moves\n", best.uci,
                score(best.category), best.mate_in_time);
    const auto count = tables->count(convert(board));
    if (!count) return fail();
    std::printf("called %d of %d, %d moves left\n", (*count)->called, (*count)->limit,
                (*count)->moves_left);

    // Within the search: the same position and the one without the met, Black to move. A table
    // that is missing is an error of that position, and the search goes on.
    Board without_met;
    without_met.put(SAKMAK_WHITE, SAKMAK_KING, 4, 2);
    without_met.put(SAKMAK_WHITE, SAKMAK_KHON, 4, 1);
    without_met.put(SAKMAK_BLACK, SAKMAK_KING, 4, 4);
    board.turn = without_met.turn = SAKMAK_BLACK;
    const std::array<sakmak::Position, 2> successors{convert(board), convert(without_met)};
    std::array<int, 2> categories{};
    if (!tables->wdl_batch(successors.data(), successors.size(), categories.data())) return fail();
    for (const int category : categories) {
        if (category >= 0)
            std::printf("score %d\n", score(category));
        else
            std::printf("no table\n");
    }
    return 0;
}
