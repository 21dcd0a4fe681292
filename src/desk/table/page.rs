//! What somebody says about the own page by letter: which browsers have it, that none is to, another link.

use minijinja::context;

use crate::archive::{DeviceRecord, PageChange, Party};
use crate::desk::table::sitting::Sitting;
use crate::orders::asking::PageWish;

/// Does what is asked for, and says what came of it.
pub(in crate::desk) fn answer(
    sitting: &mut Sitting,
    party: Party,
    wish: PageWish,
    devices: &[DeviceRecord],
) -> Vec<String> {
    if sitting.house.settings.web.is_none() {
        return vec![sitting.say(party, "no_page", context! {})];
    }
    let moderates = party == Party::Moderator;
    match wish {
        PageWish::Devices if devices.is_empty() => vec![sitting.say(party, "no_devices", context! { moderates })],
        PageWish::Devices => {
            let mut lines: Vec<String> = devices.iter().map(|device| line(sitting, party, device)).collect();
            lines.push(sitting.say(party, "devices_hint", context! { count => devices.len() }));
            lines
        }
        PageWish::ForgetDevices => {
            sitting.deed.page.changes.push(PageChange::Forget(party));
            vec![sitting.say(party, "devices_forgotten", context! { moderates, count => devices.len() })]
        }
        PageWish::NewLink => {
            renew(sitting, party);
            vec![sitting.say(party, "link_renewed", context! { moderates })]
        }
        PageWish::Copies(copies) => {
            let link = sitting.table.link(party);
            sitting.table.ways.links.insert(party, crate::archive::LinkRecord { copies, ..link });
            sitting.deed.page.changes.push(PageChange::Copies(party, copies));
            vec![sitting.say(party, if copies { "copies_on" } else { "copies_off" }, context! { moderates })]
        }
    }
}

/// The link of a seat is another from now on, and no browser has it.
pub(in crate::desk) fn renew(sitting: &mut Sitting, party: Party) {
    let link = sitting.table.link(party);
    let generation = link.generation + 1;
    sitting.table.ways.links.insert(party, crate::archive::LinkRecord { generation, ..link });
    sitting.deed.page.changes.push(PageChange::NewLink(party));
}

fn line(sitting: &Sitting, party: Party, device: &DeviceRecord) -> String {
    let facts = context! {
        name => device.name.as_str(),
        since => sitting.when(party, device.since),
        seen => sitting.when(party, device.seen),
        deputy => device.absence.is_some(),
    };
    sitting.say(party, "device", facts)
}
