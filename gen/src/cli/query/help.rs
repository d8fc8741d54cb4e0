//! The help of `sakmak query` after its options.

/// The usage: several materials come before the condition.
pub const USAGE: &str = "sakmak query [OPTIONS] <MATERIAL|MEN>... <CONDITION>...";

/// The help after the options.
pub const AFTER: &str = "\
Conditions, combined with and, or, not and parentheses:
  side=white
      White is to move; White is the first side of the material
  winner=white
      White can force mate, with no count
  win, draw, loss
      result for the side to move, with no count
  mate
      the side to move is mated
  in_time, too_late
      mate can be forced, and comes in time or too late
  in_time(ouk), too_late(ouk)
      the same by another counting rule of the same tables
  category=cursed-win
      category under the count: win, cursed-win, draw, blessed-loss, loss
  dtm<=20
      the winner's moves to mate: = != < <= > >=; false for draws
  counted>40
      the winner's moves needed of the count, to mate or to the next count
  check
      the side to move is in check
  mutual_zugzwang
      whoever is to move has a worse result, with no count, than if the other side were to \
move; zugzwang for short
  stalemate, only_move
      the side to move has no move and is not in check; one of several moves keeps the result, with \
no count
  quiet
      a move that captures nothing keeps the result, with no count
  late_capture
      a capture of the last enemy piece wins with no count, but the count that it starts is too short
  distance(k,M)<=2
      the moves of a king between two men, the nearest of several like ones
  S on d4, k=a8
      a white khon is on d4, the black king on a8; capital letters are white pieces, small \
letters black ones; white.S means S
  M on edge|rank 6-8
      a white met is in one of the regions: squares, rank 1-3, file a, corner, edge, centre, \
light, dark (a1 is dark)
  all M on light
      all white mets are in the region
  same_colour(S,m)
      all these pieces are on squares of one colour
  one_in(64)
      a random selection of one position in so many, always the same, for an estimate

A count starts in each position, unless --left gives the moves left on the clock.

The output is a table with a header line; - is an empty value. Columns: fen; result with no \
count (win, draw or loss for the side to move); dtm, the winner's moves to mate; category under \
the count; counted, the winner's moves needed of the count; material. Of positions that are mirror \
images or rotations of one another, one is listed: the first that meets the condition. --count \
prints the number of positions of the whole board and the number of distinct ones, which is the \
number of lines.

Janggi, Rek and Min Rek Chanh have the conditions side, winner, win, draw, loss, mate (the side \
to move has lost), dtm (the winner's moves to the end), check (in Janggi only), mutual_zugzwang (only where \
a side has to move), only_move, quiet, one_in, and men in regions without light and dark. Another one is:
  moves=1
      the number of legal moves, passes included
Their columns are fen, result, dtm and material. Letters are those of their materials, as in \
'P on rank 7-10'.

Examples:
  sakmak query KSMvK too_late --count
  sakmak query KSMvK 'side=white and win and not in_time' --first 20
  sakmak query KRvKN KRvKM too_late --longest 10
  sakmak query 4 mutual_zugzwang --order dtm --csv
  sakmak query KPPvK 'win and only_move' --longest 10 --variant janggi";
