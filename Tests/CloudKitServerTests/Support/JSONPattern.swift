import LosslessJSON

/// What an answer must hold, as JSON: of an object the keys that are named, of a list every element, and their order.
///
/// A string in the pattern can stand for more than itself: `<any>` whatever is there, `<absent>` nothing or `null`,
/// `<string>` `<number>` any of that kind, `<has words>` a string with these words, `<empty>` an empty object or list,
/// `<n items>` a list of so many, and `$name` what the name stands for, or from now on stands for.
struct JSONPattern {
    private let document: JSONDocument

    init(_ text: String) throws {
        document = try JSONDocument(parsing: Array(text.utf8))
    }

    /// Where the answer is not as it must be; empty: it is.
    func differences(from actual: [UInt8], names: inout [String: String]) -> [String] {
        guard let parsed = try? JSONDocument(parsing: actual) else { return ["the answer is no JSON"] }
        var differences: [String] = []
        Self.compare(document.root, parsed.root, at: "", &names, &differences)
        return differences
    }

    private static func compare(
        _ pattern: JSONNode, _ actual: JSONNode?, at path: String, _ names: inout [String: String],
        _ differences: inout [String]
    ) {
        let actual = actual.flatMap { $0.isNull && !pattern.isNull ? nil : $0 }
        func fail(_ expected: String) {
            let found = actual.map { String(decoding: $0.text.prefix(200), as: UTF8.self) } ?? "nothing"
            differences.append("\(path): expected \(expected), found \(found)")
        }
        switch pattern.kind {
        case .object:
            guard let actual, actual.kind == .object else { return fail("an object") }
            for member in pattern.members {
                compare(member.value, actual[member.key], at: "\(path).\(member.key)", &names, &differences)
            }
        case .array:
            guard let actual, actual.kind == .array else { return fail("a list") }
            guard actual.count == pattern.count else {
                return fail("\(pattern.count) elements and not \(actual.count)")
            }
            for (index, pair) in zip(pattern.elements, actual.elements).enumerated() {
                compare(pair.0, pair.1, at: "\(path)[\(index)]", &names, &differences)
            }
        case .string:
            let text = pattern.string!
            if text.hasPrefix("<"), text.hasSuffix(">") {
                if !isKind(String(text.dropFirst().dropLast()), actual) { fail(text) }
            } else if text.hasPrefix("$") {
                guard let string = actual?.string else { return fail("a string") }
                if let known = names[text], known != string { fail("\(text), which is '\(known)'") }
                names[text] = string
            } else if actual?.string.map({ $0.utf8.elementsEqual(text.utf8) }) != true {
                fail("'\(text)'")
            }
        case .number:
            // Beyond 2^53 only integers compare exactly; a DOUBLE may be spelt 3 or 3.0.
            let isEqual =
                if let expected = pattern.int64, let found = actual?.int64 { expected == found } else {
                    actual?.double != nil && pattern.double == actual?.double
                }
            if !isEqual { fail(String(decoding: pattern.text, as: UTF8.self)) }
        case .bool: if pattern.bool != actual?.bool { fail("\(pattern.bool!)") }
        case .null: if actual?.isNull == false { fail("null") }
        }
    }

    private static func isKind(_ kind: String, _ actual: JSONNode?) -> Bool {
        switch kind {
        case "any": return actual != nil
        case "absent": return actual == nil
        case "string": return actual?.kind == .string
        case "number": return actual?.kind == .number
        case "empty": return actual.map { [.object, .array].contains($0.kind) && $0.count == 0 } == true
        default:
            if kind.hasSuffix(" items"), let count = Int(kind.dropLast(6)) {
                return actual?.kind == .array && actual?.count == count
            }
            precondition(kind.hasPrefix("has "), "<\(kind)> is no pattern")
            return actual?.string?.contains(kind.dropFirst(4)) == true
        }
    }
}
