/// Who has turns of their own: a person, a key, all who come to a container without an account, or all who redeem invitations.
struct TurnOwner: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case caller(Caller.Identity, place: String)
        case invited
        /// The row of a person or a key.
        case sender(Int64)
        case senders(zone: Int64)
    }

    private let kind: Kind

    init(_ caller: Caller) {
        kind = .caller(caller.identity, place: "\(caller.environment)/\(caller.container)")
    }

    /// Who sends an asset: whoever asked for the URL, or all who send to a zone without an account.
    init(_ upload: AssetUpload) {
        kind = upload.ticket.sender.map { .sender($0) } ?? .senders(zone: upload.ticket.zone)
    }

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// Those who are about to have an account.
    static let invited = TurnOwner(.invited)
}
