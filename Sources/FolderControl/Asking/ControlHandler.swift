public import SyncModel

/// What a running daemon does for one folder when asked over its control socket.
public protocol ControlHandler: Sendable {
    /// How the folder stands now.
    /// - Parameter isOfPath: Whether it is asked for a path, of which more has to be known than the folder's verdict says.
    func status(isOfPath: Bool) async -> StatusReport
    /// How the folder stands after everything that was saved before this call was seen, the zone fetched anew, and
    /// all work that can be done is done.
    /// - Parameter timeout: Gives the report as it is after so long.
    func settledStatus(timeout: Duration?) async -> StatusReport
    /// What would be done, without doing it.
    /// - Parameter asKnown: By what is known now. Otherwise what was saved before this call is looked at first.
    func plan(asKnown: Bool) async -> PlanReport
    /// Lets the batch of deletions with this name pass; `false` where no such batch waits.
    func approve(batch: String) async -> Bool
    /// Sends, fetches and writes nothing until somebody says otherwise, or for so long; watches all the same.
    /// - Throws: An error for people, where nothing changed.
    func pause(for length: Duration?) async throws -> PauseOutcome
    /// Goes on after a pause; `false` where there was none.
    /// - Throws: An error for people, where the pause goes on.
    func resume() async throws -> Bool
    /// Puts back what the batch of deletions with this name would take; `false` where no such batch waits.
    /// - Throws: An error for people, where that cannot be.
    func reject(batch: String) async throws -> Bool
    /// Has files come from the zone once more that are gone from the folder, and that notes in it name. What was saved before this
    /// call is looked at first.
    /// - Returns: Those that come.
    /// - Throws: An error for people, where nothing changed.
    func fetchAgain(_ paths: [FolderPath]) async throws -> [FolderPath]
    /// Goes over to other credentials, or signs out, without a restart.
    /// - Throws: An error for people, where the old credentials stay.
    func change(_ account: AccountChange) async throws
    /// Makes a request with the folder's credentials; gives the body of the server's 200.
    /// - Throws: An error whose description tells a person why there is none.
    func call(_ call: DatabaseCall) async throws -> String
    /// Notes that the account took itself out of the share of the folder's zone.
    func noteLeft() async
    /// Whether the folder could be opened by its configuration as it is now.
    /// - Throws: An error whose description tells a person what is wrong with it.
    func checkConfiguration() async throws
    /// Closes the folder once what is being carried out is in a safe state, and opens it again.
    func reload() async
    /// Ends the daemon once what is being carried out is in a safe state.
    func stop() async
}
