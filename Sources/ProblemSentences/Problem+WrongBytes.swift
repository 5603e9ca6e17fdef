package import RecordMapping
package import SyncModel

extension Problem {
    /// Bytes came that are not those of the asset, also at another try.
    /// - Parameters:
    ///   - path: Where the asset belongs, if that is known.
    ///   - file: The file of its record.
    package static func wrongBytes(
        _ path: FolderPath?, in slot: AssetSlot, of file: FolderPath, _ difference: AssetWitnesses.Difference
    ) -> Problem {
        let what = path.map { "\($0)" } ?? "\(file): the file in its field '\(slot.field)'"
        let reason: String =
            switch difference {
            case .size(let expected, let came) where came > expected: "more than its \(expected) bytes came"
            case .size(let expected, let came): "\(came) bytes came instead of \(expected)"
            case .hash(let witness, let expected, let came):
                "the SHA-256 of the bytes that came begins with \(came), but \(witness.spoken) with \(expected)"
            }
        return Problem(
            .wrongBytes, message: "\(what) is not received: \(reason).",
            remedy: "It is tried again by itself. If it stays, something on the way to the server changes downloads, "
                + "such as a proxy or a virus scanner; or save the file anew on a device that has it.")
    }
}

extension AssetWitnesses.Witness {
    fileprivate var spoken: String {
        switch self {
        case .checksum: "that of the server's checksum"
        case .hint: "the one that its author noted in the record"
        case .sha256: "the record's `sha256`"
        }
    }
}
