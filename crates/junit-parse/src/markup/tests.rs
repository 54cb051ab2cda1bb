//! Tags, bodies and texts, apart from any structure.
use super::tag::scan_tag;
use super::*;

/// The attributes, and the end of the tag with whether it is flawed.
type Scanned<'a> = (Vec<(&'a str, &'a str)>, Option<(usize, bool)>);

fn attributes(text: &str) -> Scanned<'_> {
    let mut found = Vec::new();
    let tag = scan_tag(text.as_bytes(), 1, true, |attribute| {
        let name = attribute.name..attribute.name + attribute.name_length;
        let value = attribute.value..attribute.value + attribute.value_length;
        found.push((text.get(name).unwrap(), text.get(value).unwrap()));
    });
    (
        found,
        tag.map(|tag| (tag.end, tag.flaws.malformed || tag.flaws.raw_less)),
    )
}

fn text(raw: &str, is_body: bool) -> RawText<'_> {
    let text = Text {
        start: 0,
        length: raw.len().try_into().unwrap(),
        is_body,
        is_cut: false,
        is_plain: false,
        area: Area::Texts,
    };
    RawText::of(text, Slice::new(raw.as_bytes()).whole())
}

#[test]
fn tags_end_where_a_reader_would_end_them() {
    let check = |text: &str, expected: &[(&str, &str)], end: usize, is_flawed: bool| {
        assert_eq!(
            attributes(text),
            (expected.to_vec(), Some((end, is_flawed))),
            "{text}"
        );
    };
    check("<a>", &[], 3, false);
    check("<a/>", &[], 4, false);
    check(
        "<a b='1' c=\"2>3\" >x",
        &[("b", "1"), ("c", "2>3")],
        18,
        false,
    );
    check("<a b = '1'\n/>", &[("b", "1")], 13, false);
    check("<a b='1'c='2'>", &[("b", "1"), ("c", "2")], 14, true);
    check("<a b=1 c>", &[("b", "1")], 9, true);
    check("<a b=1/>", &[("b", "1")], 8, true);
    // A quote too many does not swallow what follows.
    check("<a b='x' '>y</a>'", &[("b", "x")], 11, true);
    check("<a b=\"say \"hi\" now\">", &[("b", "say ")], 20, true);
    // A quote too few ends at the next `>` or `<`.
    check("<a b='1><c d='2'/>", &[("b", "1")], 8, true);
    check("<a b='1/><c d='2'/>", &[("b", "1")], 9, true);
    check("<a b='<t>1</t>'/>", &[("b", "<t>1</t>")], 17, true);
    check("<a b='1' <c/>", &[("b", "1")], 9, true);
}

#[test]
fn a_cut_tag_is_no_tag() {
    for text in [
        "<a",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "<a b='1",
        "<a b='1'",
        "<a b='1'/",
    ] {
        assert_eq!(attributes(text).1, None, "{text}");
    }
}

#[test]
fn bodies_end_at_their_own_end_tag_or_at_structure() {
    let check = |text: &str, stop: Stop, rest: &str| {
        let body = skip_body(&mut Slice::new(text.as_bytes()), b"f", false).unwrap();
        assert_eq!(
            (body.stop, text.get(body.end..).unwrap()),
            (stop, rest),
            "{text}"
        );
    };
    check("x</f>y", Stop::Closed, "</f>y");
    check("x</ff></f >", Stop::Closed, "</f >");
    check("<![CDATA[</f>]]></f>", Stop::Closed, "</f>");
    check("<!-- </f> --></f>", Stop::Closed, "</f>");
    check("<?x </f> ?></f>", Stop::Closed, "</f>");
    check("<? x </f>", Stop::Closed, "</f>");
    check("<f>a</f>b</f>c", Stop::Closed, "</f>c");
    check("<f/>b</f>c", Stop::Closed, "</f>c");
    check("a < b && c</f>", Stop::Closed, "</f>");
    check("a</testcase>", Stop::ParentEnd, "</testcase>");
    check("a</p:testsuite>", Stop::ParentEnd, "</p:testsuite>");
    check("a<testcase/></f>", Stop::NewStructure, "<testcase/></f>");
    check("<![CDATA[</testcase></f>", Stop::EndOfText, "");
    check("<!-- </f>", Stop::EndOfText, "");
    check("abc", Stop::EndOfText, "");
}

#[test]
fn raw_markup_is_told_from_child_elements() {
    let check = |text: &str, expected: bool| {
        assert_eq!(
            skip_body(&mut Slice::new(text.as_bytes()), b"f", false)
                .unwrap()
                .has_raw_markup,
            expected,
            "{text}"
        );
    };
    check("<a><b/></a></f>", false);
    check("<![CDATA[<]]></f>", false);
    check("a < b</f>", true);
    check("vector<int> x</f>", true);
    check("</x></f>", true);
}

#[test]
fn texts_decode() {
    let attribute = |raw| text(raw, false).decode().into_owned();
    let body = |raw| text(raw, true).decode().into_owned();
    assert_eq!(
        attribute("a&lt;&#65;&#x42;&amp;&quot;&apos;&gt;"),
        "a<AB&\"'>"
    );
    assert_eq!(attribute("a\nb\tc\r\nd"), "a b c d");
    assert_eq!(attribute("a&#10;b"), "a\nb");
    assert_eq!(
        attribute("&nbsp;&#0;&#xD800;&#x110000;"),
        "\u{FFFD}".repeat(4)
    );
    assert_eq!(
        attribute("a & b &; &# &#x; &1; &lt"),
        "a & b &; &# &#x; &1; &lt"
    );
    assert_eq!(
        attribute("\u{1B}\u{FFFE}\u{FEFF}"),
        "\u{FFFD}\u{FFFD}\u{FEFF}"
    );
    assert_eq!(body("a<![CDATA[<&lt;>]]>&lt;<!-- no -->b"), "a<&lt;><b");
    assert_eq!(body("a\r\nb\rc\td"), "a\nb\nc\td");
    assert_eq!(body("a <b>c</b> < d"), "a <b>c</b> < d");
    assert_eq!(body("<![CDATA[cut"), "cut");
    assert_eq!(body("<![CDATA[a\n<&lt;é]]>"), "a\n<&lt;é");
    assert_eq!(body("<![CDATA[a\r\nb\u{1B}]]>"), "a\nb\u{FFFD}");
    assert_eq!(body("<![CDATA[a]]]]><![CDATA[>b]]>"), "a]]>b");
    assert_eq!(body("<![CDATA[]]>"), "");
    assert_eq!(body("a<!-- cut"), "a<!-- cut");
}

#[test]
fn clipping_counts_characters() {
    let clip = |raw, limit| {
        let (text, is_clipped) = text(raw, true).decode_clipped(limit);
        (text.into_owned(), is_clipped)
    };
    assert_eq!(clip("éé", 2), ("éé".to_owned(), false));
    assert_eq!(clip("ééé", 2), ("éé".to_owned(), true));
    assert_eq!(clip("&lt;&lt;", 2), ("<<".to_owned(), false));
    assert_eq!(clip("a<![CDATA[bc]]>", 2), ("ab".to_owned(), true));
    assert_eq!(clip("a", 0), (String::new(), true));
}

#[test]
fn retry_elements_give_their_stack_trace() {
    let trace = |raw| text(raw, true).without_outputs().decode().into_owned();
    assert_eq!(
        trace("\n<stackTrace>at x</stackTrace><system-out>o</system-out>"),
        "at x"
    );
    assert_eq!(
        trace("<system-out>o</system-out><stackTrace>at x</stackTrace>"),
        "at x"
    );
    assert_eq!(trace("at x\n<system-out>o</system-out>"), "at x\n");
    assert_eq!(trace("<system-out>o</system-out>"), "");
    assert_eq!(trace("<![CDATA[<stackTrace>]]>at x"), "<stackTrace>at x");
}

#[test]
fn bad_references_are_noted_with_their_place() {
    let mut found = Vec::new();
    check_body(b"a&#1;<![CDATA[&x;]]>&nbsp; & ]]>", &mut |kind, at, _| {
        found.push((kind.as_str(), at + 100));
    });
    let expected = [
        ("illegal_char_ref", 101),
        ("unknown_entity", 120),
        ("unescaped_markup", 127),
        ("unescaped_markup", 129),
    ];
    assert_eq!(found, expected);
}
