import SyncModel

extension [Action] {
    /// In the order in which they are carried out.
    /// - Parameter steppingAside: A free place for a record beside a path.
    func inOrder(steppingAside: (FolderPath, RecordName) -> FolderPath?) -> [Action] {
        let sorted = sorted {
            ($0.rank, $0.path, $0.record?.rawValue ?? "") < ($1.rank, $1.path, $1.record?.rawValue ?? "")
        }
        let moves = sorted.filter { if case .moveFile = $0.kind { true } else { false } }
        // Mostly there are none, and the others may be as many as there are files.
        guard !moves.isEmpty else { return sorted }
        return sorted.filter { $0.rank < Action.moveRank } + ordered(moves: moves, steppingAside: steppingAside)
            + sorted.filter { $0.rank > Action.moveRank }
    }
}

extension Action {
    fileprivate static let moveRank = 1

    /// Creations and moves come before what may depend on them, deletions last.
    fileprivate var rank: Int {
        switch kind {
        case .forget: 0
        case .moveFile: Self.moveRank
        case .writeFile, .reconcile: 2
        case .createRecord: 3
        case .updateRecord: 4
        case .deleteRecord: 5
        case .deleteFile: 6
        }
    }
}
