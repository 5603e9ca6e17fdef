import Testing

/// What users of sync tools suffer, made impossible: those rows of reliability §6 that are about programs, disks and
/// the kernel. The others are in `SyncEngineTests`. Each row is the name of a test, which brings about what the complaint
/// tells of and shows that its harm does not follow.
@Suite("Complaints of processes (reliability §6)", .timeLimit(.minutes(30)))
struct Complaints {}
