import CloudKitClient
import FolderControl

extension FolderSession {
    /// What this session did, with its waits.
    var workDone: StatusReport.Work {
        var done = eventLog.work
        done.retries = Int64(retry.waits)
        done.retryWaitMilliseconds = Int64(retry.waited / .milliseconds(1))
        return done
    }
}
