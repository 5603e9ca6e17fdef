public import SyncModel

/// The names of conflict copies: `<stem>.conflict-<UTC time>-<device>.<ext>`, beside the file they are of.
///
/// Of the zone's version the device is `zone`; a device of that name is called `device-zone`.
public enum ConflictCopyName {
    /// In the place of a device's name: the copy is the version that came from the zone.
    public static let zone = "zone"

    /// The name for a copy of a path; of a conflict copy's path, the name for a copy of its original. `nil` where the
    /// directories above it have so long a path that no such name can stand there.
    ///
    /// - Parameters:
    ///   - time: Seconds since 1970.
    ///   - device: What is not an ASCII letter, digit, `_` or `-` becomes `-`; 32 characters at most count. `nil` for the
    ///     zone's version.
    ///   - attempt: From 1; higher ones give other names, for where the first is taken.
    public static func make(for path: FolderPath, at time: Int64, device: String?, attempt: Int = 1) -> FolderPath? {
        let name = split(name: original(of: path.name) ?? Array(path.name))
        let whose = device.map(safe) ?? zone
        var middle = Array(".conflict-\(CivilTime(seconds: time).text)-\(whose)".utf8)
        if attempt > 1 { middle += Array("-\(attempt)".utf8) }
        let longest = min(255, FolderPath.longest - (path.bytes.count - path.name.count))
        // What gives way where a name would get too long is the stem; it tells whose copy it is, so rather the ending than all
        // of the stem.
        let leavesEnding = !name.stem.isEmpty && longest - middle.count - name.ending.count > 0
        let ending = leavesEnding ? name.ending : []
        let room = longest - middle.count - ending.count
        guard room > 0 else { return nil }
        return path.replacing(name: start(of: name.stem, in: room) + middle + ending)
    }

    /// As many bytes of a stem as there is room for, up to a character's border where there is one.
    private static func start(of stem: [UInt8], in room: Int) -> [UInt8] {
        guard stem.count > room else { return stem }
        var start = stem.prefix(room)
        if stem[room] & 0xC0 == 0x80 {
            while let last = start.last, last & 0xC0 == 0x80 { start.removeLast() }
            if !start.isEmpty { start.removeLast() }
        }
        return Array(start.isEmpty ? stem.prefix(room) : start)
    }

    /// Whether a path is named like a conflict copy; such a file is never uploaded.
    public static func isConflictCopy(_ path: FolderPath) -> Bool {
        original(of: path.name) != nil
    }

    /// The path that a conflict copy is of, as far as its name tells; `nil` for another path.
    public static func original(of path: FolderPath) -> FolderPath? {
        original(of: path.name).flatMap { path.replacing(name: $0) }
    }

    /// The device whose version a conflict copy is, as far as its name tells; `nil` for the zone's, and for another path.
    public static func device(of path: FolderPath) -> String? {
        guard let device = parts(of: path.name)?.device, !isOfZone(device) else { return nil }
        // A further copy of the same second has a number after it, which may as well be the device's own.
        return String(decoding: device, as: UTF8.self)
    }

    /// Whether a conflict copy is the version that came from the zone, as far as its name tells.
    public static func isOfZone(_ path: FolderPath) -> Bool {
        parts(of: path.name).map { isOfZone($0.device) } ?? false
    }

    private static func isOfZone(_ device: some Collection<UInt8>) -> Bool {
        device.starts(with: zone.utf8)
            && device.dropFirst(zone.utf8.count).first.map { $0 == UInt8(ascii: "-") } ?? true
    }

    private static let marker = Array(".conflict-".utf8)

    static func isConflictCopy(name: UnsafeBufferPointer<UInt8>) -> Bool {
        // Nearly every name ends here.
        guard name.count > 27 else { return false }
        return original(of: Array(name)[...]) != nil
    }

    private static func original(of name: ArraySlice<UInt8>) -> [UInt8]? {
        parts(of: name)?.original
    }

    private static func parts(of name: ArraySlice<UInt8>) -> (original: [UInt8], device: ArraySlice<UInt8>)? {
        var start = name.startIndex
        while start + marker.count + 17 < name.endIndex {
            let time = start + marker.count
            if name[start] == marker[0], name[start..<time].elementsEqual(marker),
                CivilTime.looksLikeTime(name[time..<(time + 16)]), name[time + 16] == UInt8(ascii: "-")
            {
                let rest = name[(time + 17)...]
                let device = rest.prefix(while: isSafe)
                let ending = rest[device.endIndex...]
                if !device.isEmpty, ending.isEmpty || ending.first == UInt8(ascii: ".") {
                    return (Array(name[..<start] + ending), device)
                }
            }
            start += 1
        }
        return nil
    }

    /// A name's part before its last dot, and the rest with the dot; a leading dot begins no ending.
    private static func split(name: [UInt8]) -> (stem: [UInt8], ending: [UInt8]) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 32 else {
            return (name, [])
        }
        return (Array(name[..<dot]), Array(name[dot...]))
    }

    private static func safe(_ device: String) -> String {
        let bytes = device.utf8.prefix(32).map { isSafe($0) ? $0 : UInt8(ascii: "-") }
        let name = bytes.isEmpty ? "device" : String(decoding: bytes, as: UTF8.self)
        return isOfZone(bytes) ? "device-" + name : name
    }

    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
