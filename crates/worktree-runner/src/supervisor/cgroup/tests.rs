//! Where the group of a process stands on hosts of several kinds.

use std::path::PathBuf;

use super::folder;

#[test]
fn the_own_group_is_found_on_each_kind_of_host() {
    let unified =
        "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
    let hybrid = "31 25 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                  32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    let part = "40 24 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
    for (mounts, own, expected) in [
        (
            unified,
            "0::/user.slice/session-1.scope\n",
            Some("/sys/fs/cgroup/user.slice/session-1.scope"),
        ),
        (
            hybrid,
            "4:memory:/a\n0::/\n",
            Some("/sys/fs/cgroup/unified/"),
        ),
        (part, "0::/docker/abc/x\n", Some("/sys/fs/cgroup/x")),
        // Its own group is not in the part that is shown.
        (part, "0::/elsewhere\n", None),
        ("", "0::/\n", None),
        (unified, "4:memory:/a\n", None),
    ] {
        assert_eq!(folder(mounts, own), expected.map(PathBuf::from), "{own}");
    }
}
