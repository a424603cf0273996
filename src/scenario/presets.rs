//! Named sets of defaults: what an SDK or a kind of server does unless it is told otherwise. Must never set what is
//! written, and never set what was not measured or read in the sources of that SDK.

/// The default of one key under a preset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Path of the key.
    pub path: &'static str,
    /// Default as the user would write it.
    pub default: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

const fn preset(path: &'static str, default: &'static str, source: &'static str) -> Preset {
    Preset { path, default, source }
}

/// What the words of the key `preset` mean, in the order of the words.
pub fn presets() -> [&'static [Preset]; 4] {
    [&[], RMCP_3_11, PYTHON_2_3, THREADS]
}

const RMCP_3_11: &[Preset] = &[
    preset("clients.patience", "\"none\"", "no limit on a call unless one is set"),
    preset("clients.serves_after", "\"2s\"", "an ask that is open when the client gives up is served for 2 s"),
    preset("clients.handshake", "\"full\"", "initialize, initialized and the GET stream, each routed"),
    preset("clients.on_not_found", "\"fail\"", "re-initialises, and fails the calls that are pending"),
    preset("clients.on_broken", "\"hang\"", "measured: hangs when its instance is killed"),
    preset("balancer.connections_per_call", "4", "measured at the balancer for a parked call"),
    preset("fleet.parked_keeps_thread", "false", "measured: 3 threads with 10,000 calls parked"),
    preset("fleet.request_work", "\"150us\"", "measured: 0.30 ms to 0.32 ms for a waiting call and its answer"),
    preset("fleet.memory.per_parked", "\"40KiB\"", "measured: ten calls of one session"),
    preset("fleet.memory.per_session", "\"77KiB\"", "measured: 117 KiB to 120 KiB with one call"),
    preset("fleet.descriptors_per_call", "2", "measured for a parked call with its stream"),
    preset("fleet.misroute", "\"not-found\"", "an unknown session is met with 404"),
    preset("fleet.session_idle", "\"300s\"", "ends a parked call too"),
    preset("fleet.heartbeat", "\"15s\"", "a comment on every open stream"),
    preset("state.work", "\"40us\"", "measured: 0.37 ms to 0.51 ms for the two legs of a carried call"),
    preset("state.ttl", "\"none\"", "none unless one is set"),
];

const PYTHON_2_3: &[Preset] = &[
    preset("clients.handshake", "\"full\"", "initialize, initialized and the GET stream, each routed"),
    preset("fleet.parked_keeps_thread", "false", "asynchronous"),
    preset(
        "fleet.request_work",
        "\"2100us\"",
        "measured: 4.3 ms for a waiting call and its answer, 4.2 ms for a carried one",
    ),
    preset("fleet.memory.per_parked", "\"185KiB\"", "measured, its session included"),
    preset("fleet.misroute", "\"not-found\"", "an unknown session is met with 404"),
    preset("state.keys", "\"per-process\"", "measured: another instance refuses the state"),
];

/// A server with a thread for each request, as the seed example has it.
const THREADS: &[Preset] =
    &[preset("fleet.memory.per_parked", "\"72KiB\"", "measured: a parked thread that used 64 KiB of its stack")];
