import FolderKnowledge

/// Files that refer to a record that was not there when they were read: a person may save them in any order, and the
/// zone may bring them in any order.
extension FolderObserver {
    /// Reads those files anew once something has come that they may refer to.
    package func lookForTargets() throws {
        try reform(Array(knowledge.lackingTarget))
    }
}
