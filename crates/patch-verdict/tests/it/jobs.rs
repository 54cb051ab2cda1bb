//! `check --jobs`: the same answer as one run after another, rows in schedule order.
use crate::house::{BASE, House, ids, short};

/// Breaks a price, and brings a test that fails where it sees what another run left.
const PATCH: &[(&str, &str)] = &[
    (
        "shop.py",
        "def price(count):\n    return 11 * count\n\n\ndef name():\n    return 'shop'\n",
    ),
    (
        "tests/test_new.py",
        "import pathlib\n\n\ndef test_nothing_is_left_of_other_runs():\n    mark = pathlib.Path('mark')\n    assert not mark.exists()\n    mark.write_text('here')\n",
    ),
];

#[test]
fn several_runs_at_once_answer_what_one_after_another_does() {
    let mut answers = Vec::new();
    for jobs in ["1", "3"] {
        let Some(house) = House::new(BASE, PATCH) else {
            return;
        };
        let (document, code) = house.check(&["--base", "main", "--jobs", jobs]);
        let review = document["review_dir"].as_str().unwrap();
        let rows = ["parent", "patch"].map(|side| {
            let path = house.path().join(review).join(format!("{side}.jsonl"));
            let text = std::fs::read_to_string(path).unwrap();
            let rows = text.lines().map(|line| {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                assert_eq!(row["isolation"]["path_shared"], true);
                ["prop", "seed", "status", "witness"].map(|key| row[key].clone())
            });
            rows.collect::<Vec<_>>()
        });
        let seeds: Vec<_> = rows[1].iter().map(|row| row[1].as_i64().unwrap()).collect();
        assert_eq!(seeds, [11, 11, 12, 12], "jobs {jobs}");
        assert_eq!(
            (short(&document).as_str(), code),
            ("reject regression", 1),
            "{document}"
        );
        let failures = ids(&document["new_failures"]);
        answers.push((rows, failures, document["new_tests"].clone()));
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_number_of_jobs_that_is_none_is_a_usage_error() {
    let Some(house) = House::base(BASE) else {
        return;
    };
    for jobs in ["0", "x", "-1"] {
        let answer = house.run(&["check", &format!("--jobs={jobs}")]);
        assert_eq!(answer.code, 2, "{}", answer.stderr);
    }
}
