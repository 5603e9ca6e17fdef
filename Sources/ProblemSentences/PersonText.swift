package import CloudKitWire

/// How people are called in sentences.
package enum PersonText {
    /// Characters of a user record name, which tell two people apart.
    private static let shown = 7

    /// `somebody (_83b1c8…)`: of somebody of whom no name is known, the beginning of the user record name, whose 33 characters
    /// say nothing to a reader. What a person is to type has to have the whole of it.
    package static func somebody(_ userRecordName: String) -> String {
        "somebody (\(short(userRecordName)))"
    }

    /// `_83b1c8…`; one that is hardly longer as it is.
    package static func short(_ userRecordName: String) -> String {
        userRecordName.count > shown + 3 ? userRecordName.prefix(shown) + "…" : userRecordName
    }

    /// Given name and family name, as far as they are known; `nil` where neither is.
    package static func name(given: String?, family: String?) -> String? {
        let names = [given, family].compactMap(\.self).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    /// Whose a zone of the shared database is.
    package static func owner(of zone: ZoneID) -> String {
        zone.ownerRecordName.map(somebody) ?? "its owner"
    }
}
