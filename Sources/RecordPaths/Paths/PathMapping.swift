import CloudKitSchema
public import SyncModel

/// Where records lie in the folder, and which paths can be structured records.
///
/// Whatever a name or an attribute holds, the path is safe beneath the root, outside the state directory, and
/// the same on every device.
public struct PathMapping: Hashable, Sendable {
    /// The record type of file records.
    public var fileType: String

    /// Takes the record type of file records.
    public init(fileType: String = "File") {
        self.fileType = fileType
    }

    /// Where ignore rules are shown that nobody obeys: the same name on every device.
    public static let rulesSetAside = FolderPath(bytes: PathSafety.escaped(FolderPath.ignoreFile.bytes))!

    private static let json = Array(".json".utf8)

    /// The record type that a path names where its content is an object: its first folder, if that is a legal
    /// record type name and neither the file records' type nor `Users`, and its last name ends in `.json`.
    public func structuredType(of path: FolderPath) -> String? {
        let names = path.names
        guard names.count >= 2, let first = names.first, let last = names.last,
            last.count > Self.json.count, last.suffix(Self.json.count).elementsEqual(Self.json)
        else { return nil }
        let type = String(decoding: first, as: UTF8.self)
        return isStructuredType(type) ? type : nil
    }

    /// Whether records of this type are shown as structured files.
    public func isStructuredType(_ type: String) -> Bool {
        SchemaName.isLegal(type) && type != fileType && type != "Users"
    }

    /// The path of a file record: its `path` attribute if it has one, else what its record name spells.
    public func path(ofFile name: RecordName, attribute: String?) -> FolderPath {
        if let attribute, !attribute.isEmpty {
            return PathAttribute.path(of: attribute) ?? escapedPath(attribute)
        }
        if let spoken = RecordNaming.spoken(by: name.rawValue), let path = FolderPath(bytes: spoken),
            !PathSafety.looksEscaped(spoken), let accepted = PathSafety.accepted(path)
        {
            return accepted
        }
        return escapedPath(name.rawValue)
    }

    /// The path of a structured record: its path hint if it has a fitting one, else ``defaultPath(of:type:)``.
    ///
    /// A hint fits if it is a path that a record of this type can have.
    public func path(ofStructured name: RecordName, type: String, hint: String?) -> FolderPath {
        if let hint, let path = PathAttribute.path(of: hint), structuredType(of: path) == type { return path }
        return defaultPath(of: name, type: type)
    }

    /// The path of a structured record without a hint: `<record name>.json` where the name begins with its own
    /// `RecordType/`, else `RecordType/<record name>.json`; with the name percent-decoded where that is safe and
    /// loses nothing, else escaped with a hash of it.
    public func defaultPath(of name: RecordName, type: String) -> FolderPath {
        let folder = SchemaName.isLegal(type) ? Array(type.utf8) : PathSafety.escaped(type.utf8)
        let home = folder + [UInt8(ascii: "/")]
        if let spoken = RecordNaming.spoken(by: name.rawValue), !PathSafety.looksEscaped(spoken) {
            let isHome = spoken.starts(with: home) && spoken.count > home.count
            if let path = FolderPath(bytes: (isHome ? spoken : home + spoken) + Self.json),
                let accepted = PathSafety.accepted(path), accepted.name.count > Self.json.count
            {
                return accepted
            }
        }
        return escapedPath(name.rawValue, home: home, suffix: Self.json)
    }

    /// Where the second claimant of a path is shown: `stem~<6 hex>.ext`, the digits a hash of its record name.
    /// - Parameter attempt: Ask with 2, 3 … where the place before it is taken too: each has two digits more.
    public static func displaced(_ path: FolderPath, recordName: RecordName, attempt: Int = 1) -> FolderPath {
        let digits = ShortHash.digits(min(4 + 2 * max(attempt, 1), 64), of: recordName.rawValue.utf8)
        let name = FileNameParts(path.name).inserting([UInt8(ascii: "~")] + digits)
        return path.sibling(name: PathSafety.freed(name))
    }

    private func escapedPath(_ text: String, home: [UInt8] = [], suffix: [UInt8] = []) -> FolderPath {
        let escaped = PathSafety.escaped(text.utf8)
        // At most eight names of 100 plain bytes: never too long, never unsafe.
        return FolderPath(bytes: (escaped.starts(with: home) ? [] : home) + escaped + suffix)!
    }
}
