import CloudKitClient
import CloudKitWire
import FolderControl

/// Whether those exist who are invited, as far as a server of a person's own tells it.
///
/// It tells who has a name that is an address, and of no other name whether somebody has it. Apple's finds those alone who let
/// themselves be found: that it finds nobody says nothing.
enum InvitedUsers {
    /// Those of whom the server says that it has none. Where it says nothing, there are none.
    static func unknown(among invited: [String], to console: DatabaseConsole) async -> [String] {
        let addresses = invited.filter { $0.contains("@") }
        guard !addresses.isEmpty, let server = console.server, server != DatabaseAddress.appleBaseURL else { return [] }
        let request = UsersDiscoverRequest(lookupInfos: addresses.map { UserLookupInfo(emailAddress: $0) })
        guard let answer: UsersDiscoverResponse = try? await console.call(discover, request, in: .public) else {
            return []
        }
        let found = Set(answer.users.compactMap { $0.lookupInfo?.emailAddress })
        return addresses.filter { !found.contains($0) }
    }

    private static let discover = CloudKitOperation(rawValue: "users/discover")

    static func remark(on address: String, at server: String) -> String {
        "\(server) has no user \(address) yet. Whoever gets that name there can accept; if it is mistyped: "
            + "zonefolder share --remove \(ShellWord.quoted(address))"
    }
}
