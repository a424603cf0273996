//! The nouns: plain data and pure rules of people, clients, balancers, instances, keys and sealed state. Must never hold
//! a future, an event or a design.

mod answer;
mod balancer;
mod cause;
mod client;
mod fault;
pub mod form;
mod instance;
mod key;
mod person;
mod state;

pub use answer::{Action, Answer, Answers, MOST_ANSWERS, MOST_ASKS_OF_A_TOOL};
pub use balancer::{Balancer, Policy};
pub use cause::Cause;
pub use client::{OnBroken, OnNotFound};
pub use fault::Select;
pub use instance::{Instance, InstanceId, Misroute};
pub use key::{Key, KeyId, KeyRing, Keys, Signing};
pub use person::{Decide, Fate};
pub use state::{Claims, Refusal, RequestState, open, seal, sealed_len};
