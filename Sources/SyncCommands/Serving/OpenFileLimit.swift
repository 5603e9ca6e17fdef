import Glibc

/// How many files and connections this process may have open.
enum OpenFileLimit {
    /// Raises it as far as the system lets a process do by itself: the usual thousand is fewer than the connections that a
    /// server bears. Not for a process that watches a folder: libinotifytools cannot do with descriptors that high.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
