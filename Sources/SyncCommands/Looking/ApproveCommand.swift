import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService

struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Let a batch pass that waits for a person's word.",
        discussion: """
            `zonefolder status` names the batch, `zonefolder plan` shows what is in it. The name stands for exactly \
            these files: where others join them, the batch has another name and waits again. Where one batch waits, it \
            need not be named. `zonefolder reject` says no. Asks the daemon: exit status 5 where none runs.

            Example:
              zonefolder approve ~/Notes
            """)

    @OptionGroup var argument: BatchArgument

    func run() async throws {
        let directory = try argument.stateDirectory
        let client = try ControlClient(for: directory)
        let batch = try argument.batch(
            among: try await WaitingBatch.all(in: directory, of: client), in: directory.folder)
        guard try await client.approve(batch: batch.name) else { throw CommandFailure.batchUnknown(batch.name) }
        let files = Amounts.count(batch.count, "file")
        switch batch.side {
        case .zone:
            StandardOutput.print(
                "The deletion of \(files) passes: the zone deletes them too. So does every other device, once its own "
                    + "person approved that many.")
        case .folder:
            StandardOutput.print(
                "The deletion of \(files) passes: they go from this folder too. `zonefolder restore` brings one back.")
        case .newZone:
            StandardOutput.print("What the new zone lacks is sent there from this folder. Nothing is deleted.")
        }
        if let unasked = batch.unasked { StandardOutput.print(unasked.sentences) }
    }
}
