import FolderControl
import SyncService

/// The index that a query lacks, as the server's refusal names it (protocol §3.3).
struct MissingIndex: Hashable {
    var recordType: String
    /// As the query named it.
    var field: String
    var kind: IndexKind

    /// Reads a refusal such as `Field 'rank' is not marked sortable`; `nil` for one about something else.
    init?(in message: String, recordType: String) {
        guard let match = message.firstMatch(of: #/Field '([^']+)' is not marked ([a-z]+)/#),
            let kind = IndexKind(rawValue: String(match.2))
        else { return nil }
        self.recordType = recordType
        field = String(match.1)
        self.kind = kind
    }

    /// Makes the index on a server of one's own, but for where its data is.
    func command(in container: String) -> String {
        let kind = kind == .queryable ? "" : " --kind \(kind.rawValue)"
        let place = container == ServerContainer.standard ? "" : " --container \(ShellWord.quoted(container))"
        return
            "zonefolder schema index \(ShellWord.quoted(recordType)) \(ShellWord.quoted(field))\(kind) --data DIR\(place)"
    }
}
