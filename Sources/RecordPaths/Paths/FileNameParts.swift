import SyncModel

extension FolderPath {
    /// The path with another, safe last name; at the root where it would grow beyond what a path may be.
    func sibling(name: [UInt8]) -> FolderPath {
        replacing(name: name).flatMap { FolderPath(bytes: $0.bytes) } ?? FolderPath(bytes: name)!
    }
}

/// A file's name cut at its last dot, so that something can be put between stem and extension.
struct FileNameParts {
    var stem: [UInt8]
    /// With its dot; empty where there is none.
    var fileExtension: [UInt8]

    /// A dot at the very start or end makes no extension, nor does an extension of over 32 bytes.
    init(_ name: some Collection<UInt8>) {
        let name = Array(name)
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot > 1, name.count - dot <= 33 {
            stem = Array(name[..<dot])
            fileExtension = Array(name[dot...])
        } else {
            stem = name
            fileExtension = []
        }
    }

    /// The name with an infix before the extension; the stem is cut where all would be longer than 255 bytes.
    func inserting(_ infix: [UInt8]) -> [UInt8] {
        var room = 255 - infix.count - fileExtension.count
        if room < stem.count {
            // Never inside a UTF-8 sequence: step back over continuation bytes.
            while room > 0, stem[room] & 0xC0 == 0x80 { room -= 1 }
        }
        return stem.prefix(max(room, 0)) + infix + fileExtension
    }
}
