import CloudKitServer
import Foundation
import Testing

extension Complaints {
    @Test(
        "half a download uploaded as a new version; disk full spreads truncated files",
        .enabled("needs a namespace of its own to mount in") { await SmallDisk.isAvailable })
    func halfDownload() async throws {
        let faults = FaultBoard()
        let world = try await ObservedWorld { $0.faults = faults }
        let laptop = try await world.addFolder("laptop")
        func large(_ version: Int) -> String { String(repeating: "version \(version) of a film\n", count: 500_000) }
        try laptop.write("the old film", to: "film.bin")
        try laptop.write("one", to: "small.txt")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        let disk = try await SmallDisk(in: world, named: "desk", megabytes: 5)
        let desk = disk.folder
        #expect(try await disk.settledVerdict() == "in-sync")
        #expect(desk.read("film.bin") == "the old film")

        // Downloads break off in the middle; and where they do not, the disk has no room for what comes.
        faults.add(FaultRule(.cutInBody, on: .init(operation: "assets/download"), times: 3))
        try laptop.write(large(2), to: "film.bin")
        try laptop.write(large(2), to: "new/film.bin")
        try laptop.write("two", to: "small.txt")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        let zone = try world.records()
        _ = world.takeRequests()
        #expect(try await eventually { desk.read("small.txt") == "two" })
        var report = try await disk.report()
        for _ in 0..<200 where !report.held.contains(where: { $0.code == "diskFull" && $0.path == "film.bin" }) {
            #expect(report.verdict != "in-sync")
            _ = try await disk.settledVerdict()
            report = try await disk.report()
        }
        #expect(Set(report.held.map(\.path)) == ["film.bin", "new/film.bin"], "\(report)")
        #expect(Set(report.held.map(\.code)) == ["diskFull"], "\(report)")
        // Old or new, never a part; and nothing goes back.
        #expect(desk.read("film.bin") == "the old film")
        #expect(desk.read("new/film.bin") == nil)
        let said = Set(world.takeRequests().map(\.operation))
        #expect(said.isDisjoint(with: ["records/modify", "assets/upload", "assets/upload-bytes"]), "\(said)")
        #expect(try world.records().living == zone.living)

        // With room it goes on.
        try await disk.resize(toMegabytes: 200)
        #expect(try await disk.settledVerdict() == "in-sync")
        #expect(desk.read("film.bin") == large(2))
        #expect(desk.read("new/film.bin") == large(2))
        #expect(try world.records().living == zone.living)
        #expect(try world.records().deleted == 0)
    }
}
