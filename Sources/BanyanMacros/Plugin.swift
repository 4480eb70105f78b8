import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// What the compiler loads to expand the macros that `Banyan/Macros.swift` declares.
@main
struct BanyanPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [ModelMacro.self, PersistedMacro.self]
}
