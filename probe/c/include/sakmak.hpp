// Sakmak: endgame tablebases for Makruk and Ouk Chatrang, for C++17. A wrapper of sakmak.h, which
// documents each call; needs nothing but the C library.
//
//     auto tables = sakmak::Tablebase::open("sakmak-tables");
//     auto position = sakmak::from_fen("8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1");
//     if (!tables || !position) return fail(sakmak::error_message());
//     if (auto category = tables->category(*position)) puts(sakmak::name(*category));
//
// Errors: a call returns a Result, which holds a value or an enum sakmak_error. Only std::bad_alloc is
// thrown, so engines may compile without exceptions. A Result that holds an error must not be
// dereferenced. Probes of a search make no text and allocate no memory.
//
// Threads: as in sakmak.h. A Tablebase is closed when it is destroyed.
#ifndef SAKMAK_HPP
#define SAKMAK_HPP

#include "sakmak.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sakmak {

using Position = sakmak_position;
using Distance = sakmak_distance;
using Count = sakmak_count;
using Move = sakmak_move;
using VariantMove = sakmak_variant_move;
using Error = sakmak_error;
using Category = sakmak_category;

// The result of a position of a board game, such as Janggi.
struct VariantValue {
    Category category;
    std::optional<int> plies;  // to the end of best play; none for a draw
};

// The result of a call that returns no value.
using Done = std::monostate;

// A value or an error.
template <class T> class Result {
  public:
    Result(T value) : held(std::move(value)) {}
    Result(Error error) : code(error) {}

    explicit operator bool() const noexcept { return held.has_value(); }
    bool has_value() const noexcept { return held.has_value(); }
    const T &operator*() const noexcept { return *held; }
    T &operator*() noexcept { return *held; }
    const T *operator->() const noexcept { return &*held; }
    T *operator->() noexcept { return &*held; }
    T value_or(T other) const { return held ? *held : other; }
    // Only if there is no value.
    Error error() const noexcept { return code; }

  private:
    std::optional<T> held;
    Error code = SAKMAK_INTERNAL;
};

namespace detail {

template <class T> Result<T> result(int returned, T value) {
    if (returned < 0) return static_cast<Error>(returned);
    return value;
}

inline Result<Category> category(int returned) noexcept {
    if (returned < 0) return static_cast<Error>(returned);
    return static_cast<Category>(returned);
}

// The text of a call that writes as sakmak_line.
template <class Call> Result<std::string> text(Call call) {
    std::string text(256, '\0');
    for (;;) {
        const int length = call(text.data(), text.size());
        if (length < 0) return static_cast<Error>(length);
        const bool whole = static_cast<std::size_t>(length) < text.size();
        text.resize(static_cast<std::size_t>(length) + (whole ? 0 : 1));
        if (whole) return text;
    }
}

// The lines of a text.
inline Result<std::vector<std::string>> lines(const Result<std::string> &text) {
    if (!text) return text.error();
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text->size();) {
        const std::size_t to = std::min(text->find('\n', from), text->size());
        lines.push_back(text->substr(from, to - from));
        from = to + 1;
    }
    return lines;
}

}  // namespace detail

// The message of the last error in this thread.
inline std::string error_message() {
    return detail::text(sakmak_error_text).value_or(std::string());
}

inline const char *name(Category category) noexcept { return sakmak_category_name(category); }

// The number of a counting rule by its name, or by the name of a variant.
inline Result<sakmak_counting> counting_named(const char *counting) noexcept {
    const int number = sakmak_counting_named(counting);
    return detail::result(number, static_cast<sakmak_counting>(number));
}

inline Result<Position> from_fen(const char *fen, const char *counting = "makruk") noexcept {
    Position position{};
    return detail::result(sakmak_position_from_fen(fen, counting, &position), position);
}

inline Result<std::string> to_fen(const Position &position) {
    return detail::text([&](char *text, std::size_t size) {
        return sakmak_fen(&position, text, size);
    });
}

inline Result<int> square_named(const char *name) noexcept {
    const int square = sakmak_square_named(name);
    return detail::result(square, square);
}

class Tablebase {
  public:
    // Opens the tables of one directory, or none for null. `access` is as in sakmak_open_with.
    static Result<Tablebase> open(const char *directory, const char *access = nullptr) {
        Tablebase opened(sakmak_open_with(nullptr, access));
        if (!opened.tables) return SAKMAK_BAD_ARGUMENT;
        if (directory == nullptr) return opened;
        const int added = sakmak_add_directory(opened.get(), directory);
        if (added < 0) return static_cast<Error>(added);
        return opened;
    }

    // The same tables with a budget of lookups: mate_in_time, best_move, moves and counted_line search
    // for mates in time. See sakmak_searching.
    Tablebase searching(std::uint32_t lookups) const noexcept {
        return Tablebase(sakmak_searching(get(), lookups));
    }

    // For calls of sakmak.h.
    sakmak_tablebase *get() const noexcept { return tables.get(); }

    Result<Done> add_directory(const char *directory) {
        return detail::result(sakmak_add_directory(get(), directory), Done());
    }
    Result<Done> set_cache(std::size_t bytes) {
        return detail::result(sakmak_set_cache(get(), bytes), Done());
    }

    // Maximum number of men of a table that may answer under this counting rule.
    Result<int> largest(sakmak_counting counting) const {
        const int men = sakmak_largest(get(), counting);
        return detail::result(men, men);
    }
    // Maximum number of men of a WDL file, and of tables for the root.
    Result<int> largest_wdl(sakmak_counting counting) const {
        const int men = sakmak_largest_wdl(get(), counting);
        return detail::result(men, men);
    }
    Result<int> largest_root(sakmak_counting counting) const {
        const int men = sakmak_largest_root(get(), counting);
        return detail::result(men, men);
    }
    // Opens the files of at most this many men ahead. Returns the number of tables.
    Result<int> prepare(sakmak_counting counting, int men) const {
        const int opened = sakmak_prepare(get(), counting, men);
        return detail::result(opened, opened);
    }
    Result<std::vector<std::string>> table_files() const {
        return detail::lines(text(sakmak_table_files));
    }
    Result<std::vector<std::string>> refused_files() const {
        return detail::lines(text(sakmak_refused_files));
    }

    // Under the count that runs in the position.
    Result<Category> category(const Position &position) const noexcept {
        return detail::category(sakmak_probe_category(get(), &position));
    }
    // At a fresh count: for every node of a search.
    Result<Category> wdl(const Position &position) const noexcept {
        return detail::category(sakmak_probe_wdl(get(), &position));
    }
    // Another name of category, for a search beside wdl.
    Result<Category> wdl_counted(const Position &position) const noexcept {
        return detail::category(sakmak_probe_wdl_counted(get(), &position));
    }
    // wdl of up to SAKMAK_BATCH_MAX positions. Writes an enum sakmak_category or an error for each.
    Result<Done> wdl_batch(const Position *positions, std::size_t count,
                           int *categories) const noexcept {
        return detail::result(sakmak_probe_wdl_batch(get(), positions, count, categories), Done());
    }
    Result<Distance> distance(const Position &position) const noexcept {
        Distance distance{};
        return detail::result(sakmak_probe_distance(get(), &position, &distance), distance);
    }
    // No number if no mate is in time, or if its length is not known.
    Result<std::optional<int>> mate_in_time(const Position &position) const noexcept {
        std::int32_t moves = -1;
        const int returned = sakmak_probe_mate_in_time(get(), &position, &moves);
        return detail::result(returned, moves < 0 ? std::nullopt : std::optional<int>(moves));
    }
    // No count if none applies.
    Result<std::optional<Count>> count(const Position &position) const noexcept {
        Count count{};
        const int returned = sakmak_probe_count(get(), &position, &count);
        return detail::result(returned, returned == 1 ? std::optional(count) : std::nullopt);
    }

    // No move if the game is over.
    Result<std::optional<Move>> best_move(const Position &position) const noexcept {
        Move move{};
        const int returned = sakmak_best_move(get(), &position, &move);
        return detail::result(returned, returned == 1 ? std::optional(move) : std::nullopt);
    }
    // The legal moves, best first, each with its category and its distances.
    Result<std::vector<Move>> moves(const Position &position) const {
        std::vector<Move> moves(MOST_MOVES);
        const int count = sakmak_moves(get(), &position, moves.data(), moves.size());
        moves.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
        return detail::result(count, std::move(moves));
    }

    // Best play in UCI: to mate without a count, and under the count.
    Result<std::string> line(const Position &position) const {
        return text(sakmak_line, &position);
    }
    Result<std::string> counted_line(const Position &position) const {
        return text(sakmak_counted_line, &position);
    }

    // Board games, by the name of the variant and a FEN.
    Result<VariantValue> probe_variant(const char *variant, const char *fen) const noexcept {
        std::int32_t plies = -1;
        const int returned = sakmak_probe_variant(get(), variant, fen, &plies);
        if (returned < 0) return static_cast<Error>(returned);
        return VariantValue{static_cast<Category>(returned),
                            plies < 0 ? std::nullopt : std::optional<int>(plies)};
    }
    // The legal moves, best first.
    Result<std::vector<VariantMove>> variant_moves(const char *variant, const char *fen) const {
        std::vector<VariantMove> moves(MOST_MOVES);
        for (;;) {
            const int count =
                sakmak_variant_moves(get(), variant, fen, moves.data(), moves.size());
            const bool whole = count <= static_cast<int>(moves.size());
            moves.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
            if (whole) return detail::result(count, std::move(moves));
        }
    }
    // Best play to the end.
    Result<std::string> variant_line(const char *variant, const char *fen) const {
        return text(sakmak_variant_line, variant, fen);
    }

  private:
    struct Close {
        void operator()(sakmak_tablebase *tables) const noexcept { sakmak_close(tables); }
    };
    static constexpr std::size_t MOST_MOVES = 255;

    explicit Tablebase(sakmak_tablebase *opened) : tables(opened) {}

    template <class Call, class... Arguments>
    Result<std::string> text(Call call, Arguments... arguments) const {
        return detail::text([&](char *text, std::size_t size) {
            return call(get(), arguments..., text, size);
        });
    }

    std::unique_ptr<sakmak_tablebase, Close> tables;
};

}  // namespace sakmak

#endif
