import ArgumentParser

/// Which of several a person means by the beginning of an ID.
enum RevocationChoice {
    /// As many digits tell any two apart.
    private static let shownDigits = 12
    private static let fewestDigits = 6

    /// An ID as lists show it.
    static func shown(_ id: String) -> String { String(id.prefix(shownDigits)) }

    /// - Throws: `ValidationError` for what cannot be the beginning of an ID.
    static func check(_ text: String) throws {
        let isHexadecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isHexadecimal, (fewestDigits...64).contains(text.utf8.count) else {
            throw ValidationError(
                "'\(text.prefix(8))…' is no ID: at least \(fewestDigits) digits of 0-9 and a-f, as the list shows them."
            )
        }
    }

    /// - Parameters:
    ///   - kind: What they are, for the error.
    ///   - list: The command that lists them.
    /// - Throws: ``CommandFailure`` where none or several begin so.
    static func one(
        of ids: [String], named text: String, _ kind: String, _ list: String
    ) throws(CommandFailure) -> String {
        let found = ids.filter { $0.utf8.starts(with: text.utf8) }
        guard let one = found.first else { throw .noneOfThatID(text, kind, list) }
        guard found.count == 1 else {
            throw CommandFailure(
                status: .usage, message: "The ID of more than one \(kind) begins with \(text). Give more digits of it.")
        }
        return one
    }
}

extension CommandFailure {
    static func noneOfThatID(_ id: String, _ kind: String, _ list: String) -> Self {
        Self(
            status: .error,
            message:
                "There is no \(kind) whose ID begins with \(id.prefix(12)). `zonefolder \(list)` shows them. Nothing was "
                + "changed.")
    }
}
