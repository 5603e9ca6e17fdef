import CloudKitWire
import GRDB
import Logging
import SystemPackage

extension Answer {
    /// What is answered where a request failed, and not by its own fault; for what nobody expects, the server's log has the error.
    static func failure(_ error: any Error, uuid: String, _ logger: Logger) -> Self {
        switch error {
        case let error as DatabaseError where error.resultCode == .SQLITE_BUSY:
            var busy = ErrorDictionary(.tryAgainLater, reason: "the server's database is busy")
            busy.retryAfter = 1
            return .error(busy, uuid: uuid)
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL: return diskFull(uuid)
        case let error as ServerError where error.code == .diskFull: return diskFull(uuid)
        case Errno.noSpace, Errno.diskQuotaExceeded: return diskFull(uuid)
        default:
            logger.error("A request failed", metadata: ["error": "\(error)", "uuid": "\(uuid)"])
            return .error(
                ErrorDictionary(.internalError, reason: "the server failed; its log has the uuid"), uuid: uuid)
        }
    }

    /// Whether the server's own files failed, and not the connection.
    static func isOfFiles(_ error: any Error) -> Bool { error is Errno || error is ServerError }

    private static func diskFull(_ uuid: String) -> Self {
        .error(ErrorDictionary(.quotaExceeded, reason: "the server's disk is full"), uuid: uuid)
    }
}
