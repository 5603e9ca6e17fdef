import FolderControl
import Foundation
import SyncModel
import SystemPackage
import Testing

@testable import SyncEngine

/// Edits of one file by several devices that do not know of each other, whoever syncs first (reliability §4.8, §4.22).
///
/// Every combination has a directory of its own, so that one world shows all of them at once.
@Suite("Two and three devices in all orders", .timeLimit(.minutes(30)))
struct AllOrdersTests {
    @Test("Two devices end alike and nothing is lost, whatever each did to a file", arguments: [[0, 1], [1, 0]])
    func two(order: [Int]) async throws {
        let edits = PathEdit.all
        var combinations: [[PathEdit]] = []
        for first in edits { for second in edits { combinations.append([first, second]) } }
        try await Self.run(combinations, order: order)
    }

    private static let ordersOfThree = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    /// Every choice of three edits, in whatever order they are thought of: the order tells which device did which.
    ///
    /// The delicate ones among themselves are tried in every order, each other choice in one of them;
    /// `ZONEFOLDER_ORDERS=all` tries all of them in every order, for some minutes.
    @Test("Three devices end alike and nothing is lost, whatever each did to a file", arguments: ordersOfThree.indices)
    func three(number: Int) async throws {
        let triesAll = ProcessInfo.processInfo.environment["ZONEFOLDER_ORDERS"] == "all"
        let edits = PathEdit.all
        var combinations: [[PathEdit]] = []
        var others = 0
        for first in edits.indices {
            for second in first..<edits.count {
                for third in second..<edits.count {
                    let choice = [edits[first], edits[second], edits[third]]
                    if triesAll || choice.allSatisfy(\.isDelicate) {
                        combinations.append(choice)
                    } else {
                        if others % Self.ordersOfThree.count == number { combinations.append(choice) }
                        others += 1
                    }
                }
            }
        }
        try await Self.run(combinations, order: Self.ordersOfThree[number])
    }

    private static func run(_ combinations: [[PathEdit]], order: [Int]) async throws {
        try await EngineWorld.run { world in
            let devices = try order.indices.map { try world.device("device-\($0)") }
            func round() async throws {
                for number in order {
                    try await devices[number].sync()
                    // Some of the edits together look like a mass deletion, which here a person wants.
                    while let batch = try await devices[number].report().approval {
                        guard await devices[number].session.approved(batch.batch) else { break }
                        try await devices[number].sync()
                    }
                }
            }
            var places: [(place: PathEdit.Place, edits: [PathEdit])] = []
            for (number, edits) in combinations.enumerated() {
                places.append((PathEdit.Place(directory: "Note/p\(number)", suffix: ".json"), edits))
                places.append((PathEdit.Place(directory: "files/p\(number)", suffix: ".txt"), edits))
            }
            for (place, _) in places { try devices[0].write(place.text(PathEdit.start), to: place.path("a")) }
            for _ in 0..<2 { for device in devices { try await device.sync() } }

            for (number, (place, edits)) in places.enumerated() {
                for (index, edit) in edits.enumerated() {
                    try edit.act(devices[index], place, "t\(number)-\(index)")
                }
            }
            let written = Set(try devices.flatMap { try tokens(in: $0.files().map(\.value)) })
            for _ in 0..<3 { try await round() }
            let ends = try devices.map { try shared($0) }
            let all = try devices.map { try $0.files() }
            let copies = try devices.map { try $0.conflictCopies() }

            for (place, edits) in places {
                let names = edits.map(\.name).joined(separator: " | ") + ", \(place.suffix), order \(order)"
                let here = ends.map { $0.filter { $0.key.hasPrefix(place.directory + "/") } }
                #expect(Set(here).count == 1, "\(names): \(here)")
                let count = copies.joined().count { $0.hasPrefix(place.directory + "/") }
                #expect(count <= edits.count, "\(names): \(count) copies")
            }
            // Nothing that was written is nowhere.
            let kept = try devices.flatMap { try history($0) } + all.flatMap(\.values)
            let lost = written.subtracting(tokens(in: kept))
            let whose = lost.sorted().prefix(5).map { token in
                let number = Int(token.dropFirst().prefix { $0 != "-" }) ?? 0
                return "\(token): \(places[number].edits.map(\.name)) \(places[number].place.suffix)"
            }
            #expect(lost.isEmpty, "\(whose), order \(order)")

            // Once more: nobody has anything to do.
            for device in devices { _ = device.takeChanges() }
            try await round()
            for (number, device) in devices.enumerated() {
                #expect(device.takeChanges().isEmpty, "device \(number), order \(order)")
                #expect(try device.files() == all[number], "device \(number), order \(order)")
            }
            for device in devices { try device.close() }
        }
    }

    private static func shared(_ device: EngineDevice) throws -> [String: String] {
        try device.files().filter { !$0.key.contains(".conflict-") }
    }

    /// What was kept of files that were replaced or deleted.
    private static func history(_ device: EngineDevice) throws -> [String] {
        let place = device.folder.appending(".zonefolder/history").string
        return try FileManager.default.subpathsOfDirectory(atPath: place).compactMap {
            FileManager.default.contents(atPath: place + "/" + $0).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func tokens(in texts: some Sequence<String>) -> Set<String> {
        Set(texts.flatMap { $0.matches(of: /t\d+-\d+/).map { String($0.0) } })
    }
}
