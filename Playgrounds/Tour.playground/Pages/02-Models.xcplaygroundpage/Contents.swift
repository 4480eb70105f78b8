// # Models
//
// What a model says of its properties: keys, indexes, unique values, defaults, enums. And what an object is before it is added,
// and after.

import Banyan

// ## A model
//
// A property without `@Persisted` is not stored. A default is evaluated when an object is made, never when a stored one is read.

enum Status: String, PersistableEnum { case draft, published }

@Model class Article: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: .ordered) var title = ""
    @Persisted(unique: true) var slug = ""
    @Persisted var status = Status.draft
    @Persisted var words: Int?
    var isOpenInAnEditor = false

    convenience init(_ id: Int, _ title: String) {
        self.init()
        self.id = id
        self.title = title
        slug = title.lowercased().split(separator: " ").joined(separator: "-")
    }
}

let store = try Store(.init(models: [Article.self]))
let graph = Graph(store)
print(store.schema["Article"]?.description ?? "")

// ## Unmanaged, then managed
//
// An object is an ordinary instance until it is added. Then the same instance is live: it shows what the graph shows.

let first = Article(1, "On Trees")
first.words = 1_200
print("\nmanaged before:", first.graph != nil)
try graph.write { try graph.add(first) }
print("managed after:", first.graph != nil, "as", first.status)

// ## Finding by key, and making it anew or not
//
// A taken key is an error, unless the object that has it is to be updated.

try graph.write {
    try graph.add(Article(1, "On Tall Trees"), update: .modified)
    try graph.create(Article.self, value: ["id": 2, "title": "On Roots", "slug": "roots", "status": "published"])
}
print("\narticle 1:", graph.object(ofType: Article.self, forPrimaryKey: 1)?.title ?? "none")
print("published:", graph.objects(Article.self).where { $0.status == .published }.map(\.title))
print("from O to P:", graph.objects(Article.self).where { $0.title >= "O" && $0.title < "P" }.count)

// ## What cannot be
//
// Unique values are looked at when the write ends, so that two objects can swap them. A primary key never changes.

do {
    try graph.write { try graph.add(Article(3, "Roots")) }
} catch let error as BanyanError {
    print("\nrefused:", error.code)
}
do {
    try graph.write { first.id = 7 }
} catch let error as BanyanError {
    print("refused:", error.message)
}

// ## A part of a write
//
// A savepoint can fail alone.

let titles = ["On Leaves", "Roots", "On Bark"]
try graph.write {
    for (i, title) in titles.enumerated() {
        do {
            try graph.savepoint { try graph.add(Article(10 + i, title)) }
        } catch let error as BanyanError {
            print("left out '\(title)':", error.code)
        }
    }
}
print("all:", graph.objects(Article.self).sorted(by: \.title).map(\.title))
