//! The atlas inside the service.

use crate::sakmak::{directory, generated, sakmak};
use crate::served::Served;

#[test]
fn the_service_shows_an_atlas_in_the_language_of_the_reader() {
    let tables = generated(&["KRvK"]);
    let place = directory();
    let [from, atlas] = [tables.path(), place.path()].map(|path| path.to_str().unwrap());
    sakmak(["report", "--tables", from, "-o", atlas]).printed();
    let thai = place.path().join("th");
    sakmak(["report", "--tables", from, "-o", thai.to_str().unwrap(), "--language", "th"])
        .printed();
    let service = Served::start(&["--atlas", atlas]);
    let language = |path: &str, head: &[&str]| {
        let response = service.request("GET", path, head, "");
        assert_eq!(response.status, 200, "{path}");
        let text = response.text();
        let code = text.split("<html lang=\"").nth(1).and_then(|rest| rest.split('"').next());
        code.map(str::to_string)
    };
    for path in ["/atlas/", "/atlas/KRvK.html", "/atlas/ouk.html"] {
        assert_eq!(language(path, &[]).as_deref(), Some("en"), "{path}");
        assert_eq!(language(path, &["Accept-Language: th"]).as_deref(), Some("th"), "{path}");
    }
    // There are no pages in Khmer.
    assert_eq!(language("/atlas/?lang=km", &[]).as_deref(), Some("en"));
    assert_eq!(language("/atlas/?lang=th", &[]).as_deref(), Some("th"));
    let script = service.get("/atlas/atlas.js");
    assert!(script.headers["content-type"].starts_with("text/javascript"));
    assert_eq!(service.get("/atlas/data/KRvK.json").status, 200);
    for missing in ["/atlas/KSvK.html", "/atlas/../Cargo.toml", "/atlas//etc/passwd"] {
        assert_eq!(service.get(missing).status, 404, "{missing}");
    }
    // Without an atlas a page says how to make one.
    let page = Served::start(&[]).get("/atlas/");
    assert!(page.status == 200 && page.text().contains("sakmak report"));
}
