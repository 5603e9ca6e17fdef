import Foundation
import GRDB
import Logging
import SystemPackage
import Testing

@testable import CloudKitServer

/// SQLite says of both that writing failed, and of no room by a quota nothing more.
@Suite("A disk that fails is told from a full one")
struct FailingDiskTests {
    private static let codes = [ResultCode.SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE]

    @Test("What cannot be written, though there is room, is said without a word of room", arguments: codes)
    func sentence(code: ResultCode) {
        for (cause, words) in [(Errno.ioError, "Input/output error"), (nil, "disk I/O error")] as [(Errno?, String)] {
            let said = #expect(throws: ServerError.self) {
                try DataDirectory.writing("/srv/data", asking: { $0 == "/srv/data" ? cause : .noSpace }) {
                    throw DatabaseError(resultCode: code, message: "disk I/O error")
                }
            }
            #expect(said?.code == .file)
            #expect(said?.message.hasPrefix("The server's data in /srv/data cannot be written: \(words).") == true)
            #expect(said?.message.contains("full") == false && said?.message.contains("system's log") == true)
        }
    }

    @Test("Where the disk has no room, writing that failed is said to have found none", arguments: codes)
    func quota(code: ResultCode) throws {
        for (cause, isFull) in [
            (.diskQuotaExceeded, true), (.noSpace, true), (.ioError, false), (.readOnlyFileSystem, false), (nil, false),
        ] as [(Errno?, Bool)] {
            var surroundings = StoreSurroundings.system
            surroundings.writingError = { _ in cause }
            let store = try RecordStore(writer: DatabaseQueue(), surroundings: surroundings)
            let error = #expect(throws: DatabaseError.self) {
                try store.change { _ in throw DatabaseError(resultCode: code) }
            }
            #expect(error?.isOfFullDisk == isFull && error?.isOfWriting == true)
        }
    }

    @Test("The disk of the database's directory is asked, and only where SQLite does not know")
    func place() async throws {
        try await withTemporaryDirectory { directory in
            try DataDirectory.make(directory)
            var surroundings = StoreSurroundings.system
            surroundings.writingError = { $0 == directory ? .diskQuotaExceeded : nil }
            let store = try RecordStore(
                writer: RecordStore.openPool(at: DataDirectory.database(in: directory)), surroundings: surroundings)
            for (code, isFull) in [
                (.SQLITE_IOERR_WRITE, true), (.SQLITE_FULL, true), (.SQLITE_IOERR_FSYNC, false),
                (.SQLITE_CORRUPT, false),
            ] as [(ResultCode, Bool)] {
                let error = #expect(throws: DatabaseError.self) {
                    try store.change { _ in throw DatabaseError(resultCode: code) }
                }
                #expect(error?.isOfFullDisk == isFull, "\(code)")
            }
            try store.close()
        }
    }

    @Test("Clients are told that the server failed, and not that they have no room", arguments: codes)
    func words(code: ResultCode) {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let error = DatabaseError(resultCode: code)
        #expect(Answer.plainFailure(error, silent).status == 500)
        for isSaving in [true, false] {
            let answer = Answer.failure(error, isSaving: isSaving, uuid: "u", silent)
            #expect(answer.status == 500 && String(decoding: answer.body, as: UTF8.self).contains("INTERNAL_ERROR"))
        }
    }

    @Test("A disk is asked by writing, of which nothing stays; what cannot be asked is not said to be full")
    func probe() async throws {
        try await withTemporaryDirectory { directory in
            try DataDirectory.make(directory)
            #expect(DiskProbe.error(writingTo: directory) == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.string).isEmpty)
            for odd in [directory.appending("missing"), "/proc", ""] as [FilePath] {
                #expect(DiskProbe.error(writingTo: odd) == nil, "\(odd)")
            }
        }
    }
}
