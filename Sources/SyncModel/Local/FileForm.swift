/// What a file of the folder is to the zone.
public enum FileForm: Hashable, Sendable {
    /// A file record of its own, or the attachment of a structured record that names it.
    case file
    /// A structured record: its text is a JSON object below a folder named like a record type.
    case structured(recordType: String, attachments: [Attachment])
    /// A file that cannot be synced as it is; it stays, and blocks nothing else.
    case held(Problem)
}
