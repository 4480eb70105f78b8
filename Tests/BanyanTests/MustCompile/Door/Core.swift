// flags: -enable-upcoming-feature MemberImportVisibility
import Banyan

// What the core declares for users needs no other import: names, members, operators.
func price(_ total: Decimal128, _ count: Int) -> Decimal128 {
    var share = total / Decimal128(count) + total % 2 - total * 3
    share /= 2
    share %= 7
    return share < -share ? share.rounded() : share
}

func id() -> String { "\(ObjectId()) \(ObjectId().timestamp)" }
func error(_ error: BanyanError) -> String { "\(error.code) \(error.message)" }
func same(_ a: ObjectID, _ b: ObjectID) -> Bool { a == b || a < b }
func rule() -> DeleteRule { .cascade }
func metadata() -> CommitMetadata { CommitMetadata(author: "billing") }
