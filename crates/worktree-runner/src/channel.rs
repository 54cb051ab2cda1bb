//! A named pipe that a run streams its results over, read while the run lasts.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::pipe::PipeFlags;

/// More than the results of a million tests; what comes beyond it is read and thrown away, so that
/// the writer never waits.
const LIMIT: usize = 256 * 1024 * 1024;

/// What came over the pipe of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Streamed {
    /// The bytes, in the order in which they were written.
    pub bytes: Vec<u8>,
    /// Bytes beyond the limit (256 MB) that were thrown away.
    pub dropped_bytes: u64,
}

/// The reading end, held open until the run has ended and all its processes are gone.
#[derive(Debug)]
pub(crate) struct Channel {
    reader: JoinHandle<Streamed>,
    /// Closing it tells the reader that nobody is left to write.
    stop: OwnedFd,
}

impl Channel {
    /// Makes the pipe; only its owner can open it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, path, FileType::Fifo, mode, 0)?;
        // Opened for writing as well: the stream then never ends, whoever opens and closes it.
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let pipe = rustix::fs::open(path, flags, Mode::empty())?;
        let (stopped, stop) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let reader = std::thread::Builder::new()
            .name("result channel".to_owned())
            .spawn(move || read(&pipe, &stopped, LIMIT))?;
        Ok(Self { reader, stop })
    }

    /// Takes what is left in the pipe. Only when nothing can write to it any more.
    pub(crate) fn finish(self) -> io::Result<Streamed> {
        drop(self.stop);
        let gone = |_| io::Error::other("the reader of the result channel ended");
        self.reader.join().map_err(gone)
    }
}

fn read(pipe: &OwnedFd, stopped: &OwnedFd, limit: usize) -> Streamed {
    let mut streamed = Streamed::default();
    let mut buffer = vec![0_u8; 65536];
    let mut ending = false;
    loop {
        match rustix::io::read(pipe.as_fd(), buffer.as_mut_slice()) {
            Ok(length) => {
                let room = limit.saturating_sub(streamed.bytes.len());
                let (kept, dropped) = buffer.split_at(length.min(room));
                streamed.bytes.extend_from_slice(kept);
                let dropped = dropped.len() - (buffer.len() - length);
                streamed.dropped_bytes += u64::try_from(dropped).unwrap_or(u64::MAX);
            }
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) if !ending => {
                let mut descriptors = [
                    PollFd::new(pipe, PollFlags::IN),
                    PollFd::new(stopped, PollFlags::IN),
                ];
                // Also when polling fails: the next read tells.
                rustix::event::poll(&mut descriptors, None).unwrap_or_default();
                let [_, stop] = &descriptors;
                ending = !stop.revents().is_empty();
            }
            Err(_) => return streamed,
        }
    }
}

/// Keeps what came beside the log of its run.
pub(crate) fn keep(streamed: &Streamed, path: &Path) -> io::Result<()> {
    use io::Write as _;
    File::create(path)?.write_all(&streamed.bytes)
}

#[cfg(test)]
mod tests;
