import CloudKitWire

/// Which names are legal (protocol §6).
enum Names {
    static func check(zone name: String) throws(ErrorDictionary) {
        guard isPlain(name) else {
            throw .badRequest("Invalid zone name: it must be 1 to 255 ASCII characters and not start with '_'")
        }
    }

    static func check(record name: String) throws(ErrorDictionary) {
        guard isPlain(name) else {
            throw .badRequest("Invalid record name: it must be 1 to 255 ASCII characters and not start with '_'")
        }
    }

    static func check(recordType name: String) throws(ErrorDictionary) {
        guard isIdentifier(name) else {
            throw .badRequest(
                "Invalid record type name: it must begin with a letter and hold letters, digits and '_', up to 255")
        }
    }

    static func check(field name: String) throws(ErrorDictionary) {
        guard isIdentifier(name) else {
            throw .badRequest(
                "Invalid field name: it must begin with a letter and hold letters, digits and '_', up to 255")
        }
    }

    /// Printable ASCII, as zones' and records' names are.
    private static func isPlain(_ name: String) -> Bool {
        let bytes = name.utf8
        return 1...StoreLimits.nameLength ~= bytes.count && bytes.first != UInt8(ascii: "_")
            && bytes.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        let bytes = name.utf8
        func isLetter(_ byte: UInt8) -> Bool { 65...90 ~= byte || 97...122 ~= byte }
        return 1...StoreLimits.nameLength ~= bytes.count && isLetter(bytes.first!)
            && bytes.allSatisfy { isLetter($0) || 48...57 ~= $0 || $0 == UInt8(ascii: "_") }
    }
}
