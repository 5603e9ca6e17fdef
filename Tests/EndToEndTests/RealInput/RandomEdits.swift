import Foundation
import LosslessJSON
import SeededRandomness

#if canImport(Glibc)
    import Glibc
#endif

/// Edits, creations, deletions and renames in two folders at once, as their seed gives them.
///
/// No file is touched twice, so that neither side can run into the other's edit: what has to come out is known.
struct RandomEdits {
    /// What both folders have to hold in the end.
    private(set) var expected: [String: [UInt8]]
    /// How many of each sort were done.
    private(set) var counts: [String: Int] = [:]
    private var generator: SeededGenerator
    private var untouched: [String]
    private var number = 0

    init(seed: UInt64, files: [String: [UInt8]]) {
        generator = SeededGenerator(seed: seed)
        expected = files
        untouched = files.keys.sorted()
    }

    /// One change in one of the folders.
    mutating func step(in folders: [RealFolder]) throws {
        number += 1
        let folder = folders[Int.random(in: 0..<folders.count, using: &generator)]
        let path = untouched.remove(at: Int.random(in: 0..<untouched.count, using: &generator))
        guard let bytes = expected[path] else { throw TestFailure("\(path) was touched twice") }
        let place = folder.path + "/" + path
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<4:
            let edited = try edit(bytes, isJSON: path.hasSuffix(".json"))
            try save(edited, at: place)
            expected[path] = edited
            counts["edits", default: 0] += 1
        case 4..<6:
            let new = sibling(of: path)
            try save(bytes, at: folder.path + "/" + new)
            expected[new] = bytes
            counts["creations", default: 0] += 1
        case 6..<8:
            guard unlink(place) == 0 else { throw TestFailure("\(path): \(errno)") }
            expected[path] = nil
            counts["deletions", default: 0] += 1
        default:
            let new = sibling(of: path)
            guard rename(place, folder.path + "/" + new) == 0 else { throw TestFailure("\(path): \(errno)") }
            expected[path] = nil
            expected[new] = bytes
            counts["renames", default: 0] += 1
        }
    }

    /// A path in the same folder, so that a structured record stays of its type.
    private func sibling(of path: String) -> String {
        let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return path[..<cut] + "Neu \(number) – " + path[cut...]
    }

    /// A person's edit: one value of a JSON object, else some bytes.
    private mutating func edit(_ bytes: [UInt8], isJSON: Bool) throws -> [UInt8] {
        guard isJSON, let document = try? JSONDocument(parsing: bytes), document.root.kind == .object else {
            return bytes + Array("\nedit \(number)\n".utf8)
        }
        let editable = document.root.members.filter { $0.value.kind == .string || $0.value.int64 != nil }
        guard let member = editable.randomElement(using: &generator) else {
            // The object itself stays whole: one more member, of one kind everywhere.
            let comma = document.root.count == 0 ? "" : ","
            let start = document.root.range.lowerBound + 1
            return bytes[..<start] + Array("\n  \"zfEdit\": \"№ \(number)\"\(comma)".utf8) + bytes[start...]
        }
        let range = member.value.range
        if member.value.kind == .string {
            return bytes[..<(range.upperBound - 1)] + Array(" – geändert №\(number) \\u00e9".utf8)
                + bytes[(range.upperBound - 1)...]
        }
        return bytes[..<range.lowerBound] + Array("\(9_007_199_254_740_993 + number)".utf8) + bytes[range.upperBound...]
    }

    /// In place, as a shell does it, or by a file that takes the old one's place, as most editors do.
    private mutating func save(_ bytes: [UInt8], at place: String) throws {
        let isInPlace = Bool.random(using: &generator)
        try Data(bytes).write(to: URL(filePath: place), options: isInPlace ? [] : .atomic)
    }
}
