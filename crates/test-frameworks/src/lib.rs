//! How test frameworks are detected, seeded, listed, selected and read: one trait, one adapter each.
//!
//! An adapter returns text: argument vectors, environment variables, files. It starts nothing and
//! reads nothing; the caller does.
//!
//! ```
//! use std::collections::BTreeMap;
//! use test_frameworks::{Mode, PlanRequest, framework};
//!
//! let pytest = framework("pytest").expect("it is built in");
//! let plan = pytest.plan(&PlanRequest {
//!     command: &["pytest".to_owned(), "-q".to_owned()],
//!     mode: Mode::Discover,
//!     seed: 7,
//!     nonce: "5f1c",
//!     report: "/run/control/report.xml",
//!     control: "/run/control",
//!     tree: "/run/tree",
//!     directory: ".",
//!     environment: &BTreeMap::new(),
//! })?;
//! assert_eq!(plan.argv, ["pytest", "-q"]);
//! assert_eq!(plan.environment["PYTEST_PLUGINS"], "pv_5f1c");
//! # Ok::<(), test_frameworks::PlanError>(())
//! ```

mod framework;
mod inventory;
mod plain;
mod plan;
mod pytest;
mod view;

pub use framework::{Detection, ExitMeaning, Framework, framework, frameworks};
pub use inventory::{
    Base, Inventory, InventoryError, Item, LoadedModule, ParamIndex, Uncollectable,
};
pub use plan::{Mode, Plan, PlanError, PlanRequest, PlannedFile};
pub use view::FileView;
