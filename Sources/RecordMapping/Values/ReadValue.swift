import CloudKitWire
import SyncModel

/// What a JSON value becomes in a record.
enum ReadValue {
    /// A value that is complete.
    case value(FieldValue)
    /// Files whose assets are to be filled in.
    case files([FolderPath], isList: Bool)
    /// A value that CloudKit has no type for: it travels as its own text in a STRING.
    case ownText([UInt8])
    /// Nothing that a field could hold (`null`, an empty list of unknown type, an empty text where an asset's file is
    /// named): only the hints keep it.
    case nothing
}
