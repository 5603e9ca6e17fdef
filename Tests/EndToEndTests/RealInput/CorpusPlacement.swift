import Foundation
import LosslessJSON

/// Where the documents of a corpus lie in a synced folder: most as structured records, some as file records.
///
/// A field has one type in all records of a type, so documents that disagree get record types of their own.
struct CorpusPlacement {
    /// What is where.
    private(set) var files: [String: [UInt8]] = [:]
    /// The paths of those that are structured records.
    private(set) var structured: [String] = []
    /// The kinds of the fields of each record type.
    private var kinds: [String: [String: Kind]] = [:]

    /// The CloudKit type that a JSON value asks for, or none where it says nothing of one.
    enum Kind: Hashable {
        case text, whole, number, list(String)
    }

    init(_ corpus: Corpus) throws {
        for (number, document) in corpus.documents.enumerated() {
            // A folder's name with a space is no record type.
            let isPlain = number % 8 == 7
            let parsed = try JSONDocument(parsing: document.bytes)
            if isPlain || parsed.root.kind != .object {
                files["as they are/\(document.name)"] = document.bytes
            } else {
                add(document, Self.kinds(of: parsed.root))
            }
        }
        for binary in corpus.binaries { files["Pictures and more/\(binary.name)"] = binary.bytes }
    }

    /// A structured document with a text or an object where a record type has a number or a list, and that type: no
    /// record of the type can hold it.
    func clashing() throws -> (type: String, bytes: [UInt8])? {
        for path in structured {
            guard let bytes = files[path], bytes.count < 10_000 else { continue }
            let own = Self.kinds(of: try JSONDocument(parsing: bytes).root)
            for (type, kinds) in kinds.sorted(by: { $0.key < $1.key }) {
                if own.contains(where: { $0.value == .text && kinds[$0.key].map { $0 != .text } ?? false }) {
                    return (type, bytes)
                }
            }
        }
        return nil
    }

    private mutating func add(_ document: Corpus.Document, _ own: [String: Kind]) {
        let package = document.name.prefix { $0 != "/" }
        let stem = package.split { !$0.isLetter && !$0.isNumber }.map { $0.capitalized }.joined()
        var number = 1
        while let known = kinds["\(stem)\(number)"], !Self.agree(own, known) { number += 1 }
        let type = "\(stem)\(number)"
        kinds[type, default: [:]].merge(own) { known, _ in known }
        let path = "\(type)/\(document.name)"
        files[path] = document.bytes
        structured.append(path)
    }

    private static func agree(_ one: [String: Kind], _ other: [String: Kind]) -> Bool {
        one.allSatisfy { key, kind in other[key].map { $0 == kind } ?? true }
    }

    private static func kinds(of object: JSONNode) -> [String: Kind] {
        var kinds: [String: Kind] = [:]
        for member in object.members { kinds[member.key] = kind(of: member.value) }
        return kinds
    }

    private static func kind(of node: JSONNode) -> Kind? {
        switch node.kind {
        case .null: return nil
        case .string, .object: return .text
        case .bool: return .whole
        case .number: return node.int64 == nil ? .number : .whole
        case .array:
            guard node.count > 0 else { return nil }
            let elements = Set(node.elements.map { $0.kind })
            guard elements.count == 1, let element = elements.first else { return .text }
            switch element {
            case .string: return .list("text")
            case .bool: return .list("whole")
            case .number: return .list(node.elements.allSatisfy { $0.int64 != nil } ? "whole" : "number")
            case .null, .object, .array: return .text
            }
        }
    }
}
