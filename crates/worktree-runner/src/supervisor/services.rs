//! Services of a run: started before its command, asked until they are ready, ended with the run.

use std::os::fd::OwnedFd;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal};

use super::warden::{Control, Order, Watch};
use super::{processes, spawn};
use crate::options::Service;
use crate::outcome::Exit;

/// How long to wait before a service is asked again.
const PAUSE: Duration = Duration::from_millis(50);

impl Watch<'_> {
    /// Starts every service of the plan and waits until each is ready.
    pub(super) fn start_services(
        &mut self,
        output: &OwnedFd,
        control: &mut dyn Control,
    ) -> Result<(), Exit> {
        let plan = self.plan;
        for service in &plan.services {
            let started = spawn::shell(plan, &service.start, Some(output));
            let start =
                started.map_err(|reason| failed(service, &format!("cannot start: {reason}")))?;
            self.until_ready(service, start, control)?;
        }
        Ok(())
    }

    fn until_ready(
        &mut self,
        service: &Service,
        mut start: Child,
        control: &mut dyn Control,
    ) -> Result<(), Exit> {
        let limit = Duration::from_millis(self.plan.service_limit_ms);
        self.next = Instant::now() + limit;
        // A start that ended well left something in the background: it is asked on.
        let mut in_foreground = true;
        loop {
            if self.is_ready(service, control)? {
                return Ok(());
            }
            if in_foreground && let Ok(Some(status)) = start.try_wait() {
                in_foreground = false;
                if !status.success() {
                    return Err(failed(
                        service,
                        &format!("ended with {status} before it was ready"),
                    ));
                }
            }
            self.pause(None, control, PAUSE);
            self.go_on(service, control)?;
        }
    }

    /// Asks once; the answer is waited for no longer than the limit.
    fn is_ready(&mut self, service: &Service, control: &mut dyn Control) -> Result<bool, Exit> {
        let asked = spawn::shell(self.plan, &service.ready, None);
        let mut asked =
            asked.map_err(|reason| failed(service, &format!("cannot be asked: {reason}")))?;
        let id = i32::try_from(asked.id()).unwrap_or(0);
        let handle = Pid::from_raw(id)
            .and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
        loop {
            match asked.try_wait() {
                Ok(Some(status)) => return Ok(status.success()),
                Ok(None) => {}
                Err(error) => {
                    return Err(failed(service, &format!("cannot be asked: {error}")));
                }
            }
            self.pause(handle.as_ref(), control, Duration::from_secs(1));
            if let Err(exit) = self.go_on(service, control) {
                processes::kill_group(id, Signal::KILL);
                asked.wait().ok();
                return Err(exit);
            }
        }
    }

    /// Takes output in; an error when it is time to stop.
    fn go_on(&mut self, service: &Service, control: &mut dyn Control) -> Result<(), Exit> {
        self.read_output();
        if control.order() != Order::GoOn {
            return Err(Exit::Cancelled);
        }
        if Instant::now() >= self.next {
            let limit = self.plan.service_limit_ms;
            return Err(failed(service, &format!("was not ready within {limit} ms")));
        }
        Ok(())
    }
}

fn failed(service: &Service, why: &str) -> Exit {
    Exit::NotStarted(format!("service `{}` {why}", service.start))
}
