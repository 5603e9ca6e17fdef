import CloudKitWire
import ProblemSentences
import RecordMapping
import RecordSending
package import SyncModel
import SyncTiming

/// Versions that one of both sides refused: a file's that the server does not take, or a record's that the folder cannot.
///
/// Each is left alone until something about it changes, until what it waits for has come, or for a while that grows with each
/// refusal. What waits for another file is let go with that one: together they can be sent.
struct Refusals: Sendable {
    private var all: [RefusedVersion: Refusal] = [:]

    var isEmpty: Bool { all.isEmpty }

    /// Why what an action would send or write is left alone; `nil` where it is not.
    subscript(action: Action) -> Refusal? { all[RefusedVersion(action)] }

    /// Whether nothing but its turn, or the turn of others, keeps an action from being carried out.
    func isOnItsWay(_ action: Action) -> Bool { self[action]?.isOnItsWay ?? true }

    // MARK: Holding

    /// Keeps an action back.
    /// - Parameters:
    ///   - place: What stands in its way, where that is another path than its own.
    ///   - pause: How long, where that is known; else the longer, the more often it was kept back.
    ///   - wall: In nanoseconds since 1970, by the clock that also stamps files.
    mutating func hold(
        _ action: Action, because problem: Problem, at place: FolderPath? = nil, for pause: Duration? = nil,
        wall: Int64,
        now: SteadyInstant
    ) {
        let count = (self[action]?.count ?? 0) + 1
        let growing = Duration.seconds(min(3600, 15 << min(count, 8)))
        all[RefusedVersion(action)] = Refusal(
            problem: problem, place: place, since: wall, expires: now.advanced(by: pause ?? growing), count: count)
    }

    /// Notes that what was held waits for one of some records to come, to change or to go.
    /// - Parameters:
    ///   - paths: The files of those, where they are known.
    ///   - isOnItsWay: Whether nothing is wrong: what it waits for is only waiting for its turn.
    mutating func noteWait(
        of action: Action, for records: Set<RecordName>, paths: Set<FolderPath> = [], isOnItsWay: Bool = false
    ) {
        let version = RefusedVersion(action)
        all[version]?.awaitedRecords = records
        all[version]?.awaitedPaths = paths
        all[version]?.isOnItsWay = isOnItsWay
    }

    /// Notes what has to come into the schema first.
    mutating func noteWait(of action: Action, for gap: SchemaGap) {
        all[RefusedVersion(action)]?.gap = gap
    }

    // MARK: Letting go

    /// Forgets why an action was held: it is not what it waits for now.
    mutating func forget(_ action: Action) {
        all[RefusedVersion(action)] = nil
    }

    /// Forgets all but what these actions are held for, which are what the plan has now.
    mutating func keep(only actions: [Action]) {
        let versions = Set(actions.map { RefusedVersion($0) })
        all = all.filter { versions.contains($0.key) }
    }

    /// Forgets everything.
    /// - Returns: Whether something was missing in the schema.
    mutating func forgetAll() -> Bool {
        defer { all = [:] }
        return all.values.contains { $0.problem.code == .schemaMissing }
    }

    /// Lets go of what was refused where something changed at its path, above it, below it, at a file that it names or waits
    /// for, or at what stood in its way.
    /// - Parameters:
    ///   - code: Only what was refused for such a reason; `nil`: whatever the reason was.
    ///   - named: The files that the one at a path names.
    mutating func release(
        near changed: [FolderPath], of code: Problem.Code? = nil, named: (FolderPath) -> [FolderPath]
    ) {
        guard !isEmpty, !changed.isEmpty else { return }
        let paths = Set(changed)
        let folders = Set(changed.flatMap(\.ancestors))
        release { version, refusal in
            if let code, refusal.problem.code != code { return false }
            let place = refusal.place.map { [$0] + $0.ancestors } ?? []
            return folders.contains(version.path) || !refusal.awaitedPaths.isDisjoint(with: paths)
                || ([version.path] + version.path.ancestors + named(version.path) + place).contains(
                    where: paths.contains)
        }
    }

    /// Forgets what was refused before the attributes of its file changed, perhaps to let this program at it. What it did
    /// itself to try, such as moving a file there and back, is no news.
    mutating func forget(ofTouched files: [LocalEntry]) {
        guard !isEmpty, !files.isEmpty else { return }
        let changed = Dictionary(files.map { ($0.path, $0.stamp.changed) }) { max($0, $1) }
        all = all.filter { version, refusal in (changed[version.path] ?? .min) <= refusal.since }
    }

    /// Lets go of what waits for one of some records that came, changed or went.
    mutating func release(awaiting names: some Sequence<RecordName>) {
        guard !isEmpty else { return }
        let names = Set(names)
        guard !names.isEmpty else { return }
        release { _, refusal in !refusal.awaitedRecords.isDisjoint(with: names) }
    }

    /// Lets go of files that wait for each other: each came when another one had to wait for something else. Together they can
    /// be sent (``SendOrder``).
    mutating func releaseCircles() {
        let waiting = all.filter(\.value.isOnItsWay)
        var numbers: [FolderPath: [Int]] = [:]
        let versions = waiting.keys.sorted { $0.path < $1.path }
        for (number, version) in versions.enumerated() { numbers[version.path, default: []].append(number) }
        let needs = versions.map { version in waiting[version]!.awaitedPaths.sorted().flatMap { numbers[$0] ?? [] } }
        let circles = Set(ReferenceOrder(needs: needs).tooEarly.keys.map { versions[$0] })
        guard !circles.isEmpty else { return }
        release { version, _ in circles.contains(version) }
    }

    private mutating func release(_ isReleased: (RefusedVersion, Refusal) -> Bool) {
        var released = all.filter(isReleased).map(\.key)
        guard !released.isEmpty else { return }
        var waiting: [FolderPath: [RefusedVersion]] = [:]
        for (version, refusal) in all {
            for path in refusal.awaitedPaths { waiting[path, default: []].append(version) }
        }
        while let version = released.popLast() {
            all[version] = nil
            released += waiting.removeValue(forKey: version.path) ?? []
        }
    }

    // MARK: What stands in the way

    /// Where something stands in a way.
    var blockedPlaces: [FolderPath] {
        all.filter { $0.value.problem.code == .pathBlocked }.map { $1.place ?? $0.path }
    }

    /// The record types that the schema lacks as a whole.
    var undeclaredTypes: Set<String> {
        Set(all.values.compactMap { $0.gap?.field == nil ? $0.gap?.recordType : nil })
    }

    /// Takes out, once for each refusal, the question whether the schema has the reserved field by now.
    /// - Returns: The record type to ask of; `nil` where nothing is to be asked.
    mutating func takeProbe(of action: Action) -> String? {
        guard let refusal = self[action], !refusal.isProbed, let gap = refusal.gap, gap.field == RecordHints.fieldName,
            let type = gap.recordType
        else { return nil }
        all[RefusedVersion(action)]?.isProbed = true
        return type
    }

    /// What a saved record has, the schema has: forgets whatever was held for lack of it.
    mutating func noteDeclared(by record: Record) {
        guard !isEmpty, let type = record.recordType else { return }
        all = all.filter { _, refusal in
            guard let gap = refusal.gap, gap.recordType == type else { return true }
            return gap.field.map { record.fields[$0]?.value == nil } ?? false
        }
    }
}

/// A version of a file that the server refused, or a version of a record that the folder cannot take.
private struct RefusedVersion: Hashable, Sendable {
    let path: FolderPath
    let hash: ContentHash?
    let changeTag: String?

    init(_ action: Action) {
        path = action.path
        hash = action.local?.hash
        changeTag = action.changeTag
    }
}

/// Why a version is left alone, and for how long.
package struct Refusal: Sendable {
    package let problem: Problem
    /// What stands in the way, where that is another path than the version's own.
    fileprivate let place: FolderPath?
    /// When it was tried, in nanoseconds since 1970.
    fileprivate let since: Int64
    /// When it is tried again although nothing about it changed: a disk may have got room, a schema its field.
    let expires: SteadyInstant
    /// How often it was kept back.
    package let count: Int
    /// What has to come into the schema first.
    fileprivate var gap: SchemaGap?
    /// Whether the schema was asked again since.
    fileprivate var isProbed = false
    /// The records of which one has to come, to change or to go first.
    fileprivate var awaitedRecords: Set<RecordName> = []
    /// The files of those, where they are known.
    fileprivate var awaitedPaths: Set<FolderPath> = []
    /// Whether nothing is wrong: what it waits for is only waiting for its turn.
    package fileprivate(set) var isOnItsWay = false
}
