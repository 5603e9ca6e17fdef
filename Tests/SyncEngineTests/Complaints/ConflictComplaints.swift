import CloudKitServer
import FolderControl
import Foundation
import SystemPackage
import Testing

/// Conflicts are rare, bounded and true (reliability §4.22).
extension Complaints {
    /// What happens to files without anybody editing one.
    struct Nothing: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rule: FaultRule?
        var happens: @Sendable (EngineDevice) throws -> Void = { _ in }
    }

    static let nothings = [
        Nothing(testDescription: "a restart") { try $0.restart() },
        Nothing(testDescription: "every file is touched") { device in
            for path in try device.files().keys {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                    ofItemAtPath: device.folder.appending(path).string)
            }
        },
        Nothing(testDescription: "every file is saved anew with the same bytes") { device in
            for (path, text) in try device.files() {
                try device.delete(path)
                try device.write(text, to: path)
            }
        },
        Nothing(testDescription: "the state is lost") { device in
            try device.close()
            for part in ["", "-wal", "-shm"] { try? device.delete(".zonefolder/state.sqlite" + part) }
            try device.restart()
        },
        Nothing(
            testDescription: "answers are lost after the commit",
            rule: FaultRule(.cutAfterCommit, on: .init(operation: "records/modify"), times: 2)),
        Nothing(
            testDescription: "tokens expire", rule: FaultRule(.alter(.expireTokens), on: .init(), times: 2)),
        Nothing(
            testDescription: "records come again and again",
            rule: FaultRule(.alter(.pageSize(1)), on: .init(operation: "changes/zone"), times: 20)),
    ]

    @Test("thousands of false conflicts, one client, nothing edited")
    func falseConflicts() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<60 {
                try laptop.write("text \(number)", to: "files/\(number).txt")
                try laptop.write("{\"n\": \(number), \"deep\": {\"list\": [1.0, null, []]}}", to: "Note/\(number).json")
            }
            // Its very first upload loses its answers as well.
            world.faults.add(FaultRule(.cutAfterCommit, on: .init(operation: "records/modify"), times: 2))
            try await laptop.sync()
            let files = try laptop.files()
            let zone = try world.zone()
            #expect(zone.tags.count == 120)
            for nothing in Self.nothings {
                world.faults.removeAll()
                if let rule = nothing.rule { world.faults.add(rule) }
                try nothing.happens(laptop)
                _ = laptop.takeChanges()
                try await laptop.sync()
                laptop.pass(.seconds(7200))
                try await laptop.sync()
                #expect(try laptop.files() == files, "\(nothing)")
                #expect(try await laptop.report().conflicts.isEmpty, "\(nothing)")
                #expect(try world.zone().tags.keys == zone.tags.keys, "\(nothing)")
                #expect(try await laptop.report().verdict == .inSync, "\(nothing)")
                #expect(!laptop.takeChanges().contains("records/modify"), "\(nothing)")
            }
            #expect(try world.zone().deletions == 0)
        }
    }

    @Test("conflict copies that sync, multiply and come back")
    func copies() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a.txt": "zero", "Note/a.json": #"{"n": 0}"#])
            func round(_ number: Int) async throws {
                try laptop.write("laptop \(number)", to: "a.txt")
                try desk.write("desk \(number)", to: "a.txt")
                try laptop.write(#"{"n": \#(number * 2)}"#, to: "Note/a.json")
                try desk.write(#"{"n": \#(number * 2 + 1)}"#, to: "Note/a.json")
                try await converge(laptop, desk)
            }
            try await round(1)
            let names = Set(try world.zone().tags.keys)
            #expect(names == ["a.txt", "Note/a"])
            var copies = try desk.conflictCopies()
            #expect(copies.count == 2)
            #expect(try laptop.conflictCopies().isEmpty)

            // They neither multiply nor move, whatever is done about them.
            for device in [laptop, desk] {
                try device.restart()
                device.pass(.seconds(7200))
            }
            try await converge(laptop, desk)
            for copy in copies { try desk.write("changed by hand: " + (desk.read(copy) ?? ""), to: copy) }
            try await converge(laptop, desk)
            #expect(try desk.conflictCopies() == copies)
            #expect(try laptop.conflictCopies().isEmpty)
            #expect(Set(try world.zone().tags.keys) == names)

            // Somebody sends one by hand: it stays where it is, a file like any other of that name.
            try laptop.write("a copy of a copy", to: copies[0])
            try await converge(laptop, desk)
            #expect(try laptop.conflictCopies().count == 1)
            #expect(try desk.conflictCopies() == copies)
            #expect(Set(try world.zone().tags.keys) == names)
            try laptop.delete(copies[0])

            // One conflict, one copy, each time; and a deleted copy does not come back.
            for copy in copies { try desk.delete(copy) }
            try await converge(laptop, desk)
            #expect(try desk.conflictCopies().isEmpty)
            for number in 2...4 {
                try await round(number)
                copies = try desk.conflictCopies()
                #expect(copies.count == 2 * (number - 1), "\(copies)")
                #expect(copies.allSatisfy { $0.ranges(of: ".conflict-").count == 1 })
            }
            // The same versions once more are no further conflict.
            try await converge(laptop, desk)
            #expect(try desk.conflictCopies() == copies)
            for copy in copies { try desk.delete(copy) }
            for device in [laptop, desk] { try device.restart() }
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files().keys.sorted() == ["Note/a.json", "a.txt"])
                #expect(try await device.report().verdict == .inSync)
            }
            #expect(Set(try world.zone().tags.keys) == names)
        }
    }
}
