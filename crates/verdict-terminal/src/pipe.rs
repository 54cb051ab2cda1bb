//! Output to a reader that may go away: then it is quiet, and the exit code stays what it is.
use std::io::{self, ErrorKind, Write};

/// A writer that takes a closed pipe for a reader that has seen enough.
///
/// A verdict must not turn into 0 because nobody read it to its end.
#[derive(Debug)]
pub(crate) struct UntilClosed<W> {
    inner: W,
    closed: bool,
}

impl<W> UntilClosed<W> {
    pub(crate) const fn new(inner: W) -> Self {
        Self {
            inner,
            closed: false,
        }
    }

    fn take(&mut self, result: io::Result<usize>, all: usize) -> io::Result<usize> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(all)
            }
            other => other,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = self.inner.write(bytes);
        self.take(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.flush().map(|()| 0);
        self.take(result, 0).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorKind, UntilClosed, Write, io};

    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn only_a_closed_pipe_is_quiet() {
        let mut closed = UntilClosed::new(Failing(ErrorKind::BrokenPipe));
        assert!(
            closed
                .write_all(b"verdict")
                .and_then(|()| closed.flush())
                .is_ok()
        );
        let mut full = UntilClosed::new(Failing(ErrorKind::StorageFull));
        assert!(full.write_all(b"verdict").is_err());
    }
}
