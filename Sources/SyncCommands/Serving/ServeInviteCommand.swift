import ArgumentParser
import CloudKitServer
import FolderControl
import FolderSettings
import StateStorage
import SyncService

#if canImport(Glibc)
    import Glibc
#endif

struct ServeInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Print a link that sets up one folder: on a further device, or of another person.",
        discussion: """
            The link is good once and for a limited time. On the device, `zonefolder init` does the rest:

              zonefolder serve invite
              zonefolder init ~/Notes 'LINK' --start

            Where no USER is named, it is the only one of the container, or a new one by your name on this machine. A user \
            whom nobody knows yet is made when the link is redeemed. Whoever has the link can be that user until \
            then: hand it over as you would a password. `zonefolder serve user sign-out USER` takes back what was not \
            redeemed.

            Works before the server's first start and while it runs. The link names the address at which the server \
            listens; where others reach it by another one, say so with --url.
            """)

    @Argument(help: ArgumentHelp("Who is invited.", valueName: "user"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The zone that the folder is to be (default: the only one of the user, or \(InvitationChoice.firstZone)).",
            valueName: "zone"))
    var zone: String?

    @Option(
        help: ArgumentHelp("How long the link is good, such as 30m, 24h or 7d.", valueName: "time"),
        transform: InvitationValidity.init(argument:))
    var valid = InvitationValidity.standard

    @Option(help: ArgumentHelp("The server's URL for the device that is invited.", valueName: "url"))
    var url: String?

    @OptionGroup var place: ServedContainer

    @Flag(help: "Print one JSON object instead of the link.")
    var json = false

    func validate() throws {
        if let user { try UserName.check(user) }
        guard url.map({ ServerURL($0) != nil }) ?? true else {
            throw ValidationError(
                "'\(url!)' is no server's URL: https or http, a host, perhaps a port, and no path, such as "
                    + "https://notes.example.org:8443.")
        }
    }

    func run() async throws {
        let environment = place.environment.rawValue
        if let zone {
            try FolderConfiguration(container: place.container, zone: zone, device: "device").checkAsGiven()
        }
        let directory = try place.newOrKnownDirectory
        let ground = try WebServicesServer.invitationGround(
            container: place.container, environment: environment, in: directory)
        let user = try InvitationChoice.user(named: user, in: ground, account: AccountName.current)
        let zone = try InvitationChoice.zone(named: zone, of: user, in: ground)
        let server = url ?? ground.serverURL ?? ServedURL.standard
        guard ServerURL(server) != nil else { throw CommandFailure.notAServerURL(server) }
        let invitation = try WebServicesServer.invite(
            InvitationOffer(
                userName: user, zone: zone, validity: valid.duration, callback: LoginCallback.defaultURL),
            container: place.container, environment: environment, in: directory)
        let line = InvitationLine(
            link: InvitationLink(server: server, secret: invitation.secret).text, user: user,
            container: place.container, environment: environment, zone: zone,
            expiresAtMilliseconds: invitation.expiresAt, isNewUser: !ground.people.contains(user))
        StandardOutput.print(json ? try JSONText.pretty(line) : line.link)
        guard !json else { return }
        if url == nil, ground.serverURL == nil {
            StandardError.print(
                "The server never ran: the link is for \(server), where it listens if not told otherwise.")
        }
        if let sentence = InvitationChoice.newcomer(user, in: ground) { StandardError.print(sentence) }
        StandardError.print(line.advice(isExposed: ServerURL(server)?.isExposed == true))
    }
}

/// An invitation as `invite` shows it; its JSON form is `invite --json`.
struct InvitationLine: Encodable {
    var link: String
    var user: String
    var container: String
    var environment: String
    var zone: String
    var expiresAtMilliseconds: Int64
    /// Whether the user is made when the link is redeemed.
    var isNewUser: Bool

    /// - Parameter isExposed: Whether the link leads to another machine without TLS.
    func advice(isExposed: Bool) -> String {
        """
        For \(user), the zone '\(zone)' of \(container); good once, until \(WallClock.text(expiresAtMilliseconds)).

        Next, on the device that is to have the folder:
          zonefolder init ~/\(ShellWord.quoted(zone)) '\(link)' --start\(isExposed ? " --plain-http" : "")
        """
    }
}

/// The user's name on this machine.
enum AccountName {
    static var current: String {
        guard let name = getpwuid(geteuid())?.pointee.pw_name else { return "me" }
        return String(cString: name)
    }
}
