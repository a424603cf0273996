//! What a client declares, what an ask needs of it, and the one gate that stands in front of everything a server sends.
//! Must never remember a declaration: whose declaration counts is the design's decision, and it is handed in each time.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// Something that a client must have declared before a server may ask for it (client/elicitation C-01..C-04,
/// client/sampling C-05, client/roots C-06).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Capability {
    /// A form that the person fills in.
    Form,
    /// A link that the person opens.
    Url,
    /// A model's completion.
    Sampling,
    /// A completion that may use tools.
    SamplingTools,
    /// A completion with context from servers.
    SamplingContext,
    /// The client's roots.
    Roots,
}

impl Capability {
    /// Every capability, in the order of the documentation.
    pub const ALL: [Capability; 6] = [
        Capability::Form,
        Capability::Url,
        Capability::Sampling,
        Capability::SamplingTools,
        Capability::SamplingContext,
        Capability::Roots,
    ];

    /// Word in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            Capability::Form => "form",
            Capability::Url => "url",
            Capability::Sampling => "sampling",
            Capability::SamplingTools => "sampling-tools",
            Capability::SamplingContext => "sampling-context",
            Capability::Roots => "roots",
        }
    }

    /// `requiredCapabilities` of the error -32021: an object, never a list (M-07).
    pub fn required(self) -> Value {
        match self {
            Capability::Form => json!({ "elicitation": { "form": {} } }),
            Capability::Url => json!({ "elicitation": { "url": {} } }),
            Capability::Sampling => json!({ "sampling": {} }),
            Capability::SamplingTools => json!({ "sampling": { "tools": {} } }),
            Capability::SamplingContext => json!({ "sampling": { "context": {} } }),
            Capability::Roots => json!({ "roots": {} }),
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What a client declares (`clientCapabilities`), one bit for each capability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientCapabilities(u8);

impl ClientCapabilities {
    /// `{}`: nothing.
    pub const NONE: ClientCapabilities = ClientCapabilities(0);

    /// These, and this one. Tools and context of sampling bring sampling with them: they are declared inside it.
    #[must_use]
    pub fn with(self, capability: Capability) -> ClientCapabilities {
        let inside_sampling = matches!(capability, Capability::SamplingTools | Capability::SamplingContext);
        let outer = if inside_sampling { Capability::Sampling.bit() } else { 0 };
        ClientCapabilities(self.0 | capability.bit() | outer)
    }

    /// As an object, the way it travels (`clientCapabilities`, schema@2026-07-28).
    pub fn to_value(self) -> Value {
        let inner = |of: &[(Capability, &str)]| -> Value {
            let declared = of.iter().filter(|(capability, _)| self.has(*capability));
            declared.map(|(_, name)| ((*name).to_owned(), json!({}))).collect::<Map<String, Value>>().into()
        };
        let elicitation = inner(&[(Capability::Form, "form"), (Capability::Url, "url")]);
        let sampling = inner(&[(Capability::SamplingTools, "tools"), (Capability::SamplingContext, "context")]);
        let outer = [
            ("elicitation", elicitation, self.has(Capability::Form) || self.has(Capability::Url)),
            ("sampling", sampling, self.has(Capability::Sampling)),
            ("roots", json!({}), self.has(Capability::Roots)),
        ];
        let declared = outer.into_iter().filter(|(_, _, declared)| *declared);
        declared.map(|(name, value, _)| (name.to_owned(), value)).collect::<Map<String, Value>>().into()
    }

    /// Whether this one is among them.
    pub fn has(self, capability: Capability) -> bool {
        self.0 & capability.bit() != 0
    }
}

impl FromIterator<Capability> for ClientCapabilities {
    fn from_iter<I: IntoIterator<Item = Capability>>(capabilities: I) -> ClientCapabilities {
        capabilities.into_iter().fold(ClientCapabilities::NONE, ClientCapabilities::with)
    }
}

/// As the list of their words.
impl Serialize for ClientCapabilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(Capability::ALL.into_iter().filter(|&capability| self.has(capability)))
    }
}

/// What a server does when its tool has to ask and the client cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unable {
    /// Fails closed with the error -32021, which names what is missing (M-07).
    Reject,
    /// Answers with a tool error that tells the model to ask in the conversation and to call again with
    /// `confirmed=true`: whether anybody was asked is the model's word.
    ToolErrorWithFallback,
    /// Relies on the host, which asks the person itself before it sends a call of such a client.
    HostApproval,
    /// Goes on as if the person had accepted.
    FailOpen,
    /// Does not list the tool for such a client, so that it is never called.
    HideTool,
    /// Asks with a form what it would have asked with a link. Never right for a secret (S-03).
    DowngradeToForm,
    /// Takes what it would have asked for from its own configuration or the call's authorization.
    FromConfiguration,
}

impl Unable {
    /// Every policy, in the order of the documentation.
    pub const ALL: [Unable; 7] = [
        Unable::Reject,
        Unable::ToolErrorWithFallback,
        Unable::HostApproval,
        Unable::FailOpen,
        Unable::HideTool,
        Unable::DowngradeToForm,
        Unable::FromConfiguration,
    ];
}

/// What the gate decides about one ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// It may be sent, as this.
    Send(Capability),
    /// It is not sent, and the body goes on as if it had been accepted.
    Pass,
    /// It is not sent: the client did not declare this.
    Missing(Capability),
}

/// The gate in front of everything that a server sends to a client.
pub fn gate(needed: Capability, declared: ClientCapabilities, unable: Unable) -> Gate {
    match unable {
        _ if declared.has(needed) => Gate::Send(needed),
        Unable::FailOpen | Unable::FromConfiguration => Gate::Pass,
        Unable::DowngradeToForm if needed == Capability::Url && declared.has(Capability::Form) => {
            Gate::Send(Capability::Form)
        }
        _ => Gate::Missing(needed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(capabilities: &[Capability]) -> ClientCapabilities {
        capabilities.iter().copied().collect()
    }

    #[test]
    fn nothing_is_sent_that_was_not_declared_whatever_the_policy() {
        for bits in 0..1u8 << Capability::ALL.len() {
            let declared: ClientCapabilities = Capability::ALL.into_iter().filter(|c| bits & c.bit() != 0).collect();
            for needed in Capability::ALL {
                for unable in Unable::ALL {
                    match gate(needed, declared, unable) {
                        Gate::Send(sent) => assert!(declared.has(sent), "{needed:?} {declared:?} {unable:?}"),
                        Gate::Pass | Gate::Missing(_) => assert!(!declared.has(needed)),
                    }
                }
            }
        }
    }

    #[test]
    fn a_link_becomes_a_form_under_the_wrong_policy_only_and_only_where_forms_are_declared() {
        let forms = declared(&[Capability::Form]);
        assert_eq!(gate(Capability::Url, forms, Unable::Reject), Gate::Missing(Capability::Url));
        assert_eq!(gate(Capability::Url, forms, Unable::DowngradeToForm), Gate::Send(Capability::Form));
        let nothing = ClientCapabilities::NONE;
        assert_eq!(gate(Capability::Url, nothing, Unable::DowngradeToForm), Gate::Missing(Capability::Url));
        let links = declared(&[Capability::Url]);
        assert_eq!(gate(Capability::Form, links, Unable::DowngradeToForm), Gate::Missing(Capability::Form));
    }

    #[test]
    fn a_declaration_travels_as_an_object_of_objects() {
        let of = |capabilities: &[Capability]| declared(capabilities).to_value();
        assert_eq!(of(&[]), json!({}));
        assert_eq!(of(&[Capability::Form]), json!({ "elicitation": { "form": {} } }));
        assert_eq!(of(&[Capability::Url]), json!({ "elicitation": { "url": {} } }));
        assert_eq!(of(&[Capability::SamplingTools]), json!({ "sampling": { "tools": {} } }));
        let all = json!({
            "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {}, "context": {} }, "roots": {}
        });
        assert_eq!(of(&Capability::ALL), all);
        for capability in Capability::ALL {
            assert_eq!(of(&[capability]), capability.required(), "{}", capability.name());
        }
    }

    #[test]
    fn sampling_with_tools_is_sampling_and_sampling_is_not_sampling_with_tools() {
        assert!(declared(&[Capability::SamplingTools]).has(Capability::Sampling));
        assert!(!declared(&[Capability::Sampling]).has(Capability::SamplingTools));
        assert!(!declared(&[Capability::SamplingTools]).has(Capability::SamplingContext));
    }

    #[test]
    fn every_capability_is_listed_once_under_its_serialised_word() {
        for (place, capability) in Capability::ALL.into_iter().enumerate() {
            assert_eq!(capability as usize, place);
            assert_eq!(serde_json::to_string(&capability).unwrap(), format!("\"{}\"", capability.name()));
        }
    }
}
