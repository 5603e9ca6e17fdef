import Foundation

/// Rounds of changes in one folder, each with one of everything that can happen to a file.
///
/// No two contents have the same bytes, so that each can be told wherever it is found again.
struct CrashWorkload {
    private(set) var expected: [String: Data] = [:]
    /// Everything that was ever saved.
    private(set) var saved: Set<Data> = []
    private(set) var round = 0
    private let folder: RealFolder

    /// Begins with what the first round changes.
    init(_ folder: RealFolder) throws {
        self.folder = folder
        try save("files/same.txt", lines: 300)
        try save("Note/same.json")
        try saveWithAsset("Note/picture")
        try appear()
    }

    /// Changes one of everything.
    /// - Returns: The files that are still to be deleted, here or elsewhere; they are expected no longer.
    mutating func next() throws -> [String] {
        let last = round
        round += 1
        try save("files/same.txt", lines: 300)
        try save("Note/same.json")
        try saveWithAsset("Note/picture")
        try move("files/moved-\(last).txt", to: "files/moved-\(round).txt")
        try move("Note/moved-\(last).json", to: "Note/moved-\(round).json")
        try moveFolder("place-\(last)", to: "place-\(round)")
        try appear()
        let gone = ["files/new-\(last).txt", "Note/new-\(last).json", "deep-\(last)/er/new.txt"]
        for path in gone { expected[path] = nil }
        return gone
    }

    /// How many records the zone is to have: what `picture.json` names is no record of its own.
    var records: Int { expected.count - 1 }

    private mutating func appear() throws {
        try save("files/new-\(round).txt")
        try save("Note/new-\(round).json")
        try save("deep-\(round)/er/new.txt")
        guard round == 0 else { return }
        try save("files/moved-0.txt")
        try save("Note/moved-0.json")
        try save("place-0/a.txt")
        try save("place-0/below/b.txt")
    }

    private mutating func save(_ path: String, lines: Int = 1) throws {
        if path.hasSuffix(".json") { return try put(#"{"round": \#(round), "of": "\#(path)"}"# + "\n", at: path) }
        try put(String(repeating: "round \(round) of \(path)\n", count: lines), at: path)
    }

    private mutating func saveWithAsset(_ stem: String) throws {
        let name = stem.split(separator: "/").last ?? ""
        try put(String(repeating: "asset \(round) of \(stem)\n", count: 200), at: stem + ".bin")
        try put(#"{"round": \#(round), "photo": {"$asset": "\#(name).bin"}}"# + "\n", at: stem + ".json")
    }

    private mutating func put(_ text: String, at path: String) throws {
        try folder.write(text, to: path)
        expected[path] = Data(text.utf8)
        saved.insert(Data(text.utf8))
    }

    private mutating func move(_ path: String, to new: String) throws {
        try FileManager.default.moveItem(at: folder.url.appending(path: path), to: folder.url.appending(path: new))
        expected[new] = expected.removeValue(forKey: path)
    }

    private mutating func moveFolder(_ path: String, to new: String) throws {
        try FileManager.default.moveItem(at: folder.url.appending(path: path), to: folder.url.appending(path: new))
        for old in expected.keys where old.hasPrefix(path + "/") {
            expected[new + old.dropFirst(path.count)] = expected.removeValue(forKey: old)
        }
    }
}
