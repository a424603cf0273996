//! The nouns: plain data and pure rules of people, clients, balancers, instances, keys and sealed state. Must never hold
//! a future, an event or a design.

mod answer;
mod attack;
mod balancer;
mod capability;
mod cause;
mod change;
mod client;
mod effect;
mod exposure;
mod fault;
pub mod form;
mod instance;
mod key;
pub mod link;
mod memory;
mod person;
mod pool;
mod sign_in;
mod state;
mod store;

pub use answer::{Action, Answer, Answers, MOST_ANSWERS, MOST_ASKS_OF_A_TOOL};
pub use attack::{Attack, Attacks, Presented, SpentStates, UsedBefore};
pub use balancer::{Balancer, Detection, Draw, HashBy, Hashing, Policy, Routing, Scheme, Stickiness, Ties};
pub use capability::{Capability, ClientCapabilities, Gate, Unable, gate};
pub use cause::Cause;
pub use change::{ScaleBy, Scaling, Strategy, Termination, Victim};
pub use client::{
    Cancel, ClientKind, Failure, Handshake, Jitter, Model, OnAsk, OnBroken, OnInvalid, OnNotFound, Retry, Revision,
};
pub use effect::{Idempotency, IdempotencyScope};
pub use exposure::{Exposure, SeenBy};
pub use fault::Select;
pub use instance::{Instance, InstanceId, Misroute, Sessions};
pub use key::{Key, KeyId, KeyRing, Keys, Order, Rotation, Signing, Turns};
pub use memory::{AtCap, Memory};
pub use person::{Decide, Fate, Forms};
pub use pool::Pool;
pub use sign_in::{CallbackRefusal, PageCheck, Pending, SignIn, Unfinished, Visitor};
pub use state::{Claims, Clock, Refusal, RequestState, handle, handle_len, open, seal, sealed_len};
pub use store::{Found, Owner, Store, StoreRetries};
