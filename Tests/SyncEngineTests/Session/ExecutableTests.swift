import Foundation
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@Suite("Whether a file can be executed", .timeLimit(.minutes(30)))
struct ExecutableTests {
    private static let modes = [false: 0o644, true: 0o755]

    private static func set(_ isExecutable: Bool, _ name: String, on device: EngineDevice) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: modes[isExecutable]!], ofItemAtPath: device.folder.appending(name).string)
    }

    private static func canBeExecuted(_ name: String, on device: EngineDevice) throws -> Bool {
        let attributes = try FileManager.default.attributesOfItem(atPath: device.folder.appending(name).string)
        return (attributes[.posixPermissions] as? Int).map { $0 & 0o100 != 0 } ?? false
    }

    @Test(
        "What one device makes of the bit and another one of the bytes is both kept, whoever is first (design §6)",
        arguments: [true, false], [true, false])
    func bitAndBytes(bit: Bool, isBitFirst: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("echo one", to: "run.sh")
            try Self.set(!bit, "run.sh", on: laptop)
            try await converge(laptop, desk)

            try Self.set(bit, "run.sh", on: laptop)
            try desk.write("echo two", to: "run.sh")
            for device in isBitFirst ? [laptop, desk] : [desk, laptop] { try await device.sync() }
            try await converge(laptop, desk)
            for device in [laptop, desk] { #expect(try Self.canBeExecuted("run.sh", on: device) == bit) }
            try await expectInSync(laptop, desk, with: ["run.sh": "echo two"])
        }
    }

    @Test("An asset's bit stays as it is on a device, whatever version comes")
    func ofAnAsset() async throws {
        try await EngineWorld.run { world in
            let note = #"{"pic": {"$asset": "a.sh"}}"#
            let (laptop, desk) = try await world.pair(with: ["Note/a.sh": "one", "Note/n.json": note])
            try Self.set(true, "Note/a.sh", on: desk)
            try await desk.sync()
            try laptop.write("two", to: "Note/a.sh")
            try await converge(laptop, desk)
            #expect(try Self.canBeExecuted("Note/a.sh", on: desk))
            #expect(try !Self.canBeExecuted("Note/a.sh", on: laptop))
            try await expectInSync(laptop, desk, with: ["Note/a.sh": "two", "Note/n.json": note])
        }
    }
}
