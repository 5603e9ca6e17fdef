import ArgumentParser
import FolderSettings

/// A word that stands where a command's name belongs, and names none.
///
/// The argument parser itself shows the help of the last command that it knows then, or says that it expected no word there.
struct UnknownCommand: Hashable {
    /// The words that name the command of which it is none, the program's name first.
    var command: [String]
    var word: String
    /// What was meant, most likely.
    var meant: String?

    /// Looks for it in the words behind the program's name; `nil` where none is found.
    ///
    /// Of a command line, nothing behind an option is looked at: it may be the option's value. No command of the program takes
    /// both commands and other words.
    static func find(in arguments: [String]) -> Self? {
        let isHelp = arguments.first == help
        var command = [name(of: ZonefolderCommand.self)]
        var subcommands = ZonefolderCommand.configuration.subcommands
        for word in arguments.dropFirst(isHelp ? 1 : 0) {
            if word.hasPrefix("-") {
                guard isHelp else { return nil }
                continue
            }
            guard isHelp || !subcommands.isEmpty else { return nil }
            guard let next = subcommands.first(where: { name(of: $0) == word }) else {
                let names = subcommands.map(name) + (command.count == 1 ? [help] : [])
                return names.contains(word)
                    ? nil : Self(command: command, word: word, meant: NearestWord.to(word, among: names))
            }
            command.append(word)
            subcommands = next.configuration.subcommands
        }
        return nil
    }

    /// - Throws: A mistake in the command line, where there is such a word.
    static func check(_ arguments: [String]) throws {
        if let unknown = find(in: arguments) { throw unknown.mistake }
    }

    /// For the person who typed it.
    var mistake: ValidationError {
        let name = command.joined(separator: " ")
        let way = meant.map { "Did you mean '\($0)'?" } ?? "`\(name) --help` names all that there are."
        return ValidationError("'\(word)' is no command of `\(name)`. \(way)")
    }

    /// The parser's own command, which is in no list.
    private static let help = "help"

    /// As it is typed; the configuration of each command says it.
    private static func name(of type: any ParsableCommand.Type) -> String { type.configuration.commandName ?? "" }
}
