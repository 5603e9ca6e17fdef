import ArgumentParser
import CloudKitServer

#if canImport(Glibc)
    import Glibc
#endif

struct ServeUserSignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "End all sign-ins of a user, everywhere.",
        discussion: """
            Every device and program of the user has to sign in again; nothing is lost, and edits wait. A running server \
            refuses the old sign-ins at once, in both environments. The password stays: where others may know it, change it \
            first, with `zonefolder serve user password`. Invitations that nobody has followed yet are taken back, also of one \
            who is no user yet.
            """)

    @Argument(help: ArgumentHelp("The user's name.", valueName: "name"))
    var name: String

    @OptionGroup var place: ServerContainer

    func run() async throws {
        let directory = try place.directory
        let container = place.container
        let invitations = try WebServicesServer.withdrawInvitations(ofUser: name, container: container, in: directory)
        let ended = try WebServicesServer.signOutUser(name, container: container, in: directory)
        let end = EndOfAccess(name: name, invitations: invitations)
        guard let sentence = ended.map(end.signedOut) ?? end.neverCame else {
            throw CommandFailure.nobody(name, in: container)
        }
        StandardOutput.print(sentence)
    }
}

/// What became of a user's ways in, in a sentence.
struct EndOfAccess {
    var name: String
    /// Taken back; none of them was followed.
    var invitations: Int

    func signedOut(signIns: Int) -> String {
        let takenBack = invitations > 0 ? "; \(count) taken back" : ""
        return "\(name) is signed out: \(Amounts.count(signIns, "sign-in")) ended\(takenBack)."
    }

    /// Of one who was only invited; `nil` where not even that.
    var neverCame: String? {
        invitations > 0 ? "\(name) is no user yet: \(count) taken back." : nil
    }

    private var count: String { Amounts.count(invitations, "invitation") }
}

struct ServeUserRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a user with all that is theirs, for good.",
        discussion: """
            The user's private databases go, in both environments, with sign-ins, invitations and subscriptions. A running server refuses \
            them at once. What they saved in the public database stays. Files in synced folders stay, too: a folder \
            says that nobody is signed in. A user who is added by the same name is another one.
            """)

    @Argument(help: ArgumentHelp("The user's name.", valueName: "name"))
    var name: String

    @OptionGroup var place: ServerContainer

    @Flag(help: "Remove without asking.")
    var yes = false

    func run() async throws {
        let directory = try place.directory
        let container = place.container
        guard let user = try WebServicesServer.summary(ofUser: name, container: container, in: directory) else {
            // A slip in the name changes nothing, be it in a backup.
            let open = try WebServicesServer.openInvitations(container: container, in: directory)
            guard open.contains(where: { $0.userName == name }) else {
                throw CommandFailure.nobody(name, in: container)
            }
            // Nothing is lost by that which another invitation would not bring back, so nobody is asked.
            let invitations = try WebServicesServer.withdrawInvitations(
                ofUser: name, container: container, in: directory)
            guard let sentence = EndOfAccess(name: name, invitations: invitations).neverCame else {
                throw CommandFailure.nobody(name, in: container)
            }
            return StandardOutput.print(sentence)
        }
        let theirs = "\(Amounts.count(user.zones, "zone")) and \(Amounts.count(user.records, "record"))"
        if !yes {
            let question =
                "Remove \(name) (\(user.userRecordName)) from \(container), with \(theirs)? There is no way back."
            guard try Confirmation.ask(question) else { throw CommandFailure.notConfirmed }
        }
        guard try WebServicesServer.removeUser(name, container: container, in: directory) else {
            throw CommandFailure.nobody(name, in: container)
        }
        StandardOutput.print("\(name) is removed, with \(theirs).")
    }
}

/// A question before what cannot be undone.
enum Confirmation {
    /// Whether a person at the terminal says yes; anything else is no.
    static func ask(_ question: String) throws -> Bool {
        guard isatty(0) == 1 else { throw CommandFailure.noConfirmation }
        StandardError.printUnended("\(question) [y/N] ")
        let answer = (readLine() ?? "").lowercased()
        return answer == "y" || answer == "yes"
    }
}

extension CommandFailure {
    static let noConfirmation = Self(
        status: .usage, message: "This asks for a word on a terminal, and there is none. Where you are sure, add --yes."
    )

    static let notConfirmed = Self(status: .error, message: "Nothing was removed.")
}
