//! The main job: from a repository and a patch to a verdict with evidence on disk.
