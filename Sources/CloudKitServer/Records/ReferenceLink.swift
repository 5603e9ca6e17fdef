import CloudKitWire

/// A reference that has consequences.
struct ReferenceLink: Hashable {
    var field: String
    var targetZone: Int64
    var targetName: String
    var action: Reference.Action

    /// Whichever field it is in.
    var fieldless: Self {
        var link = self
        link.field = ""
        return link
    }
}
