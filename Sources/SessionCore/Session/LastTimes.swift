package import StateRows

/// When the zone was last fetched, something last sent to it, and the whole folder last looked at, in milliseconds since 1970.
///
/// At rest nothing is written: for `status` without a daemon, the store gets them after the first look of all, and then at the end
/// of each run.
package final class LastTimes {
    package private(set) var fetch: Int64?
    package private(set) var push: Int64?
    /// When the last look at the whole folder began: what came later may not have been seen.
    package private(set) var look: Int64?
    private var isLookStored: Bool

    /// Nothing is known but what is stored.
    package init(_ facts: FolderFacts) {
        fetch = facts.fetchedMilliseconds
        push = facts.pushedMilliseconds
        look = facts.lookedMilliseconds
        isLookStored = look != nil
    }

    /// Whether the whole folder was looked at, and the store does not know that it ever was.
    package var hasFirstLook: Bool { look != nil && !isLookStored }

    /// Whether something was sent that no fetch was made after.
    package var isSentAfterFetch: Bool { push.map { $0 > fetch ?? .min } ?? false }

    package func noteFetch(at milliseconds: Int64) { fetch = milliseconds }

    package func notePush(at milliseconds: Int64) { push = milliseconds }

    package func noteLook(begunAt milliseconds: Int64) { look = milliseconds }

    /// Puts what is known into what is stored from now on.
    package func put(into facts: inout FolderFacts) {
        if let fetch { facts.fetchedMilliseconds = fetch }
        if let push { facts.pushedMilliseconds = push }
        if let look { facts.lookedMilliseconds = look }
        isLookStored = look != nil
    }
}
