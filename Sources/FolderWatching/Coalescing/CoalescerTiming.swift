/// How long each kind of change waits before its path is looked at.
public struct CoalescerTiming: Hashable, Sendable {
    /// After the last write to a file that is still open. 2 s.
    public var settling: Duration = .seconds(2)
    /// The longest that a file which never rests can be put off. 30 s.
    public var longestSettling: Duration = .seconds(30)
    /// After a deletion or a move away: some editors delete, pause for up to 3 s, and rename. 3.5 s.
    public var absence: Duration = .milliseconds(3500)
    /// The longest that a deletion is put off because others follow it. 10 s.
    public var longestAbsence: Duration = .seconds(10)
    /// After a change of mode, owner, times or extended attributes. 100 ms.
    public var attributes: Duration = .milliseconds(100)
    /// Above so many paths waiting in one directory, the directory is requested instead. 1,024.
    public var pathsPerDirectory = 1024
    /// Above so many paths waiting in all, everything is requested instead. 65,536.
    public var paths = 65_536

    /// The delays that fit the editors of today.
    public init() {}
}
