//! Links and the pages behind them, and what is done to states on their way back. Must never let more calls be attacked
//! than there are.

use toml::de::DeValue;

use super::distribution;
use super::model::{Attacks, Links, PageCheck, Pending, Unfinished};
use super::section::Section;
use super::values::{self, Wrong};

/// Reads `[links]`.
pub(super) fn read(section: &Section<'_>) -> Option<Links> {
    let address = section.get("address", |value| values::text(value).map(String::from));
    let server = section.get("server", host);
    let page = distribution::read(section, "page", true);
    let unfinished = section.with_table("unfinished", unfinished);
    let pending = section.choice("pending", &[Pending::Shared, Pending::Memory, Pending::Sealed]);
    let life = section.duration_or("life");
    let hops = section.whole("hops").and_then(|hops| u8::try_from(hops).ok());
    let checks = [PageCheck::None, PageCheck::SignedStateOnly, PageCheck::SessionIfPresent, PageCheck::SessionRequired];
    let check = section.choice("check", &checks);
    let share = |name| section.get(name, values::share);
    let (sessions, forwarded, repeated) = (share("sessions"), share("forwarded"), share("repeated"));
    Some(Links {
        address: address?,
        server: server?,
        page: page?,
        unfinished: unfinished?,
        pending: pending?,
        life: life?,
        hops: hops?,
        check: check?,
        sessions: sessions?,
        forwarded: forwarded?,
        repeated: repeated?,
    })
}

fn host(value: &DeValue<'_>) -> Result<String, Wrong> {
    let host = values::text(value)?;
    let is_host = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    if !host.is_empty() && host.chars().all(is_host) {
        return Ok(host.to_owned());
    }
    Err(Wrong::new("this is no host").help("a host stands alone: mcp.example.com, without scheme, path or space"))
}

fn unfinished(table: &Section<'_>) -> Option<Unfinished> {
    let chosen = table.exactly_one(&[])?;
    if chosen == "poll" {
        return table.duration("poll").map(Unfinished::Poll);
    }
    if table.get(chosen, values::flag)? {
        return Some(match chosen {
            "manual" => Unfinished::Manual,
            "notify" => Unfinished::Notify,
            _ => Unfinished::Block,
        });
    }
    table.wrong(chosen, Wrong::new(format!("`{chosen} = false` says nothing")).help("write another one instead"));
    None
}

/// Reads `[attack]`.
pub(super) fn attack(section: &Section<'_>) -> Option<Attacks> {
    let names = ["tampered", "stolen", "other_call", "late", "replayed"];
    let [tampered, stolen, other_call, late, replayed] = names.map(|name| section.get(name, values::share));
    let times = section.whole("times").and_then(|times| u8::try_from(times).ok());
    let attacks = Attacks {
        tampered: tampered?,
        stolen: stolen?,
        other_call: other_call?,
        late: late?,
        replayed: replayed?,
        times: times?,
    };
    let sum = attacks.tampered + attacks.stolen + attacks.other_call + attacks.late + attacks.replayed;
    if sum > 1.0 + 1e-9 {
        let wrong = Wrong::new(format!("they add up to {}", (sum * 1e9).round() / 1e9));
        let help = "each call is attacked in one way at most";
        section.context().push(section.span(), "the shares of `attack` must add up to at most 1", wrong.help(help));
        return None;
    }
    Some(attacks)
}
