import CloudKitServer

/// An asset that is not there as it was stored, as `serve backup` and `serve check` tell of it.
struct LostAssetLine: Encodable {
    /// In the data directory.
    var file: String
    /// `absent`, `cut-short`, `damaged` or `unreadable`.
    var reason: String
    /// The system's words, where it could not be read.
    var message: String?
    /// One of the records that name it; empty, as is all below, where the database is too damaged to tell.
    var record: String
    var field: String
    var zone: String
    var container: String
    var environment: String

    init(_ asset: LostAsset) {
        switch asset.reason {
        case .absent: reason = "absent"
        case .cutShort: reason = "cut-short"
        case .damaged: reason = "damaged"
        case .unreadable(let words): (reason, message) = ("unreadable", words)
        }
        file = asset.file
        record = asset.record
        field = asset.field
        zone = asset.zone
        container = asset.container
        environment = asset.environment
    }

    var text: String {
        let what =
            switch reason {
            case "absent": "is not there"
            case "cut-short": "is cut short"
            case "damaged": "is damaged"
            default: "cannot be read (\(message ?? ""))"
            }
        guard !zone.isEmpty else { return "\(file) \(what)" }
        let place = "in the zone '\(zone)' of \(container), \(environment)"
        return "\(file) \(what): '\(field)' of the record '\(record)' \(place)"
    }

    /// A line for each of the first ``shown``, and one for the rest.
    /// - Parameter total: Where not all are listed, how many there are.
    static func list(_ lines: [Self], of total: Int) -> String {
        let first = lines.prefix(shown).map { "  " + $0.text }
        guard total > first.count else { return first.joined(separator: "\n") }
        let listed = lines.count < total ? "the first \(lines.count)" : "all"
        return (first + ["  and \(total - first.count) more; --json lists \(listed)"]).joined(separator: "\n")
    }

    static let shown = 20
}
