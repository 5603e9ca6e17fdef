import CloudKitWire
import FolderKnowledge
import FolderObserving
import FolderSettings
import FolderWriting
import LocalFolder
import Logging
import RecordSending
import RecordTrees
import SessionCore
import SyncModel

/// Files that are written to faster than they can be sent: a copy goes out, as the file stood, from time to time.
extension Exporter {
    /// What is sent of a file: itself, or a copy of one that never rests; `nil` where none can be had.
    func fileToSend(_ path: FolderPath, _ version: LocalVersion) throws -> SentFile? {
        let limit = environment.configuration.assetLimit
        guard observer.restless.neverRests(path, now: now), version.stamp.size <= limit else {
            return SentFile(version: version)
        }
        // Also one that fails is not tried again at once: it is read whole, and more than once.
        observer.restless.copied(path, now: now)
        guard let copy = try environment.writer.snapshot(of: path), copy.stamp.size <= limit else {
            logger.info("A file changes faster than it can be copied", metadata: ["path": "\(path)"])
            return nil
        }
        // The base moves when the server has it: after a loss of power the file must not be an older one.
        try environment.writer.makeDurable(besides: [path])
        return SentFile(version: LocalVersion(stamp: copy.stamp, hash: copy.hash), snapshot: copy.file)
    }

    /// Notes which files of an action that was not sent have become other ones meanwhile.
    func noteOvertaken(_ action: Action) {
        guard action.kind != .deleteRecord else { return }
        let files = [action.path] + (knowledge.trees.local[action.path]?.form.attachments.map(\.path) ?? [])
        for path in files {
            guard let known = knowledge.trees.local[path]?.stamp, let stamp = environment.reader.stamp(of: path),
                stamp != known
            else {
                continue
            }
            observer.restless.overtaken(path, now: now)
        }
    }
}
