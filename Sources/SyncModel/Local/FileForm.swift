/// What a file of the folder is to the zone.
public enum FileForm: Hashable, Sendable {
    /// A file record of its own, or the attachment of a structured record that names it.
    case file
    /// A structured record: its text is a JSON object below a folder named like a record type.
    case structured(recordType: String, attachments: [Attachment])
    /// A file where a structured record's would lie, which fits none, and why. It is a file record as long as no structured
    /// record has its path; where one has, it is held until it is mended.
    indirect case unfit(Problem)
    /// A file that cannot be synced as it is; it stays, and blocks nothing else.
    indirect case held(Problem)
}

extension FileForm {
    /// Why the file fits no record, or cannot be synced; `nil` where it can.
    public var problem: Problem? {
        switch self {
        case .file, .structured: nil
        case .unfit(let problem), .held(let problem): problem
        }
    }

    /// The files that a structured file names; none for other forms.
    public var attachments: [Attachment] {
        if case .structured(_, let attachments) = self { attachments } else { [] }
    }
}
