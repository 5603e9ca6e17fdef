extension RecordHints {
    /// The text, with what was renewed left out where the record would grow too large with it, then the layout, the
    /// spellings that change no value, and the hashes of assets.
    func text(within room: Int) -> String? {
        guard let whole = text else { return nil }
        if whole.utf8.count <= room { return whole }
        var less = self
        less.renewedAssets = [:]
        if let text = less.text, text.utf8.count <= room { return text }
        less.layout = nil
        less.order = nil
        if let text = less.text, text.utf8.count <= room { return text }
        less.texts = less.texts.filter { $0.value.first != UInt8(ascii: "\"") || less.ids[$0.key] != nil }
        if let text = less.text, text.utf8.count <= room { return text }
        less.hashes = [:]
        return less.text
    }
}
