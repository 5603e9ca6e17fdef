import CloudKitClient
import CloudKitWire
import FolderControl
import FolderSettings
import StateRows
import StateStorage
import SyncModel
import SyncService
import SystemPackage
import WireCoding

/// Makes a console command's requests, all of them with one session.
struct DatabaseConsole {
    enum Caller {
        case folder(DatabaseAccess, StateDirectory)
        case session(CloudKitDatabase, HTTPTransport, WebAuthSession, TokenFile)
        case serverKey(CloudKitDatabase, HTTPTransport)
    }

    let container: String
    let scope: DatabaseAddress.Scope
    let caller: Caller
    /// The zone that a folder stands for.
    let folderZone: ZoneID?

    /// The zone that a command means: the named one, else the folder's, else the default zone.
    func zone(_ name: String?, owner: String?) -> ZoneID {
        guard let folderZone, name.map({ $0 == folderZone.zoneName }) ?? true else {
            return ZoneID(zoneName: name ?? ZoneID.defaultZoneName, ownerRecordName: owner)
        }
        return ZoneID(zoneName: folderZone.zoneName, ownerRecordName: owner ?? folderZone.ownerRecordName)
    }

    /// The names of the shares by which the folder's zone is seen, as far as the folder's state has learnt of them.
    func sharesKnown(of zoneID: ZoneID) throws -> [String] {
        guard case .folder(_, let directory) = caller, zoneID == folderZone else { return [] }
        return try StateStore.look(at: directory) { try $0.shares().map(\.name.rawValue) }
    }

    /// Notes in the folder, if the zone is its own, that its account takes no part in it any more.
    func noteLeft(_ zoneID: ZoneID) async throws {
        guard case .folder(let access, _) = caller, zoneID == folderZone else { return }
        try await access.noteLeft()
    }

    /// The server that is asked; `nil` where the folder's configuration cannot be read.
    var server: String? {
        switch caller {
        case .folder(_, let directory): (try? FolderConfiguration(of: directory))?.server
        case .session(let database, _, _, _), .serverKey(let database, _): database.address.baseURL
        }
    }

    /// - Parameter other: The database, where it is not the one that the command is about.
    func call<Answer: WireValue>(
        _ operation: CloudKitOperation, _ message: (some WireValue)?, in other: DatabaseAddress.Scope? = nil,
        as: Answer.Type = Answer.self
    ) async throws -> Answer {
        let body: [UInt8]
        let scope = other ?? scope
        switch caller {
        case .folder(let access, _):
            let call = DatabaseCall(
                database: scope.rawValue, operation: operation.rawValue,
                body: message.map { String(decoding: $0.encoded(), as: UTF8.self) })
            body = Array(try await access.call(call).utf8)
        case .session(let database, _, _, _), .serverKey(let database, _):
            body = try await database.with(scope: scope).call(operation, body: message?.encoded())
        }
        return try Answer.decode(body)
    }

    /// Ends the connections, once the newest web auth token is stored.
    /// - Throws: ``CommandFailure`` where it cannot be: the next command may find nobody signed in.
    func close() async throws {
        switch caller {
        case .folder(let access, let directory):
            do {
                try await access.close()
            } catch {
                throw CommandFailure.tokenNotStored("\(error)", for: directory.folder)
            }
        case .session(_, let transport, let session, let file):
            try await transport.shutdown()
            do {
                try await session.flush()
            } catch {
                throw CommandFailure.tokenNotStored("\(error)", in: file)
            }
        case .serverKey(_, let transport): try await transport.shutdown()
        }
    }
}

extension DatabaseOptions {
    /// Lets a command ask the database and tell what it answers; afterwards makes sure that the sign-in goes on.
    func ask(_ body: (DatabaseConsole) async throws -> Void) async throws {
        let console = try console()
        try await console.asked { try await body(console) }
    }
}

extension DatabaseConsole {
    /// Closes it after what was asked of it.
    func asked(_ body: () async throws -> Void) async throws {
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        do {
            try await close()
        } catch {
            guard case .failure(let first) = outcome else { throw error }
            StandardError.print("zonefolder: \(error)")
            throw first
        }
        try outcome.get()
    }
}

extension CommandFailure {
    static func tokenNotStored(_ reason: String, for folder: FilePath) -> Self {
        Self(
            status: .error,
            message: "\(tokenNotStored(reason)) run `zonefolder login \(ShellWord.quoted(folder.string))`.")
    }

    static func tokenNotStored(_ reason: String, in file: TokenFile) -> Self {
        let place = file.path.map { "put a new one into \($0)" } ?? "get a new one"
        return Self(status: .error, message: "\(tokenNotStored(reason)) sign in again and \(place).")
    }

    private static func tokenNotStored(_ reason: String) -> String {
        "The server gave the next web auth token, and it could not be stored: \(Sentence.ended(reason)) What was asked for is "
            + "done. Make sure that the next token can be stored; where the server refuses the one that is stored,"
    }
}

/// The body of a GET.
let noBody: ZonesLookupRequest? = nil
