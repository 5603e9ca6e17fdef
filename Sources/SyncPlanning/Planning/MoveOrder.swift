import SyncModel

/// Orders moves inside the folder so that each finds its target free.
///
/// Moves never replace a file, so a move waits for the one that empties its target. In a circle (two files that
/// swapped names) one of them first steps aside; the next plan brings it home.
/// - Parameter steppingAside: A free place for a record beside a path.
func ordered(moves: [Action], steppingAside: (FolderPath, RecordName) -> FolderPath?) -> [Action] {
    var waiters: [FolderPath: [Int]] = [:]
    let sources = Set(moves.map(\.path))
    var ready: [Int] = []
    for index in moves.indices.reversed() {
        guard case .moveFile(let target) = moves[index].kind, target != moves[index].path, sources.contains(target)
        else {
            ready.append(index)
            continue
        }
        waiters[target, default: []].append(index)
    }
    var result: [Action] = []
    var isEmitted = [Bool](repeating: false, count: moves.count)
    var oldest = 0
    while result.count < moves.count {
        if let index = ready.popLast() {
            guard !isEmitted[index] else { continue }
            isEmitted[index] = true
            result.append(moves[index])
            ready += waiters.removeValue(forKey: moves[index].path) ?? []
        } else {
            while isEmitted[oldest] { oldest += 1 }
            var move = moves[oldest]
            if case .moveFile(let target) = move.kind, let name = move.record,
                let aside = steppingAside(target, name)
            {
                move.kind = .moveFile(to: aside)
            }
            isEmitted[oldest] = true
            result.append(move)
            ready += waiters.removeValue(forKey: move.path) ?? []
        }
    }
    return result
}
