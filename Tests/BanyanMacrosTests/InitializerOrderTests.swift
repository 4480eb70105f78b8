import Testing

@Suite struct InitializerOrderTests {
    @Test(
        "A stored property that is set before the object is there is reported, with the call moved up",
        arguments: [
            Mistake(
                """
                @Model class Dog: Object {
                    @Persisted var name: String
                    init(n: String) { «name = n; super.init() }
                }
                """,
                "'name' is stored in the object, which is there once 'super.init()' was called: call it first",
                fixIt: "call 'super.init()' first",
                fixed: """
                    @Model class Dog: Object {
                        @Persisted var name: String
                        init(n: String) { super.init(); name = n; }
                    }
                    """),
            Mistake(
                """
                @Model class Dog: Object {
                    @Persisted var age: Int
                    var cache = 0
                    init(n: Int) {
                        cache = n
                        if n > 1 {
                            self.«age += n
                        }
                        super.init()
                        age = n
                    }
                }
                """,
                "'age' is stored in the object, which is there once 'super.init()' was called: call it first",
                fixIt: "call 'super.init()' first",
                fixed: """
                    @Model class Dog: Object {
                        @Persisted var age: Int
                        var cache = 0
                        init(n: Int) {
                            cache = n
                            super.init()
                            if n > 1 {
                                self.age += n
                            }
                            age = n
                        }
                    }
                    """),
            // Without a call the compiler makes one at the end.
            Mistake(
                """
                @Model class Dog: Object {
                    @Persisted var name: String
                    init(n: String) {
                        «name = n
                    }
                }
                """,
                "'name' is stored in the object, which is there once 'super.init()' was called: call it first",
                fixIt: "call 'super.init()' first",
                fixed: """
                    @Model class Dog: Object {
                        @Persisted var name: String
                        init(n: String) {
                            super.init()
                            name = n
                        }
                    }
                    """),
            // What is handed on may not be there yet.
            Mistake(
                """
                @Model class Puppy: Dog {
                    @Persisted var weeks: Int
                    init(n: String) {
                        «weeks = 3
                        super.init(n: n)
                    }
                }
                """,
                "'weeks' is stored in the object, which is there once 'super.init()' was called: call it first"),
        ])
    func mistakes(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test("What is set when the object is there, or is not stored, is not reported")
    func fine() {
        let source = """
            @Model class Dog: Object {
                @Persisted var name: String
                @Persisted var age: Int
                var cache = 0
                init(n: String) {
                    cache = 1
                    let later = { (dog: Dog) in dog.name = n }
                    func other(_ dog: Dog) { dog.name = n }
                    super.init()
                    name = n
                    later(self)
                }
                init(age: inout Int) {
                    age += 1
                    super.init()
                    self.age = age
                }
                convenience init(c: String) {
                    self.init()
                    name = c
                }
            }
            """
        #expect(findings(in: source).isEmpty)
    }
}
