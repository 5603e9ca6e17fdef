package import CloudKitClient
import ProblemSentences
package import SyncModel

extension Problem {
    /// What the server refused that is about no file.
    /// - Parameters:
    ///   - key: What was asked for.
    ///   - reason: The server's words.
    package static func refused(_ hold: Hold, asking key: RetryKey, zone: String, reason: String?) -> Problem {
        let what =
            switch key {
            case .zone: "The zone '\(zone)' cannot be made."
            case .zoneChanges: "What changed in the zone '\(zone)' cannot be read."
            case .databaseChanges: "Which zones changed cannot be read."
            case .account, .subscription, .state, .record, .path: "The zone '\(zone)' cannot be used as it should be."
            }
        return Problem(
            .serverRefused, message: "\(what) \(hold.reason)\(said(reason))", remedy: hold.remedy(for: .request))
    }
}
