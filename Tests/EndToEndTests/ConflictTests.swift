import Foundation
import Testing

@Suite("Both sides change", .timeLimit(.minutes(30)))
struct ConflictTests {
    private static let text = (1...12).map { "Line \($0) of a text that is long enough." }

    /// A record with a value of each kind that merges in its own way.
    private static func record(
        a: Int = 1, b: Int = 1, tags: String = #"["x", "y"]"#, deep: String = #"{"p": 1, "q": 1}"#, text: [String]
    ) -> String {
        """
        {
          "a": \(a),
          "b": \(b),
          "tags": \(tags),
          "deep": \(deep),
          "text": "\(text.joined(separator: "\\n"))"
        }

        """
    }

    @Test(
        "Different fields, parts of nested values, list elements and lines: both are kept, without a copy",
        arguments: RealPair.Apartness.allCases)
    func merged(_ apartness: RealPair.Apartness) async throws {
        let pair = try await RealPair()
        try await pair.share(Self.record(text: Self.text), as: "Note/one.json")
        try await pair.apart(apartness) { laptop, desk in
            var text = Self.text
            text[1] = "The laptop wrote line 2."
            try laptop.write(
                Self.record(a: 2, tags: #"["x", "y", "l"]"#, deep: #"{"p": 2, "q": 1}"#, text: text),
                to: "Note/one.json")
            text = Self.text
            text[10] = "The desk wrote line 11."
            try desk.write(
                Self.record(b: 2, tags: #"["x", "y", "d"]"#, deep: #"{"p": 1, "q": 2}"#, text: text),
                to: "Note/one.json")
        }
        let bytes = try #require(pair.laptop.read("Note/one.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(bytes.utf8)) as? [String: Any])
        #expect(json["a"] as? Int == 2 && json["b"] as? Int == 2)
        #expect(Set(json["tags"] as? [String] ?? []) == ["x", "y", "l", "d"])
        #expect(json["deep"] as? [String: Int] == ["p": 2, "q": 2])
        let text = (json["text"] as? String ?? "").split(separator: "\n")
        #expect(text.count == 12 && text[1] == "The laptop wrote line 2." && text[10] == "The desk wrote line 11.")
        #expect(try pair.laptop.copies().isEmpty && pair.desk.copies().isEmpty)
        #expect(try await pair.laptop.settledVerdict() == "in-sync")
        #expect(try await pair.desk.settledVerdict() == "in-sync")
    }

    @Test(
        "The same field: the zone's value in the file, one's own in one copy that `status` names",
        arguments: RealPair.Apartness.allCases)
    func collision(_ apartness: RealPair.Apartness) async throws {
        let pair = try await RealPair()
        try await pair.share(Self.record(text: Self.text), as: "Note/one.json")
        let versions = [
            Self.record(a: 10, b: 10, text: Self.text), Self.record(a: 20, text: Self.text),
        ]
        try await pair.apart(apartness) { laptop, desk in
            try laptop.write(versions[0], to: "Note/one.json")
            try desk.write(versions[1], to: "Note/one.json")
        }
        try await Self.expectOneCopy(pair, of: "Note/one.json", fields: ["a"], versions: versions) { shared in
            // `b` collided with nothing.
            shared.contains("\"b\": 10")
        }
    }

    @Test(
        "A file of any bytes: the zone's version holds the path, one's own is in one copy",
        arguments: RealPair.Apartness.allCases)
    func fileCollision(_ apartness: RealPair.Apartness) async throws {
        let pair = try await RealPair()
        try await pair.share("what both had\n", as: "dir/plain.txt")
        let versions = ["the laptop's\n", "the desk's, which is longer\n"]
        try await pair.apart(apartness) { laptop, desk in
            try laptop.write(versions[0], to: "dir/plain.txt")
            try desk.write(versions[1], to: "dir/plain.txt")
        }
        try await Self.expectOneCopy(pair, of: "dir/plain.txt", fields: [], versions: versions) {
            versions.contains($0)
        }
    }

    @Test("The same edit on both sides is adopted without a copy", arguments: RealPair.Apartness.allCases)
    func equalEdits(_ apartness: RealPair.Apartness) async throws {
        let pair = try await RealPair()
        try await pair.share("before\n", as: "plain.txt")
        try await pair.share(#"{"a": 1}"#, as: "Note/one.json")
        try await pair.apart(apartness) { laptop, desk in
            for folder in [laptop, desk] {
                try folder.write("after\n", to: "plain.txt")
                try folder.write(#"{"a": 2}"#, to: "Note/one.json")
                try folder.write(#"{"new": true}"#, to: "Note/new.json")
            }
        }
        for folder in [pair.laptop, pair.desk] {
            #expect(try folder.copies().isEmpty)
            #expect(folder.read("plain.txt") == "after\n" && folder.read("Note/one.json") == #"{"a": 2}"#)
            #expect(folder.read("Note/new.json") == #"{"new": true}"#)
            #expect(try await folder.settledVerdict() == "in-sync")
        }
    }

    @Test(
        "An edit outlives a deletion on the other side, and `events` tells of it once",
        arguments: RealPair.Apartness.allCases)
    func editOutlivesDeletion(_ apartness: RealPair.Apartness) async throws {
        let pair = try await RealPair()
        let edited = [
            "Note/here.json": #"{"a": 2}"#, "Note/there.json": #"{"a": 3}"#, "here.txt": "h2", "there.txt": "t2",
        ]
        for name in edited.keys.sorted() {
            try await pair.share(name.hasSuffix("json") ? #"{"a": 1}"# : "1", as: name)
        }
        try await pair.apart(apartness) { laptop, desk in
            for (name, text) in edited {
                let (editing, deleting) = name.contains("there") ? (desk, laptop) : (laptop, desk)
                try editing.write(text, to: name)
                try deleting.delete(name)
            }
        }
        // A deletion waits longer than an edit before it counts.
        let isThere = try await eventually {
            edited.allSatisfy { pair.laptop.read($0.key) == $0.value && pair.desk.read($0.key) == $0.value }
        }
        #expect(isThere)
        let kept = try await pair.laptop.events("kept") + pair.desk.events("kept")
        for name in edited.keys {
            #expect(kept.count { $0.contains("\"path\":\"\(name)\"") } == 1, "\(name): \(kept)")
        }
        #expect(try pair.laptop.copies().isEmpty && pair.desk.copies().isEmpty)
        #expect(try await pair.laptop.settledVerdict() == "in-sync")
        #expect(try await pair.desk.settledVerdict() == "in-sync")
    }

    /// One of both devices has one copy with its own version, and says so; the other has none.
    private static func expectOneCopy(
        _ pair: RealPair, of name: String, fields: [String], versions: [String], shared: (String) -> Bool
    ) async throws {
        let copies = try [pair.laptop.copies(), pair.desk.copies()]
        try #require(copies[0].count + copies[1].count == 1, "\(copies)")
        let loser = copies[0].isEmpty ? pair.desk : pair.laptop
        let other = copies[0].isEmpty ? pair.laptop : pair.desk
        let copy = copies[0].first ?? copies[1][0]
        #expect(loser.read(copy) == (copies[0].isEmpty ? versions[1] : versions[0]))
        let file = loser.read(name) ?? ""
        #expect(file == other.read(name))
        #expect(shared(file), "\(file)")

        let report = try await loser.report()
        #expect(report.verdict == "attention")
        #expect(report.conflicts.map(\.path) == [name] && report.conflicts.map(\.copy) == [copy])
        #expect(report.conflicts.first?.fields == fields)
        #expect(try await loser.events("conflict").count == 1)
        #expect(try await other.report().verdict == "in-sync")
        #expect(try other.files()[copy] == nil)

        try loser.delete(copy)
        #expect(try await loser.settledVerdict() == "in-sync")
        #expect(try other.copies().isEmpty)
    }
}
