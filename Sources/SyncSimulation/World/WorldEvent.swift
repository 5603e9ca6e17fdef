/// One thing that happens in a world: who, when, what. A world's workload is a list of them.
///
/// An event says nothing that only holds after those before it: leaving any of them out leaves a workload that can be run,
/// so that one that fails can be made shorter.
public struct WorldEvent: Hashable, Sendable {
    /// When an event happens.
    public enum Timing: Hashable, Sendable {
        /// So many milliseconds after the event before.
        case after(Int)
        /// In the midst of the product's work: before the so-manieth call that its disk gets from now on, at the latest after
        /// 20 s.
        case atCall(Int)
        /// The same, counting only calls that rename or exchange: what comes between the last look and the deed.
        case atRename(Int)
    }

    /// Its place in the workload as it was made; what it writes is named by it.
    public var number: Int
    /// The device that it happens to.
    public var device: Int
    public var timing: Timing
    public var act: Act

    public init(number: Int, device: Int, timing: Timing, act: Act) {
        self.number = number
        self.device = device
        self.timing = timing
        self.act = act
    }

    /// Whether others may act meanwhile.
    func isMeeting(in workload: Workload) -> Bool { workload.calmFrom.map { number < $0 } ?? true }
}

/// What happens.
public enum Act: Hashable, Sendable {
    // People, in the folder.
    case save(String, SaveStyle)
    case rename(String, to: String)
    case moveFolder(String, to: String)
    case delete(String)
    case deleteFolder(String)
    case copy(String, to: String)
    /// Gives a file a second name.
    case link(String, to: String)
    /// Puts a symbolic link where a file is, or is to be.
    case cover(String)
    /// Takes a symbolic link away.
    case uncover(String)
    case setExecutable(String)
    /// Moves files up by one name each, the last over the one before, as numbered backups and logs do, and writes the first
    /// one anew: the files of that kind in the workload's order.
    case rotate(FileKind)
    /// Makes one rule all that is ignored.
    case ignore(String)
    /// Names a file in the field of a JSON file; where there is none, it is written first.
    case attach(String, to: String)
    /// Takes that field out of a JSON file, and deletes the file that it named where that is not kept.
    case detach(String, AttachedFate)
    /// Renames the file that a JSON file names, and writes the new name there.
    case renameAttached(String, to: String)
    /// Lets a JSON file refer to another one, or to itself, whose record the zone has to have first.
    case refer(String, to: String)
    // People, at the product.
    case askStatus
    case approve
    /// Leaves it to others from now on to answer for a zone that somebody ended.
    case neverApprove
    /// Signs in as somebody else for a while.
    case otherAccount(milliseconds: Int)
    // The device.
    case kill
    case powerLoss
    case flush
    case stepClock(seconds: Int)
    /// For a while nothing is told of what happens in the folder, and not that something is missing.
    case loseEvents(milliseconds: Int)
    case overflow
    case diskError(DiskFault, calls: Int)
    case diskFull(milliseconds: Int)
    /// The file that a program has open cannot be read for a while.
    case badFile(milliseconds: Int)
    case databaseError
    case unmount(milliseconds: Int)
    // The network and the server.
    case partition(milliseconds: Int)
    case flaky(milliseconds: Int)
    case serverFault(ServerFault, requests: Int)
    // Somebody else's app.
    case foreignSave(String)
    /// Saves a record with an asset of its own in the field that people attach files to.
    case foreignAttach(String)
    case foreignDelete(String)
    case foreignEndZone(ZoneEnding)
}

/// How somebody else's app ends a zone.
public enum ZoneEnding: String, Hashable, Sendable, CaseIterable {
    case delete
    /// It is deleted and made anew, empty.
    case remake
}

/// What stands in a file.
public enum FileKind: String, Hashable, Sendable, CaseIterable {
    case json, text
}

/// What becomes of a file that a record is to have no more.
public enum AttachedFate: String, Hashable, Sendable, CaseIterable {
    case keep, delete
}

/// How a program saves a file.
public enum SaveStyle: String, Hashable, Sendable, CaseIterable {
    /// Truncates it, and writes a moment later.
    case inPlace = "in-place"
    /// As ``inPlace``, but syncs it at the end.
    case inPlaceSynced = "in-place-synced"
    /// Writes a temporary file, syncs it, and renames it into place.
    case replace
    /// Renames the old one to a backup, and writes a new one.
    case backup
    /// Deletes the old one, and writes a new one a moment later.
    case deleteFirst = "delete-first"
}

/// In what way a disk fails.
public enum DiskFault: String, Hashable, Sendable, CaseIterable {
    case inputOutput = "io"
    case noSpace = "no-space"
    case noPermission = "no-permission"
}

/// In what way a server fails.
public enum ServerFault: String, Hashable, Sendable, CaseIterable {
    case unavailable, throttled, busy, html
    case lostAnswer = "lost-answer"
    case twice
    case expiredToken = "expired-token"
    case emptyPage = "empty-page"
    case smallPages = "small-pages"
    case standingToken = "standing-token"
    case childrenFirst = "children-first"
    case dropTombstones = "drop-tombstones"
    case badRequestZone = "bad-request-zone"
    case recordError = "record-error"
    case quota
    case zoneBusy = "zone-busy"
    /// An asset's download has as many bytes as it should, and none of the right ones.
    case wrongBytes = "wrong-bytes"
}
