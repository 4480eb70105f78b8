import Banyan
import Foundation
import Testing

@Model class Album: Object, Codable {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var title = "untitled"
    @Persisted(name: "stored_year") var year: Int?
    @Persisted var price: Decimal128 = 9
    @Persisted var mood = Weather.foggy
    @Persisted var warmth = Celsius(4)
    @Persisted var spare: Celsius?
    @Persisted var label: Label?
    @Persisted var tracks: List<Track>
    @Persisted var tags: MutableSet<String>
    @Persisted var charts: Map<String, Int>
    @Persisted var related: List<Album>
    @Persisted(originProperty: "related") var relatedTo: LinkingObjects<Album>
}

@Model class LiveAlbum: Album {
    @Persisted var place = "Pompeii"
}

@Model class Track: EmbeddedObject, Codable {
    @Persisted var name = ""
    @Persisted var seconds: Double = 0
}

@Model class Label: Object, Codable {
    @Persisted var name = ""
    @Persisted var secret = "secret"
    @Persisted var best: Album?
    enum CodingKeys: String, CodingKey { case name = "label_name" }
}

@Suite("Codable models")
struct CodableTests {
    private func make() -> Album {
        let album = Album()
        album.id = "0123456789abcdef01234567"
        (album.title, album.price, album.mood, album.warmth) = ("Meddle", 12, .sunny, Celsius(20))
        album.label = Label()
        album.label?.name = "Harvest"
        album.label?.best = album
        for (name, seconds) in [("One of These Days", 357.0), ("Echoes", 1411)] {
            let track = Track()
            (track.name, track.seconds) = (name, seconds)
            album.tracks.append(track)
        }
        album.tags.insert(objectsIn: ["rock", "live"])
        album.charts["uk"] = 3
        let other = Album()
        other.title = "Animals"
        album.related.append(other)
        return album
    }

    private func spoil(_ album: Album) {
        album.title = "spoilt"
        album.tracks.removeAll()
    }

    @Test(
        "An object is encoded as its properties, whatever it is, and decoded as an unmanaged one",
        arguments: Situation.allCases)
    func roundTrip(_ situation: Situation) async throws {
        try await situation.show(Album.self, [Album.self, LiveAlbum.self], make: make, spoil: spoil) { first in
            let album = first.title == "Meddle" ? first : try #require(first.relatedTo.first)
            let data = try JSONEncoder().encode(album)
            let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(json["title"] as? String == "Meddle" && json["mood"] as? String == "sunny")
            #expect(json["id"] as? String == "0123456789abcdef01234567" && json["warmth"] as? Double == 20)
            #expect(json["year"] is NSNull && json["spare"] is NSNull && json["relatedTo"] == nil)
            #expect(json["label"] as? [String: String] == ["label_name": "Harvest"])
            #expect(
                (json["tracks"] as? [[String: Any]])?.map { $0["name"] as? String } == ["One of These Days", "Echoes"])
            #expect((json["related"] as? [[String: Any]])?.first?["title"] as? String == "Animals")

            let decoded = try JSONDecoder().decode(Album.self, from: data)
            #expect(decoded.graph == nil && decoded.id == album.id && decoded.title == "Meddle")
            #expect(decoded.year == nil && decoded.price == 12 && decoded.mood == .sunny)
            #expect(decoded.warmth == Celsius(20) && decoded.spare == nil)
            #expect(decoded.label?.name == "Harvest" && decoded.label?.secret == "secret")
            #expect(decoded.tracks.map(\.seconds) == [357, 1411] && Set(decoded.tags) == ["rock", "live"])
            #expect(decoded.charts["uk"] == 3 && decoded.related.first?.title == "Animals")
        }
    }

    @Test("What is missing gets its default, what is unknown is ignored, null is nil")
    func missing() throws {
        let json = #"{"title": "x", "year": null, "nonsense": {"a": 1}, "label": null, "spare": 5}"#
        let album = try JSONDecoder().decode(Album.self, from: Data(json.utf8))
        #expect(album.title == "x" && album.year == nil && album.price == 9 && album.mood == .foggy)
        #expect(album.warmth == Celsius(4) && album.spare == Celsius(5) && album.label == nil && album.tracks.isEmpty)
    }

    @Test("A decoded subclass has its own properties and those it inherits")
    func inheritance() throws {
        let json = #"{"title": "Live", "place": "Paris"}"#
        let album = try JSONDecoder().decode(LiveAlbum.self, from: Data(json.utf8))
        #expect(album.title == "Live" && album.place == "Paris")
        let again = try JSONDecoder().decode(LiveAlbum.self, from: JSONEncoder().encode(album))
        #expect(again.place == "Paris")
    }

    @Test(
        "What does not fit says where",
        arguments: [
            (#"{"title": 5}"#, "title"), (#"{"tracks": [{"name": "a"}, {"seconds": "b"}]}"#, "tracks.1.seconds"),
            (#"{"label": {"label_name": 1}}"#, "label.label_name"), (#"{"mood": "storm"}"#, "mood"),
            (#"{"title": null}"#, "title"), (#"{"charts": {"uk": "x"}}"#, "charts.uk"),
        ])
    func misfits(_ json: String, _ place: String) {
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Album.self, from: Data(json.utf8)) }
        let context: DecodingError.Context? =
            switch error {
            case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?: context
            default: nil
            }
        let path = context?.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        #expect(path == place)
    }

    @Test("An object inside itself cannot be encoded, and the error names the path")
    func cycle() throws {
        let album = make()
        album.related[0].related.append(objectsIn: [Album(), album])
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(album) }
        guard case .invalidValue(_, let context)? = error else {
            Issue.record("no such error")
            return
        }
        #expect(context.debugDescription.contains("related[0].related[1]"))
        // The same object twice, but not inside itself, is fine.
        album.related[0].related.removeAll()
        album.related.append(album.related[0])
        #expect(throws: Never.self) { try JSONEncoder().encode(album) }
    }

    @Test("A chain that is too long for encoders is an error, not a crash")
    func depth() throws {
        let first = Album()
        var last = first
        for _ in 0..<1000 {
            let next = Album()
            last.related.append(next)
            last = next
        }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(first) }
    }
}
