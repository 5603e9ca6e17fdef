import ArgumentParser
import SystemPackage

/// One container of a server, or all.
struct ServedContainers: ParsableArguments {
    @OptionGroup var data: ServerDataPlace

    @Option(help: "Only this container (default: all).")
    var container: String?

    /// The data directory, which must be there.
    var directory: FilePath {
        get throws {
            if let container { return try ServerContainer.directory(data, container) }
            return try ServerContainer.directory(data)
        }
    }
}
