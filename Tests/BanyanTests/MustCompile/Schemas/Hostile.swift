import Banyan
import Foundation

// Files call this type "A: Object {} ; import Glibc\nclass B", and a class cannot be called that:
// a store that has it does not open with this model.
@Model(indexes: [["_1st___evil_", "class"]]) class A__Object______import_Glibc_class_B: Object {
    @Persisted(indexed: true, name: "x = 1; func f() {}") var x___1__func_f______2: Int = 0
    @Persisted var x___1__func_f_____: Int = 0
    @Persisted var `class`: String = ""
    @Persisted(name: "self") var self_: String = ""
    @Persisted(name: "1st\"\\(evil)") var _1st___evil_: Bool = false
    @Persisted var größe: Double = 0
    @Persisted var 🐶: `Self`?
    @Persisted(originProperty: "to__") var back_links: LinkingObjects<`Self`>
}

@Model class `Self`: Object {
    @Persisted(name: "to*/") var to__: List<A__Object______import_Glibc_class_B>
}
