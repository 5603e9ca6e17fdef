import Foundation

/// What both sides change at the same time, in every way in which that can end.
struct Rivals {
    private let laptop: RealFolder
    private let desk: RealFolder
    private var round = 0

    /// Begins with what is changed later, on the laptop.
    init(_ laptop: RealFolder, _ desk: RealFolder) throws {
        (self.laptop, self.desk) = (laptop, desk)
        try laptop.write("begin\n", to: "files/both.txt")
        try laptop.write(#"{"laptop": "begin", "desk": "begin"}"# + "\n", to: "Note/fields.json")
        try laptop.write(#"{"value": "begin"}"# + "\n", to: "Note/collide.json")
    }

    /// One file that only the desk changes, one whole file and one field that both do, and two fields of one record.
    mutating func change() throws {
        round += 1
        try desk.write(own, to: "files/own.txt")
        try laptop.write("laptop \(round)\n", to: "files/both.txt")
        try desk.write("desk \(round)\n", to: "files/both.txt")
        try laptop.write(fields(laptop: round, desk: round - 1), to: "Note/fields.json")
        try desk.write(fields(laptop: round - 1, desk: round), to: "Note/fields.json")
        try laptop.write(value("laptop"), to: "Note/collide.json")
        try desk.write(value("desk"), to: "Note/collide.json")
    }

    /// What is not as both sides' changes call for.
    func violations(and expected: [String: Data]) throws -> [String] {
        var wanted = expected
        wanted["files/own.txt"] = Data(own.utf8)
        wanted["files/both.txt"] = Data("laptop \(round)\n".utf8)
        wanted["Note/fields.json"] = Data(fields(laptop: round, desk: round).utf8)
        wanted["Note/collide.json"] = Data(value("laptop").utf8)
        var violations: [String] = []
        for folder in [laptop, desk] {
            let files = try folder.contents().filter { !$0.key.contains(".conflict-") }
            let difference = Difference(files, wanted)
            if !difference.isEmpty { violations.append("\(folder.url.lastPathComponent): \(difference)") }
        }
        let copies = try desk.copies().compactMap { desk.read($0) }.sorted()
        if copies != ["desk \(round)\n", value("desk")] { violations.append("the conflict copies are \(copies)") }
        if try !laptop.copies().isEmpty { violations.append("the laptop has conflict copies") }
        return violations
    }

    /// Settles the conflicts, as a person does.
    func forgetCopies() throws {
        for copy in try desk.copies() { try desk.delete(copy) }
    }

    private var own: String { "own \(round)\n" }

    private func fields(laptop: Int, desk: Int) -> String {
        #"{"laptop": "\#(laptop == 0 ? "begin" : "\(laptop)")", "desk": "\#(desk == 0 ? "begin" : "\(desk)")"}"# + "\n"
    }

    private func value(_ device: String) -> String { #"{"value": "\#(device) \#(round)"}"# + "\n" }
}
