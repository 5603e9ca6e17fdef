/// What happened to the file at a path that neither its bytes nor the records tell, and that decides what becomes of it.
public struct Provenance: Hashable, Sendable {
    /// How far it is known whether others took a file out of their records too.
    public enum TakenOut: Int64, Hashable, Sendable {
        /// The zone was not asked for its changes since.
        case unasked = 0
        /// It was: what comes later was done with knowledge of it.
        case asked = 1
    }

    /// Which record's file it is that a person put here, while that record went on with another file in the old place.
    public var origin: AgreedFile?
    /// The record's file, its own or an asset, that was here until a person put another one in its place or took it out of the
    /// record, and that was seen nowhere else before the zone took that: it may come to sight in another place, until the whole
    /// folder was looked at.
    public var parted: AgreedFile?
    /// The bytes that both sides had agreed on when the zone let the file go as an asset: nothing else knows of them where a
    /// file record takes the place.
    public var letGo: ContentHash?
    /// Agreed bytes of assets at this path that others of the zone went over, by what came with another record: what is here
    /// since is no edit of them, also when that record has it no more.
    public var overwritten: Set<ContentHash> = []
    /// Whether a person may have put the file here while nobody looked, and no record of both sides has it yet.
    public var isUnwatched = false
    /// A person took the file out of a record while another one still named it.
    ///
    /// Somebody else may take the same file out of the other record at the same time, because this one names it. Neither of
    /// them deleted it, so that it stays when the zone tells of that, and is a file of its own. What the zone has by the time
    /// that it was asked next was done without knowledge of it; who comes later knew, and meant the file's end.
    public var takenOut: TakenOut?
    /// The bytes that came from the zone with one record, while others here name the file as well.
    public var arrived: ContentHash?
    /// The bytes of an asset that come here once more: what the zone has went over them where a person had moved the file to, while
    /// another record still had it here. Nobody took them out of that one before they are here again.
    public var awaited: ContentHash?

    /// The record whose own file a person moved to here, which the zone does not know yet: what takes that file's place here
    /// is a new version of the record, as it is where both sides have a file.
    public var movedHere: RecordName?

    /// Nothing that would have to be remembered.
    public init() {}

    public var isEmpty: Bool { self == Provenance() }
}
