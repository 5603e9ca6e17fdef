import Foundation
import SeededRandomness

/// What one folder is to hold, round by round: the truth that both folders and the zone are compared with.
///
/// No two versions of a file have the same bytes, so that what is found in a history is known for what it is.
struct KillWorkload {
    private(set) var expected: [String: Data] = [:]
    /// Everything that was ever saved.
    private(set) var saved: Set<Data> = []
    private(set) var round = 0
    private let folder: RealFolder
    private let count: Int
    private var random: SeededGenerator

    init(_ folder: RealFolder, count: Int, seed: UInt64) {
        self.folder = folder
        self.count = count
        random = SeededGenerator(seed: seed)
    }

    /// Saves every file anew, after the first time also removes, adds and renames some.
    mutating func nextRound() throws {
        round += 1
        if round == 1 {
            for number in 0..<count { try save(name(number)) }
            return
        }
        let names = expected.keys.sorted().shuffled(using: &random)
        for name in names.prefix(10) {
            try folder.delete(name)
            expected[name] = nil
        }
        for number in 0..<10 { try save(self.name(count * round + number)) }
        for name in names[10..<20] {
            let target = name.replacing("/", with: "/moved-\(round)-", maxReplacements: 1)
            try FileManager.default.moveItem(
                at: folder.url.appending(path: name), to: folder.url.appending(path: target))
            note(expected[name] ?? Data(), at: target)
            expected[name] = nil
        }
        for name in names[20...] { try save(name) }
    }

    private mutating func save(_ name: String) throws {
        var text = #"{"round": \#(round), "name": "\#(name)", "text": "\#(random.next())"}"# + "\n"
        if name.hasPrefix("files/") {
            text += String(repeating: "\(random.next())\n", count: Int.random(in: 0...200, using: &random))
        }
        try folder.write(text, to: name)
        note(Data(text.utf8), at: name)
    }

    private mutating func note(_ bytes: Data, at name: String) {
        expected[name] = bytes
        saved.insert(bytes)
    }

    /// Four of five are structured records, the others file records.
    private func name(_ number: Int) -> String {
        number % 5 == 0 ? "files/\(number).txt" : "Item/\(number).json"
    }
}
