//! How test frameworks are detected, seeded, listed, selected and read: one trait, one adapter each.
//!
//! The crate computes and opens nothing: it looks at a repository through a [`FileView`], and a
//! [`Plan`] says which command to run, with which environment, and which files to write first.
//!
//! ```
//! use std::collections::BTreeMap;
//! use test_frameworks::{Mode, PlanRequest, framework};
//!
//! let command = ["pytest", "-q"].map(str::to_owned);
//! let ids = ["tests/test_a.py::test_one".to_owned()];
//! let plan = framework("pytest")
//!     .ok_or("no such framework")?
//!     .plan(&PlanRequest {
//!         command: &command,
//!         mode: Mode::Scored { ids: &ids },
//!         seed: 11,
//!         nonce: "5e1f",
//!         report: "/run/report.xml",
//!         control: "/run/control",
//!         tree: "/run/tree",
//!         directory: "",
//!         environment: &BTreeMap::new(),
//!     })?;
//! assert_eq!(plan.argv, command);
//! assert_eq!(plan.environment["PYTHONPATH"], "/run/control");
//! assert_eq!(plan.inventory.as_deref(), Some("/run/control/inventory.json"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It does not run a command, read a report, or decide anything. MSRV 1.90.

mod change;
mod channel;
mod framework;
mod go;
mod inventory;
mod javascript;
mod jest;
mod nextest;
mod paths;
mod plain;
mod plan;
mod pytest;
mod registry;
mod view;
mod vitest;

pub use crate::change::{Change, TestPlace, Touched};
pub use crate::channel::{Channel, ChannelError, ChannelOutcome};
pub use crate::framework::{Detection, ExitMeaning, Framework};
pub use crate::go::Go;
pub use crate::inventory::{
    BaseClass, Inventory, InventoryError, InventoryItem, LoadedModule, ParamIndex, Uncollectable,
};
pub use crate::jest::Jest;
pub use crate::nextest::Nextest;
pub use crate::plain::Plain;
pub use crate::plan::{Mode, Plan, PlanError, PlanRequest, PlannedFile};
pub use crate::pytest::Pytest;
pub use crate::registry::{detect, framework, framework_of, frameworks};
pub use crate::view::{Below, FileView};
pub use crate::vitest::Vitest;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[expect(dead_code, reason = "carries the README's example as a doc test")]
struct Readme;
