import StateStorage

/// When the zone was last fetched, something last sent to it, and the whole folder last looked at, in milliseconds since 1970.
///
/// At rest nothing is written: the store gets them at the end of a run, for `status` without a daemon.
final class LastTimes {
    private(set) var fetch: Int64?
    private(set) var push: Int64?
    /// When the last look at the whole folder began: what came later may not have been seen.
    private(set) var look: Int64?

    init(_ facts: FolderFacts) {
        fetch = facts.fetchedMilliseconds
        push = facts.pushedMilliseconds
        look = facts.lookedMilliseconds
    }

    func noteFetch(at milliseconds: Int64) { fetch = milliseconds }

    func notePush(at milliseconds: Int64) { push = milliseconds }

    func noteLook(begunAt milliseconds: Int64) { look = milliseconds }

    /// Puts what is known into what is stored.
    func put(into facts: inout FolderFacts) {
        if let fetch { facts.fetchedMilliseconds = fetch }
        if let push { facts.pushedMilliseconds = push }
        if let look { facts.lookedMilliseconds = look }
    }
}
