/// The version of this program, daemon and commands alike.
public enum ProgramVersion {
    /// Three numbers of semantic versioning.
    public static let current = "0.1.0"
}
