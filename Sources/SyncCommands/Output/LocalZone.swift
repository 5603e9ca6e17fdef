#if canImport(Glibc)
    import Glibc
#endif

/// The time zone of this process, as TZ or the system has it.
struct LocalZone: CivilZone {
    func day(at milliseconds: Int64, before count: Int) -> PastTime.Day {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        parts.tm_mday -= Int32(count)
        // At noon no clock is changed.
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (12, 0, 0, -1)
        mktime(&parts)
        return PastTime.Day(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }

    func milliseconds(of day: PastTime.Day, _ time: PastTime.Time) -> Int64 {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(day.year) - 1900, Int32(day.month) - 1, Int32(day.day))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(time.hour), Int32(time.minute), Int32(time.second))
        parts.tm_isdst = -1
        return Int64(mktime(&parts)) * 1000
    }
}

/// UTC.
struct UniversalZone: CivilZone {
    func day(at milliseconds: Int64, before count: Int) -> PastTime.Day {
        var seconds = time_t(milliseconds / 1000 - Int64(count) * 86_400)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return PastTime.Day(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }

    func milliseconds(of day: PastTime.Day, _ time: PastTime.Time) -> Int64 {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(day.year) - 1900, Int32(day.month) - 1, Int32(day.day))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(time.hour), Int32(time.minute), Int32(time.second))
        return Int64(timegm(&parts)) * 1000
    }
}
