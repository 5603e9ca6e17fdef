import CloudKitWire
import FolderControl
import SyncModel

extension PlannedStep {
    init(_ action: Action, awaitsApproval: Bool = false, held: Problem.Code? = nil) {
        var target: String?
        let word: String
        switch action.kind {
        case .createRecord: word = "create-record"
        case .updateRecord: word = "update-record"
        case .deleteRecord: word = "delete-record"
        case .writeFile: word = "write-file"
        case .moveFile(let to):
            word = "move-file"
            target = to.description
        case .deleteFile: word = "delete-file"
        case .reconcile: word = "reconcile"
        case .forget: word = "forget"
        }
        self.init(
            action: word, path: action.path.description, target: target, record: action.record?.rawValue,
            awaitsApproval: awaitsApproval, held: held?.rawValue)
    }
}
