//! Where sockets are read from.

use std::path::{Path, PathBuf};

use super::{addresses, kept_in, named};

#[test]
fn tools_and_the_resolver_stay_and_nothing_else() {
    let kept = |path: &str, resolver: &str| {
        let kept = kept_in(Path::new("/run"), path, Some(Path::new(resolver)));
        kept.iter()
            .map(|path| path.display().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        kept(
            "/usr/bin:/run/current-system/sw/bin:/running",
            "/etc/resolv.conf"
        ),
        ["/run/current-system/sw/bin"]
    );
    assert_eq!(
        kept("/usr/bin", "/run/systemd/resolve/stub-resolv.conf"),
        ["/run/systemd/resolve"]
    );
    assert!(kept("/run:/bin", "/run/resolv.conf").is_empty());
}

#[test]
fn paths_of_the_table_are_found_and_names_without_a_file_are_not() {
    let table = "Num       RefCount Protocol Flags    Type St Inode Path\n\
        ffff8880: 00000002 00000000 00010000 0001 01 15404 /run/dbus/system_bus_socket\n\
        ffff8881: 00000003 00000000 00000000 0001 03 15405\n\
        ffff8882: 00000002 00000000 00010000 0001 01    16 @/tmp/dbus-abc\n\
        ffff8883: 00000002 00000000 00010000 0002 01 15406 /home/a b/agent socket\n\
        ffff8884: 00000002 00000000 00010000 0002 01 15407 relative\n";
    assert_eq!(
        named(table).collect::<Vec<_>>(),
        ["/run/dbus/system_bus_socket", "/home/a b/agent socket"].map(PathBuf::from)
    );
}

#[test]
fn addresses_of_variables_are_found() {
    for (value, expected) in [
        ("/tmp/ssh-x/agent.1", vec!["/tmp/ssh-x/agent.1"]),
        ("unix:///var/docker.sock", vec!["/var/docker.sock"]),
        ("unix:path=/a/bus,guid=0f", vec!["/a/bus"]),
        ("unix:abstract=/tmp/x", vec![]),
        (":0", vec![]),
        ("/usr/bin:/bin", vec!["/usr/bin:/bin"]),
    ] {
        let found: Vec<PathBuf> = addresses(value).collect();
        let expected: Vec<PathBuf> = expected.into_iter().map(PathBuf::from).collect();
        assert_eq!(found, expected, "{value}");
    }
}
