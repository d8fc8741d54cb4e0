//! Pages about the games of `sakmak-boards`, which have boards and men of their own and no count.
//!
//! ```text
//! index.html       all materials, one line each
//! KRHvKAA.html     one material: results, histograms, the longest wins with their lines
//! atlas.css        style
//! ```

use crate::frame::plain_page;
use crate::histogram::histogram;
use crate::language::Language;
use crate::words::{capital, grouped, moves as in_moves, percent, wins};
use maud::{Markup, PreEscaped, html};
use sakmak_make::census::Histogram;
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;

/// The content of a material's page.
#[derive(Clone, Debug)]
pub struct BoardReport {
    /// The material, the stronger side first, which is White.
    pub material: String,
    /// The positions by the side to move, White first. If both sides have the same men, those with White
    /// to move stand for all, and there are none with Black to move.
    pub sides: [BoardSide; 2],
    /// The longest win of each side that wins; one if both have the same men.
    pub longest: Vec<BoardLine>,
}

/// Positions with one side to move.
#[derive(Clone, Debug, Default)]
pub struct BoardSide {
    /// Positions that the side wins, by its moves.
    pub wins: Histogram,
    /// Positions that the side loses, by the moves of the other side.
    pub losses: Histogram,
    /// Drawn positions.
    pub draws: u64,
}

/// A position with a line of best play.
#[derive(Clone, Debug)]
pub struct BoardLine {
    /// The side that wins.
    pub winner: Side,
    /// Its moves.
    pub moves: Moves,
    /// The side to move.
    pub mover: Side,
    /// The FEN.
    pub fen: String,
    /// The board as SVG.
    pub board: String,
    /// The moves of both sides; empty if a table that they need is missing.
    pub line: Vec<String>,
}

impl BoardSide {
    fn won(&self) -> u64 {
        self.wins.values().sum()
    }

    fn lost(&self) -> u64 {
        self.losses.values().sum()
    }

    fn all(&self) -> u64 {
        self.won() + self.draws + self.lost()
    }
}

impl BoardReport {
    /// Whether both sides have the same men.
    fn is_symmetric(&self) -> bool {
        self.sides[1].all() == 0
    }

    /// The positions by the side to move, where equal armies are seen from both sides.
    fn both_sides(&self) -> [&BoardSide; 2] {
        let [white, black] = &self.sides;
        [white, if self.is_symmetric() { white } else { black }]
    }

    /// Positions, by both sides to move, that a side wins.
    fn won_by(&self, winner: Side) -> u64 {
        let sides = self.both_sides();
        sides[winner.index()].won() + sides[(!winner).index()].lost()
    }

    /// The positions with this side to move that a side wins.
    fn wins(&self, winner: Side, to_move: Side) -> &Histogram {
        let of = &self.sides[to_move.index()];
        if winner == to_move { &of.wins } else { &of.losses }
    }

    /// The sides to move that the tables have.
    fn movers(&self) -> impl Iterator<Item = Side> {
        Side::BOTH.into_iter().filter(|side| self.sides[side.index()].all() > 0)
    }
}

/// The pages of a game in a language.
#[derive(Clone, Copy, Debug)]
pub struct BoardPages<'a> {
    /// The language.
    pub language: Language,
    /// The name of the game.
    pub variant: &'a str,
    /// The names of its sides.
    pub sides: [&'static str; 2],
}

impl BoardPages<'_> {
    fn side(&self, side: Side) -> &'static str {
        let name = self.sides[side.index()];
        self.language.found(&format!("side.{name}")).unwrap_or(name)
    }

    fn mover(&self, to_move: Side) -> String {
        self.language.format("mover", &[("side", &self.side(to_move))])
    }

    fn wins(&self, winner: Side) -> String {
        wins(self.language, self.side(winner))
    }
}

/// The page of all materials.
pub fn index(pages: &BoardPages<'_>, reports: &[BoardReport]) -> Markup {
    let BoardPages { language, variant, .. } = *pages;
    let content = html! {
        header { h1 { (variant) } }
        main {
            div class="wide" tabindex="0" role="region" aria-label=(variant) {
                table {
                    thead { tr {
                        th { (language.text("atlas.column.material")) }
                        @for winner in Side::BOTH { th { (pages.wins(winner)) } }
                        th { (language.text("atlas.row.draws")) }
                        th { (language.text("atlas.column.longest")) }
                    } }
                    tbody {
                        @for report in reports {
                            @let all = report.both_sides().map(BoardSide::all).iter().sum();
                            @let drawn = report.both_sides().iter().map(|side| side.draws).sum();
                            @let longest = report.longest.iter().map(|line| line.moves.0).max();
                            tr {
                                th scope="row" { a href={ (report.material) ".html" } { (report.material) } }
                                @for part in Side::BOTH.map(|side| report.won_by(side)).into_iter().chain([drawn]) {
                                    td class="number" { (percent(language, part, all).unwrap_or_default()) }
                                }
                                td class="number" { @if let Some(longest) = longest { (longest) } }
                            }
                        }
                    }
                }
            }
        }
    };
    plain_page(language, variant, &content)
}

/// The page of a material.
pub fn page(pages: &BoardPages<'_>, report: &BoardReport) -> Markup {
    let BoardPages { language, variant, .. } = *pages;
    let goal = language.text("goal.win");
    let content = html! {
        header {
            nav aria-label=(language.text("atlas.pages")) { a href="index.html" { (variant) } }
            h1 { (report.material) }
        }
        main {
            section { (results(pages, report)) }
            section {
                h2 { (language.format("atlas.distances", &[("goal", &goal)])) }
                @if report.longest.is_empty() {
                    p { (language.format("atlas.no-mate", &[("goal", &goal)])) }
                }
                div class="charts" {
                    @for winner in Side::BOTH {
                        @for to_move in report.movers() {
                            @let wins = report.wins(winner, to_move);
                            @if !wins.is_empty() { (chart(pages, winner, to_move, wins)) }
                        }
                    }
                }
            }
            @if !report.longest.is_empty() {
                section {
                    h2 { (language.text("atlas.lines")) }
                    div class="games" { @for line in &report.longest { (played(pages, report, line)) } }
                }
            }
        }
    };
    plain_page(language, &format!("{} {}", variant, report.material), &content)
}

/// The positions by result and side to move.
fn results(pages: &BoardPages<'_>, report: &BoardReport) -> Markup {
    let language = pages.language;
    let count = |winner: Side, mover: Side| report.wins(winner, mover).values().sum::<u64>();
    let rows: [(String, &dyn Fn(Side) -> u64); 3] = [
        (pages.wins(Side::White), &|mover| count(Side::White, mover)),
        (language.text("atlas.row.draws").to_string(), &|mover| report.sides[mover.index()].draws),
        (pages.wins(Side::Black), &|mover| count(Side::Black, mover)),
    ];
    html! {
        div class="wide" tabindex="0" role="region" aria-label=(report.material) {
            table {
                thead { tr { td {} @for side in report.movers() { th { (pages.mover(side)) } } } }
                tbody {
                    tr {
                        th scope="row" { (language.text("atlas.legal")) }
                        @for side in report.movers() {
                            td class="number" { (grouped(report.sides[side.index()].all())) }
                        }
                    }
                    @for (name, part) in rows {
                        tr {
                            th scope="row" { (name) }
                            @for side in report.movers() {
                                td class="number" {
                                    (grouped(part(side)))
                                    @if let Some(share) = percent(language, part(side), report.sides[side.index()].all()) {
                                        span class="share" { (share) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The wins of a side by their moves.
fn chart(pages: &BoardPages<'_>, winner: Side, to_move: Side, wins: &Histogram) -> Markup {
    let language = pages.language;
    let names = [winner, to_move].map(|of| pages.side(of));
    let title = language.format("atlas.chart", &[("winner", &names[0]), ("mover", &names[1])]);
    histogram(language, &title, wins, wins.values().sum(), &[])
}

/// A longest win, with its board and the moves.
fn played(pages: &BoardPages<'_>, report: &BoardReport, shown: &BoardLine) -> Markup {
    let language = pages.language;
    let takes = in_moves(language, shown.moves.0.into());
    let winner = match report.is_symmetric() {
        true => capital(language.text("atlas.each")),
        false => pages.side(shown.winner).to_string(),
    };
    let title = language.format("atlas.line.longest", &[("winner", &winner), ("takes", &takes)]);
    let black = usize::from(shown.mover == Side::Black);
    html! {
        article class="game" {
            h3 { (title) }
            (PreEscaped(&shown.board))
            p class="turn" { (pages.mover(shown.mover)) }
            p class="fen" { code { (shown.fen) } }
            p class="moves" {
                @for (ply, played) in shown.line.iter().enumerate() {
                    @if (ply + black).is_multiple_of(2) { ((ply + black) / 2 + 1) ".\u{a0}" }
                    @else if ply == 0 { "1…\u{a0}" }
                    (played) " "
                }
            }
        }
    }
}
