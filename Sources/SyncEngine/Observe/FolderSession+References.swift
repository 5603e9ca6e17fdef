import LocalFolder
import SyncModel
import SyncPlanning

/// Files that refer to a record that was not there when they were read: a person may save them in any order, and the
/// zone may bring them in any order.
extension FolderSession {
    /// Keeps up which files lack a target.
    func noteTargets(of entries: some Sequence<LocalEntry>) {
        for entry in entries {
            if entry.lacksTarget { lackingTarget.insert(entry.path) } else { lackingTarget.remove(entry.path) }
        }
    }

    /// Reads those files anew once something has come that they may refer to.
    func lookForTargets() throws {
        guard !lackingTarget.isEmpty else { return }
        lackingTarget = lackingTarget.filter { trees.local.contains($0) }
        try reform(Array(lackingTarget))
    }
}

extension LocalEntry {
    var lacksTarget: Bool {
        if case .held(let problem) = form { problem.code == .referenceRefused } else { false }
    }
}
