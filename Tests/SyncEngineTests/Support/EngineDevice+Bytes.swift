import FolderControl
import Foundation
import SystemPackage

extension EngineDevice {
    func write(_ bytes: [UInt8], to name: String) throws {
        try write("", to: name)
        try Data(bytes).write(to: URL(filePath: folder.appending(name).string))
    }

    func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: folder.appending(name).string).map(Array.init)
    }

    /// What its status lists as synced as plain files, with the code of the reason.
    func unfit() async throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: (try await report().unfit ?? []).map { ($0.path, $0.code) })
    }

    /// What its status lists as held.
    func held() async throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try await report().held.map { ($0.path, $0.code) })
    }
}
