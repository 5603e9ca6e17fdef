import CloudKitServer
import FolderControl

/// Whom an invitation is for, and to which zone, where the command leaves it open.
enum InvitationChoice {
    /// The zone of a person who has none yet.
    static let firstZone = "Notes"

    /// The named person; else the only one there is, or in an empty container the one who runs the command.
    /// - Parameter account: The user's name on this machine.
    /// - Throws: ``CommandFailure`` that lists the people, where there are several.
    static func user(
        named name: String?, in ground: InvitationGround, account: String
    ) throws(CommandFailure) -> String {
        if let name { return name }
        guard ground.people.count < 2 else { throw .severalPeople(ground.people) }
        return ground.people.first ?? account
    }

    /// The named zone; else the only one that the person has, or ``firstZone`` for whom has none.
    /// - Throws: ``CommandFailure`` that lists the zones, where there are several.
    static func zone(
        named name: String?, of user: String, in ground: InvitationGround
    ) throws(CommandFailure) -> String {
        if let name { return name }
        let zones = ground.zones[user] ?? []
        guard zones.count < 2 else { throw .severalZones(zones, of: user) }
        return zones.first ?? firstZone
    }

    /// That somebody is no user yet, and whether another one is called almost the same: a name that was misspelt would make a
    /// user without any of the other one's zones.
    /// - Returns: `nil` for a user.
    static func newcomer(_ name: String, in ground: InvitationGround) -> String? {
        guard !ground.people.contains(name) else { return nil }
        let sentence = "\(name) is new here: the user is made when the link is redeemed."
        let namesakes = ground.people.filter { $0.lowercased() == name.lowercased() }.map { "'\($0)'" }
        guard !namesakes.isEmpty else { return sentence }
        let others = namesakes.joined(separator: ", ")
        return "\(sentence) There is a user \(others): if that one is meant, invite again by that name, and take "
            + "this link back with `zonefolder serve user sign-out`."
    }
}

extension CommandFailure {
    static func severalPeople(_ people: [String]) -> Self {
        Self(
            status: .usage,
            message:
                "The container has several users. Name the one who is invited, or a new one: zonefolder serve invite USER\n"
                + people.map { "  \($0)" }.joined(separator: "\n"))
    }

    static func severalZones(_ zones: [String], of user: String) -> Self {
        Self(
            status: .usage,
            message: "\(user) has several zones. Say which is meant, or name a new one, with --zone:\n"
                + zones.map { "  \($0)" }.joined(separator: "\n"))
    }

    static func notAServerURL(_ url: String) -> Self {
        Self(
            status: .usage,
            message: "'\(url)' is no server's URL: https or http, a host, perhaps a port, and no path, such as "
                + "https://notes.example.org:8443. Give one with --url.")
    }
}
