//! Services of the configuration: inside the network of each run, part of the contract.
use std::fs;

use serde_json::Value;

use crate::house::{BASE, House, short};

/// A shop that answers over HTTP, and tests that ask it.
const SERVER: (&str, &str) = (
    "server.py",
    "import http.server\nimport shop\n\n\nclass Handler(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n        self.send_response(200)\n        self.end_headers()\n        self.wfile.write(str(shop.price(2)).encode())\n\n    def log_message(self, *arguments):\n        pass\n\n\nhttp.server.HTTPServer(('127.0.0.1', 8471), Handler).serve_forever()\n",
);
const TESTS: (&str, &str) = (
    "tests/test_shop.py",
    "import urllib.request\n\n\ndef test_price():\n    answer = urllib.request.urlopen('http://127.0.0.1:8471/').read()\n    assert answer == b'20'\n",
);
const CONFIGURATION: (&str, &str) = (
    "patch-verdict.toml",
    "[[service]]\nstart = \"python3 server.py\"\nready = \"python3 -c 'import socket; socket.create_connection((\\\"127.0.0.1\\\", 8471))'\"\n",
);

fn contract(document: &Value, house: &House) -> Value {
    let folder = house.path().join(document["review_dir"].as_str().unwrap());
    serde_json::from_slice(&fs::read(folder.join("contract.json")).unwrap()).unwrap()
}

/// Whether runs here have a network of their own, so that the port is free and loopback open.
fn isolated(document: &Value) -> bool {
    let gaps = document.pointer("/isolation/gaps");
    gaps.and_then(Value::as_array).is_some_and(Vec::is_empty)
}

#[test]
fn each_side_talks_to_its_own() {
    let before = [BASE[0], TESTS, BASE[2], SERVER, CONFIGURATION];
    for (shop, verdict, code) in [
        (
            "def price(count):\n    return count * 10\n",
            "accept both_pass",
            0,
        ),
        (
            "def price(count):\n    return count\n",
            "reject regression",
            1,
        ),
    ] {
        let Some(house) = House::new(&before, &[("shop.py", shop)]) else {
            return;
        };
        let (document, exit) = house.check(&[]);
        if !isolated(&document) {
            return;
        }
        assert_eq!((short(&document).as_str(), exit), (verdict, code));
        let service = &contract(&document, &house)["environment"]["services"][0];
        assert_eq!(service["start"], "python3 server.py");
    }
}

#[test]
fn one_that_does_not_start_on_the_patch_rejects_with_its_name() {
    let before = [BASE[0], TESTS, BASE[2], SERVER, CONFIGURATION];
    let broken = ("server.py", "raise SystemExit(7)\n");
    let Some(house) = House::new(&before, &[broken]) else {
        return;
    };
    let (document, exit) = house.check(&[]);
    assert_eq!(
        (short(&document).as_str(), exit),
        ("reject uncollectable", 1)
    );
    let told = document.to_string();
    assert!(
        told.contains("service `python3 server.py` ended with exit status: 7"),
        "{document:#}"
    );
}

#[test]
fn one_that_does_not_start_on_the_parent_is_no_baseline() {
    let configuration = (
        "patch-verdict.toml",
        "[[service]]\nstart = \"exit 5\"\nready = \"false\"\n",
    );
    let before = [BASE[0], BASE[1], BASE[2], configuration];
    let Some(house) = House::new(&before, &[("readme", "x\n")]) else {
        return;
    };
    let (document, exit) = house.check(&[]);
    assert_eq!(
        (short(&document).as_str(), exit),
        ("not_applicable incomplete_discovery", 3)
    );
    assert!(document["headline"].as_str().unwrap().contains("service"));
}
