import CInotifyTools
import Glibc

/// The one place that calls libinotifytools (3.22), whose tables and event buffer are process-wide and take no lock:
/// every call must be made under the watcher's.
///
/// What the library does, and what is done about it here:
/// - It shows neither its descriptor nor whether its buffer holds more. The descriptor is found in `/proc`, and
///   waited on outside the library; `inotifytools_next_events(0, 1)` then never waits (`inotifytools_next_event(0)`
///   would wait for ever).
/// - It waits with `select`, which writes past its set for a descriptor of 1,024 or more: refused at opening.
/// - It does not say which watch it made. Names are given once only, so that the name leads to the watch.
/// - A watch that the kernel dropped can never be taken out of its tables. The watcher counts these and begins anew
///   when there are many.
/// - `inotifytools_replace_filename` walks all watches, changes the tree while it walks it and matches bare prefixes;
///   `inotifytools_set_filename_by_wd` leaves the tree out of order. Neither is used: ``WatchTree`` knows the names.
enum InotifyTools {
    /// Starts the library and gives its descriptor.
    static func open() throws(WatchError) -> Int32 {
        for _ in 0..<8 {
            let before = try descriptors()
            guard inotifytools_initialize() != 0 else { throw .noInotify(errno: inotifytools_error()) }
            let added = try descriptors().subtracting(before)
            // Another thread that opens or closes an inotify descriptor in this instant makes the answer unclear.
            guard added.count == 1, let descriptor = added.first else {
                inotifytools_cleanup()
                continue
            }
            guard descriptor < 1024 else {
                inotifytools_cleanup()
                throw .descriptorTooHigh(descriptor)
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            return descriptor
        }
        throw .descriptorNotFound()
    }

    /// Ends all watches and closes the descriptor.
    ///
    /// Events left in the library's buffer would come out of the next instance: read them to the end first.
    static func close() {
        inotifytools_cleanup()
    }

    /// Places a watch on a directory and gives its number, or the `errno` of the failure.
    ///
    /// The number is that of an existing watch if the directory is watched already, under whatever name.
    /// - Parameter serial: Makes names unique; moves on when it was needed.
    static func watch(_ directory: [UInt8], serial: inout UInt32) -> Result<Int32, SystemFailure> {
        var name = directory
        if number(named: name) != nil {
            serial += 1
            name = distinct(directory, serial: serial)
        }
        let made = withCString(name) { inotifytools_watch_file($0, Int32(EventMask.watched.rawValue)) }
        guard made != 0 else { return .failure(SystemFailure(errno: inotifytools_error())) }
        guard let number = number(named: name) else { return .failure(SystemFailure(errno: ENOENT)) }
        return .success(number)
    }

    /// Takes a watch away; `false` where the kernel had dropped it already.
    static func remove(_ watch: Int32) -> Bool {
        inotifytools_remove_watch_by_wd(watch) != 0
    }

    /// The next event that is there now, `nil` if there is none; an `errno` when reading failed.
    static func nextEvent() throws(SystemFailure) -> RawEvent? {
        guard let event = inotifytools_next_events(0, 1) else {
            let code = inotifytools_error()
            guard code == 0 || code == EINTR || code == EAGAIN else { throw SystemFailure(errno: code) }
            return nil
        }
        let header = event.pointee
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size, count: Int(header.len))
        return RawEvent(
            watch: header.wd, mask: EventMask(rawValue: header.mask), pairing: header.cookie,
            name: Array(bytes.prefix { $0 != 0 }))
    }

    /// How many watches this user may have, from `fs.inotify.max_user_watches`.
    static func watchLimit() -> Int? {
        let limit = inotifytools_get_max_user_watches()
        return limit > 0 ? Int(limit) : nil
    }

    private static func number(named name: [UInt8]) -> Int32? {
        // The library ends the names of directories with a slash.
        let slash = UInt8(ascii: "/")
        let number = withCString(name.last == slash ? name : name + [slash]) { inotifytools_wd_from_filename($0) }
        return number < 0 ? nil : number
    }

    /// The same path, spelled as no other is: the serial's binary digits as `/` and `./` before the last name.
    ///
    /// Not behind it: a path that ends with a slash would follow a symbolic link.
    private static func distinct(_ path: [UInt8], serial: UInt32) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let start = (path.dropLast().lastIndex(of: slash) ?? -1) + 1
        var digits: [UInt8] = []
        var rest = serial
        while rest > 0 {
            digits += rest & 1 == 0 ? [slash] : [UInt8(ascii: "."), slash]
            rest >>= 1
        }
        return path[..<start] + digits + path[start...]
    }

    private static func withCString<Value>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Value) -> Value {
        precondition(!bytes.contains(0), "a path holds no NUL")
        return (bytes + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
    }
}
