// Adjudicates games of Makruk by Sakmak's tables. Under the MIT licence or the Apache licence 2.0.
#ifndef SAKMAKTABLEBASE_H
#define SAKMAKTABLEBASE_H

#include "piece.h"
#include "result.h"
#include "square.h"

#include <QList>
#include <QPair>
#include <QString>

class LIB_EXPORT SakmakTablebase {
  public:
    typedef QList<QPair<Chess::Square, Chess::Piece>> PieceList;

    // Opens the tables in directories, separated as in PATH. False if there is none.
    static bool initialize(const QString &paths);

    // The result of a position of Makruk with best play; none if it is not known. `limit` and
    // `plies` are the count of a MakrukBoard: its limit, 0 if none runs, and its number.
    static Chess::Result result(Chess::Side side, int limit, int plies, const PieceList &pieces);
};

#endif
