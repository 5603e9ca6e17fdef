import CloudKitServer

/// The users of a server, and who is invited to become one, as `user list` shows them.
struct UserList {
    var people: [PersonSummary]
    /// Those that can be redeemed, of users and of others.
    var invitations: [InvitationSummary]

    /// Users first, each with what is open for them; then those who did not come yet.
    var entries: [PersonLine] {
        people.map { person in
            PersonLine(person, invitations: invitations.filter { person.isMeant(by: $0) }.map(InvitedZoneLine.init))
        } + strangers.map { PersonLine(invited: $0[0], invitations: $0.map(InvitedZoneLine.init)) }
    }

    /// A line for each user.
    func users(withContainer: Bool) -> [String] {
        TextColumns.lines(people.map { withContainer ? [$0.name, $0.container] : [$0.name] })
    }

    /// A line for each invitation of one who is no user yet.
    var invited: [String] {
        strangers.joined().map { invitation in
            "\(invitation.userName) is invited to '\(invitation.zone)' of \(invitation.container) until "
                + "\(WallClock.text(invitation.expiresAt)), and has not come yet."
        }
    }

    /// The invitations of each who is no user, in the order in which they came.
    private var strangers: [[InvitationSummary]] {
        var groups: [[InvitationSummary]] = []
        for invitation in invitations where !people.contains(where: { $0.isMeant(by: invitation) }) {
            if let last = groups.last?.last, last.userName == invitation.userName,
                last.container == invitation.container
            {
                groups[groups.count - 1].append(invitation)
            } else {
                groups.append([invitation])
            }
        }
        return groups
    }
}

extension PersonSummary {
    fileprivate func isMeant(by invitation: InvitationSummary) -> Bool {
        name == invitation.userName && container == invitation.container
    }
}

/// A user as `user list --json` shows one, or who is invited to become one.
struct PersonLine: Encodable {
    var name: String
    var container: String
    /// Not there for one who is only invited.
    var userRecordName: String?
    var createdAtMilliseconds: Int64?
    /// Custom zones of the private databases, of both environments.
    var zones = 0
    var records = 0
    var signIns = 0
    /// Those that can be redeemed.
    var invitations: [InvitedZoneLine]

    init(_ person: PersonSummary, invitations: [InvitedZoneLine]) {
        name = person.name
        container = person.container
        userRecordName = person.summary.userRecordName
        createdAtMilliseconds = person.createdAt
        zones = person.summary.zones
        records = person.summary.records
        signIns = person.summary.sessions
        self.invitations = invitations
    }

    init(invited: InvitationSummary, invitations: [InvitedZoneLine]) {
        name = invited.userName
        container = invited.container
        self.invitations = invitations
    }
}

/// What somebody is invited to.
struct InvitedZoneLine: Encodable {
    var environment: String
    var zone: String
    var expiresAtMilliseconds: Int64

    init(_ invitation: InvitationSummary) {
        environment = invitation.environment
        zone = invitation.zone
        expiresAtMilliseconds = invitation.expiresAt
    }
}
