//! Brings the loopback device of a fresh network namespace up, over netlink.

use std::io;

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};

const RTM_NEWLINK: u16 = 16;
const NLMSG_ERROR: u16 = 2;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_ACK: u16 = 4;
const IFF_UP: u32 = 1;
const LOOPBACK_INDEX: i32 = 1;
const MESSAGE_LENGTH: u32 = 32;

/// Sets `lo` up: without it a connection to 127.0.0.1 fails in a new network namespace.
pub(super) fn bring_up() -> io::Result<()> {
    let socket = rustix::net::socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        None,
    )?;
    let kernel = SocketAddrNetlink::new(0, 0);
    rustix::net::sendto(&socket, &request(), SendFlags::empty(), &kernel)?;
    let mut answer = [0_u8; 256];
    let (length, _) = rustix::net::recv(&socket, &mut answer[..], RecvFlags::empty())?;
    acknowledged(answer.get(..length).unwrap_or_default())
}

/// An `RTM_NEWLINK` request: `struct nlmsghdr`, then `struct ifinfomsg`.
fn request() -> Vec<u8> {
    let mut message = Vec::with_capacity(32);
    message.extend(MESSAGE_LENGTH.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend((NLM_F_REQUEST | NLM_F_ACK).to_ne_bytes());
    message.extend(1_u32.to_ne_bytes()); // sequence
    message.extend(0_u32.to_ne_bytes()); // port
    message.extend([0_u8, 0]); // family, padding
    message.extend(0_u16.to_ne_bytes()); // device type
    message.extend(LOOPBACK_INDEX.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes()); // flags
    message.extend(IFF_UP.to_ne_bytes()); // which flags change
    message
}

/// The answer is an `NLMSG_ERROR` whose code is 0.
fn acknowledged(answer: &[u8]) -> io::Result<()> {
    let kind = answer
        .get(4..6)
        .and_then(|bytes| bytes.try_into().ok())
        .map(u16::from_ne_bytes);
    let code = answer
        .get(16..20)
        .and_then(|bytes| bytes.try_into().ok())
        .map(i32::from_ne_bytes);
    match (kind, code) {
        (Some(NLMSG_ERROR), Some(0)) => Ok(()),
        (Some(NLMSG_ERROR), Some(code)) => Err(io::Error::from_raw_os_error(code.saturating_neg())),
        _ => Err(io::Error::other(
            "unexpected answer of the kernel about the loopback device",
        )),
    }
}
