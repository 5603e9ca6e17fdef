import CloudKitWire
import GRDB
import Logging
import SystemPackage

extension Answer {
    /// What is answered where a request failed, and not by its own fault; for what nobody expects, the server's log has the error.
    /// - Parameter isSaving: Whether the request would have stored something: who only reads or deletes does not want more room.
    static func failure(_ error: any Error, isSaving: Bool, uuid: String, _ logger: Logger) -> Self {
        switch Failure(error) {
        case .busy:
            var busy = ErrorDictionary(.tryAgainLater, reason: "the server's database is busy")
            busy.retryAfter = 1
            return .error(busy, uuid: uuid)
        case .diskFull:
            return .error(isSaving ? FullDisk.noRoomToSave : FullDisk.noRoomToDelete, uuid: uuid)
        case .unexpected:
            logger.error("A request failed", metadata: ["error": "\(error)", "uuid": "\(uuid)"])
            return .error(
                ErrorDictionary(.internalError, reason: "the server failed; its log has the uuid"), uuid: uuid)
        }
    }

    /// The same where no client of the protocol asked, but a browser.
    static func plainFailure(_ error: any Error, _ logger: Logger) -> Self {
        switch Failure(error) {
        case .busy: return .plain(503, "The server is busy; try again.\n")
        case .diskFull: return .plain(507, "The server's disk is full.\n")
        case .unexpected:
            logger.error("A request failed", metadata: ["error": "\(error)"])
            return .plain(500, "The server failed; see its log.\n")
        }
    }

    /// Whether the server's own files failed, and not the connection.
    static func isOfFiles(_ error: any Error) -> Bool {
        error is Errno || error is ServerError || error is DatabaseError
    }
}

/// What the server's own files can do to a request.
private enum Failure {
    case busy, diskFull, unexpected

    init(_ error: any Error) {
        self =
            switch error {
            case let error as DatabaseError where error.resultCode == .SQLITE_BUSY: .busy
            case let error as DatabaseError where error.isOfFullDisk: .diskFull
            case let error as ServerError where error.code == .diskFull: .diskFull
            case let error as Errno where error.isOfFullDisk: .diskFull
            default: .unexpected
            }
    }
}
