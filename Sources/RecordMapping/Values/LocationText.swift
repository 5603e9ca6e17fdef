import CloudKitWire
import LosslessJSON

/// A LOCATION as a JSON object: the protocol's keys, with the time as text.
enum LocationText {
    static func read(_ node: JSONNode, at place: ValuePlace) throws(MappingProblem) -> Location {
        var numbers: [String: Double] = [:]
        var timestamp: Int64?
        for member in node.members {
            if member.hasKey("timestamp") {
                timestamp = member.value.string.flatMap(TimestampText.milliseconds) ?? member.value.int64
                guard timestamp != nil else { throw .illegalValue(place, "has a timestamp that is no time") }
                continue
            }
            guard let name = names.first(where: member.hasKey) else {
                throw .illegalValue(
                    place,
                    "has the key \"\(member.key)\", which no location has; they are latitude, longitude, "
                        + "altitude, horizontalAccuracy, verticalAccuracy, speed, course and timestamp")
            }
            guard let number = member.value.double else {
                throw .illegalValue(place, "has a \(name) that is no number")
            }
            numbers[name] = number
        }
        guard let latitude = numbers["latitude"], let longitude = numbers["longitude"] else {
            throw .illegalValue(place, "lacks latitude or longitude")
        }
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw .illegalValue(place, "is no place on earth: latitude goes from -90 to 90, longitude from -180 to 180")
        }
        var location = Location(latitude: latitude, longitude: longitude)
        location.altitude = numbers["altitude"]
        location.horizontalAccuracy = numbers["horizontalAccuracy"]
        location.verticalAccuracy = numbers["verticalAccuracy"]
        location.speed = numbers["speed"]
        location.course = numbers["course"]
        location.timestamp = timestamp
        return location
    }

    private static let names = [
        "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "speed", "course",
    ]

    /// Keys and their texts, in the order in which they are shown.
    static func members(_ location: Location) -> [(key: String, text: [UInt8])] {
        let numbers = [
            location.latitude, location.longitude, location.altitude, location.horizontalAccuracy,
            location.verticalAccuracy, location.speed, location.course,
        ]
        var members = zip(names, numbers).compactMap { name, number in
            number.map { (key: name, text: JSONSpelling.double($0)) }
        }
        if let time = location.timestamp {
            let text = TimestampText.text(time).map(JSONSpelling.string) ?? JSONSpelling.int64(time)
            members.append((key: "timestamp", text: text))
        }
        return members
    }
}
