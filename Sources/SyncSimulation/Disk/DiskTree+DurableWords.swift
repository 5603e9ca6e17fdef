extension DiskTree {
    /// The words that would be in the folder after a loss of power whatever else is lost. What the history has is no
    /// promise that a person made: who deletes a file and writes it anew, unsynced, may find neither.
    func durableWords() -> Set<String> {
        var words: Set<String> = []
        // A name that was taken away since may be gone, or not.
        let uncertain = Set(unsynced.flatMap(\.entries).map { Place(directory: $0.directory, name: $0.name) })
        func walk(_ directory: Inode) {
            for (name, inode) in durableNames[directory] ?? [:] {
                guard !uncertain.contains(Place(directory: directory, name: name)), let node = nodes[inode],
                    directory != Self.root || name != SimulatedDisk.stateName
                else { continue }
                if node.isDirectory {
                    walk(inode)
                } else if let content = node.durable, content.bytes == node.bytes {
                    // What was written over since may be lost in both versions.
                    words.formUnion(Ledger.words(in: content.bytes))
                }
            }
        }
        walk(Self.root)
        return words
    }
}
