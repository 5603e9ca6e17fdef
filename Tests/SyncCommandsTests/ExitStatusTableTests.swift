import ArgumentParser
import Testing

@testable import SyncCommands

@Suite("The exit statuses of each command")
struct ExitStatusTableTests {
    /// A command and the words that name it after the program's name.
    struct Command: CustomTestStringConvertible, Sendable {
        var words: String
        var type: any ParsableCommand.Type

        var testDescription: String { "zonefolder \(words)" }

        static let all = below(Self(words: "", type: ZonefolderCommand.self))

        private static func below(_ command: Self) -> [Self] {
            [command]
                + command.type.configuration.subcommands.flatMap { type in
                    let name = type.configuration.commandName ?? "?"
                    return below(Self(words: command.words.isEmpty ? name : "\(command.words) \(name)", type: type))
                }
        }

        /// The numbers that its discussion names in sentences about exit statuses.
        var documented: Set<Int32> {
            let text = type.configuration.discussion.replacing("\n", with: " ")
            return Set(
                text.matches(of: /[Ee]xit status(?:es)?([^.]*)/).flatMap { sentence in
                    sentence.output.1.matches(of: /\b[0-9]+\b/).compactMap { Int32($0.output) }
                })
        }
    }

    @Test("The table has every command and no other")
    func complete() {
        #expect(Set(Command.all.map(\.words)) == ExitStatusTable.commands)
    }

    @Test("What a command's own words say of its exit statuses, the table has", arguments: Command.all)
    func documented(_ command: Command) throws {
        let rows = try #require(ExitStatusTable.rows(of: command.words))
        #expect(command.documented.isSubset(of: rows.map(\.status.code)))
        #expect(rows.map(\.status.code) == rows.map(\.status.code).sorted())
        #expect(Set([0, 1, 2]).isSubset(of: rows.map(\.status.code)))
    }

    @Test("Those words are found where there are some")
    func found() throws {
        let named = Dictionary(uniqueKeysWithValues: Command.all.map { ($0.words, $0.documented) })
        #expect(named["status"] == [0, 1, 3, 4, 5, 6, 7] && named["plan"] == [5] && named["schema diff"] == [0, 3])
        #expect(named["config"] == [2, 7, 78] && named["config check"] == [78])
    }

    @Test("A command's help ends with them, in 80 columns", arguments: Command.all)
    func help(_ command: Command) throws {
        let help = ZonefolderCommand.helpMessage(for: command.type, columns: 80)
        let text = ExitStatusTable.completing(help)
        #expect(text.hasPrefix(help))
        let lines = text.dropFirst(help.count).split(separator: "\n")
        let rows = try #require(ExitStatusTable.rows(of: command.words))
        #expect(lines.first == "EXIT STATUS:")
        let meanings = lines.dropFirst().map { String($0.drop { " 0123456789".contains($0) }) }
        #expect(meanings == rows.map(\.meaning))
        #expect(meanings.allSatisfy { $0.hasSuffix(".") } && lines.allSatisfy { $0.count <= 80 })
    }

    @Test("What is no help stays as it is")
    func other() {
        for text in ["1.0", "Error: no.\nUsage: zonefolder stop [<folder>]\n", "{\"USAGE\": 1}", ""] {
            #expect(ExitStatusTable.completing(text) == text)
        }
    }
}
