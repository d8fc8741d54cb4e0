// How an engine probes: positions are filled in from its bitboards, without text.
//
//     c++ -std=c++17 engine.cpp $(pkg-config --cflags --libs sakmak) -o engine
#include <sakmak.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

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

class Tables {
  public:
    explicit Tables(const char *directory) : tables(sakmak_open(directory), sakmak_close) {}

    explicit operator bool() const { return tables != nullptr; }

    // At the root: the move that keeps the result under the running count.
    std::optional<sakmak_move> best_move(const Board &board) const {
        const sakmak_position position = convert(board);
        sakmak_move best;
        if (sakmak_best_move(tables.get(), &position, &best) != 1) return std::nullopt;
        return best;
    }

    // Within the search: the categories of all successors at once. An entry below 0 is an
    // error, for example SAKMAK_MISSING_TABLE.
    std::vector<int> wdl(const std::vector<Board> &boards) const {
        std::vector<sakmak_position> positions;
        for (const Board &board : boards) positions.push_back(convert(board));
        std::vector<int> categories(boards.size(), SAKMAK_INTERNAL);
        sakmak_probe_wdl_batch(tables.get(), positions.data(), positions.size(),
                               categories.data());
        return categories;
    }

  private:
    static sakmak_position convert(const Board &board) {
        sakmak_position position{};
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

    std::unique_ptr<sakmak_tablebase, void (*)(sakmak_tablebase *)> tables;
};

// The score of a category for the side to move, in hundredths of a pawn.
static int score(int category) {
    static constexpr int SCORES[] = {-20000, -1, 0, 1, 20000};
    return SCORES[category];
}

int main() {
    const Tables tables("sakmak-tables");
    if (!tables) {
        std::fprintf(stderr, "%s\n", sakmak_last_error());
        return 1;
    }

    // White: Ke3, Se2, Me1. Black: Ke5, who has counted 40 of 88 plies.
    Board board;
    board.put(SAKMAK_WHITE, SAKMAK_KING, 4, 2);
    board.put(SAKMAK_WHITE, SAKMAK_KHON, 4, 1);
    board.put(SAKMAK_WHITE, SAKMAK_MET, 4, 0);
    board.put(SAKMAK_BLACK, SAKMAK_KING, 4, 4);
    board.count_limit = 88;
    board.count = 40;
    const std::optional<sakmak_move> best = tables.best_move(board);
    if (!best) {
        std::fprintf(stderr, "%s\n", sakmak_last_error());
        return 1;
    }
    std::printf("best move %s, score %d\n", best->uci, score(best->category));

    // The same position and the one without the met, Black to move.
    Board without_met;
    without_met.put(SAKMAK_WHITE, SAKMAK_KING, 4, 2);
    without_met.put(SAKMAK_WHITE, SAKMAK_KHON, 4, 1);
    without_met.put(SAKMAK_BLACK, SAKMAK_KING, 4, 4);
    board.turn = without_met.turn = SAKMAK_BLACK;
    for (const int category : tables.wdl({board, without_met})) {
        if (category >= 0)
            std::printf("score %d\n", score(category));
        else
            std::printf("%s\n", sakmak_last_error());
    }
    return 0;
}
