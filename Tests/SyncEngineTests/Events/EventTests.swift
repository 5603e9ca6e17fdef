import CloudKitClient
import FolderControl
import StateStorage
import SyncModel
import Synchronization
import Testing

@testable import SessionCore
@testable import StateRows
@testable import SyncEngine

/// Events as they are stored: setups, imports and exports (S1.16, S1.17).
@Suite("Events", .timeLimit(.minutes(30)))
struct EventTests {
    private func events(_ device: EngineDevice, after id: Int64 = 0) async throws -> [SyncEvent] {
        try await device.session.environment.store.events(after: id)
    }

    private func last(_ device: EngineDevice) async throws -> Int64 {
        try await events(device).last?.id ?? 0
    }

    @Test("What both sides have alike is not told as received, neither of two folders nor of a state that is new")
    func foundAlike() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let files = ["Note/a.json": #"{"a": 1}"#, "b.bin": "bytes"]
            for device in [laptop, desk] {
                for (path, text) in files { try device.write(text, to: path) }
            }
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                try device.store.forgetTrees()
                try device.restart()
            }
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                let changes = try device.store.changes(after: 0, limit: .max)
                #expect(!changes.contains { $0.action == JournalEntry.received }, "\(changes)")
            }
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test(
        "An import and an export name their files, who changed them and what was done")
    func files() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await converge(laptop, desk)
            for (act, files, sent, received) in [
                ({ try laptop.write(#"{"a": 1}"#, to: "Note/a.json") }, ["Note/a.json"], "send", "receive"),
                ({ try laptop.write("bytes", to: "b.bin") }, ["b.bin"], "send", "receive"),
                ({ try laptop.move("b.bin", to: "deep/b.bin") }, ["deep/b.bin"], "send", "move"),
                ({ try laptop.delete("deep/b.bin") }, ["deep/b.bin"], "delete-record", "delete-file"),
            ] as [(() throws -> Void, [String], String, String)] {
                let before = (try await last(laptop), try await last(desk))
                try act()
                try await laptop.sync()
                try await desk.sync()
                for (device, id, kind, action, author) in [
                    (laptop, before.0, SyncEvent.Kind.export, sent, Author.person),
                    (desk, before.1, .import, received, nil),
                ] as [(EngineDevice, Int64, SyncEvent.Kind, String, Author?)] {
                    let made = try await events(device, after: id).filter { $0.kind == kind }
                    #expect(made.count == 1, "\(files): \(made)")
                    let event = try #require(made.first)
                    #expect(event.outcome == .success)
                    #expect(event.counts.changed + event.counts.deleted == 1, "\(event)")
                    #expect(try #require(event.endedMilliseconds) >= event.beganMilliseconds)
                    let changes = try await device.session.environment.store.changes(of: event.id)
                    #expect(Set(changes.compactMap(\.path).map(\.description)) == Set(files))
                    #expect(changes.map(\.action) == [action])
                    if let author {
                        #expect(Set(changes.map(\.author)) == [author])
                    } else {
                        #expect(changes[0].author != .person)
                    }
                }
            }
            try laptop.close()
            try desk.close()
        }
    }

    @Test("An export has begun and not ended while it is sent, an import while its files are fetched")
    func underWay() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await converge(laptop, desk)
            for (device, operation, kind) in [
                (laptop, "records/modify", SyncEvent.Kind.export), (desk, "download", .import),
            ] {
                let seen = Mutex<[SyncEvent]>([])
                let store = await device.session.environment.store
                device.network.decide { request in
                    if FaultyNetwork.operation(of: request) == operation, let event = try? store.events().last {
                        seen.withLock { $0.append(event) }
                    }
                    return .delivered
                }
                if device === laptop { try laptop.write("bytes", to: "a.bin") }
                try await device.sync()
                let during = try #require(seen.withLock { $0.first })
                #expect(during.kind == kind && during.outcome == nil && during.endedMilliseconds == nil, "\(during)")
                let after = try #require(try store.events().first { $0.id == during.id })
                #expect(after.outcome == .success && after.endedMilliseconds != nil, "\(after)")
                #expect(after.beganMilliseconds == during.beganMilliseconds)
            }
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "An import that fails is told once, with the server's or the network's own code and words, and then the one that succeeds",
        arguments: [
            (FaultyNetwork.Fate.answered(.refusal("THROTTLED", status: 429)), "THROTTLED", "as told"),
            (.answered(.refusal("INTERNAL_ERROR", status: 500)), "INTERNAL_ERROR", "as told"),
            (.lostOnTheWay, "unreachable", "a test cut the line"),
        ] as [(FaultyNetwork.Fate, String, String)])
    func failedImport(fate: FaultyNetwork.Fate, code: String, words: String) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.txt")
            try await converge(laptop, desk)
            for operation in ["changes/database", "changes/zone"] {
                try laptop.write("two \(operation)", to: "a.txt")
                try await laptop.sync()
                let before = try await last(desk)
                desk.network.decide { FaultyNetwork.operation(of: $0) == operation ? fate : .delivered }
                for _ in 0..<4 {
                    desk.pass(.seconds(7200))
                    await desk.settle()
                }
                let failed = try await events(desk, after: before)
                #expect(failed.map(\.kind) == [.import], "\(operation): \(failed)")
                guard case .error(let given, let message)? = failed.first?.outcome else {
                    Issue.record("\(operation): \(failed)")
                    return
                }
                #expect(given == code && message.contains(words), "\(given): \(message)")
                #expect(failed[0].endedMilliseconds != nil)
                desk.network.decide { _ in .delivered }
                desk.pass(.seconds(7200))
                try await desk.sync()
                #expect(try await events(desk, after: failed[0].id).map(\.outcome) == [.success])
                #expect(desk.read("a.txt") == "two \(operation)")
            }
            try laptop.close()
            try desk.close()
        }
    }

    @Test("An export that fails has the server's code and words, not the account's; tried again, it is told once")
    func failedExport() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try await laptop.sync()
            let before = try await last(laptop)
            laptop.network.decide {
                FaultyNetwork.operation(of: $0) == "records/modify"
                    ? .answered(.refusal("TRY_AGAIN_LATER", status: 503)) : .delivered
            }
            try laptop.write("one", to: "a.txt")
            for _ in 0..<4 {
                laptop.pass(.seconds(7200))
                await laptop.settle()
            }
            let failed = try await events(laptop, after: before)
            #expect(failed.map(\.kind) == [.export], "\(failed)")
            guard case .error(let code, let message)? = failed.first?.outcome else {
                Issue.record("\(failed)")
                return
            }
            #expect(code == "TRY_AGAIN_LATER" && message.contains("as told"), "\(code): \(message)")
            laptop.network.decide { _ in .delivered }
            laptop.pass(.seconds(7200))
            try await laptop.sync()
            #expect(try await events(laptop, after: failed[0].id).map(\.outcome) == [.success])
            try laptop.close()
        }
    }

    @Test("The time of a fetch and of a push is stored with what they brought, not only when the process ends")
    func times() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.txt")
            await laptop.session.cycleOnce()
            await desk.session.cycleOnce()
            let pushed = try await laptop.session.environment.store.facts()
            let fetched = try await desk.session.environment.store.facts()
            #expect(pushed.pushedMilliseconds != nil && pushed.fetchedMilliseconds != nil)
            #expect(fetched.fetchedMilliseconds != nil && fetched.pushedMilliseconds == nil)
            #expect(try await desk.report().lastFetchMilliseconds != nil)
            // Killed, each still knows.
            try desk.restart()
            #expect(try await desk.report().lastFetchMilliseconds == fetched.fetchedMilliseconds)
            try laptop.close()
            try desk.close()
        }
    }
}

extension FolderSession {
    /// One cycle with all that is owed at a start; the process is not ended after it.
    fileprivate func cycleOnce() async {
        oweEverything()
        oweDatabaseFetch()
        await cycle()
    }
}
