import FolderControl
import Synchronization
import Testing

/// A save was sent, its answer was lost, and the person put the file back to what both sides had agreed on: that is an edit of
/// what the zone may have by then (requirements: nothing that a person saved is lost).
@Suite("Put back after a lost answer", .timeLimit(.minutes(30)))
struct PutBackTests {
    private static let note = "Note/a.json"
    private static let picture = "Note/p.jpg"

    private static func note(_ n: Int, _ title: String = "t") -> String { #"{"n": \#(n), "title": "\#(title)"}"# }
    private static func pictured(_ title: String = "t") -> String {
        #"{"pic": {"$asset": "p.jpg"}, "title": "\#(title)"}"#
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var start: [String: String]
        /// What the laptop sends without an answer.
        let sent: Edit
        /// What the desk does upon that.
        var desk: Edit = { _ in }
        /// How the laptop puts it back.
        let putBack: Edit
        /// What both have then, besides conflict copies.
        let end: [String: String]
        /// The contents of the laptop's conflict copies.
        var copies: [String] = []

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "a field of a note, and the zone has what was sent", start: [note: note(11)],
            sent: { try $0.write(note(12), to: note) }, putBack: { try $0.write(note(11), to: note) },
            end: [note: note(11)]),
        Case(
            name: "a field of a note that the desk changed on top", start: [note: note(11)],
            sent: { try $0.write(note(12), to: note) }, desk: { try $0.write(note(14), to: note) },
            putBack: { try $0.write(note(11), to: note) }, end: [note: note(14)], copies: [note(11)]),
        Case(
            name: "a field of a note of which the desk changed another", start: [note: note(11)],
            sent: { try $0.write(note(12), to: note) }, desk: { try $0.write(note(12, "desk"), to: note) },
            putBack: { try $0.write(note(11), to: note) }, end: [note: note(11, "desk")]),
        Case(
            name: "a note that the desk deleted", start: [note: note(11)],
            sent: { try $0.write(note(12), to: note) }, desk: { try $0.delete(note) },
            putBack: { try $0.write(note(11), to: note) }, end: [note: note(11)]),
        Case(
            name: "a file", start: ["f.txt": "one"], sent: { try $0.write("two", to: "f.txt") },
            putBack: { try $0.write("one", to: "f.txt") }, end: ["f.txt": "one"]),
        Case(
            name: "a file that the desk saved on top", start: ["f.txt": "one"],
            sent: { try $0.write("two", to: "f.txt") }, desk: { try $0.write("three", to: "f.txt") },
            putBack: { try $0.write("one", to: "f.txt") }, end: ["f.txt": "three"], copies: ["one"]),
        Case(
            name: "a file that the desk renamed", start: ["f.txt": "one"],
            sent: { try $0.write("two", to: "f.txt") }, desk: { try $0.move("f.txt", to: "g.txt") },
            putBack: { try $0.write("one", to: "f.txt") }, end: ["g.txt": "one"]),
        Case(
            name: "a file that the desk deleted", start: ["f.txt": "one"],
            sent: { try $0.write("two", to: "f.txt") }, desk: { try $0.delete("f.txt") },
            putBack: { try $0.write("one", to: "f.txt") }, end: ["f.txt": "one"]),
        Case(
            name: "a picture", start: [note: pictured(), picture: "one"],
            sent: { try $0.write("two", to: picture) }, putBack: { try $0.write("one", to: picture) },
            end: [note: pictured(), picture: "one"]),
        Case(
            name: "a picture of a note that the desk edited", start: [note: pictured(), picture: "one"],
            sent: { try $0.write("two", to: picture) }, desk: { try $0.write(pictured("desk"), to: note) },
            putBack: { try $0.write("one", to: picture) }, end: [note: pictured("desk"), picture: "one"]),
        Case(
            name: "a picture that the desk changed on top", start: [note: pictured(), picture: "one"],
            sent: { try $0.write("two", to: picture) }, desk: { try $0.write("three", to: picture) },
            putBack: { try $0.write("one", to: picture) }, end: [note: pictured(), picture: "three"],
            copies: ["one"]),
        Case(
            name: "not put back but saved once more, a picture of a note that the desk edited",
            start: [note: pictured(), picture: "one"], sent: { try $0.write("two", to: picture) },
            desk: { try $0.write(pictured("desk"), to: note) }, putBack: { try $0.write("four", to: picture) },
            end: [note: pictured("desk"), picture: "four"]),
        Case(
            name: "not put back but saved once more, a file that the desk renamed", start: ["f.txt": "one"],
            sent: { try $0.write("two", to: "f.txt") }, desk: { try $0.move("f.txt", to: "g.txt") },
            putBack: { try $0.write("four", to: "f.txt") }, end: ["g.txt": "four"]),
    ]

    @Test("What was put back goes to the zone, or is in a copy", arguments: cases, [false, true])
    func putBack(_ row: Case, isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (path, text) in row.start { try laptop.write(text, to: path) }
            try await converge(laptop, desk)
            let isCutOff = Mutex(false)
            laptop.network.decide { request in
                isCutOff.withLock { isCutOff in
                    if isCutOff { return .lostOnTheWay }
                    isCutOff = FaultyNetwork.operation(of: request) == "records/modify"
                    return isCutOff ? .answerLost : .delivered
                }
            }
            try row.sent(laptop)
            await laptop.settle()
            #expect(isCutOff.withLock { $0 })
            try await desk.sync()
            try row.desk(desk)
            try await desk.sync()
            try row.putBack(laptop)
            await laptop.settle()
            if isRestarted { try laptop.restart() }
            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            let copies = try laptop.conflictCopies()
            #expect(copies.compactMap { laptop.read($0) } == row.copies)
            for device in [laptop, desk] {
                let files = try device.files().filter { !$0.key.contains(".conflict-") }
                #expect(files == row.end)
                try device.close()
            }
        }
    }
}
