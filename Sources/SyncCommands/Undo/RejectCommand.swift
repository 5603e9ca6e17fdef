import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService

struct RejectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject",
        abstract: "Put back what deletions would take that wait for a person's word.",
        discussion: """
            Files that were deleted here come back from the zone; what was deleted in the zone is sent there again from \
            the files here. `zonefolder status` names the batch, `zonefolder plan` shows what is in it; where one batch \
            waits, it need not be named. What went shortly before, unasked, is told with the command that undoes it. Asks \
            the daemon: exit status 5 where none runs.

            Example:
              zonefolder reject ~/Notes
            """)

    @OptionGroup var argument: BatchArgument

    func run() async throws {
        let directory = try argument.stateDirectory
        let client = try ControlClient(for: directory)
        let batch = try argument.batch(
            among: try await WaitingBatch.all(in: directory, of: client), in: directory.folder)
        guard batch.side != .newZone else { throw CommandFailure.noDeletion }
        guard try await client.reject(batch: batch.name) else { throw CommandFailure.batchUnknown(batch.name) }
        let files = Amounts.count(batch.count, "file")
        let way =
            batch.side == .zone
            ? "what was deleted here comes back from the zone"
            : "what was deleted in the zone is sent there again from this folder"
        StandardOutput.print("The deletion of \(files) is rejected: \(way).")
        if let unasked = batch.unasked { StandardOutput.print(unasked.sentences) }
    }
}
