// The C++ wrapper gives what the C library gives. Compiled without exceptions, as engines are.
//
// usage: wrapper TABLES POSITIONS
#include <sakmak.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#define CHECK(holds)                                                                         \
    do {                                                                                     \
        if (!(holds)) {                                                                      \
            std::fprintf(stderr, "%s:%d: failed: %s (last error: %s)\n", __FILE__, __LINE__, \
                         #holds, sakmak_last_error());                                       \
            std::exit(1);                                                                    \
        }                                                                                    \
    } while (0)

static void check_row(const sakmak::Tablebase &tables, const std::vector<std::string> &fields) {
    const auto position = sakmak::from_fen(fields[0].c_str(), fields[1].c_str());
    CHECK(position);
    const auto fen = sakmak::to_fen(*position);
    const auto again = sakmak::from_fen(fen->c_str(), fields[1].c_str());
    CHECK(again && std::memcmp(&*position, &*again, sizeof(sakmak::Position)) == 0);
    const auto category = tables.category(*position);
    CHECK(category && sakmak::name(*category) == fields[2]);
    CHECK(*tables.wdl_counted(*position) == *category);
    int wdl = 99;
    CHECK(tables.wdl_batch(&*position, 1, &wdl));
    CHECK(wdl == *tables.wdl(*position));
    const auto distance = tables.distance(*position);
    CHECK(distance && distance->dtm_plies == (fields[3] == "-" ? -1 : std::stoi(fields[3])));
    const auto searching = tables.searching(SAKMAK_THOROUGH);
    const auto mate = searching.mate_in_time(*position);
    CHECK(mate && mate->has_value() == (fields[5] != "-"));
    const auto best = searching.best_move(*position);
    const auto moves = searching.moves(*position);
    CHECK(best && moves && best->has_value() == !moves->empty());
    CHECK((best->has_value() ? (*best)->uci : "-") == fields[6]);
    if (*best) CHECK(std::memcmp(&**best, moves->data(), sizeof(sakmak::Move)) == 0);
    const auto line = tables.line(*position), counted = searching.counted_line(*position);
    CHECK(line && static_cast<int>(line->size()) == sakmak_line(tables.get(), &*position, nullptr, 0));
    CHECK(counted && (counted->empty() || counted->rfind(fields[6], 0) == 0));
    const auto count = tables.count(*position);
    CHECK(count && (count->has_value() || position->count_limit == 0 ||
                    position->counting == SAKMAK_KAR_OUK));
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    auto tables = sakmak::Tablebase::open(argv[1]);
    CHECK(tables && tables->largest(SAKMAK_MAKRUK).value_or(0) == 4);
    CHECK(*tables->largest_wdl(SAKMAK_MAKRUK) == 4 && *tables->largest_root(SAKMAK_MAKRUK) == 4);
    CHECK(*tables->prepare(SAKMAK_MAKRUK, 4) > 0);
    CHECK(tables->set_cache(1 << 20));
    std::ifstream file(argv[2]);
    int rows = 0;
    for (std::string text; std::getline(file, text);) {
        if (text[0] == '#') continue;
        std::vector<std::string> fields(1);
        for (const char letter : text) {
            if (letter == '\t')
                fields.emplace_back();
            else
                fields.back() += letter;
        }
        CHECK(fields.size() == 7);
        check_row(*tables, fields);
        ++rows;
    }
    CHECK(rows > 100);

    const auto files = tables->table_files();
    CHECK(files && files->size() > 10);
    for (const std::string &path : *files) CHECK(path.find(".sm") != std::string::npos);
    CHECK(tables->refused_files()->empty());
    const auto missing = sakmak::Tablebase::open("no/such/place");
    CHECK(!missing && missing.error() == SAKMAK_BAD_DIRECTORY);
    CHECK(sakmak::error_message().find("no/such/place") != std::string::npos);
    CHECK(sakmak::Tablebase::open(argv[1], "READ").error() == SAKMAK_BAD_ARGUMENT);
    CHECK(sakmak::from_fen("8 w").error() == SAKMAK_BAD_FEN);
    CHECK(*sakmak::square_named("e2") == 12 && !sakmak::square_named("e9"));
    CHECK(*sakmak::counting_named("cambodian") == SAKMAK_OUK && !sakmak::counting_named("xiangqi"));
    const char *won = "3k5/9/9/9/4R4/9/9/9/N8/4K4 w";
    const auto value = tables->probe_variant("janggi", won);
    const auto best = tables->variant_moves("janggi", won);
    const auto line = tables->variant_line("janggi", won);
    CHECK(value && value->category == SAKMAK_WIN && best && line && value->plies);
    CHECK(best->size() > 10 && best->front().plies == *value->plies);
    CHECK(line->rfind(best->front().text, 0) == 0);
    CHECK(tables->probe_variant("janggi", "9 w").error() == SAKMAK_BAD_FEN);
    CHECK(tables->variant_moves("xiangqi", won).error() == SAKMAK_BAD_ARGUMENT);
    auto empty = sakmak::Tablebase::open(nullptr);
    CHECK(empty && empty->wdl(*sakmak::from_fen("8/8/8/3k4/8/8/4R3/4K3 b")).error() ==
                       SAKMAK_MISSING_TABLE);
    CHECK(empty->add_directory(argv[1]));
    CHECK(empty->wdl(*sakmak::from_fen("8/8/8/3k4/8/8/4R3/4K3 b")));
    std::printf("%d positions from C++\n", rows);
    return 0;
}
