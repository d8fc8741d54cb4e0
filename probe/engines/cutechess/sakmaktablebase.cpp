#include "sakmaktablebase.h"

#include "westernboard.h"

#include <QDir>
#include <sakmak_reader.h>

#ifdef SAKMAK_ZSTD
#include <zstd.h>
static sakmak_reader_zstd *const zstd = ZSTD_decompress;
#else
static sakmak_reader_zstd *const zstd = nullptr;
#endif

static const int rule = SAKMAK_READER_MAKRUK;

// Filled once; then any number of games may probe it.
static sakmak_reader *reader = nullptr;

bool SakmakTablebase::initialize(const QString &paths) {
    if (reader) return true;
    sakmak_reader *opened = sakmak_reader_new(zstd);
    if (!opened) return false;
    for (const QString &path : paths.split(QDir::listSeparator()))
        sakmak_reader_add_directory(opened, path.toLocal8Bit().constData(),
                                    SAKMAK_READER_CHECKSUMS);
    int error = 0;
    if (const char *refused = sakmak_reader_refused(opened, &error))
        qWarning("Sakmak: %s: %s", refused, sakmak_reader_error_text(error));
    if (sakmak_reader_largest(opened, rule) == 0 && sakmak_reader_largest_root(opened, rule) == 0) {
        sakmak_reader_close(opened);
        return false;
    }
    reader = opened;
    return true;
}

static bool fill(sakmak_reader_position &to, const SakmakTablebase::PieceList &pieces) {
    for (const auto &item : pieces) {
        const quint64 bit = quint64(1) << (8 * item.first.rank() + item.first.file());
        (item.second.side() == Chess::Side::White ? to.white : to.black) |= bit;
        switch (item.second.type()) {
        case Chess::WesternBoard::Pawn: to.pawns |= bit; break;
        case Chess::WesternBoard::Knight: to.knights |= bit; break;
        case Chess::WesternBoard::Bishop: to.khons |= bit; break;
        case Chess::WesternBoard::Rook: to.rooks |= bit; break;
        case Chess::WesternBoard::Queen: to.mets |= bit; break;
        case Chess::WesternBoard::King: to.kings |= bit; break;
        default: return false;
        }
    }
    return true;
}

Chess::Result SakmakTablebase::result(Chess::Side side, int limit, int plies,
                                      const PieceList &pieces) {
    sakmak_reader_position position = {};
    position.turn = side == Chess::Side::White ? 0 : 1;
    if (!reader || !fill(position, pieces)) return Chess::Result();
    // The draw comes with the limit here, and one ply later in the tables.
    const int end = limit ? limit - 1 : 0;
    switch (sakmak_reader_category(reader, rule, &position, end, plies)) {
    case SAKMAK_READER_WIN: return Chess::Result(Chess::Result::Adjudication, side, "Sakmak");
    case SAKMAK_READER_LOSS:
        return Chess::Result(Chess::Result::Adjudication, side.opposite(), "Sakmak");
    case SAKMAK_READER_CURSED_WIN:
    case SAKMAK_READER_DRAW:
    case SAKMAK_READER_BLESSED_LOSS:
        return Chess::Result(Chess::Result::Adjudication, Chess::Side::NoSide, "Sakmak");
    default: return Chess::Result();
    }
}
