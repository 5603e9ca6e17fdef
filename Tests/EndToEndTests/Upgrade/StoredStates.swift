import Foundation

/// What earlier versions left, as `States/README.md` tells it.
struct StoredStates {
    let world: RealWorld
    /// A broken file is held, one edit waits to be sent, and one to be fetched.
    let folder: RealFolder
    /// With a conflict, and an edit that waits to be fetched once `folder` has sent it.
    let other: RealFolder
    private let archive: URL

    /// By the newest migration that they know.
    init(of migration: Int) async throws {
        let archive = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "States/\(migration).tar.gz")
        world = try await RealWorld { try await Self.unpack(archive, into: $0) }
        folder = RealFolder(url: world.place.appending(path: "folder"))
        other = RealFolder(url: world.place.appending(path: "other"))
        self.archive = archive
        for device in [folder, other] { try device.set("server", to: "\"\(world.url)\"") }
    }

    /// Makes `folder` what it was.
    func restoreFolder() async throws {
        try FileManager.default.removeItem(at: folder.url)
        try await Self.unpack(archive, into: world.place, "folder")
        try folder.set("server", to: "\"\(world.url)\"")
    }

    private static func unpack(_ archive: URL, into place: URL, _ parts: String...) async throws {
        let tar = try RunningProgram(
            arguments: ["-C", place.path, "--no-same-owner", "-xpzf", archive.path] + parts,
            executable: URL(filePath: "/usr/bin/tar"))
        guard try await tar.ended(within: .seconds(60)) == 0 else { throw TestFailure("tar: \(tar.errors)") }
    }
}
