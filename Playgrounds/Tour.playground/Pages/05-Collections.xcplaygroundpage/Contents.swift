// # Collections
//
// Lists, sets and maps as properties: live, of numbers, texts, enums or objects, and always what the graph shows.

import Banyan

@Model class Playlist: Object {
    @Persisted var songs: List<Song>
    @Persisted var tags: MutableSet<String>
    @Persisted var plays: Map<String, Int>
    @Persisted var ratings: List<Double?>
}

@Model class Song: Object {
    @Persisted var title = ""
    @Persisted var seconds = 0

    convenience init(_ title: String, _ seconds: Int) {
        self.init()
        self.title = title
        self.seconds = seconds
    }
}

let graph = Graph(try Store(.init(models: [Playlist.self])))
let list = Playlist()
try graph.write { try graph.add(list) }

// ## Changing
//
// Inside a write they are changed as Swift's own are.

try graph.write {
    list.songs.append(objectsIn: [Song("Roots", 200), Song("Bark", 140), Song("Leaves", 260), Song("Moss", 90)])
    list.songs.move(from: 3, to: 0)
    list.tags.formUnion(["calm", "green"])
    list.tags.insert("calm")
    list.plays["Monday"] = 3
    list.plays["Friday", default: 0] += 9
    list.ratings.append(objectsIn: [4.5, nil, 3.5])
}
print("songs:", list.songs.map(\.title))
print("tags:", list.tags, "plays:", list.plays)

// ## Asking
//
// Collections of objects are narrowed and sorted to results, which stay live.

let long = list.songs.where { $0.seconds > 100 }.sorted(by: \.title)
print("long ones:", long.map(\.title))
print("seconds in all:", list.songs.sum(of: \.seconds), "mean rating:", list.ratings.average() ?? 0)
print("most plays on a day:", list.plays.max() ?? 0)
try graph.write { list.songs.append(Song("Acorn", 180)) }
print("now:", long.map(\.title), "last two of the list:", list.songs[3...].map(\.title))

// ## Watching
//
// A list tells which indices went, came and changed.

let token = list.songs.observe { change in
    if case .update(_, let deletions, let insertions, let modifications) = change {
        print("  told: -\(deletions) +\(insertions) ~\(modifications)")
    }
}
try graph.write {
    list.songs.remove(at: 0)
    list.songs[0].seconds += 1
}
token.invalidate()

// ## Keeping
//
// A frozen collection stays what it was.

let before = list.songs.freeze()
try graph.write { list.songs.removeAll() }
print("frozen:", before.count, "live:", list.songs.count, "thawed:", before.thaw()?.count ?? -1)
