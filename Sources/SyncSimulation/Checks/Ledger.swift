import LosslessJSON
import SyncModel

/// What was ever written in a world, and what of it may be gone.
///
/// Every save writes words that no other save writes, so that each of them can be followed: through files, merges, conflict
/// copies and records. A word may vanish only where somebody wrote over it or deleted it with it in sight, or where a power
/// failure took it before it was durable.
struct Ledger {
    enum Fate: Equatable {
        /// It has to be somewhere.
        case live
        /// Somebody wrote over it, or deleted it, by each of these events.
        case superseded(Set<Int>)
        /// The power failed before it was durable.
        case unsaved
    }

    private(set) var words: [String: Fate] = [:]
    /// What files as a whole have held.
    private(set) var contents: Set<[UInt8]> = [[]]
    /// Words on a device that may not survive a loss of its power.
    private(set) var fresh: [Int: Set<String>] = [:]
    /// Words that the server has, whatever becomes of a disk.
    private var sent: Set<String> = []
    /// What a file that was moved over another one holds as that one did: moved on, it leaves nothing of it there.
    private var doubled: [Place: Set<String>] = [:]
    /// Which file was last moved away from a place, by device.
    private var leavers: [Int: [FolderPath: DiskTree.Inode]] = [:]
    /// What people moved away from places that are empty since, by device.
    private var left: [Int: [FolderPath: Set<String>]] = [:]

    private struct Place: Hashable {
        var device: Int
        var inode: DiskTree.Inode
    }

    /// The words in a text: what begins with `w` and a digit, up to the next character that is neither letter nor digit.
    static func words(in bytes: some Sequence<UInt8>) -> Set<String> {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let (small, large) = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"))
        var found: Set<String> = []
        var word: [UInt8] = []
        for byte in Array(bytes) + [0] {
            if digits.contains(byte) || small.contains(byte) || large.contains(byte) {
                word.append(byte)
            } else {
                if word.count > 1, word[0] == UInt8(ascii: "w"), digits.contains(word[1]) {
                    found.insert(String(decoding: word, as: UTF8.self))
                }
                word = []
            }
        }
        return found
    }

    /// Notes that a device's person put `new` where `old` was seen.
    mutating func wrote(_ new: [UInt8], over old: [UInt8]?, by event: Int, on device: Int) {
        contents.insert(new)
        let now = Self.words(in: new)
        for word in old.map({ Self.words(in: $0) }) ?? [] where !now.contains(word) { supersede(word, by: event) }
        // A program that empties a file first puts back what it keeps of it.
        for word in now {
            if case .superseded(let events)? = words[word] {
                guard events == [event] else {
                    words[word] = .superseded(events.subtracting([event]))
                    continue
                }
            } else if let fate = words[word] {
                // What was durable is not, once a program has written it anew without a sync.
                if fate == .live, !sent.contains(word) { fresh[device, default: []].insert(word) }
                continue
            }
            words[word] = .live
            fresh[device, default: []].insert(word)
        }
    }

    /// Notes a content that came about without anybody's will, such as half a file after a power failure.
    mutating func found(_ bytes: [UInt8]) {
        contents.insert(bytes)
    }

    /// Notes that a person deleted what they saw.
    /// - Parameter kept: Words that are elsewhere all the same.
    mutating func deleted(_ old: [UInt8], by event: Int, except kept: Set<String> = []) {
        for word in Self.words(in: old) where !kept.contains(word) { supersede(word, by: event) }
    }

    /// Notes that a person moved a file, maybe over another one that they saw.
    ///
    /// What both hold is still where that one was; who then moves the file on, or back, deletes it there as well. Over the one
    /// that took its own place meanwhile it is where it always was, and that one is deleted: nothing else is different then.
    mutating func moved(
        _ file: [UInt8], inode: DiskTree.Inode, from path: FolderPath, to new: FolderPath, over old: [UInt8]?,
        by event: Int, on device: Int
    ) {
        let isBack = leavers[device]?[new] == inode
        leavers[device, default: [:]][path] = inode
        let place = Place(device: device, inode: inode)
        let own = Self.words(in: file)
        left[device, default: [:]][path] = own
        // What the file no longer holds was written over, or the number is a new file's.
        for word in own.intersection(doubled.removeValue(forKey: place) ?? []) { supersede(word, by: event) }
        guard let old else { return }
        let kept = isBack ? [] : Self.words(in: old).intersection(own)
        doubled[place] = kept
        deleted(old, by: event, except: kept)
    }

    /// The places that a device's person moved files away from, for as long as nothing is there.
    mutating func placesLeft(on device: Int, where isEmpty: (FolderPath) -> Bool) -> [FolderPath] {
        left[device]?.keys.filter { path in
            if !isEmpty(path) { left[device]?[path] = nil }
            return left[device]?[path] != nil
        }.sorted() ?? []
    }

    /// Notes that a person put a new file where they had moved one away from: it takes the place of what others have there.
    ///
    /// Others may have moved an equal file over it meanwhile. Where that was seen the zone is told, and both are kept.
    /// - Parameters:
    ///   - kept: What the person still has somewhere.
    ///   - others: What is at the path on other devices, which lost events.
    mutating func refilled(
        _ path: FolderPath, by event: Int, on device: Int, kept: Set<String>, others: Set<String>
    ) {
        let moved = left[device]?.removeValue(forKey: path) ?? []
        for word in moved.intersection(others).subtracting(kept) { supersede(word, by: event) }
    }

    private mutating func supersede(_ word: String, by event: Int) {
        switch words[word] {
        case .live: words[word] = .superseded([event])
        case .superseded(let events): words[word] = .superseded(events.union([event]))
        case .unsaved, nil: break
        }
    }

    /// Everything on a device is durable now.
    mutating func flushed(_ device: Int) {
        fresh[device] = nil
    }

    /// The server has some of what a device has: it may not be lost any more.
    mutating func sent(_ words: Set<String>, by device: Int) {
        fresh[device]?.subtract(words)
        sent.formUnion(words)
    }

    /// Some of what a device has is durable: it may not be lost, unless it is written anew.
    mutating func settled(_ device: Int, durable: Set<String>) {
        fresh[device]?.subtract(durable)
    }

    /// A device's power failed: what was not durable need not be anywhere.
    /// - Parameter durable: The words that were.
    mutating func lostPower(_ device: Int, durable: Set<String>) {
        for word in fresh[device] ?? [] where words[word] == .live && !durable.contains(word) {
            words[word] = .unsaved
        }
        fresh[device] = nil
    }

    /// Words that have to be somewhere and are not.
    func missing(from present: Set<String>) -> [String] {
        words.filter { $0.value == .live && !present.contains($0.key) }.map(\.key).sorted()
    }

    /// Why a file's bytes are none that anybody wrote; `nil` where they are.
    func invention(in bytes: [UInt8], at path: FolderPath) -> String? {
        if contents.contains(bytes) { return nil }
        let isJSON = [".json", ".json~"].contains { path.bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }
        guard isJSON,
            let document = try? JSONDocument(parsing: bytes), document.root.kind == .object
        else { return "its bytes were never written by anybody" }
        // A merge: each value is one that somebody wrote.
        for member in document.root.members where ![AttachedFile.field, ReferredFile.field].contains(member.key) {
            guard let text = member.value.string, Self.words(in: text.utf8) == [text], words[text] != nil else {
                return "'\(member.key)' holds what nobody wrote"
            }
        }
        return nil
    }
}
