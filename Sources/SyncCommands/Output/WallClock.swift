import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// The time of day, for showing ages and times.
enum WallClock {
    /// Milliseconds since 1970.
    static var now: Int64 {
        Int64(Date().timeIntervalSince1970 * 1000)
    }

    /// A moment as `2026-01-31 18:05:09` in the person's time zone.
    static func text(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            let length = strftime(buffer.baseAddress!, buffer.count, "%Y-%m-%d %H:%M:%S", &parts)
            return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
