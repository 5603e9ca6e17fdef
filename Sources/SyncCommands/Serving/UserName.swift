import ArgumentParser

/// What a person can be called.
enum UserName {
    /// Lists have one name in a line, and a terminal obeys what is no letter.
    static func check(_ name: String) throws {
        guard !name.allSatisfy(\.isWhitespace) else { throw ValidationError("A user needs a name.") }
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        guard isPlain else {
            throw ValidationError("A user's name is one line, without tabs and other control characters.")
        }
    }
}
