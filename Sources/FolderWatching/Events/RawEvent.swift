/// One inotify event, copied out of the library's buffer.
struct RawEvent: Hashable, Sendable {
    var watch: Int32
    var mask: EventMask
    var pairing: UInt32
    var name: [UInt8]
}

/// The bits of inotify(7) that matter here; the values are the kernel's.
struct EventMask: OptionSet, Hashable, Sendable {
    var rawValue: UInt32

    static let modify = Self(rawValue: 0x2)
    static let attributes = Self(rawValue: 0x4)
    static let closeWrite = Self(rawValue: 0x8)
    static let movedFrom = Self(rawValue: 0x40)
    static let movedTo = Self(rawValue: 0x80)
    static let create = Self(rawValue: 0x100)
    static let delete = Self(rawValue: 0x200)
    static let deleteSelf = Self(rawValue: 0x400)
    static let moveSelf = Self(rawValue: 0x800)
    static let unmount = Self(rawValue: 0x2000)
    static let overflow = Self(rawValue: 0x4000)
    static let ignored = Self(rawValue: 0x8000)
    static let onlyDirectory = Self(rawValue: 0x100_0000)
    static let dontFollow = Self(rawValue: 0x200_0000)
    static let excludeUnlinked = Self(rawValue: 0x400_0000)
    static let isDirectory = Self(rawValue: 0x4000_0000)

    /// What every directory is watched for.
    static let watched: Self = [
        .modify, .attributes, .closeWrite, .movedFrom, .movedTo, .create, .delete, .deleteSelf, .moveSelf,
        .onlyDirectory, .dontFollow, .excludeUnlinked,
    ]

    /// The kind of a change to a name in a watched directory.
    var kind: PathChange.Kind? {
        if contains(.closeWrite) { return .closedAfterWrite }
        if contains(.modify) { return .modified }
        if contains(.create) { return .created }
        if contains(.movedTo) { return .movedTo }
        if contains(.movedFrom) { return .movedFrom }
        if contains(.delete) { return .deleted }
        if contains(.attributes) { return .attributes }
        return nil
    }
}
