//! The materials near a material, as links to their pages.

use crate::config::AtlasConfig;
use maud::{Markup, html};
use sakmak_tables::material::{Army, Material};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{PieceKind, Side};

/// The materials of an atlas that are near one of its materials.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelatedMaterials {
    /// Materials one capture or promotion away.
    pub successors: Vec<Material>,
    /// Materials with the same men, divided differently between the sides.
    pub divided_otherwise: Vec<Material>,
    /// Materials from which a promotion leads here.
    pub before_promotion: Vec<Material>,
    /// Materials with one piece more.
    pub one_more: Vec<Material>,
}

impl RelatedMaterials {
    /// The related materials among `all`, in the order of `all`.
    pub fn of(material: Material, all: &[Material], rules: &Rules) -> RelatedMaterials {
        let among = |is_related: &dyn Fn(&Material) -> bool| -> Vec<Material> {
            all.iter().filter(|other| is_related(other)).copied().collect()
        };
        let successors = material.successors(rules);
        let promotes_here = |other: &Material| {
            let after = |piece| other.after(None, Some(piece));
            rules.promoted().filter_map(after).any(|after| after.material == material)
        };
        let captures_here = |other: &Material| {
            let after = |piece| other.after(Some(piece), None);
            other.pieces().filter_map(after).any(|after| after.material == material)
        };
        RelatedMaterials {
            successors: among(&|other| successors.contains(other)),
            divided_otherwise: among(&|other| {
                *other != material && both_sides(other) == both_sides(&material)
            }),
            before_promotion: among(&promotes_here),
            one_more: among(&captures_here),
        }
    }

    /// The links, a line for each kind that is not empty.
    pub fn links(&self, config: &AtlasConfig) -> Markup {
        let kinds = [
            ("atlas.related.after", &self.successors),
            ("atlas.related.divided", &self.divided_otherwise),
            ("atlas.related.before", &self.before_promotion),
            ("atlas.related.more", &self.one_more),
        ];
        html! {
            @if kinds.iter().any(|(_, materials)| !materials.is_empty()) {
                section {
                    h2 { (config.text("atlas.related")) }
                    dl class="related" {
                        @for (name, materials) in kinds {
                            @if !materials.is_empty() {
                                dt { (config.text(name)) }
                                dd { @for material in materials { a href={ (material) ".html" } { (material) } " " } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The pieces of both sides together.
fn both_sides(material: &Material) -> Army {
    let kinds = |side: Side| -> Vec<PieceKind> { material.army(side).kinds().collect() };
    Side::BOTH.into_iter().flat_map(kinds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn related_materials_are_one_step_away() {
        let all: Vec<Material> = (3..=5).flat_map(Material::all_of).collect();
        let named = |names: &[&str]| -> Vec<Material> {
            names.iter().map(|name| name.parse().unwrap()).collect()
        };
        let of = |name: &str| RelatedMaterials::of(name.parse().unwrap(), &all, &MAKRUK.rules);
        let found = of("KRMvK");
        assert_eq!(found.successors, named(&["KRvK", "KMvK"]));
        assert_eq!(found.divided_otherwise, named(&["KRvKM"]));
        assert_eq!(found.before_promotion, named(&["KRPvK"]));
        assert_eq!(
            found.one_more,
            named(&[
                "KRRMvK", "KRNMvK", "KRSMvK", "KRMMvK", "KRMPvK", "KRMvKR", "KRMvKN", "KRMvKS",
                "KRMvKM", "KRMvKP"
            ])
        );
        assert_eq!(of("KPvK").successors, named(&["KMvK"]));
        // Only materials of the atlas count.
        let few = named(&["KRvK", "KRMvK"]);
        let found = RelatedMaterials::of(few[0], &few, &MAKRUK.rules);
        assert_eq!((found.successors, found.one_more), (named(&[]), named(&["KRMvK"])));
    }
}
