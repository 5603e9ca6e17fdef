import ArgumentParser
import Testing

@testable import SyncCommands

@Suite("Words that are no command")
struct UnknownCommandTests {
    @Test(
        "The word is named, with the command that lacks it and the one that was meant",
        arguments: [
            ("staus", "zonefolder", "staus", "status"), ("help bogus", "zonefolder", "bogus", nil),
            ("help staus", "zonefolder", "staus", "status"), ("hlep", "zonefolder", "hlep", "help"),
            ("dance", "zonefolder", "dance", nil), ("Status", "zonefolder", "Status", "status"),
            ("staus --json", "zonefolder", "staus", "status"), ("staus --help", "zonefolder", "staus", "status"),
            ("serve usr", "zonefolder serve", "usr", "user"),
            ("serve user ad bob", "zonefolder serve user", "ad", "add"),
            ("help serve user lst", "zonefolder serve user", "lst", "list"),
            ("help -h config lst", "zonefolder config", "lst", "list"),
            ("help status bogus", "zonefolder status", "bogus", nil), ("serve help", "zonefolder serve", "help", nil),
            ("subscribtion", "zonefolder", "subscribtion", "subscriptions"), ("", "zonefolder", "", nil),
        ] as [(String, String, String, String?)])
    func named(line: String, command: String, word: String, meant: String?) throws {
        let unknown = try #require(UnknownCommand.find(in: Self.words(line)))
        #expect(unknown.command.joined(separator: " ") == command)
        #expect(unknown.word == word && unknown.meant == meant)
        let way = meant.map { "Did you mean '\($0)'?" } ?? "`\(command) --help` names all that there are."
        let mistake = try #require(throws: ValidationError.self) { try UnknownCommand.check(Self.words(line)) }
        #expect(mistake.message == "'\(word)' is no command of `\(command)`. \(way)")
        #expect(ExitStatus(of: mistake) == .usage)
    }

    @Test(
        "A command, what stands behind it, and what an option may have as its value, is none of those",
        arguments: [
            "status staus", "status ~/staus --json", "help", "help help", "help serve user add", "--help", "-h",
            "--version", "serve", "serve --data usr", "serve run usr", "config set staus 1", "record get nothing",
            "--generate-completion-script zsh",
        ])
    func others(line: String) {
        #expect(UnknownCommand.find(in: Self.words(line)) == nil)
    }

    @Test("A word as long as a file costs no comparison")
    func long() {
        let word = String(repeating: "status", count: 10_000)
        #expect(UnknownCommand.find(in: [word])?.meant == nil)
    }

    @Test(
        "A command that has others takes no other words, so that none of these is taken for one",
        arguments: ExitStatusTableTests.Command.all.filter { !$0.type.configuration.subcommands.isEmpty })
    func commandsOfCommands(_ command: ExitStatusTableTests.Command) {
        let words = command.words.split(separator: " ").map(String.init)
        #expect(throws: (any Error).self) { try ZonefolderCommand.parseAsRoot(words + ["word"]) }
        #expect(UnknownCommand.find(in: words + ["word"]) != nil)
    }

    private static func words(_ line: String) -> [String] {
        line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }
}
