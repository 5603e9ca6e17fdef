import ArgumentParser

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show, check and change the settings of a folder.",
        discussion: """
            The settings are in .zonefolder/config.toml, which any editor can change. These commands keep its comments, \
            read the outcome before anything is replaced, and let a daemon that runs take it over at once, without an \
            end of its process. After another editor: `zonefolder config reload`.

              zonefolder config list ~/Notes
              zonefolder config get poll_seconds
              zonefolder config set poll_seconds 20
              zonefolder config set server https://notes.example.org
              zonefolder config unset owner

            Exit status: 2 for a setting or a value that is none, 78 where the file is wrong, 7 where a person is asked \
            whether another zone is meant.
            """,
        subcommands: [
            ConfigListCommand.self, ConfigGetCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self,
            ConfigCheckCommand.self, ConfigEditCommand.self, ConfigReloadCommand.self,
        ])
}
