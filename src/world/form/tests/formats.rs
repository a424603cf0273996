//! The four formats (F-01) on known texts, those of the JSON-Schema-Test-Suite among them.

use super::*;

fn holds(format: TextFormat, legal: &[&str], illegal: &[&str]) {
    for text in legal {
        assert!(format.accepts(text), "{} must accept {text:?}", format.name());
    }
    for text in illegal {
        assert!(!format.accepts(text), "{} must refuse {text:?}", format.name());
    }
}

#[test]
fn an_email_is_a_mailbox_without_a_display_name() {
    let legal = [
        "joe.bloggs@example.com",
        "te~st@example.com",
        "~test@example.com",
        "test~@example.com",
        "te.s.t@example.com",
        "\"joe bloggs\"@example.com",
        "\"joe..bloggs\"@example.com",
        "\"joe@bloggs\"@example.com",
        "joe.bloggs@[127.0.0.1]",
        "joe.bloggs@[IPv6:::1]",
        "a+b@localhost",
    ];
    let illegal = [
        "",
        "@",
        "2962",
        ".test@example.com",
        "test.@example.com",
        "te..st@example.com",
        "joe.bloggs@invalid=domain.com",
        "joe.bloggs@[127.0.0.300]",
        "joe.bloggs@[::1]",
        "Joe <joe@example.com>",
        "<joe@example.com>",
        "joe@",
        "@b.com",
        "a b@example.com",
        "joe@-example.com",
        "joe@example-.com",
        "joe@example..com",
        "joé@example.com",
        "joe@exämple.com",
        "joe@example.com ",
        "joe@exa_mple.com",
        "joe@example.com\n",
        "\"",
        "\"@b",
        "\"\\\"@b",
    ];
    holds(TextFormat::Email, &legal, &illegal);
}

#[test]
fn a_uri_is_absolute_and_needs_no_repair() {
    let legal = [
        "http://foo.bar/?baz=qux#quux",
        "http://foo.bar/?q=Test%20URL-encoded%20stuff",
        "http://xn--nw2a.xn--j6w193g/",
        "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
        "http://223.255.255.254",
        "ftp://ftp.is.co.za/rfc/1.txt",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "mailto:John.Doe@example.com",
        "news:comp.infosystems",
        "tel:+1-816-555-1212",
        "urn:oasis:names:tc:4.1.2",
        "a:b",
        "HTTPS://EXAMPLE.COM",
        "http://u:p@[::1]:80/",
    ];
    let illegal = [
        "",
        "//foo.bar/?baz=qux#quux",
        "/abc",
        "\\\\WINDOWS\\fileshare",
        "abc",
        "http:// shouldfail.com",
        ":// should fail",
        "bar,baz:foo",
        "https://[@example.org/test.txt",
        "https://example.org/foobar\\.txt",
        "https://example.org/foobar<>.txt",
        "https://example.org/foobar{}.txt",
        "https://example.org/foobar^.txt",
        "https://example.org/foobar`.txt",
        "https://example.org/foo bar.txt",
        "https://example.org/foobar|.txt",
        " http://a.b",
        "http://a.b ",
        "http://a.b/ü",
        "http://a.b/%",
        "http://a.b/%2",
        "http://a.b/%zz",
        "http://a.b/#a#b",
        "http://a.b/[x]",
        "http://[x]@a.b/",
        "http://a.b/?[",
        "http://[::1",
        "foo:[::1]",
        "http://a.b:port/",
        "1a:b",
        "foo://a@b@c/",
        "urn:x://[::1]/",
    ];
    holds(TextFormat::Uri, &legal, &illegal);
}

#[test]
fn a_date_is_a_day_of_the_calendar_in_ten_signs() {
    let legal = ["1963-06-19", "2020-02-29", "2000-02-29", "2021-12-31", "0000-01-01", "9999-12-31"];
    let illegal = [
        "",
        "2020-01-32",
        "2021-02-29",
        "1900-02-29",
        "2020-04-31",
        "2020-00-01",
        "2020-13-01",
        "2020-01-00",
        "06/19/1963",
        "2013-350",
        "1998-1-20",
        "1998-01-1",
        "20230328",
        "2023-W01",
        "2023-W13-2",
        "2022W527",
        "1963-06-1৪",
        "1963-06-11Z",
        "1963-06-11T00:00:00",
        "+002026-07-28",
        " 2026-07-28",
        "-026-07-28",
        "2026-07-28[UTC]",
    ];
    holds(TextFormat::Date, &legal, &illegal);
}

#[test]
fn a_date_time_has_an_offset_and_a_leap_second_only_where_one_can_be() {
    let legal = [
        "1963-06-19T08:30:06.283185Z",
        "1963-06-19T08:30:06Z",
        "1937-01-01T12:00:27.87+00:20",
        "1990-12-31T15:59:50.123-08:00",
        "1998-12-31T23:59:60Z",
        "1998-12-31T15:59:60.123-08:00",
        "1999-01-01T01:29:60+01:30",
        "1963-06-19t08:30:06.283185z",
        "9999-12-31T23:59:59-23:59",
        "0000-01-01T00:00:00+23:59",
    ];
    let illegal = [
        "",
        "1998-12-31T23:59:61Z",
        "1998-12-31T23:58:60Z",
        "1998-12-31T22:59:60Z",
        "1990-02-31T15:59:59.123-08:00",
        "1990-12-31T15:59:59-24:00",
        "1990-12-31T15:59:59+00:60",
        "1963-06-19T08:30:06.28123+01:00Z",
        "06/19/1963 08:30:06 PST",
        "2013-350T01:01:01",
        "1963-6-19T08:30:06.283185Z",
        "1963-06-1T08:30:06.283185Z",
        "1963-06-1৪T00:00:00Z",
        "1963-06-11T0৪:00:00Z",
        "1963-06-19 08:30:06Z",
        "1963-06-19T08:30:06",
        "1963-06-19T24:00:00Z",
        "1963-06-19T08:60:06Z",
        "1963-06-19T08:30Z",
        "1963-06-19T08:30:06.Z",
        "1963-06-19T08:30:06,5Z",
        "1963-06-19T08:30:06+0100",
        "1963-06-19T08:30:06Z[UTC]",
        "1963-06-19T08:30:06+01",
        "1963-06-19",
    ];
    holds(TextFormat::DateTime, &legal, &illegal);
}

#[test]
fn a_format_is_named_as_the_specification_names_it() {
    let names = TextFormat::ALL.map(TextFormat::name);
    assert_eq!(names, ["email", "uri", "date", "date-time"]);
}
