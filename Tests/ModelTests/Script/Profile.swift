/// What kind of life a run's graph leads.
struct Profile: Sendable {
    var name: String
    /// Objects around which the population settles.
    var population: Int
    /// Of 100 transactions: how many are bursts (many of one kind of operation), and how many are to go wrong.
    var bursts: Int
    var faults: Int
    /// Of 100 operations: before how many a savepoint begins or ends.
    var savepoints: Int
    /// Of 100 collection operations: how many go to a few collections, which grow long.
    var favourites: Int
    /// Of 100 objects: how many are of two types, which get large tables.
    var crowding: Int
    /// Of 100 primary keys: how many are drawn from a large pool, and so most likely free.
    var keyVariety: Int
    /// Every so many commits everything is compared.
    var period: Int

    static let all = [small, wide, long]

    /// Few objects, every slot used again and again.
    static let small = Profile(
        name: "small", population: 60, bursts: 10, faults: 15, savepoints: 8, favourites: 20, crowding: 0,
        keyVariety: 25, period: 8)
    /// Many objects: several pages to a table, indexes that split.
    static let wide = Profile(
        name: "wide", population: 700, bursts: 35, faults: 5, savepoints: 3, favourites: 20, crowding: 75,
        keyVariety: 90, period: 40)
    /// Collections with more elements than a leaf holds.
    static let long = Profile(
        name: "long", population: 100, bursts: 20, faults: 8, savepoints: 5, favourites: 85, crowding: 0,
        keyVariety: 50, period: 25)
}
