import Glibc

/// How many files and connections this process may have open.
enum OpenFileLimit {
    /// Raises it as far as the system lets a process do by itself: the usual thousand is fewer than the connections that a
    /// server bears. Not for a process that watches a folder.
    /// - Parameter wanted: Not further than this.
    /// - Returns: What it is now.
    @discardableResult static func raise(to wanted: rlim_t = .max) -> rlim_t {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        guard limit.rlim_cur < min(wanted, limit.rlim_max) else { return limit.rlim_cur }
        let old = limit.rlim_cur
        limit.rlim_cur = min(wanted, limit.rlim_max)
        return setrlimit(resource, &limit) == 0 ? limit.rlim_cur : old
    }

    /// Raises it for a process that watches folders.
    /// - Throws: Where it stays so low that the process would not even start: its libraries trap then.
    static func raiseForFolders() throws(CommandFailure) {
        // libinotifytools waits by select(2), which knows no higher descriptors.
        let limit = raise(to: rlim_t(FD_SETSIZE))
        // Three for each thread of the network, and twice as many as a folder takes at rest.
        let need = 64 + 3 * rlim_t(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        guard limit >= need else { throw .tooFewDescriptors(limit: UInt64(limit), need: UInt64(need)) }
    }
}
