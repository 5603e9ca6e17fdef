import FolderKnowledge
import StateStorage
import SyncPlanning

@testable import SyncEngine

/// What a session knows, for those who look at it from outside.
extension FolderSession {
    var trees: SyncTrees { knowledge.trees }
    var facts: FolderFacts { knowledge.facts }
    var zoneFacts: ZoneFacts { knowledge.zoneFacts }
}
