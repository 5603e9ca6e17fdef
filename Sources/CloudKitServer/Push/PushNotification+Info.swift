import CloudKitQueries
import CloudKitWire
import LosslessJSON
import WireCoding

extension PushNotification {
    /// Says what a subscription wants said. One that wants nothing said at all wakes its app in silence: a push without
    /// anything would do nothing.
    mutating func say(_ info: NotificationInfo?) {
        var text = Alert(body: info?.alertBody)
        text.localizationKey = info?.alertLocalizationKey
        text.localizationArgs = info?.alertLocalizationArgs
        text.actionLocalizationKey = info?.alertActionLocalizationKey
        text.launchImage = info?.alertLaunchImage
        alert = text == Alert() ? nil : text
        sound = info?.soundName
        category = info?.category
        let isMute = alert == nil && sound == nil && category == nil && info?.shouldBadge != true
        isContentAvailable = info?.shouldSendContentAvailable ?? isMute
    }

    /// Leaves out what was asked for in addition, where all of it is more than Apple's service delivers: 4,096 bytes.
    mutating func prune() {
        guard query?.additionalFields.isEmpty == false, encoded().count > 4096 else { return }
        query?.additionalFields = [:]
        isPruned = true
    }
}

extension StoredRecord {
    /// Those of some fields that a push can bring, with the JSON of their bare values: texts, numbers, times, places, and
    /// references by the names of their targets. Nothing that is encrypted leaves the database this way.
    func pushedFields(_ names: [String]) throws -> [String: [UInt8]] {
        guard !names.isEmpty else { return [:] }
        let fields = try decodedFields()
        var pushed: [String: [UInt8]] = [:]
        for name in names {
            guard let field = fields[name], !field.isEncrypted, let value = field.value else { continue }
            var json = JSONWriter()
            switch value {
            case .string, .int64, .double, .timestamp, .location: value.writeValue(to: &json)
            case .reference(let reference): json.string(reference.recordName)
            default: continue
            }
            pushed[name] = json.bytes
        }
        return pushed
    }
}
