import ArgumentParser
import CloudKitServer
import SystemPackage
import Testing

@testable import SyncCommands

@Suite("What an invitation is for, and its link")
struct InvitationTests {
    private static func ground(_ people: [String: [String]]) -> InvitationGround {
        InvitationGround(people: people.keys.sorted(), zones: people.filter { !$0.value.isEmpty })
    }

    @Test("Who is not named is the only user, or in an empty container whoever asks; among several a name is needed")
    func users() throws {
        #expect(try InvitationChoice.user(named: nil, in: Self.ground([:]), account: "root") == "root")
        #expect(try InvitationChoice.user(named: nil, in: Self.ground(["ada": []]), account: "root") == "ada")
        let several = Self.ground(["ada": [], "bob": []])
        #expect(try InvitationChoice.user(named: "cy", in: several, account: "root") == "cy")
        let failure = #expect(throws: CommandFailure.self) {
            try InvitationChoice.user(named: nil, in: several, account: "root")
        }
        #expect(failure?.status == .usage && failure?.message.contains("  ada\n  bob") == true)
    }

    @Test("A zone that is not named is the user's only one, or the first one; among several a name is needed")
    func zones() throws {
        let ground = Self.ground(["ada": ["Work"], "bob": [], "cy": ["A", "B"]])
        for (user, zone) in [("ada", "Work"), ("bob", "Notes"), ("new", "Notes")] {
            #expect(try InvitationChoice.zone(named: nil, of: user, in: ground) == zone)
        }
        #expect(try InvitationChoice.zone(named: "C", of: "cy", in: ground) == "C")
        let failure = #expect(throws: CommandFailure.self) {
            try InvitationChoice.zone(named: nil, of: "cy", in: ground)
        }
        #expect(failure?.status == .usage && failure?.message.contains("--zone") == true)
    }

    @Test("Who is no user yet is said to be new, and who is called almost the same")
    func newcomers() {
        let ground = Self.ground(["ada": [], "bob": []])
        #expect(InvitationChoice.newcomer("ada", in: ground) == nil)
        let new = InvitationChoice.newcomer("cy", in: ground)
        #expect(new == "cy is new here: the user is made when the link is redeemed.")
        let namesake = InvitationChoice.newcomer("Ada", in: ground)
        #expect(namesake?.hasPrefix("Ada is new here: the user is made when the link is redeemed. ") == true)
        #expect(namesake?.contains("There is a user 'ada'") == true)
    }

    @Test("What became of a user's ways in is said with the invitations that were taken back")
    func ends() {
        #expect(EndOfAccess(name: "ada", invitations: 0).signedOut(signIns: 1) == "ada is signed out: 1 sign-in ended.")
        #expect(
            EndOfAccess(name: "ada", invitations: 2).signedOut(signIns: 0)
                == "ada is signed out: 0 sign-ins ended; 2 invitations taken back.")
        #expect(EndOfAccess(name: "hank", invitations: 1).neverCame == "hank is no user yet: 1 invitation taken back.")
        #expect(EndOfAccess(name: "hank", invitations: 0).neverCame == nil)
    }

    @Test("A link is read as it was printed, with white space around it; what is none is not")
    func links() {
        let link = InvitationLink(server: "https://[::1]:8443", secret: "abcdefgh-JKLMNOP_0123456")
        #expect(link.text == "https://[::1]:8443/invite#abcdefgh-JKLMNOP_0123456")
        #expect(InvitationLink(" \(link.text)\n") == link)
        for text in [
            "", "abcdefgh-JKLMNOP_0123456", "https://a.example/invite", "https://a.example/invite#short",
            "https://a.example/invite#abcdefgh-JKLMNOP 0123456", "ftp://a.example/invite#abcdefgh-JKLMNOP_0123456",
            "https://a.example/x/invite#abcdefgh-JKLMNOP_0123456", "/invite#abcdefgh-JKLMNOP_0123456",
        ] {
            #expect(InvitationLink(text) == nil, "\(text)")
        }
    }

    @Test("How long a link is good is written with a unit, from a minute to 30 days")
    func validity() throws {
        for (text, seconds, shown) in [
            ("1m", 60, "1m"), ("90m", 5400, "90m"), ("24h", 86_400, "24h"), ("1d", 86_400, "24h"),
            ("30d", 2_592_000, "30d"),
        ] {
            let validity = try? InvitationValidity(argument: text)
            #expect(validity?.duration == .seconds(seconds) && validity?.description == shown, "\(text)")
        }
        for text in ["h", "24", "0h", "1s", "-1h", "31d", "99999999999999999999d", "1w", "1.5h"] {
            let error = try #require(throws: (any Error).self) {
                try ZonefolderCommand.parseAsRoot(["serve", "invite", "--valid=\(text)"])
            }
            #expect(ZonefolderCommand.message(for: error).hasSuffix("The shortest is 1m, the longest 30d."), "\(text)")
        }
    }

    @Test("A link names the public URL, or the machine where the server listens on every address")
    func urls() {
        for (url, host, expected) in [
            (nil, "127.0.0.1", "http://127.0.0.1:80"), (nil, "::1", "http://[::1]:80"),
            (nil, "0.0.0.0", "http://box:80"), (nil, "::", "http://box:80"),
            ("https://a.example/", "127.0.0.1", "https://a.example"), ("https://a.example", "::", "https://a.example"),
        ] as [(String?, String, String)] {
            #expect(
                ServedURL.forOthers(publicURL: url, scheme: "http", host: host, port: 80, machine: "box") == expected)
        }
    }

    @Test("Data without a place is in the user's data home, which counts where it is absolute")
    func dataPlace() {
        for (home, expected) in [
            (nil, "/home/ada/.local/share/zonefolder/server"), ("relative", "/home/ada/.local/share/zonefolder/server"),
            ("/data", "/data/zonefolder/server"),
        ] as [(String?, String)] {
            #expect(ServerDataPlace.standard(dataHome: home, home: "/home/ada").string == expected)
        }
    }
}
